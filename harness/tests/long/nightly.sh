#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Three nights on the demo's history, by a clock that is fixed: a regression appears, stays,
# is fixed. Then what may go wrong in a night: kill -9, no remote, a full disk, a budget
# that is too small, a reader that holds the database.
# Kernels come from the store, where the first run of this test puts what the demo has not.
set -u
cd "$(dirname "$0")/../../.."
top=$PWD
kregress=$top/kregress
cache=${KREGRESS_DEMO_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kregress/demo}
demo=$cache/linux
# The same path each time: a build tree belongs to a repository's path.
folder=$top/build/e2e/nightly
number=0
day=86400
start=1800000000 # 2027-01-15T08:00:00Z
trap 'umount -l "$folder/full" 2>/dev/null' EXIT

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

label() {
	awk -v label="$1" '$1 == label {print $2}' "$cache/labels"
}

# night CODE TIME ARGUMENT...: whether a night at that time ends with that code
night() {
	wanted=$1
	now=$2
	shift 2
	KREGRESS_NOW=$now "$kregress" nightly --json "$@" >"$folder/out" 2>"$folder/err"
	code=$?
	[ $code -eq "$wanted" ] || echo "# exit code $code, not $wanted" >>"$folder/err"
	[ $code -eq "$wanted" ]
}

# says FILTER: whether jq finds the last night's JSON to be so
says() {
	[ -s "$folder/out" ] && jq -e "$1" "$folder/out" >"$folder/jq" 2>&1
}

complains() {
	grep -qF -- "$1" "$folder/err"
}

# sql RESULTS QUERY VALUE: whether the query gives the value
sql() {
	got=$(sqlite3 "$1/kregress.sqlite" "$2")
	[ "$got" = "$3" ] || echo "# $2: $got, not $3" >>"$folder/err"
	[ "$got" = "$3" ]
}

report_says() {
	grep -qF -- "$2" "results/reports/session-$1.txt"
}

# until_there RESULTS QUERY: until the query gives more than nothing, a minute at most
until_there() {
	for _ in $(seq 240); do
		[ -n "$(sqlite3 "$1/kregress.sqlite" "$2" 2>/dev/null)" ] && return 0
		sleep 0.25
	done
	return 1
}

# configure FILE RESULTS REMOTE BRANCH
configure() {
	cat >"$1" <<-END
	tree: tree
	results: $2
	scenario_folders: [scenarios]
	baseline: demo-1
	wait_minutes: 5
	nightly:
	  fetch: [$3]
	  branches: [$4]
	  scenarios: [short]
	  minutes: 30
	END
}

culprit=$(label ext4-one-transaction-for-both-syncs)
rm -rf "$folder"
mkdir -p "$folder/scenarios"
check 'kernel history' sh -c "harness/demo/make-history '$cache' >'$folder/out' 2>'$folder/err'"
culprit=$(label ext4-one-transaction-for-both-syncs)
cd "$folder" || exit 1
cat >scenarios/short.yaml <<END
name: short
description: A few synchronous writes
workload: sync-loop
parameters: {device: ssd, block_size: 4096, mode: keep, count: 20, call: write, sync: fdatasync, filesystem: ext4}
runs: 2
metrics: [elapsed]
END
configure kregress.yaml results origin origin/main
{
	git clone -q "$demo" upstream
	git -C upstream tag | grep -v 'demo-1$' | xargs git -C upstream tag -d
	git -C upstream checkout -q -B main "$(label demo-1)"
	git clone -q upstream tree
} >out 2>err

# What the nights below build; in the demo's tree most of it is compiled already.
"$kregress" run --tree "$demo" "$culprit" "$(label vfs-sync-explain-datasync)" \
	"demo-3+revert:$culprit" --scenario short --results warm >out 2>err

# --- the first night: main has taken the change in
git -C upstream checkout -q -B main "$(label demo-2)"
KREGRESS_NOW=$start "$kregress" nightly --json >out 2>err &
pid=$!
until_there results 'SELECT id FROM boots'
# A reader that holds the database for longer than any writer waits between two looks.
sqlite3 results/kregress.sqlite 'BEGIN' 'SELECT count(*) FROM boots' '.shell sleep 20' 'COMMIT' \
	>reader 2>&1 &
