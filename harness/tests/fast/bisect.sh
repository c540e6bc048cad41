#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Searches with a host command, from the command line to the answer.
set -u
. "$(dirname "$0")/../search-lib.sh"

# $work/changed has a file for each commit with the change.
measure="echo \$KREGRESS_COMMIT >>$work/runs; if [ -e $work/changed/\$KREGRESS_COMMIT ]
then echo 110; else echo 100; fi"

line 33
culprit n14
search n1 n33 --command "$measure"
[ "$code" = 0 ] && [ "$(value culprit)" = "$(id n14)" ] && [ "$(value status)" = confirmed ] &&
	[ "$(value boots)" = "$(wc -l <"$work/runs")" ] &&
	[ "$(value builds)" = "$(sort -u "$work/runs" | wc -l)" ] && [ "$(value builds)" -le 8 ]
report $? "a line: confirmed, counted, few builds"

cp "$work/out" "$work/first"
cp "$work/runs" "$work/runs.first"
search n1 n33 --command "$measure"
[ "$code" = 0 ] && cmp -s "$work/out" "$work/first" && cmp -s "$work/runs" "$work/runs.first"
report $? "asked again: the stored answer, nothing measured"

database=$work/results/kregress.sqlite
ends="select count(*), min(status) from search_events where status != 'running'"
asked=$(sqlite3 "$database" "$ends")
sqlite3 "$database" 'delete from suspects; delete from search_events'
search n1 n33 --command "$measure"
[ "$asked" = '1|confirmed' ] && cmp -s "$work/out" "$work/first" &&
	[ "$(sqlite3 "$database" "$ends")" = "$asked" ]
report $? "killed before the answer was stored: it is stored then, once"

fresh
search n1 n33 --command "$measure" --max-boots 7
[ "$(sqlite3 "$database" "select count(*), sum(json_extract(result, '\$.boots') between 1 and 7)
	from search_events where status = 'running'")" = '7|7' ] &&
	[ "$(sqlite3 "$database" "select max(n) <= 10 from (select count(*) n from suspects s
		join search_events e on e.id = s.event where status = 'running' group by event)")" = 1 ]
report $? "after each measurement the database says how far it is"

search n1 n33 --command "$measure" --again
[ "$code" = 0 ] && [ "$(wc -l <"$work/runs")" -gt "$(wc -l <"$work/runs.first")" ]
report $? "--again measures anew"

fresh
search n1 n33 --command "$measure" --max-boots 5
[ "$code" = 5 ] && [ "$(value status)" = set ] && [ "$(wc -l <"$work/runs")" = 5 ]
report $? "a budget ends it with a set"
search n1 n33 --command "$measure"
[ "$code" = 0 ] && [ "$(value culprit)" = "$(id n14)" ] &&
	[ "$(value boots)" = "$(wc -l <"$work/runs")" ]
report $? "a larger budget goes on from there"

fresh
culprit
search n1 n33 --command "$measure"
[ "$code" = 5 ] && [ "$(value status)" = no-difference ] && [ "$(value builds)" = 2 ] &&
	[ -z "$(suspects)" ]
report $? "equal ends"

fresh
search n1 n33 --command 'echo 0'
[ "$code" = 5 ] && value reason | grep -q '(level 0) and .*(level 0)'
report $? "values that are all zero have the level zero"

fresh
search n1 n33 --max-minutes 0.01 --command 'sleep 100; echo 1'
[ "$code" = 5 ] && [ "$(value status)" = set ]
report $? "a command without end does not outlast the budget of minutes"

fresh
search n1 n33 --timeout 0.1 --command 'sleep 100; echo 1'
[ "$code" = 4 ] && [ "$(value status)" = aborted ] && grep -q 'keep failing' "$work/out"
report $? "each run has a time limit"

