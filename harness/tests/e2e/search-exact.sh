#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# On histories full of merges, with values that repeat: the same commits as git bisect
# names, with at most one test more, and no more over all.
set -u
. "$(dirname "$0")/../search-lib.sh"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null

# Commits of the range that git bisect tests until it names one.
git_tests() {
	git -C "$tree" bisect reset >/dev/null 2>&1
	git -C "$tree" bisect start --no-checkout "$(id "$2")" "$(id "$1")" >/dev/null 2>&1
	git -C "$tree" bisect run sh -c "commit=\$(git rev-parse BISECT_HEAD)
		echo \$commit >>$work/git-runs; test ! -e $work/changed/\$commit" >"$work/git-out" 2>&1
}

# Those that the search tests, without the ends and what only confirms.
our_tests() {
	awk '/"commit":/ { commit = $2 } /"purpose": "search"/ { print commit }' "$work/out" |
		sort -u | wc -l
}

measure="if [ -e $work/changed/\$KREGRESS_COMMIT ]; then echo 2; else echo 1; fi"
for seed in 1 2 3; do
	merges $((150 * seed)) $seed
	git -C "$tree" symbolic-ref HEAD refs/heads/master
	ours=0 theirs=0 worst=-9
	for place in 23 57 91 128 140; do
		culprit "n$((place * seed))"
		rm -f "$work/git-runs"
		fresh
		git_tests n1 "n$((150 * seed))"
		search n1 "n$((150 * seed))" --exact --command "$measure"
		found=$(sed -n 's/^\([0-9a-f]*\) is the first bad commit$/\1/p' "$work/git-out")
		[ "$code" = 0 ] && [ "$(value culprit)" = "$found" ] || break
		a=$(our_tests) b=$(wc -l <"$work/git-runs")
		ours=$((ours + a)) theirs=$((theirs + b))
		[ $((a - b)) -gt $worst ] && worst=$((a - b))
	done
	[ "$(value culprit)" = "$(id "n$((140 * seed))")" ] && [ "$worst" -le 1 ] &&
		[ "$ours" -le $((theirs + 2)) ]
	report $? "$((150 * seed)) commits with merges: $ours tests, git bisect $theirs, at most $worst more"
done

echo "1..$number"
[ $failures -eq 0 ]
