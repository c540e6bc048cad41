/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure/tally.h"

int tally_is_full(const struct tally *tally)
{
	return tally->found >= (tally->wanted ? tally->wanted : 1) &&
	       tally->good >= tally->fresh;
}

int tally_take(struct tally *tally, enum outcome outcome)
{
	if (outcome_is_good(outcome)) {
		tally->found++;
		tally->good++;
		tally->lost = 0;
		return 0;
	}
	return outcome != OUTCOME_INFRASTRUCTURE || ++tally->lost >= TALLY_ATTEMPTS;
}