fresh
"$kregress" bisect --tree "$tree" --good "$(id n1)" --bad "$(id n33)" --results "$work/results" \
	--command "sleep 1000 & echo \$! >$work/pid.new; mv $work/pid.new $work/pid; wait" \
	>"$work/out" 2>"$work/err" &
running=$!
for _ in $(seq 100); do [ -e "$work/pid" ] && break; sleep 0.05; done
kill -9 $running
wait $running 2>/dev/null
for _ in $(seq 100); do kill -0 "$(cat "$work/pid")" 2>/dev/null || break; sleep 0.05; done
[ -e "$work/pid" ] && ! kill -0 "$(cat "$work/pid")" 2>/dev/null
report $? "kill -9 leaves nothing of the command behind"

fresh
culprit n20
skip="case \$KREGRESS_COMMIT in $(id n18)|$(id n19)|$(id n20)|$(id n21)) exit 125;; esac; $measure"
search n1 n33 --command "$skip"
[ "$code" = 5 ] && [ "$(suspects)" = "n18 n19 n20 n21 n22" ]
report $? "untestable neighbours stay suspects together"

fresh
skip="case \$KREGRESS_COMMIT in $(id n18)|$(id n20)) echo broken header; exit 125;; $(id n19)) exit 125;; esac"
"$kregress" bisect --tree "$tree" --good "$(id n1)" --bad "$(id n33)" -q \
	--results "$work/results" --command "$skip; $measure" >"$work/out" 2>"$work/err"
[ $? = 5 ] && grep -q "^  2 commits skipped: exit code 125: broken header: $(id n18 | cut -c1-12) $(id n20 | cut -c1-12)\$" "$work/out" &&
	grep -q "^  1 commit skipped: exit code 125: $(id n19 | cut -c1-12)\$" "$work/out"
report $? "untestable commits are grouped by cause"

fresh
search n1 n33 --command "no-such-program-at-all"
[ "$code" = 3 ] && [ "$(value status)" = aborted ]
report $? "a command that cannot run aborts"

fresh
search n1 n33 --command "exit 2"
[ "$code" = 4 ] && [ "$(value status)" = aborted ]
report $? "an end that keeps failing aborts"

fresh
search n1 n33 --pass-fail --command "test ! -e $work/changed/\$KREGRESS_COMMIT"
[ "$code" = 0 ] && [ "$(value culprit)" = "$(id n20)" ]
report $? "pass and fail"

fresh
search n1 n33 --command "echo other=3; $measure | sed s/^/speed=/" --metric speed --better lower
[ "$code" = 0 ] && [ "$(value culprit)" = "$(id n20)" ]
report $? "one of several metrics"

fresh
search n1 n33 --command "$measure" --better higher
[ "$code" = 5 ] && grep -q 'other way round' "$work/out"
report $? "ends that are swapped are told"

fresh
search n1 n33 --command "$measure" --min-effect 20
[ "$code" = 5 ] && [ "$(value status)" = no-difference ]
report $? "a minimum effect"

fresh
search n1 n33 --checkout --command "read -r _ label <file; case \$label in
n?|n1?) echo 5;; *) echo 9;; esac"
[ "$code" = 0 ] && [ "$(value culprit)" = "$(id n20)" ] &&
	[ -z "$(git -C "$tree" status --porcelain --untracked-files=no | grep -v '^D ')" ]
report $? "inside a checkout, the user's tree left alone"

