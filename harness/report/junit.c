/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JUnit XML, as CI servers read it: a suite for each scenario of a section, a test for
 * each metric of each case that the session judged. A regression is a failure, what was
 * not decided is skipped, a version that could not be measured is an error.
 */
#include "report/report.h"

#include "base/cleanup.h"
#include "report/headline.h"
#include "report/markup_private.h"

#include <stddef.h>
#include <string.h>
#include <time.h>

struct counts {
	size_t tests, failures, errors, skipped;
};

static int is_about(const struct verdict_record *verdict,
		    const struct judged_series *series)
{
	return !strcmp(verdict->scenario, series->scenario) &&
	       !strcmp(verdict->case_label, series->case_label) &&
	       !strcmp(verdict->metric, series->metric);
}

static int counts_for(const struct report_section *section,
		      const struct verdict_record *verdict,
		      const struct judged_series *series)
{
	return verdict->session == section->session->id && is_about(verdict, series) &&
	       report_is_news(verdict);
}

/* What a verdict is called where it is more than a pass. */
static const struct outcome {
	const char *verdict, *element;
	size_t place; /* in struct counts */
} outcomes[] = {
	{"regression", "failure", offsetof(struct counts, failures)},
	{"inconclusive", "skipped", offsetof(struct counts, skipped)},
	{"not-comparable", "skipped", offsetof(struct counts, skipped)},
};

enum { OUTCOMES = sizeof(outcomes) / sizeof(*outcomes) };

static void add_verdict(const struct verdict_record *verdict, struct text *out)
{
	markup(out, "%s to %s: %s\n", verdict->a.text, verdict->b.text,
	       verdict->sentence);
}

static int add_outcome(const struct report_section *section,
		       const struct judged_series *series, const struct outcome *outcome,
		       struct text *out)
{
	int found = 0;

	for (size_t i = 0; i < section->changes.count; i++) {
		const struct verdict_record *verdict = &section->changes.items[i];

		if (strcmp(verdict->verdict, outcome->verdict) != 0 ||
		    !counts_for(section, verdict, series))
			continue;
		if (!found++)
			markup(out, "   <%s message=\"%s\" type=\"%s\">",
			       outcome->element, verdict->sentence, verdict->verdict);
		add_verdict(verdict, out);
	}
	if (found)
		markup(out, "</%s>\n", outcome->element);
	return found;
}

static void add_test(const struct report_section *section,
		     const struct judged_series *series, struct counts *counts,
		     struct text *out)
{
	int found = 0;

	markup(out, "  <testcase classname=\"%s\" name=\"%s%s%s\">\n", series->scenario,
	       series->metric, *series->case_label ? " " : "", series->case_label);
	for (size_t i = 0; i < OUTCOMES && !found; i++) {
		found = add_outcome(section, series, &outcomes[i], out);
		if (found)
			++*(size_t *)((char *)counts + outcomes[i].place);
	}
	counts->tests++;
	text_add(out, "  </testcase>\n");
}

static void add_failure(const struct failure_record *failure, struct counts *counts,
			struct text *out)
{
	markup(out, "  <testcase classname=\"%s\" name=\"%s\">\n",
	       *failure->scenario ? failure->scenario : "build", failure->version);
	markup(out, "   <error message=\"%s\" type=\"%s\">%s</error>\n  </testcase>\n",
	       failure->detail, failure->outcome, failure->log_path);
	counts->tests++;
	counts->errors++;
}

static void add_sum(const struct counts *counts, struct text *out)
{
	markup(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"",
	       counts->tests, counts->failures, counts->errors, counts->skipped);
}

/* The format's own time has no zone. */
static void add_time(int64_t time, struct text *out)
{
	time_t seconds = (time_t)time;
	struct tm parts;
	char stamp[40] = "";

	if (gmtime_r(&seconds, &parts))
		strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%S", &parts);
	markup(out, " timestamp=\"%s\"", stamp);
}

static void add_counts(struct counts *sum, const struct counts *counts)
{
	sum->tests += counts->tests;
	sum->failures += counts->failures;
	sum->errors += counts->errors;
	sum->skipped += counts->skipped;
}

static void add_suite(const struct report_section *section, const struct counts *counts,
		      const char *tests, struct text *out)
{
	CLEANUP(text_finish) struct text title = {0};

	report_section_title(section, &title);
	markup(out, " <testsuite name=\"%s\"", text_string(&title));
	add_sum(counts, out);
	add_time(section->session->started, out);
	text_add(out, ">\n");
	text_add(out, tests);
	text_add(out, " </testsuite>\n");
}

static void write_junit(const struct report_model *model, struct text *out)
{
	CLEANUP(text_finish) struct text suites = {0};
	struct counts sum = {0};

	for (size_t i = 0; i < model->section_count; i++) {
		const struct report_section *section = &model->sections[i];
		CLEANUP(text_finish) struct text tests = {0};
		struct counts counts = {0};

		for (size_t j = 0; j < section->judged.count; j++)
			add_test(section, &section->judged.items[j], &counts, &tests);
		for (size_t j = 0; j < section->failures.count; j++)
			add_failure(&section->failures.items[j], &counts, &tests);
		add_suite(section, &counts, text_string(&tests), &suites);
		add_counts(&sum, &counts);
	}
	text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		      "<testsuites name=\"kregress\"");
	add_sum(&sum, out);
	text_add(out, ">\n");
	text_add(out, text_string(&suites));
	text_add(out, "</testsuites>\n");
}

const struct report_writer report_writer_junit = {
	.name = "junit",
	.extension = "xml",
	.summary = "for CI servers: a regression is a failed test",
	.write = write_junit,
};
