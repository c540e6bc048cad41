#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The check at the end of the demo must be able to fail: it is fed results that are right,
# and then each kind of wrong one.
set -u
demo=$(cd "$(dirname "$0")/../../demo" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
number=0 failures=0

check() {
	name=$1
	shift
	number=$((number + 1))
	if "$@" >"$work/out" 2>&1; then
		echo "ok $number - $name"
	else
		echo "not ok $number - $name"
		sed 's/^/# /' "$work/out"
		failures=$((failures + 1))
	fi
}

# comparison A B SCENARIO ROLE VERDICT
comparison() {
	printf '{"a":"%s","b":"%s","scenario":"%s","role":"%s","verdict":"%s"}' "$@"
}

found() {
	printf '{"status":"%s","culprit":"%s","reason":"why"}' "$2" "$3" >"$work/bisect-$1.json"
}

# explained SCENARIO-BAD FUNCTION...: the rows of the only case
explained() {
	file=$work/explain-$1.json
	shift
	printf '{"name":"%s"}\n' "$@" | jq -s '{explanations: [{rows: .}]}' >"$file"
}

right_results() {
	rm -f "$work"/bisect-*.json "$work"/explain-*.json
	cat >"$work/labels" <<-'END'
		ext4-one-transaction-for-both-syncs 1111 regression:fsync-loop
		readahead-two-windows-in-the-limit 2222 regression:cat-readahead
		blk-merge-keep-writes-short 3333 regression:multi-disk-fsync
		fops-count-syncs-by-task 4444 regression:raw-sync
	END
	comparisons=$(
		comparison demo-0 demo-1 fsync-loop neighbour same && echo ,
		comparison demo-1 demo-2 fsync-loop neighbour regression && echo ,
		comparison demo-2 demo-3 cat-readahead neighbour regression && echo ,
		comparison demo-1 demo-3 fsync-loop baseline regression && echo ,
		comparison demo-3 demo-4 multi-disk-fsync neighbour regression && echo ,
		comparison demo-4 demo-5 raw-sync neighbour regression
	)
	found fsync-loop-demo-2 confirmed 1111
	found cat-readahead-demo-3 confirmed 2222
	found multi-disk-fsync-demo-4 confirmed 3333
	found raw-sync-demo-5 confirmed 4444
	explained fsync-loop-demo-2 ext4_sync_file crc32_body memcpy
	explained cat-readahead-demo-3 memcpy memset ondemand_readahead
	explained multi-disk-fsync-demo-4 __bio_split_to_limits
	explained raw-sync-demo-5 blkdev_fsync
}

run_check() {
	echo "{\"comparisons\":[$comparisons]}" >"$work/compare.json"
	"$demo/check" "$work/labels" "$work" >"$work/tap"
}

# refused MESSAGE: the check fails, and with this line
refused() {
	run_check && return 1
	cat "$work/tap"
	grep -q "^$1" "$work/tap"
}

right_results
check 'right results pass, a baseline that is still worse too' run_check

right_results
comparisons=$(echo "$comparisons" | sed 's/"raw-sync","role":"neighbour","verdict":"regression"/"raw-sync","role":"neighbour","verdict":"same"/')
check 'a missed regression is told' refused 'not ok .* raw-sync is flagged at demo-5'

right_results
explained cat-readahead-demo-3 memcpy memset memmove ondemand_readahead
check 'a changed function that comes late is told' refused \
	'# none of ondemand_readahead window_limit is in memcpy, memset, memmove'

right_results
rm "$work/explain-raw-sync-demo-5.json"
check 'a missing explanation is told' refused '# no explanation: '

right_results
comparisons="$comparisons,$(comparison demo-5 demo-6 cat-readahead neighbour regression)"
check 'a flagged harmless stretch is told' refused '# cat-readahead demo-6'

right_results
comparisons="$comparisons,$(comparison demo-1 demo-2 raw-sync neighbour regression)"
check 'a regression seen by a foreign scenario is told' refused '# raw-sync demo-2'

right_results
found cat-readahead-demo-3 confirmed 9999
check 'a wrong commit is told' refused '# status confirmed, culprit 9999, wanted 2222'

right_results
found multi-disk-fsync-demo-4 set 3333
check 'an unconfirmed commit is told' refused '# status set, culprit 3333'

right_results
rm "$work/bisect-fsync-loop-demo-2.json"
check 'a missing search is told' refused '# no result of a search'
echo "1..$number"
[ $failures = 0 ]
