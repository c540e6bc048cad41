#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Why a commit is slower, counted in real guests: the function that was changed comes first,
# counting changes no number and repeats to the last instruction, and where nothing can be
# counted everything else still works. Needs the demo's kernel history (made where missing).
set -u
cd "$(dirname "$0")/../../.."
top=$PWD
program=$top/kregress
cache=${KREGRESS_DEMO_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kregress/demo}
tree=$cache/linux
folder=$(mktemp -d)
results=$folder/results
trap 'rm -rf "$folder"' EXIT
number=0
small='--param count=100 --param window=10 --param target=device'

# check NAME COMMAND...: one TAP line
check() {
	number=$((number + 1))
	name=$1
	shift
	if "$@"; then
		echo "ok $number - $name"
	else
		echo "not ok $number - $name"
		tail -n 20 "$folder/out" "$folder/err" | sed 's/^/# /'
	fi
}

# run CODE ARGUMENT...: whether the program ends with that code
run() {
	wanted=$1
	shift
	"$program" "$@" >"$folder/out" 2>"$folder/err"
	code=$?
	[ $code -eq "$wanted" ] || echo "# exit code $code, not $wanted" >>"$folder/err"
	[ $code -eq "$wanted" ]
}

# explain CODE A B ARGUMENT...
explain() {
	wanted=$1
	shift
	# shellcheck disable=SC2086
	run "$wanted" explain --tree "$tree" --scenario raw-sync $small --results "$results" \
		--json "$@"
}

said() {
	grep -qF -- "$1" "$folder/err"
}

# holds FILTER: whether jq finds it true of the last output
holds() {
	jq -e "$1" "$folder/out" >/dev/null
}

# sql QUERY VALUE: whether the query gives the value
sql() {
	got=$(sqlite3 "$results/kregress.sqlite" "$1")
	[ "$got" = "$2" ] || echo "# $1: $got, not $2" >>"$folder/err"
	[ "$got" = "$2" ]
}

commit() {
	awk -v label="$1" '$1 == label {print $2}' "$cache/labels"
}

mkdir -p "$cache"
check 'kernel history' sh -c "harness/demo/make-history '$cache' >'$folder/out' 2>'$folder/err'"
culprit=$(commit fops-count-syncs-by-task)

# --- a culprit against its parent
check 'a culprit is explained' explain 0 "$culprit^" "$culprit"
cp "$folder/out" "$folder/first"
check 'the function that was changed is among the first three' holds \
	'.explanations[0].rows[:3] | any(.name == "blkdev_fsync" and .code_changed)'
check 'it executes more' holds '.explanations[0].rows[0].change > 100'
check 'no other number of an operation changed' holds '.explanations[0].per_operation |
	.write_requests.change == 0 and .flush_requests.change == 0'
check 'counting changed no number' sql \
	"select count(*) from notes where kind = 'explain-differs'" 0
check 'what is known is not counted again' explain 0 "$culprit^" "$culprit"
check 'the answer is the same' cmp -s "$folder/out" "$folder/first"
check 'no boot was made for it' sql \
	"select count(*) from boots b where session = (select max(id) from sessions)" 0

# --- two boots of one kernel
check 'a kernel against itself' explain 0 "$culprit" "$culprit"
check 'nothing differs' holds '.explanations | all(.rows == [])'
boots="select id from boots where purpose = 'explain' and version in
	(select id from versions where commit_id = '$culprit')"
check 'those were two boots' sql "select count(*) from ($boots)" 2
check 'they are equal to the last instruction' sql "select count(*) > 50 and
	sum(times = 2 and low = high and few = many) = count(*) from (select count(*) times,
	min(instructions) low, max(instructions) high, min(calls) few, max(calls) many
	from profile_lines l join profiles p on p.id = l.profile where boot in ($boots)
	group by function)" 1

# --- a kernel of which there is only the image: it tells its functions itself
image=$(sqlite3 "$results/kregress.sqlite" "select path from builds d join versions v on
	v.kernel = d.kernel where commit_id = '$culprit' limit 1")/image
check 'an image without its System.map' explain 0 "image:$image" "image:$image"
check 'its functions are known' sql "select count(*) > 50 from executed where version =
	'image:$image' and function not like '[%'" 1

# --- where nothing can be counted
# copy NAME: a program of its own beside data that are ours
copy() {
	mkdir -p "$folder/$1/build/release"
	cp "$(readlink -f "$program")" "$folder/$1/build/release/kregress"
	ln -s "$top/scenarios" "$top/vm-images" "$folder/$1"
	ln -s "$top/build/kregress-agent" "$folder/$1/build"
	program=$folder/$1/build/release/kregress
}
copy missing
check 'no plugin' explain 3 demo-0 "$culprit"
check 'the file and the cure are named' said 'kregress-blocks.so is not there; run "make"'
copy foreign
{
	head -c 18 "$top/build/kregress-blocks.so"
	printf '\267\0'
	tail -c +21 "$top/build/kregress-blocks.so"
} >"$folder/foreign/build/kregress-blocks.so"
check 'a plugin of another processor' explain 3 demo-0 "$culprit"
check 'it is named' said 'made for another processor (ELF machine 183)'
copy old
mkdir "$folder/bin"
cat >"$folder/bin/qemu-system-x86_64" <<'END'
#!/bin/sh
for argument; do
	[ "$argument" = -plugin ] && echo "$0: -plugin: invalid option" >&2 && exit 1
done
exec /usr/bin/qemu-system-x86_64 "$@"
END
chmod 755 "$folder/bin/qemu-system-x86_64"
ln -s "$top/build/kregress-blocks.so" "$folder/old/build"
results=$folder/old-results
without_plugins() {
	PATH=$folder/bin:$PATH explain "$@"
}
check 'a QEMU without plugins' without_plugins 3 demo-0 "$culprit"
check 'its words are passed on' said 'invalid option'
check 'all the rest works there' sql \
	"select count(*) from boots where outcome = 'ok' and purpose = 'measure'" 2
echo "1..$number"
