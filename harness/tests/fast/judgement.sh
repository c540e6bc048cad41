#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# compare and history from a file, as scripts call them: output, messages, exit codes.
set -u
. "$(dirname "$0")/../tap-lib.sh"

says() {
	grep -q -- "$1" out
}

complains() {
	[ ! -s out ] && grep -q -- "$1" err
}

header=version,scenario,case,metric,unit,better,boot,value

# rows VERSION METRIC BETTER VALUE...: a boot for each value
rows() {
	version=$1 metric=$2 better=$3 boot=0
	shift 3
	for value; do
		boot=$((boot + 1))
		echo "$version,sync,\"a=1,b=2\",$metric,us,$better,$boot,$value"
	done
}

{
	echo $header
	rows 6.1 time lower 410 412 409 411 413
	rows 6.1 rate higher 95 96 94 95 97
	rows 6.2 time lower 440 441 439 443 442
	rows 6.2 rate higher 95 96 94 97 95
	rows 6.3 time lower 441 442 440 444 442
	rows 6.3 rate higher 119 121 120 118 122
} >data.csv

check "a loss is a regression and exit 1" exits 1 compare 6.1 6.2 --from data.csv --json
check "its row has all figures" says '"a":"6.1","b":"6.2","role":"pair","scenario":"sync","case":"a=1,b=2","metric":"time","unit":"us","better":"lower","a_stats":{"boots":5,"median":411,"min":409,"max":413}'
check "its sentence says it" says '5 against 5 boots, p 0.0079.*: regression"'
check "what differs less is the same" says '"metric":"rate".*"verdict":"same"'
check "a gain is no failure" exits 0 compare 6.2 6.3 --from data.csv --json
check "it is an improvement" says '"metric":"rate".*"verdict":"improvement"'
check "a minimum effect can be asked for" exits 0 compare 6.1 6.2 --from data.csv --min-effect 20
check "without versions all neighbours and baselines" exits 1 compare --from data.csv --json
check "neighbours are there" says '"a":"6.2","b":"6.3","role":"neighbour"'
check "the best known is there" says '"a":"6.1","b":"6.3","role":"baseline"'
check "the table ends with a count" exits 1 compare --from data.csv
check "which adds up" says '^[0-9]* comparisons: .*regressed'
"$kregress" compare 6.1 6.2 --from - --json <data.csv >piped 2>err
check "standard input is read" grep -q '"regression"' piped

# A reader that has seen enough is no failure worth a message.
i=0
{
	echo $header
	while [ $i -lt 700 ]; do
		i=$((i + 1))
		echo "1,s,c$i,time,us,lower,1,5"
		echo "2,s,c$i,time,us,lower,1,5"
	done
} >many.csv
quiet() {
	{
		"$kregress" "$@" 2>err
		echo $? >code
	} | head -c 100 >out
	[ ! -s err ] && [ "$(cat code)" -eq 141 ]
}
check "compare into head ends quietly" quiet compare --from many.csv
check "JSON too" quiet compare --from many.csv --json

check "a version that is not there is named" exits 2 compare 6.1 7.0 --from data.csv --json
check "with those that are, and nothing on stdout" complains "'7.0'.*6.1, 6.2, 6.3"
check "one version alone is a wrong call" exits 2 compare 6.1 --from data.csv
check "a broken minimum is refused" exits 2 compare --from data.csv --min-effect -1
sed '4s/409/nan/' data.csv >bad.csv
check "no number: exit 2" exits 2 compare --from bad.csv --json
check "names line and column" complains 'bad.csv: line 4, column value'
check "no file: exit 2" exits 2 history --from none.csv
check "names the file" complains none.csv

{
	echo $header,environment
	rows 1 time lower 10 10 10 10 10 | sed 's/$/,here/'
	rows 2 time lower 20 20 20 20 20 | sed 's/$/,there/'
} >moved.csv
check "another environment is no regression" exits 0 compare 1 2 --from moved.csv --json
check "but not comparable" says '"verdict":"not-comparable","reasons":\["environment-differs"\]'
check "which the sentence explains" says 'here became there'

{
	echo $header
	for i in 0 1 2 3 4 5 6 7 8 9; do
		rows n$i time lower 50.$i
		rows n$i rate higher $((700 + i))
	done
	rows n10 time lower 61
	rows n11 time lower 62
} >nights.csv
check "a new level that is worse: exit 1" exits 1 history --from nights.csv --json
check "the version that began it" says '"index":10,"version":"n10",.*"direction":"regression"'
check "one series can be asked for" exits 0 history sync::rate --from nights.csv --json
check "and no other comes" says '^{"series":\[{[^}]*"metric":"rate"[^{]*"change_points":\[\]'
check "a series that is not there" exits 2 history ::speed --from nights.csv
check "the history reads as text" exits 1 history ::time --from nights.csv
check "with its change" says 'n10.*regression'

if [ -x "$top/../shared/cases/check-verdicts" ] && command -v python3 >/dev/null; then
	check "public cases" sh -c "'$top/../shared/cases/check-verdicts' '$kregress' >out 2>err"
else
	number=$((number + 1))
	echo "ok $number - public cases # SKIP not beside this tree"
fi
echo "1..$number"
exit $failed
