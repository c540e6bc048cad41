#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The virtual lab on a real kernel: boots that repeat to the nanosecond with both cores
# busy, results that survive Ctrl-C and kill -9, and every failure told by its name.
# Needs the demo's kernel history (made where it is missing).
set -u
cd "$(dirname "$0")/../../.."
top=$PWD
program=$top/kregress
cache=${KREGRESS_DEMO_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kregress/demo}
tree=$cache/linux
folder=$(mktemp -d)
results=$folder/results
busy=
trap 'kill $busy 2>/dev/null; rm -rf "$folder"' EXIT
number=0
small='--scenario raw-sync --param count=100 --param window=10'

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

# run CODE ARGUMENT...: whether the program ends with that code
run() {
	wanted=$1
	shift
	"$program" "$@" >"$folder/out" 2>"$folder/err"
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

commit() {
	awk -v label="$1" '$1 == label {print $2}' "$cache/labels"
}

no_guest() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		pgrep -f "qemu-system.*$results" >/dev/null || return 0
		sleep 0.5
	done
	return 1
}

mkdir -p "$cache"
check 'kernel history' sh -c "harness/demo/make-history '$cache' >'$folder/out' 2>'$folder/err'"

# --- what a user may get wrong costs nothing
check 'unknown revision' run 2 run --tree "$tree" no-such-tag $small --results "$results"
check 'the revision is named' said 'no-such-tag'
check 'no repository' run 2 run --tree "$folder" v1 $small --results "$results"
mkdir "$folder/other" && (cd "$folder/other" && git init -q && echo x >x && git add x &&
	git -c user.name=t -c user.email=t@localhost commit -qm x && git tag one)
check 'no kernel' run 2 run --tree "$folder/other" one $small --results "$results"
check 'unknown scenario' run 2 run --tree "$tree" demo-0 --scenario fsync-lop --results "$results"
check 'the nearest scenario is named' said 'fsync-loop'
printf 'name: x\nworkload: sync-loop\nparameters: {block_size: -1}\n' >"$folder/bad.yaml"
check 'broken YAML' run 2 run --tree "$tree" demo-0 --scenario "$folder/bad.yaml" --results "$results"
check 'file, line and column are named' said 'bad.yaml:3:'
mkdir "$folder/bin"
for program_ in /usr/bin/* /usr/sbin/*; do
	case $program_ in */qemu*) ;; *) ln -s "$program_" "$folder/bin/" 2>/dev/null ;; esac
done
without_qemu() {
	PATH=$folder/bin run 3 run --tree "$tree" demo-0 $small --results "$folder/noqemu"
}
check 'no QEMU' without_qemu
check 'the program and its package are named' said 'qemu-system-x86'

# --- one kernel, five boots, both cores busy
for _ in 1 2 3; do
	(while :; do :; done) &
	busy="$busy $!"
done
check 'five boots beside busy cores' run 0 run --tree "$tree" demo-0 --boots 5 \
	--scenario fsync-loop --param count=30 --results "$results"
check 'the same with ten disks' run 0 run --tree "$tree" demo-0 --boots 5 \
	--scenario multi-disk-fsync --param size=1M --results "$results"
kill $busy
busy=
check 'five boots each' sql "select count(*) from boots where outcome = 'ok'" 10
# One boot in five may stray (see measure/identity.h); the others agree to the last bit.
check 'identical to the last bit' sql "select count(*) from (select max(same) as most from
	(select scenario, case_label, metric, count(*) as same from results group by
	scenario, case_label, metric, value) group by scenario, case_label, metric)
	where most < 4" 0
check 'there are samples' sql "select count(*) > 100 from results" 1
check 'nothing is measured twice' run 0 run --tree "$tree" demo-0 --scenario fsync-loop \
	--param count=30 --results "$results"
check 'still ten boots' sql 'select count(*) from boots' 10

# --- failures by their names
check 'a broken commit is left out' run 4 run --tree "$tree" \
	"$(commit ext4-page-io-rename-finish)" $small --results "$results"
check 'with its first error' said 'error:'
check 'and the path of its log' said 'build.log)'
check 'with --json too' run 4 run --tree "$tree" "$(commit ext4-page-io-rename-finish)" \
	$small --results "$results" --json
check 'and without half an answer' [ ! -s "$folder/out" ]
check 'a panic is told' run 4 run --tree "$tree" "$(commit bio-warm-pool)" $small \
	--results "$results"
check 'as a panic' sql "select count(*) from boots where outcome = 'panic'" 1

# --- interrupts
"$program" run --tree "$tree" demo-0 --scenario cat-readahead --results "$results" \
	>"$folder/out" 2>"$folder/err" &
pid=$!
sleep 4
kill -INT $pid
wait $pid
check 'Ctrl-C while a guest runs: exit code 130' test $? -eq 130
check 'no guest is left' no_guest
"$program" run --tree "$tree" demo-0 --scenario cat-readahead --results "$results" \
	>"$folder/out" 2>"$folder/err" &
pid=$!
sleep 4
kill -KILL $pid
wait $pid 2>/dev/null
check 'after kill -9 the same command works' run 0 run --tree "$tree" demo-0 $small \
	--results "$results"
check 'the guest of the dead is gone' no_guest
check 'the database is whole' sql 'pragma integrity_check' ok

# --- a full disk
if mkdir "$folder/full" && mount -t tmpfs -o size=3m tmpfs "$folder/full" 2>/dev/null; then
	dd if=/dev/zero of="$folder/full/fill" bs=1k count=2500 2>/dev/null
	check 'a full disk' run 3 run --tree "$tree" demo-0 $small --results "$folder/full/r"
	# By SQLite or by the system, whichever meets it first.
	check 'is named' grep -qE 'disk is full|No space left' "$folder/err"
	umount -l "$folder/full"
else
	echo "ok $((number += 1)) - a full disk # SKIP no right to mount"
fi
echo "1..$number"
