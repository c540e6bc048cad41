/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/measurements.h"

#include "base/cleanup.h"

enum { LIST_LIMIT = 12 };

int measurements_find_version(const struct dataset *dataset, const char *name,
			      size_t *ret_version, struct error *err)
{
	const struct measurements *all = &dataset->measurements;
	CLEANUP(text_finish) struct text known = {0};
	long found = dataset_find_version(dataset, name);

	if (found >= 0) {
		*ret_version = (size_t)found;
		return 0;
	}
	for (size_t i = 0; i < all->version_count && i < LIST_LIMIT; i++)
		text_format(&known, "%s%s", i ? ", " : "", all->versions[i]);
	return error_set(err, ERROR_USAGE, "no version '%s' was measured; there %s: %s%s",
			 name, all->version_count == 1 ? "is" : "are",
			 all->version_count ? known.data : "none",
			 all->version_count > LIST_LIMIT ? ", ..." : "");
}
