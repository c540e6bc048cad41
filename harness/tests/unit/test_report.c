/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/markup_private.h"
#include "report/remarks.h"
#include "report_story.h"

#include <jansson.h>

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

/* A boot of the version that is as slow as it was, with these remarks. */
static void tell_remarks(struct story *story, int version,
			 const struct remark_record *remarks, size_t count)
{
	struct boot_record boot = world_boot(&story->world);
	struct error err = {0};
	int64_t id;

	boot.kernel = story->kernels[version];
	boot.version = story->versions[version];
	boot.remarks = remarks;
	boot.remark_count = count;
	check(store_add_boot(story->world.store, &boot, &id, &err), &err);
}

static const struct remark_record slow_remarks[] = {
	{"mode=keep", 2, "drift", 0, 40, 54.5, "drifts: 54.5 ns longer " HOSTILE},
	{"mode=keep", 1, "stall", 3, 1, 9, "stalls"},
	{"mode=keep", 2, "stall", 3, 1, 9, "stalls"},
	{"mode=keep", 3, "stall", 3, 1, 9, "stalls"},
	{"mode=keep", 4, "stall", 3, NAN, 9, "stalls"},
	{"mode=keep", 0, "flushes", NAN, NAN, 1, "ssd flushes"},
};

static void remarks_are_told_in_every_form(void **state)
{
	static const char *const forms[] = {"text", "html", "json"};
	struct story story;

	(void)state;
	story_init(&story);
	tell_remarks(&story, 0, slow_remarks + 5, 1);
	tell_remarks(&story, BAD, slow_remarks, 6);
	for (size_t i = 0; i < 3; i++) {
		CLEANUP(text_finish) struct text out = {0};

		write_form(&story, forms[i], &out);
		assert_true(contains(&out, "drifts: 54.5"));
		assert_false(contains(&out, "<script>alert") && i == 1);
		assert_false(contains(&out, "\x1b"));
		if (i == 1)
			assert_well_formed(out.data);
	}
	world_finish(&story.world);
}

static void remarks_alike_are_counted(void **state)
{
	CLEANUP(remark_list_finish) struct remark_list remarks = {0};
	CLEANUP(text_list_finish) struct text_list lines = {0};
	struct story story;
	struct error err = {0};

	(void)state;
	story_init(&story);
	tell_remarks(&story, 0, slow_remarks + 5, 1);
	tell_remarks(&story, BAD, slow_remarks, 6);
	check(store_load_remarks(story.world.store, story.world.session, &remarks, &err),
	      &err);
	assert_int_equal(remarks.count, 7);
	remarks_add_lines(&remarks, &lines);
	assert_int_equal(lines.count, 6);
	assert_string_equal(lines.items[0], "fsync-loop: ssd flushes");
	assert_non_null(strstr(lines.items[1], "v5, fsync-loop, mode=keep, run 2: dri"));
	assert_string_equal(lines.items[2], "v5, fsync-loop, mode=keep: stalls");
	assert_string_equal(lines.items[5],
			    "fsync-loop: and 1 more of this kind (stall)");
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
	/* there is one finding for a range; the case that was not filed is one of it */
	assert_int_equal(model.sections[0].finding_count, 1);
	assert_string_equal(model.sections[0].findings[0].state, "bisected");
	assert_non_null(model.sections[0].findings[0].search);
	assert_non_null(model.sections[0].findings[0].cases[0].verdict);
	assert_int_equal(model.sections[0].findings[0].count, 2);
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
	static const char *const forms[] = {"html", "text",  "json",
					    "csv",  "junit", "markdown"};
	struct story story = {0};

	(void)state;
	world_init(&story.world);
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
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
		cmocka_unit_test(remarks_are_told_in_every_form),
		cmocka_unit_test(remarks_alike_are_counted),
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
