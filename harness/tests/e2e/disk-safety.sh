#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Disk safety on loop devices: each refusal with its own words, and not a byte changed.
# What this kernel lacks (device mapper, md, bcache) is done in unit/test_disks with
# copies of sysfs; members of them are made here by their signatures.
set -u
cd "$(dirname "$0")/../../.." || exit 1
program=$PWD/kregress
PATH=$PATH:/usr/sbin:/sbin
if [ "$(id -u)" != 0 ] || ! losetup -f >/dev/null 2>&1; then
	echo "1..0 # SKIP loop devices need root"
	exit 77
fi
folder=$(mktemp -d)
loops= mounts= pids=
number=0

clean_up() {
	for pid in $pids; do kill "$pid" 2>/dev/null; done
	for mount in $mounts; do umount "$mount" 2>/dev/null; done
	for loop in $loops; do
		delpart "$loop" 1 2>/dev/null
		swapoff "$loop" 2>/dev/null
		losetup -d "$loop" 2>/dev/null
	done
	rm -rf "$folder"
}
trap clean_up EXIT

# check NAME COMMAND...: one TAP line
check() {
	number=$((number + 1))
	name=$1
	shift
	if "$@"; then
		echo "ok $number - $name"
	else
		echo "not ok $number - $name"
		sed 's/^/# /' "$folder/out" "$folder/err"
	fi
}

skip() {
	number=$((number + 1))
	echo "ok $number - $1 # SKIP $2"
}

# disk NAME [OPTION...]: a file with recognisable bytes as a loop device, in $loop
disk() {
	file=$folder/$1
	shift
	truncate -s 32M "$file"
	printf 'precious' | dd of="$file" bs=1M seek=20 conv=notrunc status=none
	loop=$(losetup -f --show "$@" "$file")
	loops="$loops $loop"
	configure ''
}

# configure LINES: the one disk of the configuration
configure() {
	printf 'disks:\n  mine:\n    device: %s\n    serial: MINE-1\n%b' "$loop" "$1" \
		>"$folder/kregress.yaml"
}

put() { # OFFSET BYTES: into the file behind the loop device
	printf "$2" | dd of="$loop" bs=1 seek="$1" conv=notrunc status=none
}

# judged CODE WORDS: what "kregress disks" says, from the configuration and of the host
judged() {
	sync
	before=$(sha256sum <"$file")
	(cd "$folder" && "$program" disks --json >out 2>err)
	code=$?
	[ "$(sha256sum <"$file")" = "$before" ] || {
		echo "# the disk was changed" >>"$folder/err"
		return 1
	}
	[ $code -eq "$([ "$1" = usable ] && echo 0 || echo 3)" ] &&
		[ "$(jq -r '.disks[0].verdict' "$folder/out")" = "$1" ] &&
		jq -r '.disks[0].reason' "$folder/out" | grep -qF -- "$2"
}

listed() {
	jq -e --arg name "${loop#/dev/}" --arg code "$1" \
		'.host[] | select(.name == $name) | .verdict == $code' "$folder/out" >/dev/null
}

disk blank
check 'an empty disk' judged usable ''
check 'the host lists it so' listed usable
(cd "$folder" && "$program" disks >table 2>&1)
check 'the table names disk and device' grep -qE '^mine +'"$loop"' +MINE-1 ' "$folder/table"
printf 'disks:\n  mine: {device: /dev/disk/by-id/no-such-disk, serial: A}\n' >"$folder/kregress.yaml"
check 'a missing disk' judged missing '/dev/disk/by-id/no-such-disk: No such file'
printf 'disks:\n  a: {device: %s, serial: A}\n  b: {device: /dev/null, serial: A}\n' "$loop" \
	>"$folder/kregress.yaml"
serial_twice() {
	(cd "$folder" && "$program" disks >out 2>err)
	[ $? -eq 2 ] && grep -q 'kregress.yaml:3:.*serial of disk b is that of another disk' "$folder/err"
}
check 'a serial twice' serial_twice

