#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The demo without the Debian kernels: each planted regression is flagged in its scenario
# and nowhere else, and the search names and confirms its commit. What was measured stays
# in build/e2e/demo; kernels are shared with the other tests.
set -u
top=$(cd "$(dirname "$0")/../../.." && pwd)
results=$top/build/e2e/demo
rm -rf "$results"
KREGRESS_DEMO_RESULTS=$results "$top/harness/demo/run" --no-packages
