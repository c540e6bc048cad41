#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What all commands share: exit codes, --version, --lab, output that cannot be written.
set -u
top=$(cd "$(dirname "$0")/../../.." && pwd)
kregress=$top/build/dev/kregress
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
number=0 failed=0

# expect CODE NAME ARGUMENT...: one line of TAP
expect() {
	wanted=$1 name=$2
	shift 2
	"$kregress" "$@" >out 2>err </dev/null
	code=$?
	number=$((number + 1))
	if [ "$code" -eq "$wanted" ]; then
		echo "ok $number - $name"
	else
		echo "not ok $number - $name (exit $code)"
		sed 's/^/# /' out err
		failed=1
	fi
}

# says FILE TEXT: the text is in the output of the last command
says() {
	number=$((number + 1))
	if grep -q -e "$2" "$1"; then
		echo "ok $number - it says $2"
	else
		echo "not ok $number - it does not say $2"
		sed 's/^/# /' "$1"
		failed=1
	fi
}

expect 2 "no command"
expect 2 "an unknown command" frobnicate
expect 2 "a near miss" reprot
says err "did you mean 'report'"
expect 3 "a libvirt that is not there" run --connect bogus:///x "image:$kregress" \
	--scenario raw-sync --results connect
says err 'bogus:///x'
expect 0 "the version" --version
says out '^kregress [0-9]'
for command in $("$kregress" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
	expect 0 "$command --help" "$command" --help
	says out "^Usage: kregress $command "
	expect 0 "$command --version" "$command" --version
	says out '^kregress [0-9]'
	expect 2 "$command with an unknown option" "$command" --no-such-option
	expect 2 "$command with an unknown lab" "$command" --lab disk --lab moon
done

# What doctor prints to begin with is a configuration that is taken.
expect 0 "the keys of the configuration" doctor --keys
says out '^# *tree:'
cp out keys.yaml
expect 0 "the printed configuration" scenarios -c keys.yaml

# A full disk where the result goes.
"$kregress" scenarios --json >/dev/full 2>err
code=$?
number=$((number + 1))
if [ "$code" -eq 3 ] && grep -q 'standard output' err; then
	echo "ok $number - a result that cannot be written is an error of the host"
else
	echo "not ok $number - a result that cannot be written (exit $code)"
	failed=1
fi

escape=$(printf 'a\033[2Jb')
expect 2 "a name with an escape sequence" "$escape"
says err 'a?\[2Jb'

expect 2 "an option of the other kind of search" \
	bisect --good a --bad b --scenario raw-sync --checkout
says err 'checkout goes with --command'
expect 2 "a parameter without a scenario" bisect --good a --bad b --command true -p count=1
says err 'param goes with --scenario'
# Names that are not clear are listed, one a line.
git init -q unclear
for i in 1 2; do
	git -C unclear -c user.name=t -c user.email=t@localhost commit -q --allow-empty -m "$i"
	git -C unclear "$([ $i = 1 ] && echo tag || echo branch)" same
done
expect 2 "an ambiguous name" bisect --tree unclear --good same --bad HEAD --command true
says err '^  refs/tags/same = '
says err '^  refs/heads/same = '

# What a session is stored with is what the program returned.
git init -q tree
for i in 1 2; do
	git -C tree -c user.name=t -c user.email=t@localhost commit -q --allow-empty -m "$i"
done
expect 3 "a session that fails" bisect --tree tree --good HEAD~1 --bad HEAD \
	--command 'echo 1' --log no/such/folder/log --results results
sqlite3 results/*.sqlite "SELECT 'exit ' || exit_code FROM session_ends" >codes
says codes '^exit 3$'

expect 2 "a results folder without a name" bisect --tree tree --good HEAD~1 --bad HEAD \
	--command 'echo 1' --results ''
says err 'name is empty'
commit=$(printf 'tree %s\nparent %s\n\nx' "$(git -C tree rev-parse 'HEAD^{tree}')" \
	"$(git -C tree rev-parse HEAD)" | git -C tree hash-object -t commit -w --stdin --literally)
git -C tree update-ref refs/tags/broken "$commit"
# libgit2 1.5 loses the memory of a commit that it cannot parse.
export ASAN_OPTIONS=detect_leaks=0
expect 2 "a tag of what is no whole commit" bisect --tree tree --good HEAD --bad broken \
	--command 'echo 1' --results results
unset ASAN_OPTIONS
says err 'cannot be read'
mkdir damaged
echo nonsense >damaged/kregress.sqlite
expect 3 "doctor with a damaged database" doctor --results damaged
says out '^problem  database .*not a database'
says out '^note     tree'
expect 3 "doctor without a results folder" doctor --results out/results
says out '^problem  results .*Not a directory'
says out '^note     tree'

# Built for one prefix, installed under another.
mkdir -p "installed here/bin" "installed here/share"
cp "$kregress" "installed here/bin/kregress"
mkdir -p "installed here/share/kregress"
cp -R "$top/scenarios" "$top/vm-images" "installed here/share/kregress"
built=$kregress
kregress="$folder/installed here/bin/kregress"
expect 0 "a copy under another prefix finds its scenarios" scenarios
says out fsync-loop
kregress=$built

echo "1..$number"
exit $failed
