/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/utf8.h"
#include "report/markup_private.h"
#include "report/report.h"
#include "store_fixture.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define HOSTILE "</pre><script>alert(1)</script>\x1b[31m \xff\xe2\x80\xae \"'&"

enum { VERSIONS = 6, BAD = 4, WINDOWS = 40 };

static const char *const labels[] = {
	"device=ssd,block_size=4096,mode=keep,run=first",
	"device=ssd,block_size=4096,mode=keep,run=later",
	"device=ssd,block_size=20,mode=keep,run=first",
	"device=ssd,block_size=20,mode=keep,run=later",
};

struct story {
	struct world world;
	int64_t versions[VERSIONS], kernels[VERSIONS];
	int64_t search;
};

static void check(int result, const struct error *err)
{
	if (result < 0)
		fail_msg("%s", err->text);
}

/* Elapsed and flushes of each case; worse from version BAD on. */
static void tell_boot(struct story *story, int version)
{
	struct sample_record samples[8];
	double windows[WINDOWS], runs[3] = {43.596e9, 42.971e9, 42.888e9};
	const double latencies[] = {0, 1, 2e5, 90, 3e5 + version, 9};
	const struct series_record series[] = {
		{"device=ssd,block_size=4096,mode=keep", "window_mean", "ns", 1, windows,
		 WINDOWS},
		{"device=ssd,block_size=4096,mode=keep", "runs.elapsed", "ns", 0, runs,
		 3},
		{"device=ssd,block_size=4096,mode=keep", "latency_histogram", "ns,hits",
		 1, latencies, 6},
	};
	struct boot_record boot = world_boot(&story->world);
	struct error err = {0};
	int64_t id;

	for (int i = 0; i < 4; i++) {
		double factor = version >= BAD ? 1.5 : 1;

		samples[2 * i] = (struct sample_record){
			labels[i], "elapsed", "ns", "lower", (1e9 + i * 1e8) * factor};
		samples[2 * i + 1] = (struct sample_record){labels[i], "flushes_per_op",
							    "requests", "lower", factor};
	}
	for (int i = 0; i < WINDOWS; i++)
		windows[i] = 1e5 + (version >= BAD ? i * 1e3 : 0);
	boot.kernel = story->kernels[version];
	boot.version = story->versions[version];
	boot.samples = samples;
	boot.sample_count = 8;
	boot.series = series;
	boot.series_count = 3;
	check(store_add_boot(story->world.store, &boot, &id, &err), &err);
}

static void tell_verdicts(struct story *story)
{
	static const char *const reasons[] = {"exact"};
	struct verdict_record verdicts[2 * (VERSIONS - 1)];
	struct error err = {0};
	size_t count = 0;

	for (int i = 1; i < VERSIONS; i++)
		for (int j = 0; j < 2; j++)
			verdicts[count++] = (struct verdict_record){
				.session = story->world.session,
				.role = "neighbour",
				.a = {story->versions[i - 1], "", 1, 1e9, 1e9, 1e9},
				.b = {story->versions[i], "", 1, 1.5e9, 1.5e9, 1.5e9},
				.scenario = "fsync-loop",
				.case_label = labels[j],
				.metric = "elapsed",
				.unit = "ns",
				.better = "lower",
				.change_percent = i == BAD ? 50 : 0,
				.ci_low_percent = NAN,
				.ci_high_percent = NAN,
				.p = NAN,
				.q = NAN,
				.superiority = NAN,
				.verdict = i == BAD ? "regression" : "same",
				.sentence = "median +50.0 %, exact: " HOSTILE,
				.reasons = reasons,
				.reason_count = 1,
			};
	for (size_t i = 0; i < count; i++) {
		static const char *const names[] = {"v1",         "v2", "v3",
						    "v4" HOSTILE, "v5", "v6"};

		verdicts[i].a.text = names[i / 2];
		verdicts[i].b.text = names[i / 2 + 1];
	}
	check(store_add_verdicts(story->world.store, verdicts, count, &err), &err);
}

