/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bisect/noise.h"

#include <math.h>

static const double REACH = 6, WILD = 0.1, WILD_REACH = 10;

const struct noise_kind noise_kinds[NOISE_KINDS] = {
	{0.5, 0.005, 0.5, 0.5},
	{0.2, 0.08, 1, 0},
	{0.15, 0.08, 0, 1},
	{0.15, 0.08, 0.5, 0.5},
};

void noise_densities(double z, double ret[NOISE_KINDS])
{
	double usual = z * z < 1000 ? exp(-0.5 * z * z) * 0.3989422804014327 : 0;
	double wild = 1 / (M_PI * WILD_REACH * (1 + z * z / (WILD_REACH * WILD_REACH)));
	double far = exp(-fabs(z) / REACH) / REACH;

	for (int k = 0; k < NOISE_KINDS; k++) {
		const struct noise_kind *kind = &noise_kinds[k];

		ret[k] = (1 - kind->share) * usual +
			 kind->share *
				 ((1 - WILD) * far * (z > 0 ? kind->up : kind->down) +
				  WILD * wild);
	}
}
