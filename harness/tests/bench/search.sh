#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What searches cost and how often they are right, beside the targets; then how far the
# probabilities that they state are right. TRIALS=1000
set -eu
cd "$(dirname "$0")/../../.."
trials=${TRIALS-1000}

# row NAME TARGET OPTION...
row() {
	name=$1 target=$2
	shift 2
	./kregress simulate --trials "$trials" --seed 1 "$@" | awk -v name="$name" \
		-v target="$target" '
		/^right/ { gsub(",", ""); right = $2; wrong = $(NF - 1) }
		/^measurements/ { boots = $2 }
		/^measurements/ { split($0, part, "commits built "); split(part[2], b, ","); built = b[1] }
		/^measurements/ { split($0, part, "up to "); split(part[2], b, ")"); p95 = b[1] }
		/^information/ { limit = $(NF - 1) }
		END { printf "%-34s %6.1f %8s %8s %6.1f %7s %9s   %s\n", name, right, wrong,
			boots, p95, built, limit, target }'
}

printf '%-34s %6s %8s %8s %6s %7s %9s   %s\n' "$trials searches each" right wrong boots p95 \
	built limit target
row "N=1024, 2 sigma" "50 / 14" --commits 1024
row "N=1024, 2 sigma, 5 % outliers" "56 / 15" --commits 1024 --outliers 0.05
row "N=1024, 3 sigma" "36 / 13" --commits 1024 --effect 3
row "N=8192, 2 sigma" "60 / 17" --commits 8192
row "N=8192, 2 sigma, 5 % outliers" "66 / 18" --commits 8192 --outliers 0.05
row "N=1024, 1 sigma" "" --commits 1024 --effect 1
row "N=128, pass/fail 10/90" "" --commits 128 --pass-fail 10/90
row "  confirmed at 0.98, builds cheap" "27 at 98 %" --commits 128 --pass-fail 10/90 --confirm 0.98 \
	--build-seconds 1
row "N=128, pass/fail 0/50" "" --commits 128 --pass-fail 0/50
row "N=1024, 2 sigma, 5 % untestable" "" --commits 1024 --skips 0.05
echo
echo "N=1024, 2 sigma, ended by a budget of 30 measurements:"
./kregress simulate --trials "$trials" --max-boots 30 --table | sed -n '/^probability/,$p'
