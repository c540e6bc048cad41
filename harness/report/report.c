/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/report.h"

#include <string.h>

static const struct report_writer *const writers[] = {
	&report_writer_text, &report_writer_html,  &report_writer_json,
	&report_writer_csv,  &report_writer_junit, &report_writer_markdown,
	&report_writer_mail,
};

enum { WRITERS = sizeof(writers) / sizeof(*writers) };

const struct report_writer *report_writer_find(const char *name)
{
	for (size_t i = 0; i < WRITERS; i++)
		if (!strcmp(writers[i]->name, name))
			return writers[i];
	return NULL;
}

void report_writer_names(struct text *out)
{
	for (size_t i = 0; i < WRITERS; i++)
		text_format(out, "%s%s", i ? ", " : "", writers[i]->name);
}

void report_writer_list(struct text *out)
{
	for (size_t i = 0; i < WRITERS; i++)
		text_format(out, "  %-9s %s\n", writers[i]->name, writers[i]->summary);
}
