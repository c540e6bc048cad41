#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the controller adds to a boot: one trivial scenario through kregress (define, boot,
# result, power-off, store) against a bare QEMU with the same kernel, initramfs and flags,
# in turn, ten times each. Prints both medians and their ratio.
#	boot.sh KERNEL [ROUNDS]
set -eu
cd "$(dirname "$0")/../../.."
kernel=$(realpath "$1")
rounds=${2-10}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/trivial.yaml" <<'END'
name: trivial
workload: sync-loop
parameters: {target: device, device: instant, count: 1, disk_size: 16M}
runs: 1
settle_seconds: 1
metrics: [elapsed]
END

milliseconds() {
	date +%s%3N
}

# The initramfs is removed after a boot: keep the one of a first run.
keep_initramfs() {
	./kregress run "image:$kernel" --scenario "$folder/trivial.yaml" \
		--results "$folder/first" -q >/dev/null 2>&1 &
	pid=$!
	until cp "$folder"/first/boots/*.initramfs "$folder/initramfs" 2>/dev/null &&
		[ -s "$folder/initramfs" ]; do
		kill -0 $pid 2>/dev/null || break
	done
	wait $pid
	cmdline=$(sed -n 's/.*Command line: //p; s/.*Kernel command line: //p' \
		"$folder"/first/boots/*.console.log | head -n 1 | tr -d '\r')
	[ -s "$folder/initramfs" ] && [ -n "$cmdline" ]
}

bare() {
	qemu-system-x86_64 -machine pc,accel=tcg -cpu qemu64,-rdrand,-rdseed -m 1024 -nodefaults \
		-no-user-config -display none -no-reboot -icount shift=0,sleep=off -seed 1 \
		-rtc base=2001-09-09T01:46:40,clock=vm -kernel "$kernel" -initrd "$folder/initramfs" \
		-append "$cmdline" -chardev file,id=a,path="$folder/bare.console" -serial chardev:a \
		-chardev file,id=b,path="$folder/bare.results" -serial chardev:b
}

ours() {
	./kregress run "image:$kernel" --scenario "$folder/trivial.yaml" --boots "$1" \
		--results "$folder/first" -q >/dev/null
}

median() {
	sort -n "$1" | awk '{v[NR] = $1} END {print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2}'
}

count_boots() {
	sqlite3 "$folder/first/kregress.sqlite" 'select count(*) from boots'
}

keep_initramfs
for round in $(seq "$rounds"); do
	start=$(milliseconds)
	bare
	middle=$(milliseconds)
	before=$(count_boots)
	ours $((before + 1))
	end=$(milliseconds)
	echo $((middle - start)) >>"$folder/bare"
	# A boot that strays is followed by another one: see measure/identity.h.
	echo $(((end - middle) / ($(count_boots) - before))) >>"$folder/ours"
done
awk -v bare="$(median "$folder/bare")" -v ours="$(median "$folder/ours")" -v n="$rounds" 'BEGIN {
	printf "bare QEMU %d ms, kregress %d ms, ratio %.2f (medians of %d)\n", bare, ours, ours / bare, n}'
