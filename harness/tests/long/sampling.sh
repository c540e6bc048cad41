#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A noisy lab, on a loop device: a reference at both ends, boots in blocks, a session that
# is interrupted and goes on, one kernel against itself.
# Needs the demo's kernel history (made where it is missing) and a loop device.
set -u
cd "$(dirname "$0")/../../.."
top=$PWD
program=$top/kregress
cache=${KREGRESS_DEMO_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kregress/demo}
folder=$(mktemp -d)
database=$folder/results/kregress.sqlite
number=0

truncate -s 64M "$folder/disk"
loop=$(losetup -f --show "$folder/disk" 2>/dev/null) || {
	rm -rf "$folder"
	echo "1..0 # SKIP no loop device to be had"
	exit 77
}
trap 'losetup -d "$loop"; rm -rf "$folder"' EXIT
harness/demo/make-history "$cache" >"$folder/out" 2>"$folder/err" || exit 1

cat >"$folder/kregress.yaml" <<END
lab: disk
disks:
  d0: {device: $loop, serial: DISK0, allow_destroy: DISK0}
END
cat >"$folder/quick.yaml" <<END
name: quick
workload: sync-loop
parameters: {target: device, count: 50}
runs: 1
settle_seconds: 1
metrics: [elapsed]
disk: {parameters: {device: d0}}
END
cd "$folder" || exit 1

# check NAME COMMAND...: one TAP line
check() {
	number=$((number + 1))
	name=$1
	shift
	if "$@"; then
		echo "ok $number - $name"
	else
		echo "not ok $number - $name"
		tail -n 20 out err | sed 's/^/# /'
	fi
}

measure() {
	"$program" run --tree "$cache/linux" demo-0 demo-1 -s ./quick.yaml --boots 2 --seed 3
}

boots() {
	sqlite3 "$database" "SELECT count(*) FROM boots WHERE outcome = 'ok' AND $1" 2>/dev/null || echo 0
}

# Interrupted once the reference and a boot behind it are there.
interrupt() {
	measure >out 2>err &
	pid=$!
	while [ "$(boots "purpose = 'measure'")" -lt 1 ] && kill -0 $pid 2>/dev/null; do
		sleep 0.2
	done
	# The shell that runs the function, and the program in it.
	pkill -INT -P $pid 2>/dev/null
	wait $pid
	[ $? -eq 130 ]
}

goes_on() {
	measure >out 2>err
	[ $? -le 1 ] && grep -q 'going on with what was interrupted' err
}

is() {
	[ "$1" = "$2" ] || echo "# $1, not $2" >>err
	[ "$1" = "$2" ]
}

check "a session is interrupted" interrupt
check "the same command goes on with it" goes_on
check "two boots of each version in all" is "$(boots "purpose = 'measure'")" 4
check "the reference is measured at both ends, once each" is "$(boots "purpose = 'reference'")" 10
check "each block has both versions" is "$(sqlite3 "$database" "SELECT count(DISTINCT version)
	FROM (SELECT version FROM boots WHERE purpose = 'measure' AND outcome = 'ok' ORDER BY id LIMIT 2)")" 2
check "the seed of the order is kept" is "$(sqlite3 "$database" "SELECT count(*) FROM notes
	WHERE kind = 'sampling' AND text LIKE '%seed 3;%'")" 2
check "two boots a side decide nothing, or the reference moved" grep -qE 'inconclusive|not.comparable' out

"$program" calibrate --tree "$cache/linux" demo-0 -s ./quick.yaml --boots 10 --json >out 2>err
check "one kernel against itself" is $? 0
check "with the noise of its numbers" grep -q '"metric":"elapsed".*"floor_percent":[0-9]' out
check "which is kept" is "$(sqlite3 "$database" "SELECT count(*) FROM noise WHERE metric = 'elapsed'")" 1
check "and its boots are no evidence of anything else" is "$(boots "purpose = 'calibrate'")" 10
echo "1..$number"
