#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# One command measures on a host at a time: the holder is named, a dead one is forgotten.
set -u
. "$(dirname "$0")/../tap-lib.sh"
export KREGRESS_LOCK="$folder/lock"
# The leak checker may meet a thread of libvirt's that is just ending.
export ASAN_OPTIONS=detect_leaks=0

git init -q tree
for i in 1 2; do
	git -C tree -c user.name=t -c user.email=t@localhost commit -q --allow-empty -m "$i"
done
echo 'wait_minutes: 0' >kregress.yaml

# hold: a search that measures until "end" is there; its process in $holder
hold() {
	rm -f end started
	"$kregress" bisect --tree tree --good HEAD~1 --bad HEAD --results held --again \
		--command 'touch started; until [ -e end ]; do sleep 0.05; done; echo 1' \
		>held.out 2>held.err &
	holder=$!
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		[ -e started ] && return
		sleep 0.1
	done
}

# measure CODE: a command that boots guests, or would
measure() {
	exits "$1" run "image:$kregress" --scenario raw-sync --results other
}

refused() {
	measure 3 && grep -q "measures already: process $holder (kregress bisect " err
}

beside() {
	exits 5 bisect --tree tree --good HEAD~1 --bad HEAD --results beside --command 'echo 1'
}

waited_for() {
	"$kregress" run -c patient.yaml "image:$kregress" --scenario raw-sync --results other \
		>out 2>err &
	waiter=$!
	sleep 0.5
	touch end
	wait $waiter
	[ $? -eq 2 ] && grep -q "waiting for process $holder (kregress bisect " err
}

not_in_the_way() {
	kill -9 $holder
	touch end
	wait $holder 2>/dev/null
	measure 2
}

fixed_clock() {
	KREGRESS_NOW=soon exits 2 scenarios && grep -q 'KREGRESS_NOW' err
}

hold
check 'a second command is refused, the first is named' refused
check 'searches with commands run side by side' beside
echo 'wait_minutes: 1' >patient.yaml
check 'who may wait does so, and says for whom' waited_for
wait $holder
hold
check 'a dead holder holds nothing' not_in_the_way
check 'a clock that is no number' fixed_clock
echo "1..$number"
exit $failed
