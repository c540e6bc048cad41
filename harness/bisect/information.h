/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bits that a measurement is expected to tell about a yes/no question whose answer is
 * yes with probability p.
 */
#ifndef BISECT_INFORMATION_H
#define BISECT_INFORMATION_H

#include "bisect/model.h"

/* Entropy of the question itself: the most that can be told. */
double information_entropy(double p);

/*
 * One value of a normal distribution whose mean is apart by `separation` standard
 * deviations between yes and no (mutual information of the binary-input Gaussian
 * channel; by the trapezium rule, to about 1e-6 bits).
 */
double information_normal(double p, double separation);

/* How often of so many tries an event happens whose rate is one or the other. */
double information_rates(double p, double rate_no, double rate_yes, unsigned tries);

/*
 * One value that comes from one of several normal distributions (level and width): the
 * bits it tells about which. The weights add up to 1.
 */
double information_sources(const struct model_source *sources, size_t count);

#endif
