#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The searches with known answers that come with the contract, where they are at hand.
set -u
cd "$(dirname "$0")/../../.."
check=../shared/cases/search/check-search
if [ ! -x $check ] || ! command -v python3 >/dev/null; then
	echo "ok 1 - search cases # SKIP no $check, or no python3"
	exit 77
fi
if $check ./kregress >build/search-cases.out 2>&1; then
	echo "ok 1 - search cases: $(tail -1 build/search-cases.out)"
else
	echo "not ok 1 - search cases"
	sed 's/^/# /' build/search-cases.out
	exit 1
fi
