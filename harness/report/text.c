/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/text_private.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "report/format.h"
#include "report/headline.h"
#include "report/remarks.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	LISTED_FAILURES = 30,
	LISTED_SESSIONS = 10,
};

static const char *const paints[] = {[PAINT_NONE] = "",
				     [PAINT_BAD] = "\x1b[31m",
				     [PAINT_GOOD] = "\x1b[32m",
				     [PAINT_BOLD] = "\x1b[1m"};

static size_t characters(const char *bytes, size_t length)
{
	size_t count = 0;

	for (size_t i = 0; i < length; i++)
		count += ((unsigned char)bytes[i] & 0xc0) != 0x80;
	return count;
}

static void begin_line(struct text *out, int indent)
{
	text_format(out, "%*s", indent, "");
}

/* Words of a string from column indent on, at most TEXT_WIDTH wide where words allow it.
 */
static void wrap(const struct page *page, enum paint paint, int indent,
		 const char *string)
{
	size_t column = (size_t)indent;
	int first = 1;

	begin_line(page->out, indent);
	text_add(page->out, page->colour ? paints[paint] : "");
	while (*(string += strspn(string, " \n"))) {
		size_t length = strcspn(string, " \n");
		size_t width = characters(string, length);

		if (!first && column + 1 + width > TEXT_WIDTH) {
			text_add_char(page->out, '\n');
			begin_line(page->out, indent);
			column = (size_t)indent;
		} else if (!first) {
			text_add_char(page->out, ' ');
			column++;
		}
		utf8_add_plain(page->out, string, length);
		column += width;
		first = 0;
		string += length;
	}
	text_add(page->out, page->colour && paint ? "\x1b[0m\n" : "\n");
}

void text_line(const struct page *page, enum paint paint, int indent, const char *format,
	       ...)
{
	CLEANUP(cleanup_free) char *string = NULL;
	va_list arguments;

	va_start(arguments, format);
	if (vasprintf(&string, format, arguments) < 0)
		string = NULL;
	va_end(arguments);
	wrap(page, paint, indent, string ? string : "");
}

void text_blank(const struct page *page)
{
	text_add_char(page->out, '\n');
}

static void print_improvements(const struct page *page,
			       const struct report_section *section)
{
	for (size_t i = 0; i < section->changes.count; i++) {
		const struct verdict_record *item = &section->changes.items[i];

		if (strcmp(item->verdict, "improvement") != 0 || !report_is_news(item))
			continue;
		text_line(page, PAINT_GOOD, 0, "improvement %s %s %s: %s to %s",
			  item->scenario, item->case_label, item->metric, item->a.text,
			  item->b.text);
		text_line(page, PAINT_NONE, 2, "%s", item->sentence);
		text_blank(page);
	}
}

static void print_tables(const struct page *page, const struct report_section *section)
{
	for (size_t i = 0; i < section->table_count; i++) {
		const struct table *table = &section->tables[i].table;

		text_line(page, PAINT_BOLD, 0, "%s", section->tables[i].scenario);
		if (table->caption)
			text_line(page, PAINT_NONE, 0, "%s.", table->caption);
		table_print(table, TEXT_WIDTH, page->out);
		for (size_t j = 0; j < table->remarks.count; j++)
			text_line(page, PAINT_NONE, 0, "%s.", table->remarks.items[j]);
		text_blank(page);
	}
}

void report_print_tables(const struct report_model *model, struct text *out)
{
	const struct page page = {out, 0};

	for (size_t i = 0; i < model->section_count; i++)
		print_tables(&page, &model->sections[i]);
}

static void print_failures(const struct page *page, const struct failure_list *failures)
{
	if (!failures->count)
		return;
	text_line(page, PAINT_BOLD, 0, "Left out");
	for (size_t i = 0; i < failures->count && i < LISTED_FAILURES; i++) {
		const struct failure_record *item = &failures->items[i];

		text_line(page, PAINT_NONE, 2, "%s%s%s: %s: %s", item->version,
			  *item->scenario ? " " : "", item->scenario, item->outcome,
			  item->detail);
	}
	if (failures->count > LISTED_FAILURES)
		text_line(page, PAINT_NONE, 2, "... and %zu more",
			  failures->count - LISTED_FAILURES);
	text_blank(page);
}

