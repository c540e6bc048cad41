#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# history out of the database: pictures, and changes that were acknowledged.
set -u
. "$(dirname "$0")/../tap-lib.sh"

says() {
	grep -q -- "$1" out
}

{
	echo version,scenario,case,metric,unit,better,boot,value
	for i in 0 1 2 3 4 5 6 7 8 9; do
		echo "n$i,sync,mode=a,elapsed,us,lower,1,50.$i"
	done
	echo n10,sync,mode=a,elapsed,us,lower,1,61
	echo n11,sync,mode=a,elapsed,us,lower,1,62
	echo n10,sync,mode=a,faults,count,lower,1,7
	echo n11,sync,mode=a,faults,count,lower,1,9
} >nights.csv
exits 0 import nights.csv
# As if the virtual lab had measured it and a finding had been opened.
sqlite3 results/kregress.sqlite "
	UPDATE environments SET lab = 'virtual';
	INSERT INTO findings SELECT 1, 1, 'virtual', a.id, b.id, 1798761600
		FROM versions a, versions b WHERE a.text = 'n9' AND b.text = 'n10';
	INSERT INTO finding_cases VALUES(1, 'sync', 'mode=a', 'elapsed', NULL);
	INSERT INTO finding_events VALUES(1, 1, 1, 'opened', 'n10', '', '', NULL, 1798761600);"

check "a level that is worse" exits 1 history
check "begins at its version" says '^n10  *50.45 us  *61.50 us  *+21.9 %  *regression$'
check "no picture where nobody looks" sh -c '! grep -q "|" out'
check "unless it is asked for" exits 1 history --plot
check "it shows the points" says '62 us |  *-\*$'
check "and the change" says '^  *|  *!$'
check "the change is acknowledged" exits 0 findings ack 1 "a safer sync costs that much"
check "the new level is the right one now" exits 0 history --plot
check "which is said" says '+21.9 %  *regression, acknowledged$'
check "and drawn" says '^  *|  *a$'
check "JSON has it too" exits 0 history --json
check "beside its direction" says '"direction":"regression","acknowledged":true'
check "versions from before are no baseline any more" exits 1 compare --json
check "but neighbours are compared as ever" says '"b":"n10","role":"neighbour".*"verdict":"regression"'
check "what comes later is compared with it" sh -c '! grep -q "\"b\":\"n11\",\"role\":\"baseline\"" out'

check "of a scenario that nobody knows all metrics are judged" grep -q '"metric":"faults"' out
sqlite3 results/kregress.sqlite "INSERT INTO verdicts(session, role, a_text, a_boots, b_text, b_boots,
	scenario, case_label, metric, unit, better, boots_needed, verdict, sentence)
	VALUES(1, 'pair', 'n1', 1, 'n2', 1, 'sync', 'mode=a', 'elapsed', 'us', 'lower', 0, 'same', '')"
check "those that were judged before are known" exits 1 compare --json
check "and no others are" sh -c '! grep -q faults out'
check "unless they are asked for" exits 1 compare --json --all-metrics
check "all of them" says '"metric":"faults"'
echo "1..$number"
exit $failed