# From n10 to n24 the file is not what the command can read; a patch repairs that.
fresh
history <<END
$(awk 'BEGIN { print "n1"; for (i = 2; i <= 33; i++) print "n" i (i == 10 || i == 25 ? "@broken" : ""), "n" i - 1 }')
END
printf 'fixups:\n  header:\n    from: %s\n    to: %s\n    patch: fix.patch\n' "$(id n10)" "$(id n25)" >"$work/fix.yaml"
cat >"$work/fix.patch" <<'END'
diff --git a/broken b/broken
--- a/broken
+++ b/broken
@@ -1 +1 @@
-commit n10
\ No newline at end of file
+mended
END
command="if [ -e broken ] && grep -q n10 broken; then exit 125; fi; $(printf '%s' "$measure")"
culprit n20
search n1 n33 --checkout --command "$command"
[ "$code" = 5 ] && [ "$(value status)" = set ]
report $? "a broken stretch hides the culprit"
search n1 n33 --checkout -c "$work/fix.yaml" --command "$command"
[ "$code" = 0 ] && [ "$(value culprit)" = "$(id n20)" ]
report $? "a fixup of the configuration mends it"
sed "s/patch: .*/cherry_pick: $(id n25)/" "$work/fix.yaml" >"$work/fix2.yaml"
search n1 n33 --checkout -c "$work/fix2.yaml" --command "$command"
[ "$code" = 0 ] && [ "$(value culprit)" = "$(id n20)" ]
report $? "and so does the commit that mended it"
sed 's/patch: .*/cherry_pick: nothing-like-that/' "$work/fix.yaml" >"$work/fix2.yaml"
search n1 n33 --checkout -c "$work/fix2.yaml" --command "$command"
[ "$code" = 2 ] && grep -q "fixups" "$work/err"
report $? "and is refused where it names nothing"
line 33
culprit n20

fresh
search n1 n33 --command "$measure" --log "$work/log"
git -C "$tree" checkout -q -f master && git -C "$tree" bisect replay "$work/log" >"$work/out" 2>&1
grep -q "$(id n20) is the first bad commit" "$work/out"
report $? "git bisect reads the log"
git -C "$tree" bisect reset >"$work/err" 2>&1
"$kregress" bisect --tree "$tree" --from-log "$work/log" --results "$work/results2" --json -q \
	--command "$measure" >"$work/out" 2>"$work/err" && [ "$(value culprit)" = "$(id n20)" ] &&
	[ "$(value builds)" -le 4 ]
report $? "a log of git bisect is read"

dry() {
	"$kregress" bisect --tree "$tree" --from-log "$work/log" --dry-run --json \
		>"$work/out" 2>"$work/err"
	sed -n 's/.*"next": "\([^"]*\)", "candidates": \(.*\)}/\1 \2/p' "$work/out"
}
{
	echo "git bisect start '$(id n33)' '$(id n1)'"
	echo "git bisect good $(id n9)"
	echo "git bisect bad $(id n25)"
} >"$work/log"
[ "$(dry)" = "$(id n17) 16" ]
report $? "a dry run knows the marks of a log"
echo "git bisect skip $(id n17)" >>"$work/log"
dry | grep -qv "$(id n17)"
report $? "and what was skipped"
echo "git bisect good $(id n24)" >>"$work/log"
[ "$(dry)" = "$(id n25) 1" ]
report $? "and names the one commit that is left"
echo "git bisect good $(id n25)" >>"$work/log"
[ -z "$(dry)" ] && grep -q 'leave no candidate' "$work/err"
report $? "marks that contradict each other are refused"

