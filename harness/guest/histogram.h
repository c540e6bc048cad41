/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Latency histogram: log-linear buckets. Values below 1024 ns have a bucket each; above,
 * each power of two is cut into 512 equal buckets, so that a bucket is never wider than
 * 0.2 % of its value. Up to 2^42 ns (73 minutes); the longer ones fall in the last.
 */
#ifndef GUEST_HISTOGRAM_H
#define GUEST_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

enum {
	HISTOGRAM_BITS = 9, /* buckets a power of two: 1 << 9 */
	HISTOGRAM_TOP = 42,
	HISTOGRAM_BUCKETS = (HISTOGRAM_TOP - HISTOGRAM_BITS + 1) << HISTOGRAM_BITS,
};

/* Start from {0}. */
struct histogram {
	uint64_t count;
	uint64_t maximum; /* exact */
	uint64_t bucket[HISTOGRAM_BUCKETS];
};

size_t histogram_bucket(uint64_t value);
/* The smallest value of a bucket, and the smallest of the next. */
uint64_t histogram_low(size_t bucket);
uint64_t histogram_high(size_t bucket);

void histogram_add(struct histogram *histogram, uint64_t value);
void histogram_merge(struct histogram *histogram, const struct histogram *other);

/*
 * The value that the part (0 to 1) of all values does not exceed, by nearest rank: the
 * middle of its bucket, never above the maximum. 0 where there are none.
 */
double histogram_percentile(const struct histogram *histogram, double part);

#endif
