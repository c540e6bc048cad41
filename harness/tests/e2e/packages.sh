#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What "make install" and "make deb" give, used by a user who is not root, from a folder of
# his own, with no repository around: manual, completion, a search, a real boot, a report.
set -u
cd "$(dirname "$0")/../../.."
top=$PWD
cache=${XDG_CACHE_HOME:-$HOME/.cache}/kregress
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
number=0 failed=0

check() {
	number=$((number + 1))
	name=$1
	shift
	if "$@"; then
		echo "ok $number - $name"
	else
		echo "not ok $number - $name"
		tail -n 20 "$folder/out" "$folder/err" | sed 's/^/# /'
		failed=1
	fi
}

skip() {
	number=$((number + 1))
	echo "ok $number - $1 # SKIP $2"
}

# As an ordinary user with an empty home; root can become one, another user is one.
user() {
	(cd "$folder/home" && if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid=65534 --regid=65534 --clear-groups \
			env -i HOME="$folder/home" PATH="$root/usr/bin:$PATH" "$@"
	else
		env -i HOME="$folder/home" PATH="$root/usr/bin:$PATH" "$@"
	fi) >"$folder/out" 2>"$folder/err"
}

# wants CODE COMMAND...
wants() {
	wanted=$1
	shift
	user "$@"
	code=$?
	[ $code -eq "$wanted" ] || echo "# exit code $code, not $wanted" >>"$folder/err"
	[ $code -eq "$wanted" ]
}

history_to_search() {
	git init -q "$folder/home/tree" && (cd "$folder/home/tree" && for i in 1 2 3 4 5 6; do
		echo "$i" >value && git add value &&
			git -c user.name=t -c user.email=t@localhost commit -qm "step $i" || exit 1
	done) && [ "$(id -u)" -ne 0 ] || chown -R 65534:65534 "$folder/home"
}

search() {
	wants 0 kregress bisect --tree tree --good HEAD~5 --bad HEAD --json --command \
		'git -c safe.directory="*" -C "$HOME/tree" show "$KREGRESS_COMMIT:value" |
			sed "s/[123]/1/;s/[456]/9/"' &&
		jq -e '.status == "confirmed"' "$folder/out" >"$folder/err"
}

shows_data() {
	wants 0 kregress scenarios raw-sync && wants 0 kregress doctor --keys &&
		grep -q '^# *tree' "$folder/out"
}

reports() {
	wants 0 kregress report && [ -s "$folder/home/results/report.html" ]
}

manual() {
	gzip -cdf "$root"/usr/share/man/man1/kregress.1* >"$folder/page" &&
		man -l "$folder/page" >"$folder/out" 2>"$folder/err" &&
		grep -q bisect "$folder/out"
}

completes() {
	user bash -c '. "$1/usr/share/bash-completion/completions/kregress"
		COMP_WORDS=(kregress scen) COMP_CWORD=1; _kregress; echo "${COMPREPLY[@]}"' - "$root" &&
		[ "$(cat "$folder/out")" = scenarios ]
}

boots() {
	cp "$image" "$folder/home/image" && chmod 644 "$folder/home/image" &&
		wants 0 kregress run "image:$folder/home/image" --scenario raw-sync \
			--param count=50 --param window=10 --results vm &&
		[ "$(sqlite3 "$folder/home/vm/kregress.sqlite" \
			"select count(*) > 0 from results where outcome = 'ok'")" = 1 ]
}

# try WHAT: everything, with the tree that $root names
try() {
	rm -rf "$folder/home"
	mkdir "$folder/home"
	[ "$(id -u)" -ne 0 ] || chown 65534:65534 "$folder/home"
	check "$1: version" wants 0 kregress --version
	check "$1: doctor speaks" wants 0 kregress doctor
	check "$1: scenarios and configuration" shows_data
	history_to_search
	check "$1: a search" search
	check "$1: a report" reports
	check "$1: the manual" manual
	check "$1: completion" completes
	if [ -n "$image" ]; then
		check "$1: a boot" boots
	else
		skip "$1: a boot" "no kernel in $cache/kernels"
	fi
}

package() {
	"$top/harness/packaging/make-deb" >"$folder/out" 2>"$folder/err" &&
		dpkg-deb -x build/deb/kregress_*_amd64.deb "$folder/deb"
}

image=$(ls "$cache"/kernels/*/image 2>/dev/null | head -n 1)
check 'make install' sh -c "make --no-print-directory install DESTDIR='$folder/install' \
	prefix=/usr >'$folder/out' 2>'$folder/err'"
root=$folder/install
try installed
if command -v dh >"$folder/out"; then
	check 'make deb' package
	root=$folder/deb
	try package
else
	skip 'make deb' 'debhelper is not installed'
fi
exit $failed