static void print_note(const struct page *page, const struct note_record *note)
{
	CLEANUP(text_finish) struct text subject = {0};

	format_note_subject(&subject, note);
	text_line(page, PAINT_NONE, 0, "note: %s: %s", text_string(&subject), note->text);
}

static void print_notes(const struct page *page, const struct note_list *notes)
{
	for (size_t i = 0; i < notes->count; i++)
		print_note(page, &notes->items[i]);
}

static void print_remarks(const struct page *page, const struct remark_list *remarks)
{
	CLEANUP(text_list_finish) struct text_list lines = {0};

	remarks_add_lines(remarks, &lines);
	if (!lines.count)
		return;
	text_line(page, PAINT_BOLD, 0, "Within the runs");
	for (size_t i = 0; i < lines.count; i++)
		text_line(page, PAINT_NONE, 2, "%s", lines.items[i]);
	text_blank(page);
}

static void print_section(const struct page *page, const struct report_section *section)
{
	CLEANUP(text_finish) struct text title = {0};
	CLEANUP(text_finish) struct text size = {0};

	report_section_title(section, &title);
	report_section_size(section, &size);
	text_line(page, PAINT_BOLD, 0, "%s: %s", text_string(&title), text_string(&size));
	text_line(page, PAINT_NONE, 0, "%s", section->session->command);
	if (*format_limits(section->session->lab))
		text_line(page, PAINT_NONE, 0, "%s",
			  format_limits(section->session->lab));
	text_blank(page);
	print_improvements(page, section);
	print_tables(page, section);
	print_remarks(page, &section->remarks);
	print_failures(page, &section->failures);
	print_notes(page, &section->notes);
}

static void print_searches(const struct page *page, const struct report_model *model)
{
	for (size_t i = model->search_records.count; i > 0; i--) {
		CLEANUP(text_finish) struct text started = {0};

		if (!model->searches[i - 1].listed)
			continue;
		format_time(&started, model->searches[i - 1].record->started);
		text_line(page, PAINT_BOLD, 0, "Search of %s", text_string(&started));
		if (model->searches[i - 1].command)
			text_line(page, PAINT_NONE, 2, "%s",
				  model->searches[i - 1].command);
		text_search(page, &model->searches[i - 1]);
		text_blank(page);
	}
}

static void print_sessions(const struct page *page, const struct session_list *sessions)
{
	text_line(page, PAINT_BOLD, 0, "Sessions");
	for (size_t i = 0; i < sessions->count && i < LISTED_SESSIONS; i++) {
		const struct session_record *item = &sessions->items[i];
		CLEANUP(text_finish) struct text started = {0};

		format_time(&started, item->started);
		text_line(page, PAINT_NONE, 2,
			  "%s %lld boots, %lld regressed metrics: %s",
			  text_string(&started), (long long)item->boots,
			  (long long)item->regressions, item->command);
	}
}

void report_print(const struct report_model *model, int colour, struct text *out)
{
	const struct page page = {out, colour};
	CLEANUP(text_finish) struct text headline = {0};

	report_headline(model, &headline);
	text_line(&page, model->stages[REPORT_OPENED] ? PAINT_BAD : PAINT_BOLD, 0, "%s.",
		  text_string(&headline));
	text_blank(&page);
	for (size_t i = 0; i < model->section_count; i++)
		for (size_t j = 0; j < model->sections[i].finding_count; j++)
			text_finding(&page, &model->sections[i].findings[j]);
	for (size_t i = 0; i < model->section_count; i++)
		print_section(&page, &model->sections[i]);
	print_searches(&page, model);
	print_sessions(&page, &model->sessions);
}

static void write_text(const struct report_model *model, struct text *out)
{
	report_print(model, 0, out);
}

const struct report_writer report_writer_text = {
	.name = "text",
	.extension = "txt",
	.summary = "for a terminal of 80 columns",
	.write = write_text,
};
