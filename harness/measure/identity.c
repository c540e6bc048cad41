/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure/identity.h"

#include "base/cleanup.h"
#include "measure/rows.h"

#include <string.h>

static int same(const struct boot_list *boots, size_t a, size_t b)
{
	CLEANUP(cleanup_free) char *first = NULL;

	return a == b || rows_same_samples(&boots->items[a], &boots->items[b], &first);
}

static size_t count_same(const struct boot_list *boots, size_t like)
{
	size_t agreeing = 0;

	for (size_t i = 0; i < boots->count; i++)
		agreeing += (size_t)same(boots, like, i);
	return agreeing;
}

size_t identity_agreeing(const struct boot_list *boots, size_t *ret_odd)
{
	size_t best = 0, most = 0, odd = 0;

	for (size_t i = 0; i < boots->count; i++) {
		size_t agreeing = count_same(boots, i);

		if (agreeing <= most)
			continue;
		most = agreeing;
		best = i;
	}
	while (odd < boots->count && same(boots, best, odd))
		odd++;
	if (ret_odd)
		*ret_odd = odd;
	return most;
}

int identity_holds(const struct boot_list *boots)
{
	return boots->count < 2 || 2 * identity_agreeing(boots, NULL) > boots->count;
}

double identity_mode(const double *values, size_t count, size_t *ret_occurs)
{
	double mode = values[0];

	*ret_occurs = 0;
	for (size_t i = 0; i < count; i++) {
		size_t occurs = 0;

		for (size_t j = 0; j < count; j++)
			occurs += !memcmp(&values[i], &values[j], sizeof(*values));
		if (occurs <= *ret_occurs)
			continue;
		*ret_occurs = occurs;
		mode = values[i];
	}
	return mode;
}
