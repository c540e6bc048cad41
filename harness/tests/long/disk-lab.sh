#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The disk lab on loop devices, with emulated processors and real time: two versions on two
# buses, judged by statistics; ten disks, of which two cannot do what is asked.
set -u
cd "$(dirname "$0")/../../.." || exit 1
program=$PWD/kregress
PATH=$PATH:/usr/sbin:/sbin
if [ "$(id -u)" != 0 ] || ! losetup -f >/dev/null 2>&1; then
	echo "1..0 # SKIP loop devices need root"
	exit 77
fi
cache=${KREGRESS_DEMO_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kregress/demo}
tree=$cache/linux
folder=$(mktemp -d)
results=$folder/results
export KREGRESS_LOCK="$folder/turn.lock"
loops=
number=0

clean_up() {
	for loop in $loops; do losetup -d "$loop" 2>/dev/null; done
	rm -rf "$folder"
}
trap clean_up EXIT

# check NAME COMMAND...: one TAP line
check() {
	number=$((number + 1))
	name=$1
	shift
	if "$@"; then
		echo "ok $number - $name"
	else
		echo "not ok $number - $name"
		tail -n 20 "$folder/out" "$folder/err" | sed 's/^/# /'
	fi
}

# run CODE ARGUMENT...: whether the program ends with that code, in the folder
run() {
	wanted=$1
	shift
	(cd "$folder" && "$program" "$@" --lab disk --results "$results" >out 2>err)
	code=$?
	[ $code -eq "$wanted" ] || echo "# exit code $code, not $wanted" >>"$folder/err"
	[ $code -eq "$wanted" ]
}

said() {
	grep -qF -- "$1" "$folder/err"
}

# sql QUERY VALUE: whether the query gives the value
sql() {
	got=$(sqlite3 "$results/kregress.sqlite" "$1")
	[ "$got" = "$2" ] || echo "# $1: $got, not $2" >>"$folder/err"
	[ "$got" = "$2" ]
}

no_guest() {
	! pgrep -f "qemu-system.*$results" >/dev/null
}

commit() {
	awk -v label="$1" '$1 == label {print $2}' "$cache/labels"
}

# disk NAME KEYS [OPTION...]: a loop device as a disk of the configuration
disk() {
	name=$1 keys=$2
	shift 2
	truncate -s 96M "$folder/$name"
	loop=$(losetup -f --show "$@" "$folder/$name") || exit 1
	loops="$loops $loop"
	echo "  $name: {device: $loop, serial: SN-$name, $keys}" >>"$folder/kregress.yaml"
}

mkdir -p "$cache"
check 'kernel history' sh -c "harness/demo/make-history '$cache' >'$folder/out' 2>'$folder/err'"
echo 'disks:' >"$folder/kregress.yaml"
disk v 'bus: virtio, io: io_uring, queues: 2'
disk s 'bus: scsi, cache: directsync, queues: 1'
disk i 'bus: ide, io: threads, iothread: false'
for n in 1 2 3 4 5 6 7 8; do disk d$n 'class: ten'; done
for n in 9 10; do disk d$n 'class: ten, bus: scsi' -b 4096; done
cat >"$folder/pair.yaml" <<END
name: pair
workload: sync-loop
parameters: {device: [v, s], mode: overwrite, count: 20, sync: fdatasync}
settle_seconds: 0
metrics: [{name: writes_per_op, min_effect: 2}]
END
cat >"$folder/ten.yaml" <<END
name: ten
workload: parallel-writers
parameters: {device: ten, disks: 10, target: device, direct: yes, block_size: 512, size: 16k,
             queue_depth: 8, readahead_sectors: 64, scheduler: none, write_cache: off}
settle_seconds: 0
END

# --- what is refused costs no boot
check 'a device that is not configured' run 2 run --tree "$tree" demo-0 --scenario raw-sync
check 'it is named, with those that are there' said \
	'device ssd: no disk of kregress.yaml has that name or class; there are: v, s, i'
check 'too few of a class' run 2 run --tree "$tree" demo-0 --scenario ./ten.yaml -p disks=11
check 'they are counted' said '11 disks are wanted, but there are 10'
check 'a file that does not fit' run 2 run --tree "$tree" demo-0 --scenario ./pair.yaml \
	-p count=100000
check 'the disk is named' said 'disk v: its 96 MiB are too small'
printf precious | dd of="$folder/i" bs=1M seek=20 conv=notrunc status=none
mke2fs -q -t ext4 "$folder/i"
before=$(sha256sum <"$folder/i")
check 'a file system without permission' run 2 run --tree "$tree" demo-0 \
	--scenario ./pair.yaml -p device=i
check 'what it carries is named' said 'it carries ext4 on'
check 'not a byte is changed' [ "$(sha256sum <"$folder/i")" = "$before" ]
check 'no boot was made' sql 'select count(*) from boots' 0

# --- two versions on two buses
check 'a regression is found' run 1 run --tree "$tree" demo-0 \
	"$(commit ext4-one-transaction-for-both-syncs)" --boots 5 --scenario ./pair.yaml
check 'on both buses' sql "select count(*) from verdicts where verdict = 'regression' and
	metric = 'writes_per_op' and role = 'neighbour'" 2
check 'by statistics' sql "select count(*) from verdict_reasons where code = 'significant'" \
	"$(sqlite3 "$results/kregress.sqlite" \
		"select count(*) from verdicts where verdict = 'regression'")"
check 'five boots a side at least' sql "select min(a_boots, b_boots) >= 5 from verdicts limit 1" 1
check 'in one environment' sql 'select count(distinct environment) from boots' 1
check 'that tells bus and cache of each disk' sql "select group_concat(value) from (select value
	from environment_fields where name in ('disk.SN-v.bus', 'disk.SN-s.bus',
	'disk.SN-s.cache', 'disk.SN-v.io') order by name)" scsi,directsync,virtio,io_uring
check 'and the host' sql "select count(*) from environment_fields where value <> '' and name in
	('host.kernel', 'host.cpu', 'qemu', 'accelerator')" 4

# --- ten disks
check 'ten writers, two of them left out' run 0 run --tree "$tree" demo-0 --boots 1 \
	--scenario ./ten.yaml
check 'the boot is partial' sql "select group_concat(distinct outcome) from boots where scenario =
	(select id from scenarios where name = 'ten')" partial
check 'both are named' said 'disk SN-d9 (block_size 512 is no multiple of its sectors of 4096'
check 'with their reason' said 'disk SN-d10 (block_size 512 is no multiple of its sectors of 4096'
check 'the output tells of it' grep -q 'measured in part: demo-0, ten: partial' "$folder/out"
check 'each of the others has results' sql "select count(distinct name) from series where name
	like 'disk.SN-d%.elapsed'" 8
check 'settings were read back' sql "select group_concat(setting) from (select distinct name ||
	'=' || value as setting from settings where disk = 'SN-d3' and scenario = 'ten' and
	name in ('queue_depth', 'readahead_sectors', 'scheduler', 'write_cache') order by 1)" \
	'queue_depth=8,readahead_sectors=64,scheduler=none,write_cache=write through'
for loop in $loops; do losetup -d "$loop" || echo "# $loop is still in use"; done
loops=
check 'no guest is left' no_guest
echo "1..$number"
