#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Numbers of others into the database, out of it again, and judged there.
set -u
. "$(dirname "$0")/../tap-lib.sh"

# stored CODE ARGUMENT...: the same with the results of this test
stored() {
	code=$1
	shift
	exits "$code" "$@" --results "$folder/results"
}

says() {
	grep -q -- "$1" out
}

header=version,scenario,case,metric,unit,better,boot,value,environment

rows() {
	version=$1 metric=$2 environment=$3 boot=0
	shift 3
	for value; do
		boot=$((boot + 1))
		echo "$version,sync,\"a=1,b=2\",$metric,us,lower,b$boot,$value,$environment"
	done
}

{
	echo $header
	rows 6.2 time here 410.25 412 409 411 413
	rows 6.1 time here 455 456 454 457 453
	# Two operations of one boot are one number.
	rows 6.1 rest here 7 7 7 7 7
	rows 6.1 rest here 9 9 9 9 9
} >data.csv

check "nothing measured yet: no database" stored 2 compare
check "a file is added" stored 0 import data.csv
check "boots are counted" says '10 boots added'
check "the same file again adds nothing" stored 0 import data.csv
check "and says so" says '0 boots added, 10 there already'
check "and all were the same" says '10 there already$'
sed 's/,410.25,/,999,/' data.csv >changed.csv
check "a boot with another value is not taken" stored 0 import changed.csv
check "and that is said" says '10 there already (1 with other values'
check "the database is judged in the order of import" stored 1 compare 6.2 6.1 --json
check "by the rules of the disk lab" says '"a_stats":{"boots":5,"median":411,.*"verdict":"regression"'
check "in the other order it is a gain" stored 0 compare 6.1 6.2 --json
check "the virtual lab has none of it" stored 2 compare 6.1 6.2 --lab virtual
check "an unknown version is named" stored 2 compare 6.1 6.9
sqlite3 results/kregress.sqlite "INSERT INTO notes VALUES(100, 1, 'reference-moved', '6.2', '', '', '', 'it moved', 0)"
check "a session whose reference moved has no verdicts" stored 0 compare 6.2 6.1 --json
check "and says why" says '"verdict":"not-comparable","reasons":\["reference-moved"\].*reference kernel, moved'
check "a change of it is marked in words" stored 0 compare 6.2 6.1
check "for people too" says 'not-comparable'
sqlite3 results/kregress.sqlite "DELETE FROM notes WHERE id = 100"

check "history reads the database" stored 0 history ::rest --json
check "with its series" says '"metric":"rest"'
check "export gives it back" stored 0 export --output all.csv
check "with every digit" grep -q ',sync,"a=1,b=2",time,us,lower,[0-9]*,410.25,import:' all.csv
check "which compare reads" stored 1 compare 6.2 6.1 --from all.csv
"$kregress" export --results "$folder/results" >piped 2>err
check "standard output is the same" cmp -s piped all.csv
check "as JSON too" stored 0 export --json
check "with the same columns" says '"version":"6.2","scenario":"sync","case":"a=1,b=2","metric":"time",.*"value":410.25}'
check "a report shows what came in" stored 0 report --format text
check "with its versions" says '6.2.*6.1\|6.1.*6.2'
check "import has JSON" stored 0 import data.csv --json
check "which counts boots" says '^{"files":\[{"file":"data.csv","added":0,"known":10,"different":0}\]}$'

{
	echo $header
	rows 6.3 time there 455 456 454 457 453
} >there.csv
check "another environment" stored 0 import there.csv
check "is not compared" stored 0 compare 6.2 6.3 --json
check "and named field by field" says '"verdict":"not-comparable".*environment: here became there'
check "unless it is allowed to differ" stored 1 compare 6.2 6.3 --allow environment --json
check "which is marked" says '"reasons":\["significant","environment-differs"\]'

sed '3s/412/fast/' data.csv >bad.csv
check "a broken file is refused" stored 2 import bad.csv
check "naming the line" grep -q 'bad.csv: line 3, column value' err
check "and nothing of it is kept" stored 0 import data.csv
check "as before" says '0 boots added'

job() {
	cat <<-END
	{"fio version": "fio-3.33", "global options": {"description": "$1"},
	 "jobs": [{"jobname": "sync", "write": {"total_ios": 1000, "bw_bytes": $2,
	  "iops": 250.5, "clat_ns": {"mean": 4000.5, "max": 90000,
	  "percentile": {"50.000000": 3900, "99.000000": 8000}}},
	  "read": {"total_ios": 0, "bw_bytes": 0, "iops": 0}}]}
	END
}
for i in 1 2 3 4 5; do
	job v1 $((1000000 + i)) >old$i.json
	job v2 $((700000 + i)) >new$i.json
done
check "fio needs a version" stored 2 import old1.json
check "it may be a key of the file" stored 0 import --version-from description old?.json
check "or the version itself" stored 0 import --version-from v2 new?.json
check "fio's numbers are judged" stored 1 compare v1 v2 --json
check "throughput went down" says '"scenario":"fio","case":"sync","metric":"write_throughput".*"verdict":"regression"'
check "a direction that was not used is left out" sh -c '! grep -q read_ out'
echo '{"jobs": [{"jobname": "x", "write": {"total_ios": 1, "iops": "many"}}]}' >text.json
check "text where a number should be" stored 2 import --version-from v3 text.json
echo '{"jobs": [' >cut.json
check "a cut file" stored 2 import --version-from v3 cut.json
check "is named with its line" grep -q 'cut.json: line' err

# One metric, one unit: else nothing of the folder could be compared any more.
printf 'version,scenario,case,metric,unit,better,boot,value\nv9,sync,"a=1,b=2",time,ms,lower,1,4\n' >unit.csv
check "another unit is refused" stored 2 import unit.csv
check "naming both units and the cure" grep -q "'ms, lower'.*'us, lower'.*--results" err
printf 'version,scenario,case,metric,unit,better,boot,value\nv9,sync,"a=1,b=2",time,us,higher,1,4\n' >sense.csv
check "another direction too" stored 2 import sense.csv
check "and what is there can be compared" stored 1 compare 6.2 6.1 --json
printf 'version,scenario,case,metric,unit,better,boot,value\nv9,other,"a=1,b=2",time,ms,lower,1,4\n' >other.csv
check "of another scenario it is another metric" stored 0 import other.csv

check "a field that no environment has" stored 2 compare 6.2 6.3 --allow foo
check "is named beside those there are" grep -q 'allow foo.*there are: environment' err
{
	echo $header
	rows 1 time here 100 101 102 100 101 102 101 100
	rows 2 time there 150 151 152 150 151 152 151 150
} >places.csv
check "a file's environments are unlike" exits 0 compare --from places.csv --json
check "and so not compared" says not-comparable
check "but where that is allowed" exits 1 compare --from places.csv --allow environment --json
check "a file has that field alone" exits 2 compare --from places.csv --allow cpu
check "calibrate takes a file or measures" exits 2 calibrate --from places.csv --boots 10
echo "1..$number"
exit $failed
