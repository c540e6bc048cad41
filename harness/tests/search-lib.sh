# SPDX-License-Identifier: GPL-2.0-or-later
# Small histories and pretend measurements for tests of searches; to be sourced. Sets
# $work (removed at the end), $tree and $kregress.
kregress=$(cd "$(dirname "$0")/../../.." && pwd)/kregress
work=$(mktemp -d)
tree=$work/tree
number=0 failures=0
trap 'rm -rf "$work"' EXIT
mkdir "$work/changed"

# report CODE NAME: one line of TAP
report() {
	number=$((number + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $number - $2"
	else
		echo "not ok $number - $2"
		sed 's/^/# /' "$work/out" "$work/err" | head -40
		failures=$((failures + 1))
	fi
}

# history: reads "LABEL[@FILE] PARENT..." lines, oldest first, where FILE is what the commit
# changes ("file"); ids go to $work/ids
history() {
	rm -rf "$tree"
	git init -q -b master "$tree"
	awk '{
		where = "file"
		if (split($1, part, "@") > 1) where = part[2]
		$1 = part[1]
		print "commit refs/heads/master\nmark :" NR
		print "committer t <t@example.org> " 1600000000 + 60 * NR " +0000"
		print "data " length($1) "\n" $1
		mark[$1] = NR
		for (i = 2; i <= NF; i++) print (i == 2 ? "from :" : "merge :") mark[$i]
		text = "commit " $1
		print "M 100644 inline " where "\ndata " length(text) "\n" text "\n"
	}' >"$work/stream"
	git -C "$tree" fast-import --quiet --export-marks="$work/marks" <"$work/stream"
	git -C "$tree" log --all --format='%s %H' >"$work/ids"
}

# line N: n1 to nN
line() {
	awk -v n="$1" 'BEGIN { print "n1"; for (i = 2; i <= n; i++) print "n" i, "n" i - 1 }' |
		history
}

# merges N SEED: n1 to nN, most of them on side branches of several ages that are merged
merges() {
	awk -v n="$1" -v seed="$2" '
		function add(parents) { count++; print "n" count parents; return "n" count }
		function trunk(other) { tail = add(" " main[merged] other); main[++merged] = tail }
		function grow(i) { tip[i] = add(" " tip[i]); left[i]-- }
		function merge(i) {
			trunk(" " tip[i])
			delete tip[i]; delete left[i]; open--
		}
		function fork(i) {
			back = rand() < 0.6 ? 5 : 50
			base = merged - int(rand() * back)
			tip[i] = main[base < 1 ? 1 : base]
			left[i] = 1 + int(-10 * log(1 - rand()))
			open++
		}
		BEGIN {
			srand(seed)
			topics = n / 60 < 4 ? 4 : n / 60 > 60 ? 60 : int(n / 60)
			main[++merged] = add("")
			while (count < n - 2 * topics - 1) {
				i = int(rand() * topics)
				if (rand() < 0.05) trunk("")
				else if (!(i in tip)) { fork(i); grow(i) }
				else if (left[i] > 0) grow(i)
				else merge(i)
			}
			for (i = 0; i < topics; i++) if (i in tip) merge(i)
			while (count < n) trunk("")
		}' | history
}

id() {
	awk -v label="$1" '$1 == label { print $2; exit }' "$work/ids"
}

# culprit LABEL...: these change the value of all that has them in its history
culprit() {
	rm -f "$work"/changed/*
	for label; do
		git -C "$tree" rev-list --ancestry-path "$(id "$label")..master" >"$work/list"
		for commit in $(id "$label") $(cat "$work/list"); do
			echo >"$work/changed/$commit"
		done
	done
}

# search GOOD BAD OPTION...: the answer in $work/out, its exit code in $code
search() {
	good=$(id "$1") bad=$(id "$2")
	shift 2
	code=0
	"$kregress" bisect --tree "$tree" --good "$good" --bad "$bad" --json -q \
		--results "$work/results" "$@" >"$work/out" 2>"$work/err" || code=$?
}

# value KEY: a string or number of the answer's top level
value() {
	sed -n "s/^  \"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$work/out"
}

# suspects: their labels, sorted
suspects() {
	sed -n '/"suspects": \[$/,/^  \]/s/.*"commit": "\(.*\)",/\1/p' "$work/out" | sort >"$work/list"
	awk 'NR == FNR { wanted[$1]; next } $2 in wanted { print $1 }' "$work/list" "$work/ids" |
		sort | tr '\n' ' ' | sed 's/ $//'
}

fresh() {
	rm -rf "$work/results" "$work/runs"
}
