#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What judging costs on one processor: 1,000,000 samples in 2,000 series, and a history of
# 10,000 points, each from a file and out of a database. Fails above the limits.
set -u
top=$(cd "$(dirname "$0")/../../.." && pwd)
kregress=$top/kregress
cost=$top/build/release/bench/cost
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0

# 50 versions, 10 boots of each, 2,000 metrics of some noise; one in a hundred gets slower.
awk 'BEGIN {
	srand(1)
	print "version,scenario,case,metric,unit,better,boot,value"
	for (v = 1; v <= 50; v++)
		for (b = 1; b <= 10; b++)
			for (s = 0; s < 2000; s++)
				printf "v%d,sync,case=%d,m%d,us,lower,%d,%.4f\n", v, int(s / 10),
					s % 10, b, 100 + 4 * (rand() + rand()) + (s % 100 == 7 && v > 25 ? 20 : 0)
}' >million.csv
awk 'BEGIN {
	srand(2)
	print "version,scenario,case,metric,unit,better,boot,value"
	for (v = 1; v <= 10000; v++)
		printf "v%d,sync,,elapsed,us,lower,1,%.4f\n", v,
			100 + 4 * (rand() + rand()) + (v > 4000) * 8 - (v > 7000) * 5
}' >history.csv

# measure NAME SECONDS MEGABYTES COMMAND...
measure() {
	name=$1 seconds=$2 megabytes=$3
	shift 3
	set -- $("$cost" "$@")
	printf '%-52s %6s s (%s s of the processor) %5s MB; at most %s s, %s MB\n' \
		"$name" "$1" "$2" "$3" "$seconds" "$megabytes"
	# A busy machine takes longer, but not more of the processor.
	[ "$(awk "BEGIN { print ($2 <= $seconds && $3 <= $megabytes) }")" = 1 ] || failed=1
}

measure "1,000,000 samples, 2,000 series, from a file" 5 300 \
	"$kregress" compare --from million.csv --json
measure "a history of 10,000 points, from a file" 1 300 "$kregress" history --from history.csv
echo "(importing the million: $("$cost" "$kregress" import million.csv | cut -d' ' -f1) s)"
measure "1,000,000 samples, 2,000 series, out of the database" 5 300 "$kregress" compare --json
"$kregress" import history.csv --results history >/dev/null
measure "a history of 10,000 points, out of the database" 1 300 "$kregress" history --results history
exit $failed