static void tell_search(struct story *story)
{
	static const char culprit[] = "c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00";
	static const double values[] = {1, 2.5, NAN};
	const struct commit_record commit = {
		.id = culprit,
		.subject = "fs: " HOSTILE,
		.message = "fs: " HOSTILE "\n\nlonger",
		.author = "A <a@b>",
	};
	const struct suspect_record suspects[] = {{culprit, 0.97, 1, 0},
						  {"beef", 0.03, 0, 1}};
	struct search_record search = {.session = story->world.session, .key = "k"};
	struct search_event event = {"confirmed", culprit, "{\"a\":1}", suspects, 2};
	struct step_record step = {
		.commit = culprit, .outcome = "ok", .values = values, .value_count = 2};
	struct error err = {0};

	check(store_add_commit(story->world.store, &commit, &err), &err);
	check(store_add_search(story->world.store, &search, &story->search, &err), &err);
	check(store_add_step(story->world.store, story->search, &step, &err), &err);
	check(store_add_search_event(story->world.store, story->search, &event, &err),
	      &err);
}

static void tell_finding(struct story *story)
{
	const struct finding_case item = {"fsync-loop", labels[0], "elapsed", 0};
	const struct finding_record finding = {
		.session = story->world.session,
		.lab = "virtual",
		.good_version = story->versions[BAD - 1],
		.bad_version = story->versions[BAD],
		.cases = &item,
		.case_count = 1,
	};
	const struct finding_event event = {.session = story->world.session,
					    .kind = "bisected",
					    .search = story->search};
	struct error err = {0};
	int64_t id;

	check(store_add_finding(story->world.store, &finding, &id, &err), &err);
	check(store_add_finding_event(story->world.store, id, &event, &err), &err);
}

static void story_init(struct story *story)
{
	const struct note_record note = {.kind = "device", .text = "no flush " HOSTILE};
	struct note_record mine = note;
	struct boot_record panic;
	struct error err = {0};
	int64_t id;

	*story = (struct story){0};
	world_init(&story->world);
	for (int i = 0; i < VERSIONS; i++) {
		CLEANUP(cleanup_free)
		char *name = memory_format("v%d%s", i + 1, i == 3 ? HOSTILE : "");

		story->versions[i] =
			world_add_version(&story->world, name, NULL, &story->kernels[i]);
		tell_boot(story, i);
	}
	check(store_add_session_versions(story->world.store, story->world.session,
					 story->versions, VERSIONS, &err),
	      &err);
	panic = world_boot(&story->world);
	panic.outcome = "panic";
	panic.detail = "VFS: " HOSTILE;
	panic.version = story->versions[2];
	check(store_add_boot(story->world.store, &panic, &id, &err), &err);
	mine.session = story->world.session;
	check(store_add_note(story->world.store, &mine, &err), &err);
	tell_verdicts(story);
	tell_search(story);
}

static void write_form(struct story *story, const char *name, struct text *out)
{
	CLEANUP(report_model_finish) struct report_model model = {0};
	const struct report_options options = {.now = 1000000000};
	struct error err = {0};

	check(report_collect(story->world.store, &options, &model, &err), &err);
	report_writer_find(name)->write(&model, out);
	assert_true(utf8_valid(out->data, out->size));
}

/* Every element is closed in order, attributes are quoted, entities are known. */
static void assert_well_formed(const char *page)
{
	char names[64][24];
	int depth = 0;

	for (const char *c = strchr(page, '\n'); *c; c++) {
		const char *end;
		size_t length;

		assert_false((unsigned char)*c < ' ' && *c != '\n' && *c != '\t');
		if (*c == '&')
			assert_true(!strncmp(c, "&amp;", 5) || !strncmp(c, "&lt;", 4) ||
				    !strncmp(c, "&gt;", 4) || !strncmp(c, "&quot;", 6) ||
				    !strncmp(c, "&#39;", 5));
		if (*c != '<')
			continue;
		end = strchr(c, '>');
		assert_non_null(end);
		if (c[1] == '/') {
			length = (size_t)(end - c - 2);
			assert_true(depth > 0);
			depth--;
			assert_int_equal(strlen(names[depth]), length);
			assert_memory_equal(names[depth], c + 2, length);
		} else if (end[-1] != '/') {
			length = strcspn(c + 1, " >");
			assert_true(depth < 64 && length < 24);
			snprintf(names[depth++], 24, "%.*s", (int)length, c + 1);
		}
		c = end;
	}
	assert_int_equal(depth, 0);
}

static int contains(const struct text *text, const char *words)
{
	return strstr(text_string(text), words) != NULL;
}