# --- the system's own disk
root=$(findmnt -nvo SOURCE / 2>/dev/null || true)
case $root in
/dev/*)
	file=$folder/blank
	real=$loop loop=$root
	configure '    allow_destroy: MINE-1\n'
	loop=$real
	check 'the disk of the running system' judged system 'is the disk of the running system'
	;;
*) skip 'the disk of the running system' '/ is on no block device' ;;
esac

# --- what mounts and swap do
disk mounted
mke2fs -q -t ext4 "$loop"
check 'a file system without permission' judged not-empty \
	"it carries ext4 on ${loop#/dev/}; what may be destroyed says so with \"allow_destroy: MINE-1\""
configure '    allow_destroy: MINE-1\n'
check 'a file system with permission' judged usable ''
mkdir "$folder/mnt"
mounts="$folder/mnt"
mount -o ro "$loop" "$folder/mnt"
check 'a mounted disk' judged mounted "$loop is mounted at $folder/mnt"
umount "$folder/mnt"
unshare -m sh -c 'mount -o ro "$1" "$2" && touch "$2.ready" && exec sleep 60' - "$loop" \
	"$folder/mnt" &
pids="$pids $!"
for _ in 1 2 3 4 5 6 7 8 9 10; do [ -e "$folder/mnt.ready" ] || sleep 0.2; done
check 'mounted in another namespace' judged mounted "$folder/mnt in another mount namespace"
kill $! 2>/dev/null
wait $! 2>/dev/null

disk parted
put 450 '\203' # one partition of type 83, from sector 2048, of 30720 sectors
put 455 '\10'
put 459 '\170'
put 510 '\125\252'
check 'a partition table' judged not-empty 'it carries dos on'
# By hand: this kernel may not read tables.
addpart "$loop" 1 2048 30720 2>"$folder/err"
if [ -b "${loop}p1" ]; then
	mke2fs -q -t ext2 "${loop}p1"
	configure '    allow_destroy: MINE-1\n'
	check 'a table with permission' judged usable ''
	mount -o ro "${loop}p1" "$folder/mnt"
	check 'a mounted partition' judged mounted "${loop#/dev/}p1, which belongs to $loop, is mounted"
	whole=$loop
	loop=${whole}p1
	configure '    allow_destroy: MINE-1\n'
	check 'the partition itself' judged mounted "$loop is mounted"
	umount "$folder/mnt"
	check 'the partition, free again' judged usable ''
	loop=$whole
	delpart "$loop" 1
else
	skip 'a mounted partition' 'no partitions on loop devices'
fi

disk swap
mkswap "$loop" >/dev/null 2>&1
check 'swap space that is not used' judged not-empty 'it carries swap'
if swapon "$loop" 2>/dev/null; then
	configure '    allow_destroy: MINE-1\n'
	check 'swap space in use' judged swap "$loop is swap space in use"
	swapoff "$loop"
else
	skip 'swap space in use' 'swapon is not allowed here'
fi

# --- held by others
disk below
over=$(losetup -f --show "$loop")
loops="$over $loops"
check 'a loop device on the disk' judged built-on "has loop device ${over#/dev/} on it"
base=$loop loop=$over
configure ''
check 'a loop device that stands on a disk' judged built-on "built together with ${base#/dev/}"
losetup -d "$over"
disk read-only -r
check 'a read-only disk' judged read-only "$loop is read-only"

disk open
sleep 60 7<>"$loop" &
pids="$pids $!"
check 'open in a process' judged in-use "$loop is in use by sleep (process $!)"
kill $!
wait $! 2>/dev/null
check 'closed again' judged usable ''
qemu-system-x86_64 -S -M none -display none -nodefaults -name guest=other \
	-drive "file=$loop,format=raw,if=none,cache=none,id=d" >/dev/null 2>&1 &
guest=$!
pids="$pids $guest"
for _ in 1 2 3 4 5 6 7 8 9 10; do
	ls -l "/proc/$guest/fd" 2>/dev/null | grep -q "$loop" || sleep 0.3
done
check 'given to a guest' judged in-use "in use by guest other of qemu-system-x86 (process $guest)"
kill $guest
wait $guest 2>/dev/null

disk data
data=$loop
disk journal
mke2fs -q -O journal_dev "$loop"
mke2fs -q -t ext4 -J device="$loop" "$data"
configure '    allow_destroy: MINE-1\n'
if mount "$data" "$folder/mnt" 2>/dev/null; then
	check 'held by the kernel alone' judged exclusive "$loop is held exclusively by the kernel"
	umount "$folder/mnt"
else
	skip 'held by the kernel alone' 'no external journals here'
fi

# --- members of stacks, by their signatures: permission does not help
disk lvm
put 512 'LABELONE\1'
put 536 'LVM2 001'
configure '    allow_destroy: MINE-1\n'
check 'a member of LVM' judged lvm 'carries a physical volume of LVM (LVM2_member on'
disk md
put 4096 '\374\116\053\251\1'
put 4240 '\10'
configure '    allow_destroy: MINE-1\n'
check 'a member of an md array' judged md 'carries a member of an md array'
disk bcache
put 4104 '\10'
put 4120 '\306\205\163\366\116\032\105\312\202\145\365\177\110\272\155\201'
configure '    allow_destroy: MINE-1\n'
check 'a member of bcache' judged bcache 'carries a member of bcache'
disk zfs
truncate -s 96M "$file"
losetup -c "$loop"
for i in 0 1 2 3 4 5; do put $((131072 + i * 1024)) '\014\261\272'; done
configure '    allow_destroy: MINE-1\n'
check 'a member of a ZFS pool' judged zfs 'carries a member of a ZFS pool'

# --- stacks that run, where the kernel has them
disk mapped
if dmsetup create "kregress-$$" --table "0 65536 linear $loop 0" 2>/dev/null; then
	check 'below device mapper' judged dm 'belongs to a device-mapper device'
	dmsetup remove "kregress-$$"
else
	skip 'below device mapper' 'this kernel has none; done with a copy of sysfs'
fi
echo "1..$number"
