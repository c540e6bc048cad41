#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What a run shows within itself, on real kernels: a planted drift, stall and hang are told
# by exactly those words and a healthy kernel gives none; devices with a cache, without one
# and with a hidden one are told apart; a command of the user's own works, hangs and loops.
# Needs the demo's kernel history (made where it is missing).
set -u
cd "$(dirname "$0")/../../.."
top=$PWD
cache=${KREGRESS_DEMO_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kregress/demo}
tree=$cache/linux
folder=$(mktemp -d)
results=$folder/results
trap 'rm -rf "$folder"' EXIT
number=0

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

# run CODE ARGUMENT...: "kregress run" in the demo's tree ends with that code
run() {
	wanted=$1
	shift
	"$top/kregress" run --tree "$tree" --results "$results" "$@" >"$folder/out" 2>"$folder/err"
	code=$?
	[ $code -eq "$wanted" ] || echo "# exit code $code, not $wanted" >>"$folder/err"
	[ $code -eq "$wanted" ]
}

printed() {
	grep -qE -- "$1" "$folder/out"
}

# sql QUERY VALUE: whether the query gives the value
sql() {
	got=$(sqlite3 "$results/kregress.sqlite" "$1")
	[ "$got" = "$2" ] || echo "# $1: $got, not $2" >>"$folder/err"
	[ "$got" = "$2" ]
}

# faults SCENARIO: words of its runs that tell of a fault, with their cases
faults() {
	echo "select group_concat(case_label || ' ' || word, '; ') from (select distinct
		case_label, word from within_runs where scenario = '$1' and word in
		('drift', 'stall', 'hang', 'timed-out', 'no-flush', 'too-fast') order by 1, 2)"
}

mkdir -p "$cache"
check 'kernel history' sh -c "harness/demo/make-history '$cache' >'$folder/out' 2>'$folder/err'"

# --- drift: the demo has it from demo-5 on
check 'a drift that appears is a regression' run 1 demo-4 demo-5 --scenario raw-sync
check 'with a verdict of its own' printed '^    target=device drift: median 0 became [1-9]'
check 'the table tells it' printed '^device +demo-5 .* [1-9][0-9.]+ +0$'
check 'exactly that word, and none for the healthy kernel' \
	sql "$(faults raw-sync)" 'target=device drift'
check 'in the drifting version' sql "select distinct version from within_runs
	where word = 'drift'" demo-5

# --- stall and hang, by the size of the disk
planted=$top/harness/tests/long/faults
check 'a kernel that hangs is not measured' run 4 "demo-0+patch:$planted/sync.patch" \
	--scenario "$planted/sync.yaml"
check 'the boot is hung' sql "select outcome from boots order by id desc limit 1" hung
check 'stall and hang, exactly' sql "$(faults sync-faults)" \
	'disk_size=48M stall; disk_size=49M hang'
check 'the hung run has kept its windows' sql "select count(*) from windows where
	case_label = 'disk_size=49M' and name = 'window_mean'" 14
check 'both are printed' printed 'disk_size=48M: stalls from window 10 of 20 on for 1 window'

# --- devices
check 'four devices' run 0 demo-0 --scenario fsync-loop --param device=ssd,plp,lying \
	--param block_size=4096 --param mode=keep
check 'a cache that is flushed' printed 'device ssd has a volatile cache, and each sync'
check 'none' printed 'device plp says that it has no volatile cache'
check 'one that is hidden' printed 'device lying acknowledges a sync in'
check 'each by its word' sql "select group_concat(word, ' ') from (select distinct word from
	within_runs where scenario = 'fsync-loop' and run = 0 order by 1)" 'flushes no-cache too-fast'

# --- a command of the user's own
if command -v fio >/dev/null; then
	check 'fio in the guest' run 0 demo-0 --scenario scenarios/examples/fio-sync.yaml
	check 'its figures are metrics' sql "select count(distinct metric) from results where
		scenario = 'fio-sync' and metric in ('write_ops_per_second', 'sync_latency_p50')" 2
fi
cat >"$folder/command.yaml" <<END
name: command
workload: exec
files: [/bin/sleep, /bin/sh]
parameters: {command: sleep 1000000, filesystem: none, parser: number}
settle_seconds: 1
silence_seconds: 4
timeout_seconds: 12
END
check 'a command that sleeps for ever' run 4 demo-0 --scenario "$folder/command.yaml"
check 'hangs' sql "$(faults command)" ' hang'
check 'one that loops for ever' run 4 demo-0 --scenario "$folder/command.yaml" \
	--param "command=sh -c 'while :; do :; done'"
check 'is timed out, not hung' sql "select outcome from boots order by id desc limit 1" timed-out
echo "1..$number"
