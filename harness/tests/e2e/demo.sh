#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The demo without the Debian kernels: each planted regression is flagged in its scenario
# and nowhere else, and the search names and confirms its commit.
set -u
top=$(cd "$(dirname "$0")/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
KREGRESS_DEMO_RESULTS=$work/results "$top/harness/demo/run" --no-packages
