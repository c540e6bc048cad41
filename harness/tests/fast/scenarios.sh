#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# kregress scenarios: list, cases, JSON, and mistakes with their exit code.
set -u
cd "$(dirname "$0")/../../.."
program=$PWD/build/dev/kregress
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
number=0

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

# run CODE ARGUMENT...: whether the program ends with that code
run() {
	wanted=$1
	shift
	(cd "$folder" && "$program" "$@" >out 2>err)
	[ $? -eq "$wanted" ]
}

printed() {
	grep -qF -- "$1" "$folder/out"
}

said() {
	grep -qF -- "$1" "$folder/err"
}

check "list" run 0 scenarios
check "the list has the four" sh -c "[ \$(grep -cE '^(fsync-loop|cat-readahead|multi-disk-fsync|raw-sync) ' $folder/out) -eq 4 ]"
check "cases" run 0 scenarios fsync-loop --param block_size=20 -p mode=extend,keep
check "cases keep the label of the file" printed "device=disk,block_size=20,mode=keep"
check "disk lab" run 0 scenarios raw-sync --lab disk
check "full size of the report" printed "count=10000"
check "JSON" run 0 scenarios --json cat-readahead
check "JSON holds the cases" printed '"label": "target=device,readahead_sectors=8"'
check "keys" run 0 scenarios --keys
check "keys name the parameters" printed "queue_depth"
check "unknown scenario" run 2 scenarios fsync-lop
check "the nearest is named" said "did you mean 'fsync-loop'?"
check "wrong parameter" run 2 scenarios fsync-loop --param queue_depth=8.5
check "the sentence" said 'queue_depth is "8.5", but must be a whole number'
printf 'name: mine\nworkload: read\nparameters: {size: 1M}\n' >"$folder/mine.yaml"
printf 'name: bad\nworkload: read\nsize: 1M\n' >"$folder/bad.yaml"
printf 'name: worse\n' >"$folder/worse.yaml"
check "a file of one's own" run 0 scenarios ./mine.yaml
check "broken files" run 2 scenarios --json ./bad.yaml mine.yaml worse.yaml
check "each is named" said "./bad.yaml:3:1: a scenario has no 'size'"
check "the last too" said "worse.yaml:1:1: a scenario needs 'workload'"
check "nothing on stdout" test ! -s "$folder/out"

# --- a command of one's own: what it needs must be there before any boot
mine() {
	printf 'name: mine\nworkload: exec\nfiles: %s\nparameters: {command: %s}\n' "$1" "$2" \
		>"$folder/exec.yaml"
}
mine '[/no/such/fio]' '/no/such/fio'
check "a program that is not there" run 2 scenarios ./exec.yaml
check "is named with its place and the cure" said \
	'./exec.yaml:3:9: /no/such/fio: No such file or directory; install it'
check "a run is refused too" run 2 run v1 --scenario ./exec.yaml
check "before anything else" said '/no/such/fio: No such file or directory; install it'
mine '[/usr/bin/env]' 'fio --name=x'
check "a command without its file" run 2 scenarios ./exec.yaml
check "is named with the cure" said \
	"./exec.yaml:4:23: the command runs 'fio', which the guest does not have; name its file, as in files: [/usr/bin/fio]"
mine '[/usr/bin/env, /proc/version]' 'env'
check "no file over what the guest mounts" run 2 scenarios ./exec.yaml
check "it is named" said '/proc/version is no place for a file in the guest'
printf '#!/bin/sh\n' >"$folder/tool.sh"
mine '[tool.sh]' '"tool.sh {disk0}"'
check "a file beside the scenario" run 0 scenarios ./exec.yaml
check "which may be overridden" run 2 scenarios ./exec.yaml --param command=/bin/other
rm "$folder/exec.yaml" "$folder/tool.sh"
printf 'scenario_folders: [.]\n' >"$folder/kregress.yaml"
check "a broken file in a folder" run 2 scenarios
rm "$folder/bad.yaml" "$folder/worse.yaml"
check "folders of the configuration" run 0 scenarios mine
check "found there" printed "mine (./mine.yaml)"
printf 'scenario_folder: x\n' >"$folder/kregress.yaml"
check "broken configuration" run 2 scenarios
check "named with its place" said "kregress.yaml:1:1: a configuration has no 'scenario_folder'; did you mean 'scenario_folders'?"
echo "1..$number"