static void html_is_whole_and_harmless(void **state)
{
	CLEANUP(text_finish) struct text page = {0};
	CLEANUP(text_finish) struct text again = {0};
	struct story story;

	(void)state;
	story_init(&story);
	write_form(&story, "html", &page);
	assert_well_formed(page.data);
	assert_false(contains(&page, "<script"));
	assert_false(contains(&page, "\xe2\x80\xae"));
	assert_false(contains(&page, "http://") || contains(&page, "https://"));
	assert_true(contains(&page, "&lt;script&gt;"));
	assert_true(contains(&page, "role=\"img\""));
	assert_true(contains(&page, "Mean time of an operation, window by window"));
	assert_true(contains(&page, "Time of an operation</h4>"));
	assert_true(contains(&page, "from 0 % to 90 %"));
	assert_true(contains(&page, "kregress bisect --good "));
	assert_true(contains(&page, "panic"));
	assert_true(contains(&page, "c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00"));
	assert_true(contains(&page, "43.60 42.97 42.89") || contains(&page, "first (s)"));
	write_form(&story, "html", &again);
	assert_string_equal(page.data, again.data);
	world_finish(&story.world);
}

static void findings_come_from_verdicts_or_from_the_file(void **state)
{
	CLEANUP(report_model_finish) struct report_model model = {0};
	const struct report_options options = {0};
	struct story story;
	struct error err = {0};

	(void)state;
	story_init(&story);
	check(report_collect(story.world.store, &options, &model, &err), &err);
	assert_int_equal(model.section_count, 1);
	assert_int_equal(model.sections[0].finding_count, 1);
	assert_int_equal(model.sections[0].findings[0].id, 0);
	assert_int_equal(model.sections[0].findings[0].count, 2);
	assert_int_equal(model.sections[0].findings[0].bad_index, BAD);
	assert_int_equal(model.sections[0].verdict_count, 10);
	assert_int_equal(model.sections[0].changes.count, 2);
	report_model_finish(&model);
	tell_finding(&story);
	check(report_collect(story.world.store, &options, &model, &err), &err);
	/* the other case is not part of the filed one */
	assert_int_equal(model.sections[0].finding_count, 2);
	assert_string_equal(model.sections[0].findings[0].state, "bisected");
	assert_non_null(model.sections[0].findings[0].search);
	assert_non_null(model.sections[0].findings[0].cases[0].verdict);
	assert_int_equal(model.sections[0].findings[1].count, 1);
	world_finish(&story.world);
}

static void the_same_versions_again_replace_the_section(void **state)
{
	CLEANUP(report_model_finish) struct report_model model = {0};
	const struct session_record session = {.command = "kregress run again"};
	const struct report_options options = {0};
	struct story story;
	struct error err = {0};
	int64_t id;

	(void)state;
	story_init(&story);
	check(store_add_session(story.world.store, &session, &id, &err), &err);
	check(store_add_session_versions(story.world.store, id, story.versions, VERSIONS,
					 &err),
	      &err);
	check(report_collect(story.world.store, &options, &model, &err), &err);
	assert_int_equal(model.section_count, 1);
	assert_int_equal(model.sections[0].session->id, id);
	assert_int_equal(model.sessions.count, 2);
	world_finish(&story.world);
}

/* The last version was measured again, another way. */
static void newer_series_take_the_place_of_older(void **state)
{
	static const struct environment_field fields[] = {{"qemu", "8.0"}};
	CLEANUP(report_model_finish) struct report_model model = {0};
	const struct report_options options = {0};
	struct story story;
	struct error err = {0};

	(void)state;
	story_init(&story);
	check(store_add_environment(story.world.store, "virtual", fields, 1,
				    &story.world.environment, &err),
	      &err);
	tell_boot(&story, VERSIONS - 1);
	check(report_collect(story.world.store, &options, &model, &err), &err);
	/* the old ones still have versions that the new ones lack */
	assert_int_equal(model.sections[0].results.count, 16);
	assert_int_equal(model.sections[0].environment_count, 2);
	report_model_finish(&model);
	for (int i = 0; i < VERSIONS - 1; i++)
		tell_boot(&story, i);
	check(report_collect(story.world.store, &options, &model, &err), &err);
	assert_int_equal(model.sections[0].results.count, 8);
	assert_int_equal(model.sections[0].environment_count, 1);
	assert_string_equal(model.sections[0].environments[0].fields[0].value, "8.0");
	assert_non_null(model.sections[0].findings[0].cases[0].series);
	world_finish(&story.world);
}

