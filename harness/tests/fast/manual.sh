#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The manual knows every command and option of the program's tables, and no other;
# completion offers what they hold.
set -u
. "$(dirname "$0")/../tap-lib.sh"
manual=$top/harness/packaging/kregress.1

# section TITLE: the lines of one .Ss, up to the next
section() {
	awk -v title="$1" '/^\.S[sh] / { inside = $1 == ".Ss" && ($2 == title || $2 " " $3 == title) }
		inside' "$manual"
}

# "-p", "--param" ... of the .It lines
options_of() {
	section "$1" | grep '^\.It ' | grep -oE 'Fl -?[A-Za-z][a-z-]*' | sed 's/Fl /-/' |
		sort -u
}

names() {
	"$kregress" "$1" --list-options | cut -d ' ' -f 1 | sort -u
}

commands_are_there() {
	"$kregress" --list-commands >out || return 1
	awk '$1 == ".Ss" && $2 != "All" { print $2 }' "$manual" | sort >described
	sort out | diff - described >err ||
		{ echo "harness/packaging/kregress.1: a .Ss for each command (< missing)" >>err && false; }
}

common_options_are_there() {
	options_of 'All commands' >common
	names doctor >out
	for option in $(cat common); do
		grep -qx -e "$option" out || { echo "no option $option" >err && return 1; }
	done
}

# A command's own options, those of all commands apart.
options_are_there() {
	options_of 'All commands' >common
	: >err
	while read -r command; do
		names "$command" | grep -vxF -f common >out
		options_of "$command" | diff out - >difference && continue
		echo "harness/packaging/kregress.1, .Ss $command (< missing, > unknown):" >>err
		cat difference >>err
	done <commands
	[ ! -s err ]
}

formats_well() {
	groff -mdoc -Tascii -P-cbou -ww "$manual" >out 2>err && [ ! -s err ] &&
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
check 'every command is described' commands_are_there
check 'the options of all commands are' common_options_are_there
check 'every option of each command is' options_are_there
if command -v groff >out; then
	check 'groff has nothing to say' formats_well
else
	number=$((number + 1))
	echo "ok $number - groff has nothing to say # SKIP no groff"
fi
check 'completion offers commands, options and values' completion_offers
check "Debian's builders install the same libraries" packages_are_the_same
exit $failed
