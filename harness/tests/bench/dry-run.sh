#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The first commit to test, of 20,000 and of 200,000 with many merges: time and memory
# beside those of git rev-list --bisect. SIZES="20000 200000"
set -u
. "$(dirname "$0")/../search-lib.sh"

# best COMMAND...: the shortest of three runs in seconds
best() {
	for _ in 1 2 3; do
		start=$(date +%s%N)
		"$@" >"$work/out" 2>"$work/err" || cat "$work/err" >&2
		echo $(($(date +%s%N) - start))
	done | sort -n | awk 'NR == 1 { printf "%.3f", $1 / 1e9 }'
}

# Most memory in MB.
peak() {
	"$kregress" bisect --tree "$tree" --good "$good" --bad "$bad" --dry-run >"$work/out" &
	most=0
	while kill -0 $! 2>/dev/null; do
		now=$(awk '/^VmHWM/ { print $2 }' /proc/$!/status 2>/dev/null)
		[ "${now:-0}" -gt $most ] && most=$now
	done
	wait $!
	echo $((most / 1024))
}

ours() {
	"$kregress" bisect --tree "$tree" --good "$good" --bad "$bad" --dry-run --json
}

theirs() {
	git -C "$tree" rev-list --bisect "$bad" "^$good"
}

printf '%9s %10s %12s %22s %8s\n' commits candidates "kregress, s" "git rev-list, s" MB
for size in ${SIZES-20000 200000}; do
	merges "$size" 1
	git -C "$tree" repack -adq
	good=$(id "n$((size / 100))") bad=$(id "n$size")
	a=$(best ours) candidates=$(sed -n 's/.*"candidates": \(.*\)}/\1/p' "$work/out")
	memory=$(peak) b=$(best theirs)
	printf '%9s %10s %12s %22s %8s\n' "$size" "$candidates" "$a" "$b" "$memory"
done
