/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/sequential.h"

const struct look sequential_plan[SEQUENTIAL_LOOKS] = {
	{5, 0.01},
	{8, 0.02},
	{12, 0.04},
};

const struct look *sequential_next(size_t boots)
{
	for (size_t i = 0; i < SEQUENTIAL_LOOKS; i++)
		if (sequential_plan[i].boots > boots)
			return &sequential_plan[i];
	return NULL;
}

const struct look *sequential_reached(size_t boots)
{
	for (size_t i = SEQUENTIAL_LOOKS; i--;)
		if (sequential_plan[i].boots <= boots)
			return &sequential_plan[i];
	return NULL;
}
