#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# calibrate from a file, and the floor that later judgements keep.
set -u
. "$(dirname "$0")/../tap-lib.sh"

says() {
	grep -q -- "$1" out
}

complains() {
	[ ! -s out ] && grep -q -- "$1" err
}

header=version,scenario,case,metric,unit,better,boot,value

# rows VERSION VALUE...: a boot for each value
rows() {
	version=$1 boot=0
	shift
	for value; do
		boot=$((boot + 1))
		echo "$version,sync,mode=a,elapsed,ms,lower,$boot,$value"
	done
}

# Noise of some 10 %, as a shell can make it.
wild() {
	awk 'BEGIN { for (i = 0; i < 40; i++) printf "%d ", 85 + (i * 37 + i * i * 11) % 31 }'
}

{
	echo $header
	rows v0 $(wild)
} >self.csv
{
	echo $header
	rows v1 100 101 99 100 102 98 100 101
	rows v2 105 106 104 105 107 103 105 106
} >change.csv

check "a version against itself" exits 0 calibrate --from self.csv
check "its noise and its floor" says 'mode=a  *elapsed  *[0-9.]* ms  *[0-9.]* %  *[0-9.]* %'
check "which changes will be seen" says 'with 8 boots you will see changes of [0-9.]* % or more'
check "false alarms with their interval" says '^false alarms: 0 of 4 comparisons of v0 with itself (95 %: 0 to 60 %)'
check "the same as JSON" exits 0 calibrate --from self.csv --json
check "with looks and their changes" says '"finds":\[{"boots":5,"percent":[0-9.]*},{"boots":8,"percent":[0-9.]*},{"boots":12,"percent":[0-9.]*}\]'
check "and the interval" says '"false_alarms":{"alarms":0,"trials":4,"interval_percent":\[0,60'

check "a file alone does not know of it" exits 1 compare v1 v2 --from change.csv
check "imported beside the calibration" exits 0 import change.csv
check "5 % is within the noise" exits 0 compare v1 v2 --json
check "and says why" says '"reasons":\["significant","effect-below-minimum"\]'
check "no minimum effect is below the floor" exits 0 compare v1 v2 --min-effect 1
check "without the calibration it is a change" exits 0 import change.csv --results other
check "as before" exits 1 compare v1 v2 --results other
check "history keeps the floor too" exits 0 history

sed 's/$/,there/; 1s/there/environment/' change.csv >there.csv
check "the same in another environment" exits 0 import there.csv --results elsewhere
check "calibrated in the first" exits 0 calibrate --from self.csv --results elsewhere
check "is judged without that floor" exits 1 compare v1 v2 --results elsewhere

check "a version is needed" exits 2 calibrate
check "or a file" complains "a version, or --from FILE.csv"
check "two versions in a file" exits 2 calibrate --from change.csv
check "are a question" complains 'change.csv: 2 versions; say which one'
check "eight boots" exits 2 calibrate v1 --from change.csv
check "are too few" complains '8 boots tell nothing of the noise; at least 10'
head -n 12 self.csv | sed '2,$s/$/,here/; 12s/here/there/; 1s/$/,environment/' >mixed.csv
check "two environments" exits 2 calibrate --from mixed.csv
check "are not one" complains 'rows of several environments'
echo "1..$number"
exit $failed
