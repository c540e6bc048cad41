#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The report in a browser, with texts in it that mean harm: no script runs, nothing is
# loaded, nothing is wider than the page, no word of a plot is cut off; on a desk, on a
# phone, light and dark. Skipped where there is no Chromium.
set -u
cd "$(dirname "$0")/../../.."
top=$PWD
browser=$(command -v chromium || command -v chromium-browser || true)
if [ -z "$browser" ]; then
	echo 'ok 1 - the report in a browser # SKIP no Chromium'
	exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
number=0 failed=0

check() {
	number=$((number + 1))
	name=$1
	shift
	if "$@"; then
		echo "ok $number - $name"
	else
		echo "not ok $number - $name"
		tail -n 20 "$folder/out" "$folder/err" | cut -c 1-300 | sed 's/^/# /'
		failed=1
	fi
}

# open OPTION... URL: the browser, alone with itself, its words in "err"
browse() {
	timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
		--disable-background-networking --disable-component-update --disable-sync \
		--allow-file-access-from-files --enable-logging=stderr --v=0 \
		--user-data-dir="$folder/profile" "$@" >"$folder/out" 2>"$folder/err"
}

# Looks at the page in a frame from outside: the page itself may run no script.
frame() {
	cat >"$folder/frame.html" <<-END
	<!DOCTYPE html><body><iframe id="page" src="results/$1" width="$2" height="900"></iframe>
	<script>
	onload = () => {
		const page = document.getElementById('page').contentDocument, wrong = [];
		if (!page || !page.querySelector('main')) wrong.push('no page');
		else {
			const root = page.documentElement;
			for (const fold of page.querySelectorAll('details')) fold.open = true;
			if (root.scrollWidth > root.clientWidth)
				wrong.push('page ' + root.scrollWidth + ' > ' + root.clientWidth);
			for (const e of page.querySelectorAll('h1,h2,h3,h4,p,li,pre,summary,figcaption'))
				if (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display != 'inline')
					wrong.push('cut ' + e.tagName + ' ' + e.textContent.slice(0, 40));
			for (const e of page.querySelectorAll('.plot span')) {
				const box = e.getBoundingClientRect();
				if (box.left < 0 || box.right > root.clientWidth + 1)
					wrong.push('out of the page: ' + e.textContent);
			}
			if (page.querySelector('script,iframe,object,embed,link,img,form'))
				wrong.push('an element that is not ours');
			for (const e of page.querySelectorAll('*'))
				for (const a of e.attributes)
					if (/^on/i.test(a.name) || /^\\s*javascript:/i.test(a.value))
						wrong.push('script in ' + a.name);
			for (const e of page.querySelectorAll('svg[role=img]'))
				if (!e.getAttribute('aria-label')) wrong.push('a plot without words');
			for (const e of page.querySelectorAll('th'))
				if (!e.getAttribute('scope')) wrong.push('a heading without scope');
		}
		document.title = 'seen: ' + (wrong.join('; ') || 'nothing wrong');
	};
	</script>
	END
}

# looks PAGE WIDTH OPTION...: nothing is wrong at that width, nobody complained
looks() {
	frame "$1" "$2"
	shift 2
	browse "$@" --dump-dom "file://$folder/frame.html" &&
		grep -q '<title>seen: nothing wrong</title>' "$folder/out" &&
		! grep -E 'CONSOLE|Refused to' "$folder/err"
}

# Every address that the browser wanted to see.
loads_nothing() {
	browse --log-net-log="$folder/net.json" --dump-dom "file://$folder/results/report.html" &&
		! grep -oE '"url": ?"(https?|ftp|wss?)://[^"]*' "$folder/net.json" |
		grep -vE 'google|gvt1|gstatic|chromium' >"$folder/err"
}

pages() {
	make -s build/release/e2e/report_story >"$folder/out" 2>"$folder/err" &&
		build/release/e2e/report_story "$folder/results" 2>"$folder/err" &&
		"$top/kregress" report --results "$folder/results" >"$folder/out" 2>"$folder/err" &&
		"$top/kregress" report --results "$folder/results" --pages >"$folder/out" \
			2>"$folder/err"
}

check 'pages to look at' pages
check 'on a desk' looks report.html 1280
check 'on a phone' looks report.html 390
check 'on a narrow phone, dark' looks report.html 320 --blink-settings=preferredColorScheme=0
check 'the index on a phone' looks reports/index.html 390
check 'nothing is loaded' loads_nothing
exit $failed