static void tables_follow_the_reports(void **state)
{
	CLEANUP(report_model_finish) struct report_model model = {0};
	const struct report_options options = {0};
	const struct table *table;
	struct story story;
	struct error err = {0};

	(void)state;
	story_init(&story);
	check(report_collect(story.world.store, &options, &model, &err), &err);
	assert_int_equal(model.sections[0].table_count, 1);
	table = &model.sections[0].tables[0].table;
	assert_string_equal(table->titles.items[0], "block size");
	assert_string_equal(table->titles.items[3], "version");
	assert_string_equal(table->titles.items[4], "first (s)");
	/* two cases; first, last and the two versions around the change */
	assert_int_equal(table_rows(table), 2 * 4);
	assert_string_equal(table_cell(table, 0, 0), "20");
	assert_string_equal(table_cell(table, 4, 0), "4096");
	assert_string_equal(table_cell(table, 4, 3), "v1");
	assert_string_equal(table_cell(table, 4, 4), "1");
	assert_string_equal(table_cell(table, 4, 5), "1.100");
	assert_string_equal(table_cell(table, 7, 5), "1.650");
	world_finish(&story.world);
}

static void text_fits_a_terminal(void **state)
{
	CLEANUP(text_finish) struct text page = {0};
	struct story story;

	(void)state;
	story_init(&story);
	write_form(&story, "text", &page);
	for (const char *line = page.data; *line; line = strchr(line, '\n') + 1) {
		size_t bytes = strcspn(line, "\n"), width = 0;

		for (size_t i = 0; i < bytes; i++) {
			assert_true((unsigned char)line[i] >= ' ');
			width += ((unsigned char)line[i] & 0xc0) != 0x80;
		}
		/* one hostile word alone may be longer */
		assert_true(width <= 80 || strstr(line, "script") < line + bytes);
	}
	assert_true(contains(&page, "REGRESSION fsync-loop: v4"));
	assert_true(contains(&page, "culprit: c0ffee00c0ff"));
	world_finish(&story.world);
}

static void json_is_strict(void **state)
{
	CLEANUP(text_finish) struct text page = {0};
	struct story story;
	json_t *root, *section, *change;

	(void)state;
	story_init(&story);
	write_form(&story, "json", &page);
	root = json_loads(page.data, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(root);
	section = json_array_get(json_object_get(root, "sections"), 0);
	assert_int_equal(json_array_size(json_object_get(section, "series")), 2);
	change = json_array_get(json_object_get(section, "changes"), 0);
	assert_string_equal(json_string_value(json_object_get(change, "verdict")),
			    "regression");
	assert_true(json_is_null(json_object_get(change, "p")));
	assert_int_equal(json_array_size(json_object_get(change, "ci_percent")), 2);
	json_decref(root);
	world_finish(&story.world);
}

static void nothing_measured_is_no_error(void **state)
{
	static const char *const forms[] = {"html", "text", "json"};
	struct story story = {0};

	(void)state;
	world_init(&story.world);
	for (size_t i = 0; i < 3; i++) {
		CLEANUP(text_finish) struct text page = {0};

		write_form(&story, forms[i], &page);
		if (!i)
			assert_well_formed(page.data);
		assert_true(page.size > 20);
	}
	world_finish(&story.world);
}

static void markup_escapes_everything(void **state)
{
	CLEANUP(text_finish) struct text out = {0};

	(void)state;
	markup(&out, "<i a=\"%s\">%d %zu %%</i>", "<\"'&>\x01\x7f\xc2\x85\xef\xbf\xbf",
	       -1, (size_t)7);
	assert_string_equal(text_string(&out),
			    "<i a=\"&lt;&quot;&#39;&amp;&gt;\xef\xbf\xbd\xef\xbf\xbd"
			    "\xef\xbf\xbd\xef\xbf\xbd\">-1 7 %</i>");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(html_is_whole_and_harmless),
		cmocka_unit_test(findings_come_from_verdicts_or_from_the_file),
		cmocka_unit_test(the_same_versions_again_replace_the_section),
		cmocka_unit_test(newer_series_take_the_place_of_older),
		cmocka_unit_test(tables_follow_the_reports),
		cmocka_unit_test(text_fits_a_terminal),
		cmocka_unit_test(json_is_strict),
		cmocka_unit_test(nothing_measured_is_no_error),
		cmocka_unit_test(markup_escapes_everything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
