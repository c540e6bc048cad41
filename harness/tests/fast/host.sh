#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# init, kernels, status, and what nightly says before it measures anything.
set -u
. "$(dirname "$0")/../tap-lib.sh"
export ASAN_OPTIONS=detect_leaks=0 # see turn.sh
export KREGRESS_LOCK="$folder/lock" HOME="$folder/home" XDG_CACHE_HOME="$folder/cache"
mkdir home

says() {
	grep -qF -- "$1" out
}

complains() {
	[ ! -s out ] && grep -qF -- "$1" err
}

# --- init
git init -q tree
mkdir -p tree/arch/x86
touch tree/Kbuild tree/arch/x86/Kconfig
git -C tree add . && git -C tree -c user.name=t -c user.email=t@localhost commit -qm one

written() {
	exits 0 init --tree tree && grep -q "^tree: \"$folder/tree\"" kregress.yaml &&
		grep -q '^nightly:' kregress.yaml && grep -q '^# KVM on this host: ' kregress.yaml &&
		exits 0 scenarios
}

kept() {
	echo 'baseline: mine' >kregress.yaml
	exits 2 init --tree tree && complains '--force' && grep -q mine kregress.yaml &&
		exits 0 init --tree tree --force --json && jq -e '.path == "kregress.yaml"' out >/dev/null &&
		! grep -q '^baseline' kregress.yaml
}

no_tree() {
	exits 2 init --tree home -c other.yaml && complains 'no git repository' && [ ! -e other.yaml ]
}

check 'a configuration for this host' written
check 'one that is there is left alone' kept
check 'a tree that is none' no_tree

# --- kernels
# kernel KEY ORIGIN: an entry of the store, last used on that day of 2027
kernel() {
	entry=cache/kregress/kernels/$(printf '%064d' "$1")
	mkdir -p "$entry"
	printf 'image' >"$entry/image"
	printf 'release 6.1.0\nimage_digest d\norigin %s\nformat elf\nbuild_seconds 1\nend\n' "$2" \
		>"$entry/info"
	touch -d "2027-01-0$1" "$entry/used"
}

kernels() {
	kernel 1 v6.1
	kernel 2 v6.2
	kernel 3 v6.3
	exits 0 kernels && says '2027-01-02  v6.2' && says '3 kernels' && exits 0 kernels --json &&
		jq -e '(.kernels | length) == 3 and .kernels[0].origin == "v6.1" and .bytes > 0
			and .kernels[0].in_use == false' out >/dev/null
}

one_kernel() {
	exits 2 kernels show 00000 && complains 'several' && exits 2 kernels show f && complains 'no kernel' &&
		exits 0 kernels show "$(printf '%064d' 3)" && says 'v6.3'
}

dry() {
	KREGRESS_NOW=1798934400 exits 0 kernels prune --days 1 --dry-run && says 'would go' &&
		exits 0 kernels && says '3 kernels'
}

# A lease as a running command holds it: the key in a locked file.
held() {
	mkdir -p cache/kregress/kernels/.leases
	printf '%064d\n' 1 >cache/kregress/kernels/.leases/abc
	printf '%064d\n' 2 >cache/kregress/kernels/.leases/dead
	# "exec": the lock goes with this very process.
	(exec 9<cache/kregress/kernels/.leases/abc && flock 9 && exec sleep 20) &
	holder=$!
	sleep 0.3
	exits 0 kernels --json && jq -e '[.kernels[].in_use] == [true, false, false]' out >/dev/null
}

pruned() {
	exits 0 kernels prune --size 1 --json &&
		jq -e '(.removed | length) == 2 and (.kept_in_use | length) == 1' out >/dev/null &&
		[ -e "cache/kregress/kernels/$(printf '%064d' 1)/image" ] &&
		[ ! -e "cache/kregress/kernels/$(printf '%064d' 3)" ]
}

released() {
	kill $holder
	wait $holder 2>/dev/null
	KREGRESS_NOW=1830000000 exits 0 kernels prune --days 0 && says 'removed' && exits 0 kernels && says '0 kernels'
}

criterion() {
	exits 2 kernels prune && complains '--days' && exits 2 kernels melt && complains 'list, show, prune'
}

check 'kernels with size and last use' kernels
check 'one of them' one_kernel
check 'a dry run removes nothing' dry
check 'what a running command uses is told' held
check 'and is not removed' pruned
check 'what nobody uses is' released
check 'prune wants to know what may go' criterion

# --- status
idle() {
	exits 0 status --results none && says 'nothing is measured' && [ ! -e none ] &&
		exits 0 status --results none --json && jq -e '.running == null and .queue == []' out >/dev/null
}

busy() {
	"$kregress" bisect --tree tree --good HEAD --bad HEAD --results busy --command true >/dev/null 2>&1
	git -C tree -c user.name=t -c user.email=t@localhost commit -q --allow-empty -m two
	"$kregress" bisect --tree tree --good HEAD~1 --bad HEAD --results busy \
		--command 'touch started; until [ -e end ]; do sleep 0.05; done; echo 1' >held 2>&1 &
	until [ -e started ]; do sleep 0.05; done
	exits 0 status --results busy && says "now: process $! (kregress bisect" &&
		exits 0 status --results busy --json && jq -e ".running.process == $! and
			.searches[0].status == \"running\" and .sessions[0].finished == null" out >/dev/null
}

ended() {
	touch end
	wait
	exits 0 status --results busy && says 'nothing is measured' && says 'no-difference' &&
		says 'exit 5'
}

check 'nothing runs' idle
check 'a search runs' busy
check 'it has ended' ended

# --- nightly
nightly_without_tree() {
	exits 2 nightly -c /dev/null --results n && complains 'tree'
}

nothing_to_follow() {
	printf 'tree: tree\nnightly: {branches: [nowhere], labs: [moon]}\n' >bad.yaml
	exits 2 nightly -c bad.yaml --results n && complains 'bad.yaml:2:' && complains 'moon'
}

check 'a night without a tree' nightly_without_tree
check 'a lab that is none is found in the file' nothing_to_follow
echo "1..$number"
exit $failed