fresh
history <<'END'
base
mb base
s1 mb
s2 s1
m1 mb
m2 m1
m3 m2
END
git -C "$tree" log --format='%s %H' "$(sed -n 's/^:4 //p' "$work/marks")" >>"$work/ids"
rm -f "$work"/changed/*
for label in mb m1 m2 m3; do echo >"$work/changed/$(id $label)"; done
search s2 m3 --command "$measure"
[ "$code" = 5 ] && [ "$(value status)" = aborted ] && grep -q fix "$work/out"
report $? "a good end that holds a fix"
rm -f "$work/changed/$(id mb)" "$work/changed/$(id m1)"
fresh
search s2 m3 --command "$measure"
[ "$code" = 0 ] && [ "$(value culprit)" = "$(id m2)" ] && grep -q "$(id mb)" "$work/runs"
report $? "a good end on another branch"

fresh
history <<'END'
g0
t1 g0
t2 t1
m1 g0
m2 m1
evil m2 t2
after evil
END
culprit evil
search g0 after --command "$measure"
[ "$code" = 0 ] && [ "$(value culprit)" = "$(id evil)" ] && grep -q 'merge itself' "$work/out" &&
	grep -q "$(id m2)" "$work/runs" && grep -q "$(id t2)" "$work/runs"
report $? "a merge whose parents are good"

printf 'git bisect start\ngit bisect bad %s\ngit bisect good %s\ngit bisect good %s\n' \
	"$(id after)" "$(id m1)" "$(id t2)" >"$work/log"
[ "$(dry | cut -d' ' -f2)" = 3 ]
report $? "a second good mark outside the range counts"

"$kregress" bisect --tree "$tree" --good "$(id g0)" --bad "$(id after)" --dry-run --json \
	>"$work/out" 2>"$work/err"
grep -q '"candidates": 6}' "$work/out" && grep -qE "$(id m2)|$(id t2)|$(id m1)" "$work/out"
report $? "a dry run"

"$kregress" bisect --tree "$tree" --good "$(id after)" --bad "$(id g0)" --json --command true \
	--results "$work/results" >"$work/out" 2>"$work/err"
[ $? = 2 ] && [ ! -s "$work/out" ] && grep -q 'ancestor of the good' "$work/err"
report $? "swapped ends are refused, nothing on stdout"

fresh
awk 'BEGIN {
	print "n1"
	for (i = 2; i <= 41; i++)
		print "n" i "@" (i < 31 ? "Documentation/" i : i == 35 ? "fs/ext4/inode.c" : "net/" i), "n" i - 1
}' | history
dry() {
	"$kregress" bisect --tree "$tree" --good "$(id n1)" --bad "$(id n41)" --dry-run --json "$@" \
		2>"$work/err" | sed 's/.*"next": "\([^"]*\)".*/\1/'
}
[ "$(dry --no-priors)" = "$(id n21)" ] && [ "$(dry)" = "$(id n33)" ] &&
	grep -q 'of 40 suspects 1 touch .* 29 hardly' "$work/err"
report $? "what a storage benchmark runs is looked at first, and --no-priors does without"
for label in n12 n35 n38; do
	culprit $label
	fresh
	search n1 n41 --command "$measure" --max-boots 8
	cp "$work/out" "$work/first"
	search n1 n41 --command "$measure"
	[ "$code" = 0 ] && [ "$(value culprit)" = "$(id $label)" ] || break
done
[ "$label" = n38 ] && [ "$(value culprit)" = "$(id n38)" ] &&
	grep -q '"touches": "elsewhere"' "$work/out" && grep -q '"prior": 1.0' "$work/out"
report $? "a hint that misleads costs a test or two and no more"
culprit n12
fresh
search n1 n41 --command "$measure"
[ "$code" = 0 ] && [ "$(value culprit)" = "$(id n12)" ] && [ "$(value implausible)" = "" ] &&
	grep -q '"implausible": "it touches nothing that is built' "$work/out" &&
	[ "$(grep -c '"purpose": "recheck"' "$work/out")" = 2 ]
report $? "a culprit that touches documentation only is measured once more and named unlikely"
cp "$work/out" "$work/first"
search n1 n41 --command "$measure"
cmp -s "$work/out" "$work/first"
report $? "and asked again that is the stored answer"

"$kregress" simulate --commits 64 --effect 3 --outliers 0.05 --trials 5 --seed 3 --json \
	>"$work/out" 2>"$work/err" &&
	"$kregress" simulate --commits 64 --effect 3 --outliers 0.05 --trials 5 --seed 3 --json \
		>"$work/first" && cmp -s "$work/out" "$work/first" && grep -q '"trials": 5,' "$work/out"
report $? "simulate repeats itself"

echo "1..$number"
[ $failures -eq 0 ]
