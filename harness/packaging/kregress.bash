# SPDX-License-Identifier: GPL-2.0-or-later
# Completion for bash. Commands and options come from the program's own tables.

# Values for an option; $1 says what its argument is called, as --help has it.
_kregress_values() {
	case $1 in
	*'|'*) compgen -W "${1//|/ }" -- "$2" ;;
	FORMAT) compgen -W "$(kregress report --help 2>/dev/null |
		sed -n '/^Formats:/,$s/^  \([a-z][a-z]*\) .*/\1/p')" -- "$2" ;;
	DIR) compgen -d -- "$2" ;;
	FILE* | BZIMAGE) compgen -f -- "$2" ;;
	NAME | NAME\[/*) compgen -W "$(kregress scenarios 2>/dev/null |
		sed -n 's/^\([a-z0-9][a-z0-9-]*\) .*/\1/p')" -- "$2" ;;
	REVISION) compgen -W "$(git for-each-ref --format='%(refname:short)' \
		refs/tags refs/heads 2>/dev/null)" -- "$2" ;;
	esac
}

_kregress() {
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} argument

	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W "$(kregress --list-commands 2>/dev/null | cut -f 1)" -- "$word")
		return
	fi
	# bash parts "--option=value" at the sign.
	[ "$before" = = ] && before=${COMP_WORDS[COMP_CWORD - 2]}
	[ "$word" = = ] && before=${COMP_WORDS[COMP_CWORD - 1]} word=
	argument=$(kregress "${COMP_WORDS[1]}" --list-options 2>/dev/null |
		awk -F '\t' -v name="$before" '
			index("," $1 ",", "," name ",") { print $2; exit }')
	if [ -n "$argument" ]; then
		mapfile -t COMPREPLY < <(_kregress_values "$argument" "$word")
	elif [ "${word:0:1}" = - ]; then
		mapfile -t COMPREPLY < <(compgen -W "$(kregress "${COMP_WORDS[1]}" \
			--list-options 2>/dev/null | cut -f 1 | tr , '\n')" -- "$word")
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
	fi
}

complete -o filenames -F _kregress kregress
