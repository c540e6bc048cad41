#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# report as scripts call it: where it writes, what it prints, exit codes.
set -u
. "$(dirname "$0")/../tap-lib.sh"

# expect CODE ARGUMENT...: the report command's exit code
expect() {
	code=$1
	shift
	exits "$code" report "$@"
}

search() {
	git init -q tree && cd tree || return
	for i in 1 2 3 4; do
		echo "$i" >value
		git add value
		git -c user.name=t -c user.email=t@localhost commit -qm "<b>step $i</b>"
	done
	cd ..
	"$kregress" bisect --tree tree --good HEAD~3 --bad HEAD --results results \
		--command 'git -C tree show "$KREGRESS_COMMIT:value" | sed "s/[12]/1/;s/[34]/9/"' \
		>out 2>err
}

no_results() {
	expect 2 --results nowhere && grep -q 'no results there yet' err && [ ! -e nowhere ]
}

html_in_the_results() {
	expect 0 --results results && [ "$(cat out)" = results/report.html ] &&
		grep -q 'confirmed' results/report.html &&
		grep -q '&lt;b&gt;step 3' results/report.html && ! grep -q '<b>' results/report.html
}

named_file() {
	expect 0 --results results --format text --output page.txt &&
		[ "$(cat out)" = page.txt ] && grep -q 'search: confirmed' page.txt &&
		grep -q -e '--good HEAD~3 --bad HEAD' page.txt
}

plain_on_a_pipe() {
	expect 0 --results results --format text && ! grep -q "$(printf '\033')" out
}

json_on_stdout() {
	expect 0 --results results --json && grep -q '"status": "confirmed"' out
}

wrong_format() {
	expect 2 --results results --format pdf && grep -q 'text, html, json' err
}

each_format_is_listed() {
	"$kregress" report --help >out 2>err
	for format in text html json csv junit markdown mail; do
		grep -q "^  $format  *[a-z]" out || return 1
	done
}

other_formats() {
	expect 0 --results results --format csv && [ "$(head -c 8 out)" = version, ] &&
		expect 0 --results results --format markdown && grep -q '^# kregress' out &&
		expect 0 --results results --format junit && grep -q '<testsuites' out
}

nothing_to_write_about() {
	expect 0 --results results --format mail && [ ! -s out ] &&
		grep -q 'no finding is open' err && [ ! -e results/mail ] &&
		expect 2 --results results --format mail --finding 7 &&
		grep -q 'no finding 7' err
}

a_page_for_each_session() {
	expect 0 --results results --pages &&
		[ "$(cat out)" = results/reports/index.html ] &&
		grep -q 'href="session-1.html"' results/reports/index.html &&
		grep -q 'href="index.html"' results/reports/session-1.html &&
		expect 0 --results results --pages --session 1 &&
		[ "$(cat out)" = results/reports/session-1.html ]
}

# A page that a strict reader of HTML has nothing to say about.
valid_html() {
	tidy -q -e -utf8 results/report.html >out 2>err && [ ! -s err ] &&
		tidy -q -e -utf8 results/reports/index.html >out 2>err && [ ! -s err ]
}

unwritable() {
	expect 3 --results results --output nowhere/page.html && grep -q 'nowhere' err
}

damaged() {
	mkdir damaged
	printf 'not a database at all, only some text that is long enough' \
		>damaged/kregress.sqlite
	expect 3 --results damaged && grep -q 'not a database' err
}

check 'a folder without results' no_results
check 'a search to report on' search
check 'html goes to the results, its path to stdout' html_in_the_results
check 'a file of the user' named_file
check 'no colours on a pipe' plain_on_a_pipe
check 'json on stdout' json_on_stdout
check 'an unknown format' wrong_format
check 'the list of formats' each_format_is_listed
check 'CSV, JUnit and Markdown' other_formats
check 'no draft without a finding' nothing_to_write_about
check 'a page for each session, and an index' a_page_for_each_session
if command -v tidy >tidy.path; then
	check 'the pages are valid HTML' valid_html
else
	number=$((number + 1))
	echo "ok $number - the pages are valid HTML # SKIP no tidy"
fi
check 'a place that cannot be written' unwritable
check 'a file that is no database' damaged
exit $failed
