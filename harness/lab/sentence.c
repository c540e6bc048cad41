/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lab/sentence.h"

#include <math.h>

void sentence_add_time(struct text *text, double ns)
{
	static const struct {
		double ns;
		const char *name;
	} units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
	size_t i = 0;

	while (units[i].ns > 1 && fabs(ns) < units[i].ns)
		i++;
	text_format(text, "%.3g %s", ns / units[i].ns, units[i].name);
}

void sentence_add_count(struct text *text, double count, const char *noun)
{
	text_format(text, "%.0f %s%s", count, noun, count == 1 ? "" : "s");
}
