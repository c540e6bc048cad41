#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What goes wrong before any guest runs: told with the thing, the cause and the cure.
set -u
. "$(dirname "$0")/../tap-lib.sh"

# fails CODE TEXT ARGUMENT...: one line on stderr that holds the text, nothing on stdout
fails() {
	wanted=$1 text=$2
	shift 2
	exits "$wanted" "$@" && [ ! -s out ] && grep -qF -- "$text" err &&
		[ "$(grep -c 'error:' err)" = 1 ]
}

git init -q tree
printf 'x\n' >tree/file
git -C tree add file
for subject in one two; do
	git -C tree -c user.name=t -c user.email=t@localhost commit -q --allow-empty -m $subject
done
git -C tree tag v1.0
git clone -q --depth 1 "file://$folder/tree" cut
printf 'name: x\nworkload: sync-loop\nparameters: {block_size: 4k\n' >open.yaml
printf 'name: x\nworkload: sync-loop\nparameters: {block_size: 4k}\nrums: 3\n' >key.yaml

check 'unknown revision' fails 2 'unknown revision "v1.1"' run --tree tree v1.1
check '... with the nearest name' grep -q 'did you mean "v1.0"' err
check 'unknown end of a range' fails 2 'unknown revision "no"' run --tree tree v1.0..no
check 'unknown end of a search' fails 2 '--bad: unknown revision "no"' \
	bisect --tree tree --good v1.0 --bad no --scenario raw-sync
check 'no such folder' fails 2 'nowhere: no such folder' run --tree nowhere v1.0
mkdir empty
check 'no repository' fails 2 'empty is not a git repository; --tree DIR' run --tree empty v1.0
check 'no tree at all' fails 2 'give --tree DIR' run v1.0
check 'shallow clone, a range' fails 2 'fetch --unshallow' run --tree cut HEAD~1..HEAD
check 'shallow clone, a search' fails 2 'fetch --unshallow' \
	bisect --tree cut --good HEAD~1 --bad HEAD --scenario raw-sync
check 'YAML that ends too early' fails 2 'open.yaml:4:1: ' run --tree tree v1.0 -s ./open.yaml
check 'YAML with a misspelt key' fails 2 "key.yaml:4:1: " run --tree tree v1.0 -s ./key.yaml
check '... with the nearest key' grep -q "'runs'" err
check 'a configuration that is not there' fails 2 'no.yaml: No such file' run -c no.yaml v1.0

# A PATH that has all of this one's programs but a few.
mkdir bin
ln -s /usr/bin/* /usr/sbin/* bin/ 2>/dev/null
printf '#!/bin/sh\nPATH=%s/bin exec %s "$@"\n' "$folder" "$kregress" >limited
chmod +x limited
kregress=$folder/limited
for tool in gcc:gcc flex:flex bison:bison ld:binutils make:make; do
	mv "bin/${tool%:*}" aside
	check "no ${tool%:*}" fails 3 "lacks ${tool%:*} (package ${tool#*:})" run --tree tree v1.0
	mv aside "bin/${tool%:*}"
done
rm bin/qemu-system-x86_64
check 'no QEMU' fails 3 'install package qemu-system-x86' run --tree tree v1.0

# Nothing of it has harmed what is there.
check 'the database is whole' [ "$(sqlite3 results/kregress.sqlite 'pragma integrity_check')" = ok ]
echo "1..$number"
[ $failed -eq 0 ]
