/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/reproduce.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "report/format.h"

#include <stdlib.h>
#include <string.h>

/* The end of the word that begins here; blanks in quotes do not end it. */
static const char *word_end(const char *word)
{
	int quoted = 0;

	for (; *word && (quoted || *word != ' '); word++)
		quoted ^= *word == '\'';
	return word;
}

/* What of the command line that measured decides what a search measures. */
static void add_options(const char *line, struct text *out)
{
	static const char *const names[] = {"--tree", "--param", "-p", "--results"};

	for (const char *end; *line; line = end + (*end == ' ')) {
		end = word_end(line);
		for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
			size_t length = strlen(names[i]);

			if (strncmp(line, names[i], length) ||
			    !strchr(" =", line[length]) || !line[length])
				continue;
			if (line[length] == ' ')
				end = word_end(end + 1);
			text_add_char(out, ' ');
			text_add_bytes(out, line, (size_t)(end - line));
			break;
		}
	}
}

void reproduce_comparison(const struct report_section *section,
			  const struct report_finding *finding, struct text *out)
{
	text_add(out, "kregress run");
	add_options(section->session->command, out);
	text_add_char(out, ' ');
	format_shell_word(out, finding->good);
	text_add_char(out, ' ');
	format_shell_word(out, finding->bad);
	for (size_t i = 0; i < finding->count; i++) {
		if (!report_brings_scenario(finding, i))
			continue;
		text_add(out, " --scenario ");
		format_shell_word(out, finding->cases[i].scenario);
	}
}

void reproduce_search(const struct report_section *section,
		      const struct report_finding *finding, struct text *out)
{
	const struct report_case *item = &finding->cases[0];
	CLEANUP(cleanup_free)
	char *subject =
		memory_format("%s/%s/%s", item->scenario, item->case_label, item->metric);

	text_add(out, "kregress bisect");
	add_options(section->session->command, out);
	text_add(out, " --good ");
	format_shell_word(out, finding->good);
	text_add(out, " --bad ");
	format_shell_word(out, finding->bad);
	text_add(out, " --scenario ");
	format_shell_word(out, subject);
}
