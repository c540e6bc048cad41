/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How measured values scatter around their level: normally, and a share of them not at
 * all. How many such outliers there are and on which side they lie is not known before,
 * so there are several kinds of noise; the values tell which it is.
 */
#ifndef BISECT_NOISE_H
#define BISECT_NOISE_H

enum { NOISE_KINDS = 4 };

struct noise_kind {
	double prior;
	double share;    /* of outliers */
	double up, down; /* of the outliers, on either side */
};

extern const struct noise_kind noise_kinds[NOISE_KINDS];

/*
 * Densities of a value z widths from its level, in units of the width, for each kind.
 * Outliers lie some 6 widths away (exponential), a tenth of them anywhere (Cauchy).
 */
void noise_densities(double z, double ret[NOISE_KINDS]);

#endif
