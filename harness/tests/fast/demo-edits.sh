#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The demo history's edit language, and that its plan and its commit files belong together.
set -u
demo=$(cd "$(dirname "$0")/../../demo" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
number=0 failures=0

# check NAME COMMAND...: one TAP line for a command
check() {
	name=$1
	shift
	number=$((number + 1))
	if "$@" >"$work/out" 2>&1; then
		echo "ok $number - $name"
	else
		echo "not ok $number - $name"
		sed 's/^/# /' "$work/out"
		failures=$((failures + 1))
	fi
}

tree() {
	printf '%s\n' 'int one(void)' '{' '	return old;' '}' 'int two(void)' '{' \
		'	return old_thing + old;' '}' >"$work/a.c"
}

# apply EDIT-LINE...: edits a fresh tree, prints the edited file's name
apply() {
	tree
	printf '%s\n' 'file a.c' "$@" >"$work/edits"
	awk -v tree="$work" -v name=test -f "$demo/apply-edit" "$work/edits"
}

makes() {
	expected=$1
	shift
	[ "$(apply "$@")" = a.c ] && [ "$(tr '\n' '|' <"$work/a.c")" = "$expected" ]
}

# fails MESSAGE EDIT-LINE...: the edit is refused, and the file is left alone
fails() {
	expected=$1
	shift
	apply "$@" >"$work/message" 2>&1 && return 1
	cat "$work/message"
	grep -qF "$expected" "$work/message" || return 1
	cp "$work/a.c" "$work/after"
	tree
	cmp "$work/a.c" "$work/after"
}

one='int one(void)|{|	return old;|}|'
two='int two(void)|{|	return old_thing + old;|}|'

check 'a line is replaced by several' makes "int one(void)|{|	a|	b|}|$two" \
	'replace return old;' '+	a' '+	b'
check 'a replacement without text removes the line' makes "int one(void)|{|}|$two" \
	'replace return old;'
check 'text goes behind and in front' makes "int one(void)|{|x|	return old;|y|}|$two" \
	'before return old;' '+x' 'after return old;' '+y'
check '"in" chooses among equal lines' makes "${one}int two(void)|{|	return old_thing + old;|};|" \
	'in int two(void)' 'replace }' '+};'
check 'a rename keeps longer words' makes \
	"int one(void)|{|	return new;|}|int two(void)|{|	return old_thing + new;|}|" \
	'rename old new'
check 'a missing anchor is named, with file and commit' fails \
	'test: a.c: no line "return nothing;"' 'replace return nothing;' '+x'
check 'an ambiguous anchor is refused' fails '2 lines "}"' 'after }' '+x'
check 'a missing word is named' fails 'no word "absent"' 'rename absent new'
check 'an unknown edit is refused' fails 'unknown edit "frobnicate"' 'frobnicate x'
check 'a missing file is named' fails 'b.c: no such file' 'file b.c'

planned() {
	awk '$1 ~ /^(harmless|broken|panic|regression:)/ { print $2 }' "$demo/history" | sort
}
plan_is_whole() {
	planned >"$work/planned"
	ls "$demo/commits" | sort >"$work/files"
	diff "$work/planned" "$work/files"
}
planned_regressions() {
	awk -F: '/^regression:/ { sub(/ .*/, "", $2); print $2 }' "$demo/history" | sort | tr '\n' ' '
}
check 'each commit file is planned once' plan_is_whole
check 'at least 24 commits' [ "$(planned | wc -l)" -ge 24 ]
check 'one regression for each scenario' [ "$(planned_regressions)" = \
	'cat-readahead fsync-loop multi-disk-fsync raw-sync ' ]
echo "1..$number"
[ $failures = 0 ]
