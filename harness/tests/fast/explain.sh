#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What "kregress explain" refuses before anything is measured.
set -u
. "$(dirname "$0")/../tap-lib.sh"

says() {
	grep -qF -- "$1" err
}

check 'one version alone' exits 2 explain v1 --scenario raw-sync
check 'it says how many are needed' says 'two versions are compared, 1 given'
check 'a third version' exits 2 explain v1 v2 v3 --scenario raw-sync
check 'no scenario' exits 2 explain v1 v2
check 'the option is named' says '--scenario is missing'
check 'rows of another kind' exits 2 explain v1 v2 --scenario raw-sync --by line
check 'the kinds are named' says 'function, file or folder'
check 'no rows at all' exits 2 explain v1 v2 --scenario raw-sync --rows 0
check 'a lab that does not count' exits 2 explain v1 v2 --scenario raw-sync --lab disk
check 'the other lab is named' says '--lab virtual'
check 'an unknown scenario' exits 2 explain v1 v2 --scenario raw-snyc/target=device
check 'the nearest is named' says 'raw-sync'
check 'a command has nothing to explain' exits 2 bisect --tree . --good a --bad b \
	--command true --no-explain
echo "1..$number"
[ $failed = 0 ]
