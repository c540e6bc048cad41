# SPDX-License-Identifier: GPL-2.0-or-later
# For scripts that call the program in an empty folder and print TAP: sourced after
# "set -u", it changes to that folder and removes it at the end.
top=$(cd "$(dirname "$0")/../../.." && pwd)
kregress=$top/build/dev/kregress
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
number=0 failed=0

# check NAME COMMAND...: one line of TAP
check() {
	name=$1
	shift
	number=$((number + 1))
	if "$@"; then
		echo "ok $number - $name"
	else
		echo "not ok $number - $name"
		sed 's/^/# /' out err
		failed=1
	fi
}

# exits CODE ARGUMENT...: runs kregress into "out" and "err"
exits() {
	wanted=$1
	shift
	"$kregress" "$@" >out 2>err
	[ $? -eq "$wanted" ]
}
