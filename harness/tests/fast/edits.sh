#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Versions with edits, as far as no kernel is built: what does not fit is named before.
set -u
. "$(dirname "$0")/../tap-lib.sh"
export XDG_CACHE_HOME="$folder/cache" KREGRESS_LOCK="$folder/lock"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null

git init -q tree
commit() { # NAME: everything, under a tag of that name
	git -C tree add -A
	git -C tree -c user.name=t -c user.email=t@localhost commit -qm "$1"
	git -C tree tag "$1"
}
printf 'one\ntwo\nthree\n' >tree/file
mkdir tree/fs
echo a >tree/fs/other
commit root
sed -i 's/two/2/' tree/file
echo b >tree/fs/other
commit change
sed -i 's/2/zwei/' tree/file
echo c >tree/fs/other
commit again
echo more >tree/more
commit more
git -C tree diff root change >change.patch
echo 'no patch' >bad.patch

# refused WORDS ARGUMENT...: exit code 2, and the words
refused() {
	words=$1
	shift
	exits 2 "$@" && grep -qF -- "$words" err
}
version() {
	words=$1
	shift
	refused "$words" run --tree tree "$@" --scenario raw-sync --results results
}

sha=$(git -C tree rev-parse change)
short=$(echo "$sha" | cut -c1-12)
check 'a revert that conflicts names the files' version \
	"the revert of $short conflicts in file, fs/other" "again+revert:$sha"
check 'in a list of versions too' version "the revert of $short conflicts in" root more \
	"more+revert:change"
check 'a revert of what is not there yet' version 'changes nothing' root "root+revert:more"
check 'a root cannot be reverted' version 'is a root commit' "more+revert:root"
check 'an unknown commit' version 'unknown revision "nosuch"' "more+revert:nosuch"
check 'a patch that does not apply' version 'the patch change.patch does not apply' \
	"more+patch:change.patch"
check 'what is no patch' version 'bad.patch' "more+patch:bad.patch"
check 'a patch that is not there' version 'no.patch' "more+patch:no.patch"
check 'a wrong setting' version 'config' "more+config:=y"
check 'an unknown edit' version 'did you mean "revert"' "more+rever:change"

bisect() {
	words=$1 good=$2 bad=$3
	shift 3
	refused "$words" bisect --tree tree --good "$good" --bad "$bad" --results results "$@"
}
check 'ends with unlike edits' bisect 'need the same edits' root+config:A=y more \
	--scenario raw-sync
check 'edits and a command' bisect 'edits need --scenario' root+config:A=y more+config:A=y \
	--command true
check 'an end that an edit does not fit' bisect 'conflicts in file' "again+revert:$sha" \
	"more+revert:$sha" --scenario raw-sync
echo "1..$number"
exit $failed
