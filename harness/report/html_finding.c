/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/html_private.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "report/format.h"
#include "report/label_private.h"

#include <stdlib.h>
#include <string.h>

enum { PLOTTED_CASES = 3, LISTED_CASES = 40 };

/* Series of a run that say more over its course than their median does. */
static const struct {
	const char *name, *what;
} courses[] = {
	{"window_mean", "Mean time of an operation, window by window"},
	{"throughput", "Throughput over the run"},
	{"second_bytes", "Bytes of each second of the run"},
};

static void add_value_cell(double value, const char *unit, struct text *out)
{
	CLEANUP(text_finish) struct text cell = {0};

	format_value(&cell, value, unit);
	markup(out, "<td class=\"num\">%s</td>", text_string(&cell));
}

static void add_case_row(const struct report_case *item, struct text *out)
{
	CLEANUP(text_finish) struct text change = {0};
	const struct verdict_record *verdict = item->verdict;

	markup(out, "<tr><td>%s</td><td>%s</td>", item->case_label, item->metric);
	if (!verdict) {
		text_add(out, "<td colspan=\"3\">not judged here</td></tr>\n");
		return;
	}
	add_value_cell(verdict->a.median, verdict->unit, out);
	add_value_cell(verdict->b.median, verdict->unit, out);
	format_change(&change, verdict->change_percent);
	markup(out, "<td class=\"num\">%s</td></tr>\n", text_string(&change));
}

static void add_cases(const struct report_finding *finding, struct text *out)
{
	size_t shown = finding->count < LISTED_CASES ? finding->count : LISTED_CASES;

	markup(out,
	       "<div class=\"scroll\"><table><thead><tr><th>case</th><th>metric</th>"
	       "<th class=\"num\">%s</th><th class=\"num\">%s</th>"
	       "<th class=\"num\">change</th></tr></thead><tbody>\n",
	       finding->good, finding->bad);
	for (size_t i = 0; i < shown; i++)
		add_case_row(&finding->cases[i], out);
	text_add(out, "</tbody></table></div>\n");
	if (shown < finding->count)
		markup(out, "<p class=\"meta\">%zu more with smaller changes.</p>\n",
		       finding->count - shown);
}

static const struct series_record *find_course(const struct boot_list *boots,
					       const char *label, const char *name)
{
	CLEANUP(cleanup_free) char *whole = label_without_run(label);

	for (size_t i = 0; boots->count && i < boots->items[0].series_count; i++) {
		const struct series_record *series = &boots->items[0].series[i];

		if (!strcmp(series->name, name) && (!strcmp(series->case_label, whole) ||
						    !strcmp(series->case_label, label)))
			return series;
	}
	return NULL;
}

static void add_courses(const struct report_finding *finding,
			const struct report_case *item, struct text *out)
{
	for (size_t i = 0; i < sizeof(courses) / sizeof(*courses); i++) {
		const struct series_record *good =
			find_course(&item->good, item->case_label, courses[i].name);
		const struct series_record *bad =
			find_course(&item->bad, item->case_label, courses[i].name);
		const struct pair_plot plot = {
			.what = courses[i].what,
			.unit = good ? good->unit : "",
			.good = finding->good,
			.bad = finding->bad,
			.good_values = good ? good->values : NULL,
			.bad_values = bad ? bad->values : NULL,
			.good_count = good ? good->count : 0,
			.bad_count = bad ? bad->count : 0,
		};

		if (plot.good_count < 2 || plot.bad_count < 2)
			continue;
		markup(out, "<h5>%s</h5>\n", courses[i].what);
		plot_pair(&plot, out);
	}
}

static void add_histograms(const struct report_finding *finding,
			   const struct report_case *item, struct text *out)
{
	const struct series_record *good =
		find_course(&item->good, item->case_label, "latency_histogram");
	const struct series_record *bad =
		find_course(&item->bad, item->case_label, "latency_histogram");

	if (!good || !bad || strcmp(good->unit, "ns,hits") != 0 ||
	    strcmp(bad->unit, "ns,hits") != 0)
		return;
	text_add(out, "<h5>Time of an operation</h5>\n");
	plot_histograms(good, bad, finding->good, finding->bad, out);
}

static double *copy_values(const struct result_series *series, int version,
			   size_t *ret_count)
{
	const struct result_value *values =
		results_of_version(series, (size_t)version, ret_count);
	double *copy = memory_new(*ret_count, sizeof(*copy));

	for (size_t i = 0; i < *ret_count; i++)
		copy[i] = values[i].value;
	return copy;
}

