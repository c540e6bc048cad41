/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/histogram.h"

size_t histogram_bucket(uint64_t value)
{
	int shift;

	if (value >> HISTOGRAM_TOP)
		return HISTOGRAM_BUCKETS - 1;
	if (value < 2 << HISTOGRAM_BITS)
		return value;
	shift = 63 - __builtin_clzll(value) - HISTOGRAM_BITS;
	return ((size_t)shift << HISTOGRAM_BITS) + (value >> shift);
}

uint64_t histogram_low(size_t bucket)
{
	size_t shift;

	if (bucket < 2 << HISTOGRAM_BITS)
		return bucket;
	shift = (bucket >> HISTOGRAM_BITS) - 1;
	return (uint64_t)(bucket - (shift << HISTOGRAM_BITS)) << shift;
}

uint64_t histogram_high(size_t bucket)
{
	return histogram_low(bucket + 1);
}

void histogram_add(struct histogram *histogram, uint64_t value)
{
	histogram->bucket[histogram_bucket(value)]++;
	histogram->count++;
	if (value > histogram->maximum)
		histogram->maximum = value;
}

double histogram_percentile(const struct histogram *histogram, double part)
{
	double rank = part * (double)histogram->count, middle;
	uint64_t seen = 0;

	for (size_t i = 0; i < HISTOGRAM_BUCKETS && histogram->count; i++) {
		seen += histogram->bucket[i];
		if (!histogram->bucket[i] || (double)seen < rank)
			continue;
		middle = ((double)histogram_low(i) + (double)(histogram_high(i) - 1)) / 2;
		return middle < (double)histogram->maximum ? middle
							   : (double)histogram->maximum;
	}
	return (double)histogram->maximum;
}

void histogram_merge(struct histogram *histogram, const struct histogram *other)
{
	for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++)
		histogram->bucket[i] += other->bucket[i];
	histogram->count += other->count;
	if (other->maximum > histogram->maximum)
		histogram->maximum = other->maximum;
}
