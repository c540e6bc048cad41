#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# findings as people call it: list, show, decide; what is stored and what is printed.
set -u
. "$(dirname "$0")/../tap-lib.sh"

# A database with one finding, opened on the first day of 2027.
make_results() {
	git init -q tree
	for i in 1 2; do
		git -C tree -c user.name=t -c user.email=t@localhost commit -q --allow-empty -m "$i"
	done
	"$kregress" bisect --tree tree --good HEAD~1 --bad HEAD --results results \
		--command 'echo 1' >out 2>err
	sqlite3 results/kregress.sqlite "
		INSERT INTO kernels VALUES(1, 'k1', 'git', '', '', ''), (2, 'k2', 'git', '', '', '');
		INSERT INTO versions VALUES(1, 'v6.1', NULL, 1), (2, 'v6.2' || char(27) || '[2J', NULL, 2);
		INSERT INTO findings VALUES(1, 1, 'virtual', 1, 2, 1798761600);
		INSERT INTO finding_cases VALUES(1, 'fsync-loop', 'mode=extend', 'elapsed', NULL);
		INSERT INTO finding_events VALUES(1, 1, 1, 'opened', 'v6.2', '', '', NULL, 1798761600);"
}

# tell CODE ARGUMENT...
tell() {
	code=$1
	shift
	exits "$code" findings --results results "$@"
}

says() {
	grep -qF -- "$1" out
}

complains() {
	[ ! -s out ] && grep -qF -- "$1" err
}

listed() {
	tell 0 && says 'fsync-loop (1 case): v6.1 to v6.2?[2J, opened on 2027-01-01'
}

shown() {
	tell 0 show 1 && says 'fsync-loop mode=extend elapsed' && says '2027-01-01T00:00:00Z  opened'
}

as_json() {
	tell 0 --json && jq -e '.findings[0] | .id == 1 and .state == "opened" and .good == "v6.1"
		and .cases[0].case == "mode=extend" and .events[0].day == 1' out >/dev/null
}

acknowledged() {
	export KREGRESS_NOW=1798848000
	tell 0 ack 1 'wanted: it is safer' && says 'acknowledged: wanted: it is safer' &&
		says '2027-01-02T00:00:00Z  acknowledged' && tell 0 && says 'no regression is open' &&
		says '1 more is over' && tell 0 --all && says 'acknowledged: wanted'
}

reopened() {
	tell 0 reopen 1 'it is not' && tell 0 && says 'opened on 2027-01-01' &&
		tell 2 reopen 1 && complains 'is open already'
}

suppressed() {
	tell 0 suppress 1 expected --json && jq -e '.state == "suppressed"
		and .events[-1].text == "expected"' out >/dev/null
}

sessions() {
	[ "$(sqlite3 results/kregress.sqlite "SELECT count(*) FROM timeline WHERE exit_code = 0
		AND command LIKE 'kregress findings %suppress 1 expected'")" = 1 ]
}

wrong() {
	tell 2 ack 1 && complains 'a reason' && tell 2 ack 7 x && complains 'no finding 7' &&
		tell 2 show one && complains 'no number' && tell 2 forget 1 && complains 'suppress' &&
		tell 2 list 1 && complains 'takes nothing' && exits 2 findings --results nowhere ack 1 x &&
		complains 'no results there yet' && [ ! -e nowhere ]
}

check 'results with a finding' make_results
check 'the list' listed
check 'all of one' shown
check 'as JSON' as_json
check 'acknowledged with a reason' acknowledged
check 'opened again' reopened
check 'suppressed' suppressed
check 'each decision is a session' sessions
check 'wrong calls are named' wrong
echo "1..$number"
exit $failed
