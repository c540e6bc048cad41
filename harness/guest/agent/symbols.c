/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/agent/symbols.h"

#include <stdio.h>
#include <string.h>

/* Lines are "ADDRESS TYPE NAME", behind that of a module "\t[MODULE]". */
static int is_wanted(const char *line, enum job_symbols wanted)
{
	const char *type = strchr(line, ' ');

	if (!type || !type[1] || !strchr("tTwW", type[1]))
		return 0;
	return wanted == JOB_SYMBOLS_ALL || strchr(type, '[');
}

static void add_line(struct report *report, struct result *result, const char *line)
{
	struct result_output *output = &result->output;
	size_t length = strlen(line);

	if (output->length + length >= sizeof(output->bytes)) {
		report_send(report, result);
		output->length = 0;
	}
	memcpy(output->bytes + output->length, line, length);
	output->length += length;
}

void symbols_send(struct report *report, enum job_symbols wanted)
{
	static struct result result;
	char line[1024];
	FILE *file = wanted ? fopen("/proc/kallsyms", "re") : NULL;

	if (!file)
		return;
	result.type = RESULT_SYMBOLS;
	while (fgets(line, sizeof(line), file))
		if (is_wanted(line, wanted))
			add_line(report, &result, line);
	if (result.output.length)
		report_send(report, &result);
	fclose(file);
}
