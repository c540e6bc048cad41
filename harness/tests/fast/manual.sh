#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The manual knows every command and option of the program's tables; completion offers
# what they hold.
set -u
. "$(dirname "$0")/../tap-lib.sh"

# section TITLE: the lines of one .Ss, up to the next heading
section() {
	awk -v title="$1" '/^\.S[sh] / { inside = $1 == ".Ss" && ($2 == title || $2 " " $3 == title) }
		inside' manual.1
}

# "-p", "--param" ... of the .It lines
options_of() {
	section "$1" | grep '^\.It ' | grep -oE 'Fl -?[A-Za-z][a-z-]*' | sed 's/Fl /-/' | sort
}

names() {
	cut -f 1 | tr , '\n' | grep . | sort
}

is_made() {
	"$top/harness/packaging/manual" "$kregress" <"$top/harness/packaging/kregress.1.in" \
		>manual.1 2>err && ! grep '^@' manual.1 >out
}

commands_are_there() {
	awk '$1 == ".Ss" && $2 != "All" { print $2 }' manual.1 | sort >described
	cut -f 1 commands | sort | diff - described >err
}

options_are_there() {
	"$kregress" doctor --list-options | sed '1,/^$/d' | names >out
	options_of 'All commands' | diff out - >err || return 1
	for command in $(cut -f 1 commands); do
		"$kregress" "$command" --list-options | sed '/^$/,$d' | names >out
		options_of "$command" | diff out - >err || return 1
	done
}

formats_are_there() {
	"$kregress" report --help | sed -n '/^Formats:/,$s/^  \([a-z][a-z]*\) .*/\1/p' >out
	[ "$(wc -l <out)" -gt 5 ] || return 1
	while read -r format; do
		section report | grep -qE "^\.Cm $format( |\$)" || return 1
	done <out
}

formats_well() {
	groff -mdoc -Tascii -P-cbou -ww manual.1 >out 2>err && [ ! -s err ] &&
		[ "$(wc -L <out)" -le 80 ]
}

# complete WORD...: what is offered for the last word
complete_words() {
	PATH="$(dirname "$kregress"):$PATH" bash -c '
		. "$1"; shift
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_kregress
		printf "%s\n" "${COMPREPLY[@]}"' - \
		"$top/harness/packaging/kregress.bash" kregress "$@" >out 2>err
}

completion_offers() {
	complete_words re && [ "$(cat out)" = report ] || return 1
	complete_words report --for && [ "$(cat out)" = --format ] || return 1
	complete_words report --format = ma && [ "$(tr '\n' ' ' <out)" = 'markdown mail ' ] ||
		return 1
	complete_words run --lab di && [ "$(cat out)" = disk ] || return 1
	complete_words scenarios fs && [ ! -s err ] || return 1
	complete_words run --scenario raw && [ "$(cat out)" = raw-sync ]
}

# What compiling needs is told twice, to apt and to Debian's builders.
packages_are_the_same() {
	sed -n '/^packages=/,/^stamp=/p' "$top/harness/tests/deps" | tr -c 'a-z0-9.+-' '\n' |
		grep -E -- '^(lib.*|zlib1g)-dev$' | grep -vxE 'lib(cmocka|elf|ssl)-dev' |
		sort >out
	sed -n '/^Build-Depends:/,/^[A-Z].*:/p' "$top/harness/packaging/debian/control" |
		tr -c 'a-z0-9.+-' '\n' | grep -E -- '^(lib.*|zlib1g)-dev$' | sort >control
	diff out control >err
}

"$kregress" --list-commands >commands
check 'the manual is made' is_made
check 'every command is described' commands_are_there
check 'every option is' options_are_there
check 'every format of a report is' formats_are_there
if command -v groff >out; then
	check 'groff has nothing to say' formats_well
else
	number=$((number + 1))
	echo "ok $number - groff has nothing to say # SKIP no groff"
fi
check 'completion offers commands, options and values' completion_offers
check "Debian's builders install the same libraries" packages_are_the_same
exit $failed
