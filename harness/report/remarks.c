/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/remarks.h"

#include "base/cleanup.h"
#include "base/json.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { SHOWN_ALIKE = 3 };

static int is_fault(const struct remark_record *remark)
{
	static const char *const harmless[] = {"warm-up", "flushes", "no-cache"};

	for (size_t i = 0; i < sizeof(harmless) / sizeof(*harmless); i++)
		if (!strcmp(remark->word, harmless[i]))
			return 0;
	return 1;
}

static int same_text(const struct remark_row *a, const struct remark_row *b)
{
	return !strcmp(a->scenario, b->scenario) &&
	       !strcmp(a->remark.text, b->remark.text);
}

/* Of which only the first few are shown. */
static int alike(const struct remark_row *a, const struct remark_row *b)
{
	return !strcmp(a->scenario, b->scenario) &&
	       !strcmp(a->remark.word, b->remark.word) &&
	       (!is_fault(&a->remark) || !strcmp(a->version, b->version));
}

/* What is no fault is the same for all versions: said once. */
static int is_repeated(const struct remark_list *remarks, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (!is_fault(&remarks->items[index].remark) &&
		    same_text(&remarks->items[i], &remarks->items[index]))
			return 1;
	return 0;
}

static size_t count_alike(const struct remark_list *remarks, size_t index, size_t end)
{
	size_t count = 0;

	for (size_t i = 0; i < end; i++)
		count += alike(&remarks->items[i], &remarks->items[index]) &&
			 !is_repeated(remarks, i);
	return count;
}

static void add_line(const struct remark_row *row, struct text_list *lines)
{
	const struct remark_record *remark = &row->remark;
	CLEANUP(text_finish) struct text line = {0};

	if (is_fault(remark))
		text_format(&line, "%s, ", row->version);
	text_add(&line, row->scenario);
	if (is_fault(remark) && *remark->case_label)
		text_format(&line, ", %s", remark->case_label);
	if (is_fault(remark) && remark->run > 1)
		text_format(&line, ", run %d", remark->run);
	text_format(&line, ": %s", remark->text);
	text_list_add(lines, text_string(&line));
}

void remarks_add_lines(const struct remark_list *remarks, struct text_list *lines)
{
	for (size_t i = 0; i < remarks->count; i++) {
		const struct remark_row *row = &remarks->items[i];
		size_t before, all;

		if (is_repeated(remarks, i))
			continue;
		before = count_alike(remarks, i, i);
		all = count_alike(remarks, i, remarks->count);
		if (before < SHOWN_ALIKE)
			add_line(row, lines);
		if (before + 1 == SHOWN_ALIKE && all > SHOWN_ALIKE)
			text_list_format(lines, "%s: and %zu more of this kind (%s)",
					 row->scenario, all - SHOWN_ALIKE,
					 row->remark.word);
	}
}

static void put_string(struct text *text, const char *key, const char *value)
{
	json_put_key(text, key);
	json_put_string(text, value);
}

static void put_number(struct text *text, const char *key, double value)
{
	json_put_key(text, key);
	json_put_number(text, value);
}

static void put_remark(struct text *text, const struct remark_row *row)
{
	const struct remark_record *remark = &row->remark;

	json_put_comma(text);
	text_add_char(text, '{');
	put_string(text, "version", row->version);
	put_string(text, "scenario", row->scenario);
	put_string(text, "case", remark->case_label);
	put_number(text, "run", remark->run);
	put_string(text, "word", remark->word);
	put_number(text, "start", remark->start);
	put_number(text, "length", remark->length);
	put_number(text, "size", remark->size);
	put_string(text, "outcome", row->outcome);
	put_string(text, "sentence", remark->text);
	text_add_char(text, '}');
}

void remarks_put_json(struct text *text, const struct remark_list *remarks)
{
	text_add_char(text, '[');
	for (size_t i = 0; i < remarks->count; i++)
		put_remark(text, &remarks->items[i]);
	text_add_char(text, ']');
}
