#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# kill -9 at fifty random moments: the same answer as without, and no measurement made
# twice but the ones that were running.
set -u
. "$(dirname "$0")/../search-lib.sh"

measure="n=\$(grep -c \$KREGRESS_COMMIT $work/runs); sleep 0.03
echo \$KREGRESS_COMMIT >>$work/runs
noise=\$(echo \$KREGRESS_COMMIT \$n | cksum | cut -c1-2)
if [ -e $work/changed/\$KREGRESS_COMMIT ]; then echo \$((100 + noise)); else echo \$((300 + noise)); fi"

: >"$work/runs"
line 200
culprit n77
search n1 n200 --command "$measure"
[ "$code" = 0 ] && [ "$(value culprit)" = "$(id n77)" ]
report $? "undisturbed"
cp "$work/out" "$work/expected"

kills=0 round=0
while [ $kills -lt 50 ] && [ $round -lt 60 ]; do
	rm -rf "$work/results"
	: >"$work/runs"
	round=$((round + 1))
	for pause in $(awk -v seed=$round 'BEGIN { srand(seed)
			for (i = 0; i < 10; i++) printf "%.3f\n", 0.02 + rand() * 0.4 }'); do
		"$kregress" bisect --tree "$tree" --good "$(id n1)" --bad "$(id n200)" --json -q \
			--results "$work/results" --command "$measure" >"$work/out" 2>"$work/err" &
		sleep "$pause"
		kill -9 $! 2>/dev/null && kills=$((kills + 1))
		wait $! 2>/dev/null
	done
	search n1 n200 --command "$measure"
	boots=$(value boots) ran=$(wc -l <"$work/runs")
	[ "$code" = 0 ] && [ "$(value culprit)" = "$(id n77)" ] && [ "$ran" -ge "$boots" ] &&
		[ "$ran" -le $((boots + 10)) ] || break
done
[ $kills -ge 50 ]
report $? "killed $kills times: the same culprit, $ran runs for $boots measurements"

echo "1..$number"
[ $failures -eq 0 ]
