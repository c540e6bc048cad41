#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Ctrl-C and kill -9 in every phase of a run and of a search: nothing is left running,
# mounted or locked, the same command goes on, and its end is that of an undisturbed one.
#
# The kernel tree is a pretended one: its Makefile builds nothing but hands out an image
# that was built before, and halts in the phase that the test names. Boots are real.
# Phases inside the database are halted by triggers that count for a while.
set -u
cd "$(dirname "$0")/../../.." || exit 1
program=$PWD/kregress
demo=${KREGRESS_DEMO_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kregress/demo}
folder=$(mktemp -d)
tree=$folder/tree
results=$folder/results
number=0
shot='--scenario raw-sync --param count=100 --param window=10'
halted=20 # seconds that a phase waits for its signal
export KREGRESS_LOCK="$folder/turn.lock"

trap 'clean_up' EXIT

clean_up() {
	for pid in $(ours); do
		kill -KILL "$pid" 2>/dev/null
	done
	rm -rf "$folder"
}

# check NAME COMMAND...: one TAP line
check() {
	number=$((number + 1))
	name=$1
	shift
	if "$@"; then
		echo "ok $number - $name"
	else
		echo "not ok $number - $name"
		tail -n 8 "$folder/out" "$folder/err" | sed 's/^/# /'
		for pid in $(ours); do
			ps -o pid,ppid,args -p "$pid" | sed 1d | cut -c 1-150 | sed 's/^/# left: /'
		done
	fi
}

# The processes that work in the test's folder or name it.
ours() {
	{
		ls -l /proc/[0-9]*/cwd 2>/dev/null | sed -n "s|.*/proc/\([0-9]*\)/cwd -> $folder.*|\1|p"
		pgrep -f "$folder"
	} | sort -u | grep -vx $$
}

nothing_runs() {
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		[ -z "$(ours)" ] && return 0
		sleep 0.05
	done
	return 1
}

# What a killed build leaves must be dead at once; a guest may wait for the next start.
no_build_runs() {
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		left=
		for pid in $(ours); do
			case $(readlink "/proc/$pid/exe") in *qemu*) ;; *) left=$pid ;; esac
		done
		[ -z "$left" ] && return 0
		sleep 0.05
	done
	return 1
}

nothing_mounted() {
	! grep -q "$folder" /proc/self/mounts
}

nothing_locked() {
	for lock in $(find "$folder" -name '*lock' -type f); do
		flock -n "$lock" true || return 1
	done
}

whole() {
	[ ! -e "$results/kregress.sqlite" ] && return 0
	[ "$(sqlite3 "$results/kregress.sqlite" 'pragma integrity_check; pragma foreign_key_check')" = ok ]
}

sql() {
	sqlite3 "$results/kregress.sqlite" "$1"
}

# --- the pretended tree