reader=$!
"$kregress" status --json >status 2>>err
wait $pid
first=$?
check 'first night: exit code 1' test $first -eq 1
check 'one new regression, none else' says '(.new | length) == 1 and .open == [] and .recovered == []'
check 'its commit is named' says ".new[0].culprit == \"$culprit\" and .new[0].state == \"bisected\""
check 'from the baseline on' says '.new[0].good == "demo-1"'
check 'the report says so' report_says 1 '1 new regression'
check 'and names the commit' report_says 1 'ext4: wait for the same transaction'
check 'a page of the night and an index' test -s results/reports/session-1.html -a \
	-s results/reports/index.html
check 'status named the night meanwhile' jq -e '.running.command | startswith("kregress nightly")' status
wait $reader
check 'a reader for 20 seconds: nothing is lost' sql results \
	"SELECT count(*) FROM boots WHERE outcome <> 'ok'" 0
check 'the database is whole' sql results 'PRAGMA integrity_check' ok

# --- the second: other commits, as slow
git -C upstream checkout -q -B main "$(label demo-3)"
check 'second night: exit code 0, nothing is new' night 0 $((start + day))
check 'it is still open' says '.new == [] and (.open | length) == 1 and .recovered == []'
check 'on day 2' says '.open[0].words | test("still open on day 2")'
check 'the report says so' report_says 2 'No new regression, 1 still open.'
check 'as JSON too' jq -e '[.sections[].findings[]] | length == 1 and .[0].stage == "still open"
	and .[0].days == 2' results/reports/session-2.json

# --- the third: the change is reverted
git -C upstream -c user.name=t -c user.email=t@localhost revert --no-edit "$culprit" >out 2>err
check 'third night: exit code 0' night 0 $((start + 2 * day))
check 'it has recovered' says '.new == [] and .open == [] and (.recovered | length) == 1'
check 'on day 3, in the fix' says '.recovered[0].events[-1] | .kind == "recovered" and .day == 3'
check 'the report says so' report_says 3 'No new regression, 1 recovered.'
check 'one finding, one alarm in all' sql results \
	"SELECT (SELECT count(*) FROM findings), count(*) FROM finding_events WHERE kind = 'alarmed'" '1|1'
check 'a night without news measures nothing' night 0 $((start + 3 * day))
check 'and says so' says '.boots == 0 and .new == [] and .open == [] and .recovered == []'

# --- the remote is gone: what is there is measured
git -C tree remote add gone "$folder/nowhere"
configure offline.yaml results gone "$(label vfs-sync-explain-datasync)"
check 'no remote: exit code 3' night 3 $((start + 4 * day)) -c offline.yaml
check 'and what is there is measured' says '.measured > 0 and (.fetch_errors | length) == 1'
check 'the remote is named' complains nowhere
check 'in the database as well' sql results \
	"SELECT count(*) FROM notes WHERE kind = 'fetch-failed'" 1

# --- killed while it searches: the alarm is not lost, nothing is measured twice
configure killed.yaml killed origin "$(label demo-2)"
KREGRESS_NOW=$start "$kregress" nightly --json -c killed.yaml >out 2>err &
pid=$!
until_there killed 'SELECT id FROM steps WHERE id > 1'
kill -9 $pid
wait $pid 2>/dev/null
check 'a finding was opened' sql killed 'SELECT count(*) FROM findings' 1
check 'after kill -9 the next night raises the alarm' night 1 $((start + day)) -c killed.yaml
check 'and ends the search' says ".new[0].culprit == \"$culprit\""
check 'which was not begun anew' sql killed 'SELECT count(*) FROM searches' 1
check 'at most the boot that ran was made again' sql killed "SELECT count(*) <= 9 FROM boots" 1
check 'once' night 0 $((start + 2 * day)) -c killed.yaml

# --- a full disk, and a budget that is too small for all
configure full.yaml full origin "$(label demo-2)"
if mkdir full && mount -t tmpfs -o size=3m tmpfs full 2>/dev/null; then
	dd if=/dev/zero of=full/fill bs=1k count=2500 2>/dev/null
	check 'a full disk: exit code 3' night 3 "$start" -c full.yaml
	check 'is named' grep -qE 'disk is full|No space left' err
	rm full/fill
	mount -o remount,size=500m full
	check 'with room and two boots it goes on' night 0 "$start" -c full.yaml --boots 2
	check 'what is left is for the next night' says '.boots == 2 and .left > 0'
	KREGRESS_NOW=$start "$kregress" status -c full.yaml --json >out 2>err
	check 'status lists it' says '(.queue | length) > 0 and .running == null'
else
	for name in 'a full disk' 'is named' 'goes on' 'left' 'status'; do
		echo "ok $((number += 1)) - $name # SKIP no right to mount"
	done
fi
echo "1..$number"