/* Only where there is a distribution to see. */
static void add_boots(const struct report_finding *finding,
		      const struct report_case *item, struct text *out)
{
	CLEANUP(cleanup_free) double *good = NULL;
	CLEANUP(cleanup_free) double *bad = NULL;
	struct pair_plot plot = {
		.what = "Each boot",
		.unit = item->series->unit,
		.good = finding->good,
		.bad = finding->bad,
	};

	if (finding->good_index == REPORT_NONE || finding->bad_index == REPORT_NONE)
		return;
	plot.good_values = good =
		copy_values(item->series, finding->good_index, &plot.good_count);
	plot.bad_values = bad =
		copy_values(item->series, finding->bad_index, &plot.bad_count);
	if (plot.good_count < 2 && plot.bad_count < 2)
		return;
	text_add(out, "<h5>Each boot</h5>\n");
	plot_boots(&plot, out);
}

static void add_plots(const struct report_section *section,
		      const struct report_finding *finding,
		      const struct report_case *item, struct text *out)
{
	const struct history_plot plot = {
		.section = section,
		.series = item->series,
		.good_index = finding->good_index,
		.bad_index = finding->bad_index,
	};

	markup(out, "<h4>%s%s%s</h4>\n", item->metric, *item->case_label ? ", " : "",
	       item->case_label);
	if (item->verdict)
		markup(out, "<p>%s</p>\n", item->verdict->sentence);
	plot_history(&plot, out);
	add_boots(finding, item, out);
	add_histograms(finding, item, out);
	add_courses(finding, item, out);
}

static void add_life(const struct report_finding *finding, struct text *out)
{
	if (!finding->record || finding->record->event_count < 2)
		return;
	text_add(out, "<ul>\n");
	for (size_t i = 0; i < finding->record->event_count; i++) {
		const struct finding_event *event = &finding->record->events[i];

		text_add(out, "<li>");
		html_time(event->at, out);
		markup(out, " %s %s %s %s</li>\n", event->kind, event->version,
		       event->commit, event->text);
	}
	text_add(out, "</ul>\n");
}

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

static void add_command(const struct report_section *section,
			const struct report_finding *finding, struct text *out)
{
	CLEANUP(text_finish) struct text command = {0};
	const struct report_case *item = &finding->cases[0];
	CLEANUP(cleanup_free)
	char *subject =
		memory_format("%s/%s/%s", item->scenario, item->case_label, item->metric);

	text_add(&command, "kregress bisect");
	add_options(section->session->command, &command);
	text_add(&command, " --good ");
	format_shell_word(&command, finding->good);
	text_add(&command, " --bad ");
	format_shell_word(&command, finding->bad);
	text_add(&command, " --scenario ");
	format_shell_word(&command, subject);
	markup(out, "<h4>To search for the commit</h4>\n<pre>%s</pre>\n",
	       text_string(&command));
}

static int is_over(const char *state)
{
	return !strcmp(state, "recovered") || !strcmp(state, "acknowledged") ||
	       !strcmp(state, "suppressed");
}

void html_finding(const struct report_section *section, size_t number, struct text *out)
{
	const struct report_finding *finding = &section->findings[number];
	size_t plotted = 0;

	text_format(out, "<article id=\"finding-%lld-%zu\"%s>\n",
		    (long long)section->session->id, number,
		    is_over(finding->state) ? " class=\"done\"" : "");
	markup(out, "<h3>%s: %s to %s <span class=\"tag regression\">%s</span></h3>\n",
	       finding->count ? finding->cases[0].scenario : "", finding->good,
	       finding->bad, *finding->state ? finding->state : "regression");
	if (finding->count && finding->cases[0].verdict)
		markup(out, "<p class=\"lead\">%s</p>\n",
		       finding->cases[0].verdict->sentence);
	add_cases(finding, out);
	for (size_t i = 0; i < finding->count && plotted < PLOTTED_CASES; i++) {
		if (!finding->cases[i].series)
			continue;
		add_plots(section, finding, &finding->cases[i], out);
		plotted++;
	}
	if (finding->search)
		html_search(finding->search, 4, out);
	add_life(finding, out);
	if (finding->count && (!finding->search || !finding->search->command))
		add_command(section, finding, out);
	text_add(out, "</article>\n");
}