# What its Makefile halts with: "pause PHASE" waits in the phase that "halt" names.
write_tools() {
	mkdir "$folder/bin"
	cat >"$folder/bin/pause" <<-EOF
		#!/bin/sh
		[ "\$1" = "\$(cat "$folder/halt" 2>/dev/null)" ] || exit 0
		touch "$folder/reached"
		exec sleep $halted
	EOF
	cat >"$folder/bin/strip" <<-EOF
		#!/bin/sh
		[ "\$(cat "$folder/halt" 2>/dev/null)" = storing ] && exec "$folder/bin/pause" storing
		exec $(command -v strip) "\$@"
	EOF
	chmod +x "$folder"/bin/*
}

# write_tree GOOD BAD: six commits; from the fourth on the kernel is BAD
write_tree() {
	git init -q -b main "$tree"
	mkdir -p "$tree/arch/x86" "$tree/files"
	echo mainmenu >"$tree/Kconfig"
	echo x >"$tree/arch/x86/Makefile"
	for i in $(seq 4000); do echo "$i" >"$tree/files/$i"; done
	# As in a kernel: make starts make, that a shell, that the compiler.
	cat >"$tree/Makefile" <<-EOF
		.PHONY: object vmlinux allnoconfig
		allnoconfig: ; $folder/bin/pause configuration && cp made.config \$O/resolved.config
		object: ; sh -c '$folder/bin/pause make; true'
		vmlinux: ; \$(MAKE) object && cp image \$O/vmlinux && cp System.map \$O/System.map
	EOF
	for i in 1 2 3 4 5 6; do
		[ $i -lt 4 ] && kernel=$1 || kernel=$2
		cp "$kernel/image" "$kernel/System.map" "$tree"
		cp "$kernel/config" "$tree/made.config"
		rm "$tree/files/$i"
		git -C "$tree" add -A
		git -C "$tree" -c user.name=t -c user.email=t@localhost commit -qm "change $i"
		git -C "$tree" tag "c$i"
	done
}

# --- the command and its interruptions

# begin ARGUMENT...: the program in the background, in a cache of its own
begin() {
	touch "$folder/begun"
	PATH=$folder/bin:$PATH XDG_CACHE_HOME=$folder/cache "$program" "$@" \
		--results "$results" >"$folder/out" 2>"$folder/err" &
	pid=$!
}

# reached TEST...: whether it comes true while the program runs
reached() {
	for _ in $(seq 3000); do
		kill -0 $pid 2>/dev/null || return 1
		"$@" && return 0
		sleep 0.01
	done
	return 1
}

# The ways to find out that a phase is reached, by this start and not by one before.
checking_out() { [ -n "$(find "$folder/cache" -name pending -newer "$folder/begun" 2>/dev/null)" ]; }
paused() { [ -e "$folder/reached" ]; }
booting() { [ -n "$(find "$results/lab/libvirt/run/qemu" -name "*-$pid-*.pid" 2>/dev/null)" ]; }
working() { [ -n "$(find "$results/boots" -name "*-$pid-*.results" -size +0 2>/dev/null)" ]; }
# In the trigger the database is locked for long while the program computes; at other times
# for a moment, however slow the disk.
locked() { sqlite3 "$results/kregress.sqlite" '.timeout 0' 'begin immediate; rollback' 2>&1 | grep -q locked; }
ticks() { cut -d ' ' -f 14 "/proc/$pid/stat"; }
writing() {
	before=$(ticks)
	for _ in 1 2 3 4 5 6 7 8; do
		locked || return 1
		sleep 0.1
	done
	[ $(($(ticks) - before)) -gt 5 ]
}

# halt_table TABLE: the first row takes seconds, in the middle of its transaction
halt_table() {
	sql "create table halted(once);
		create trigger halt after insert on $1 when not exists (select 1 from halted)
		begin insert into halted values(1);
		select (with recursive c(n) as (select 1 union all select n + 1 from c
		where n < 12000000) select max(n) from c); end"
}

# interrupt PHASE TEST ARGUMENT...: SIGKILL and then, in another start, SIGINT
interrupt() {
	phase=$1 seen=$2
	shift 2
	for signal in KILL INT; do
		rm -f "$folder/reached"
		case $phase in
		rows:*) halt_table "${phase#rows:}" ;;
		*) echo "$phase" >"$folder/halt" ;;
		esac
		begin "$@"
		reached "$seen"
		check "$phase, $signal: reached" [ $? -eq 0 ]
		kill -$signal $pid 2>/dev/null
		wait $pid 2>/dev/null
		code=$?
		"after_$signal"
		check "$phase, $signal: nothing is mounted" nothing_mounted
		check "$phase, $signal: nothing is locked" nothing_locked
		check "$phase, $signal: the database is whole" whole
		rm -f "$folder/halt"
		case $phase in rows:*) sql 'drop trigger halt; drop table halted' ;; esac
	done
}

after_INT() {
	check "$phase, INT: exit code 130" [ $code -eq 130 ]
	check "$phase, INT: says so" grep -q 'interrupted' "$folder/err"
	check "$phase, INT: nothing runs on" nothing_runs
}

after_KILL() {
	check "$phase, KILL: no build runs on" no_build_runs
}

# finish CODE ARGUMENT...: the same command to its end
finish() {
	wanted=$1
	shift
	begin "$@"
	wait $pid
	[ $? -eq "$wanted" ]
}

# kernel VERSION: the folder of a kernel of the demo
kernel() {
	sqlite3 "$folder/demo/kregress.sqlite" "select path from builds b
		join versions v on v.kernel = b.kernel where v.text = '$1' limit 1"
}

# How often each version was measured. A boot that strays (measure/identity.h) asks for one
# more, with right; it shows by a value that no other boot of that version has.
measured() {
	sqlite3 "$1/kregress.sqlite" "select version, count(*) - count(distinct value) + 1 from
		(select version, boot, group_concat(value) as value from
		(select * from results where metric = 'elapsed' order by boot, case_label)
		group by version, boot) group by version"
}

same_as_undisturbed() {
	measured "$results" >"$folder/out"
	measured "$folder/undisturbed" >"$folder/err"
	cmp -s "$folder/out" "$folder/err"
}

# A boot may stray by a trifle (measure/identity.h).
other_values() {
	sqlite3 "$results/kregress.sqlite" "attach '$folder/undisturbed/kregress.sqlite' as other;
		select count(*) > 0, coalesce(sum(abs(a.value - b.value) > abs(a.value) / 500), 0)
		from results a join other.results b using (version, case_label, metric)
		where metric in ('elapsed', 'writes_per_op', 'flushes_per_op')"
}

mkdir -p "$demo"
check 'kernel history' sh -c "harness/demo/make-history '$demo' >'$folder/out' 2>'$folder/err'"
"$program" run --tree "$demo/linux" demo-4 demo-5 $shot --results "$folder/demo" \
	>"$folder/out" 2>"$folder/err"
check 'kernels of the demo' [ -n "$(kernel demo-5)" ]
write_tools
write_tree "$(kernel demo-4)" "$(kernel demo-5)"

set -- run --tree "$tree" c1 c6 $shot
interrupt checkout checking_out "$@"
interrupt configuration paused "$@"
interrupt make paused "$@"
interrupt storing paused "$@"
interrupt boot booting "$@"
interrupt workload working "$@"
interrupt rows:boots writing "$@"
interrupt rows:verdicts writing "$@"
interrupt rows:findings writing "$@"
check 'the run goes on to its end' finish 1 "$@"
check 'nothing is left over' nothing_runs

set -- bisect --tree "$tree" --good c1 --bad c6 $shot --json
interrupt checkout checking_out "$@"
interrupt make paused "$@"
interrupt boot booting "$@"
interrupt rows:steps writing "$@"
interrupt rows:search_events writing "$@"
check 'the search goes on to its end' finish 0 "$@"
check 'and names the culprit' grep -q "\"culprit\": \"$(git -C "$tree" rev-parse c4)\"" "$folder/out"
check 'nothing is left over' nothing_runs

interrupted=$results
results=$folder/undisturbed
check 'an undisturbed run' finish 1 run --tree "$tree" c1 c6 $shot
check 'an undisturbed search' finish 0 bisect --tree "$tree" --good c1 --bad c6 $shot --json
results=$interrupted
check 'as often measured' same_as_undisturbed
check 'with the same results' [ "$(other_values)" = '1|0' ]
echo "1..$number"
