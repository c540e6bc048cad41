/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explanations out of stored profiles: sentence, tables, JSON, and their place in
 * reports. */
#include "report/explanation.h"

#include "report/report.h"
#include "store/search.h"
#include "tests/unit/store_fixture.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#define CULPRIT "c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00"
#define LABEL "device=ssd,block_size=4096,mode=keep,run=later"

struct story {
	struct world world;
	struct explanation_record record;
};

struct side {
	const char *version, *commit;
	struct profile_line lines[8];
	double elapsed, writes, flushes;
};

/* 100 operations; the culprit commits the journal at each. */
static const struct side before = {
	"v1",
	NULL,
	{{"[user]", "", 12000, 0},
	 {"[idle]", "", 3000, 0},
	 {"ext4_sync_file", "fs/ext4/fsync.c", 20000, 100},
	 {"old_helper", "fs/ext4/fsync.c", 700, 100},
	 {"memcpy", "", 5000, 40},
	 {"inlined", "fs/sync.c", 900, 10},
	 {"jbd2_journal_commit_transaction", "fs/jbd2/commit.c", 0, 0}},
	20e6,
	100,
	100,
};
static const struct side after = {
	"v2 <b>",
	CULPRIT,
	{{"[user]", "", 12000, 0},
	 {"[idle]", "", 4000, 0},
	 {"ext4_sync_file", "fs/ext4/fsync.c", 20500, 100},
	 {"new_helper", "fs/ext4/fsync.c", 700, 100},
	 {"memcpy", "", 5000, 40},
	 {"fresh", "fs/sync.c", 1000, 20},
	 {"jbd2_journal_commit_transaction", "fs/jbd2/commit.c", 412000, 100}},
	61.2e6,
	300,
	300,
};

static void check(int result, const struct error *err)
{
	if (result < 0)
		fail_msg("%s", err->text);
}

static int64_t tell_side(struct story *story, const struct side *side,
			 int64_t *ret_version)
{
	const struct commit_record commit = {.id = CULPRIT,
					     .tree = CULPRIT,
					     .subject = "ext4: wait",
					     .message = "ext4: wait",
					     .author = "A <a@b>",
					     .changes = ""};
	struct boot_record boot = world_boot(&story->world);
	struct profile_record profile = {
		.case_label = LABEL,
		.runs = 2,
		.outside = 5,
		.nanoseconds = 1,
		.operations = 100,
		.elapsed = side->elapsed,
		.read_requests = 0,
		.write_requests = side->writes,
		.flush_requests = side->flushes,
		.lines = side->lines,
		.line_count = 7,
	};
	struct error err = {0};
	int64_t id;

	if (side->commit)
		check(store_add_commit(story->world.store, &commit, &err), &err);
	*ret_version = world_add_version(&story->world, side->version, side->commit,
					 &boot.kernel);
	boot.version = *ret_version;
	boot.purpose = "explain";
	check(store_add_boot(story->world.store, &boot, &profile.boot, &err), &err);
	check(store_add_profile(story->world.store, &profile, &id, &err), &err);
	return id;
}

static void begin(struct story *story, const struct side *a, const struct side *b)
{
	*story = (struct story){0};
	world_init(&story->world);
	story->record.a = tell_side(story, a, &story->record.a_version);
	story->record.b = tell_side(story, b, &story->record.b_version);
	story->record.session = story->world.session;
	story->record.scenario = "fsync-loop";
	story->record.case_label = LABEL;
	story->record.a_text = a->version;
	story->record.b_text = b->version;
}

static void load(const struct story *story, enum difference_fold fold,
		 struct explanation *explanation)
{
	struct error err = {0};

	check(explanation_load(story->world.store, &story->record, fold, explanation,
			       &err),
	      &err);
}

static void no_line_is_too_long(const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "\n"), characters = 0;

		for (size_t i = 0; i < length; i++)
			characters += ((unsigned char)text[i] & 0xc0) != 0x80;
		if (characters > 80)
			fail_msg("%zu columns: %.*s", characters, (int)length, text);
		text += length + (text[length] != '\0');
	}
}

static void says(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("\"%s\" is not in:\n%s", part, text);
}

static void the_sentence_tells_why(void **state)
{
	CLEANUP(explanation_finish) struct explanation explanation = {0};
	CLEANUP(text_finish) struct text sentence = {0};
	struct story story;

	(void)state;
	begin(&story, &before, &after);
	load(&story, FOLD_FUNCTION, &explanation);
	explanation_sentence(&explanation, &sentence);
	assert_string_equal(
		text_string(&sentence),
		"+1.00 commits of the journal per operation: "
		"jbd2_journal_commit_transaction +4,120 instructions, 2.0 more writes, "
		"2.0 more flushes, 407.9 \xc2\xb5s more waiting, "
		"+4,136 instructions in all (+994 %)");
	world_finish(&story.world);
}

/* What has other code stands before what runs more often. */
static void the_cause_comes_first(void **state)
{
	static const struct profile_line changed[] = {
		{"ext4_sync_file", "fs/ext4/fsync.c", 0, 0}, {"memcpy", "", 0, 0}};
	CLEANUP(explanation_finish) struct explanation explanation = {0};
	CLEANUP(text_finish) struct text sentence = {0};
	CLEANUP(text_finish) struct text out = {0};
	struct story story;

	(void)state;
	begin(&story, &before, &after);
	story.record.changed_code = changed;
	story.record.changed_code_count = 2;
	load(&story, FOLD_FUNCTION, &explanation);
	assert_string_equal(explanation.functions.rows[0].name, "ext4_sync_file");
	assert_int_equal(explanation.functions.causes, 1);
	explanation_sentence(&explanation, &sentence);
	assert_ptr_equal(
		strstr(text_string(&sentence),
		       "code of ext4_sync_file changed; +1.00 commits of the "
		       "journal per operation: jbd2_journal_commit_transaction "),
		text_string(&sentence));
	explanation_print(&explanation, 3, &out);
	no_line_is_too_long(text_string(&out));
	says(text_string(&out), "* ext4_sync_file");
	says(text_string(&out), "other code, but executed as before: memcpy");
	world_finish(&story.world);
}

static void equal_sides_say_so(void **state)
{
	CLEANUP(explanation_finish) struct explanation explanation = {0};
	CLEANUP(text_finish) struct text out = {0};
	struct story story;

	(void)state;
	begin(&story, &before, &before);
	load(&story, FOLD_FUNCTION, &explanation);
	explanation_print(&explanation, 20, &out);
	assert_non_null(strstr(text_string(&out),
			       "no function executed more or less: 416 "
			       "instructions per operation"));
	assert_null(strstr(text_string(&out), "memcpy"));
	world_finish(&story.world);
}

static void what_hardly_differs_is_called_so(void **state)
{
	CLEANUP(explanation_finish) struct explanation explanation = {0};
	CLEANUP(text_finish) struct text sentence = {0};
	struct side nearly = before;
	struct story story;

	(void)state;
	nearly.lines[4].instructions += 20; /* of 41,600 */
	begin(&story, &before, &nearly);
	load(&story, FOLD_FUNCTION, &explanation);
	explanation_sentence(&explanation, &sentence);
	says(text_string(&sentence), "hardly any difference: per operation: memcpy ");
	world_finish(&story.world);
}

static void terminals_get_tables(void **state)
{
	CLEANUP(explanation_finish) struct explanation explanation = {0};
	CLEANUP(text_finish) struct text out = {0};
	struct story story;

	(void)state;
	begin(&story, &before, &after);
	load(&story, FOLD_FUNCTION, &explanation);
	explanation_print(&explanation, 2, &out);
	no_line_is_too_long(text_string(&out));
	says(text_string(&out), "block writes");
	says(text_string(&out), "3 more with smaller changes, together");
	says(text_string(&out), "renamed, else the same: old_helper is now new_helper");
	says(text_string(&out), "fs/sync.c: functions gone 1, new 1; the file as a whole "
				"+1.00");
	world_finish(&story.world);
}

static void a_kernel_without_symbols_is_named(void **state)
{
	static const struct side bare = {"bare", NULL, {{"[unknown]", "", 9, 0}},
					 1,      1,    1};
	CLEANUP(explanation_finish) struct explanation explanation = {0};
	CLEANUP(text_finish) struct text out = {0};
	struct side plain = bare;
	struct story story;

	(void)state;
	for (int i = 1; i < 7; i++)
		plain.lines[i] =
			(struct profile_line){"[unknown]", &"123456"[i - 1], 1, 0};
	begin(&story, &plain, &after);
	load(&story, FOLD_FUNCTION, &explanation);
	explanation_print(&explanation, 20, &out);
	says(text_string(&out), "the kernel of bare is without symbols");
	world_finish(&story.world);
}

static void json_has_it_all(void **state)
{
	CLEANUP(explanation_finish) struct explanation explanation = {0};
	CLEANUP(text_finish) struct text out = {0};
	struct story story;
	json_t *root, *row;
	const char *name, *kind, *kept;
	double change, b_calls, flushes;

	(void)state;
	begin(&story, &before, &after);
	load(&story, FOLD_FUNCTION, &explanation);
	explanation_json(&explanation, &out);
	root = json_loads(text_string(&out), 0, NULL);
	assert_non_null(root);
	assert_int_equal(json_array_size(json_object_get(root, "rows")), 6);
	row = json_array_get(json_object_get(root, "rows"), 0);
	assert_int_equal(json_unpack(row, "{s:s, s:s, s:F, s:F}", "name", &name, "kind",
				     &kind, "change", &change, "b_calls", &b_calls),
			 0);
	assert_string_equal(name, "jbd2_journal_commit_transaction");
	assert_string_equal(kind, "function");
	assert_true(change == 4120 && b_calls == 1);
	assert_int_equal(json_unpack(root, "{s:{s:{s:F}}}", "per_operation",
				     "flush_requests", "change", &flushes),
			 0);
	assert_true(flushes == 2);
	row = json_array_get(json_object_get(root, "rows"), 5);
	assert_int_equal(json_unpack(row, "{s:s, s:s}", "before", &kept, "name", &name),
			 0);
	assert_string_equal(kept, "old_helper");
	json_decref(root);
	world_finish(&story.world);
}

static void files_can_be_rows(void **state)
{
	CLEANUP(explanation_finish) struct explanation explanation = {0};
	CLEANUP(text_finish) struct text out = {0};
	struct story story;

	(void)state;
	begin(&story, &before, &after);
	load(&story, FOLD_FOLDER, &explanation);
	explanation_print(&explanation, 20, &out);
	no_line_is_too_long(text_string(&out));
	says(text_string(&out), "fs/jbd2/");
	says(text_string(&out), "+4,120");
	assert_null(strstr(text_string(&out), "new_helper"));
	world_finish(&story.world);
}

static void amounts_are_short(void **state)
{
	static const struct {
		double value;
		const char *text;
	} rows[] = {
		{4120, "+4,120"},
		{-0.254, "-0.25"},
		{0, "0"},
		{0.004, "0"},
		{12.34, "+12.3"},
		{999.6, "+1,000"},
		{-1234567, "-1,234,567"},
		{NAN, "n/a"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		CLEANUP(text_finish) struct text out = {0};

		explanation_amount(rows[i].value, 1, &out);
		assert_string_equal(text_string(&out), rows[i].text);
	}
}

static void reports_show_it_with_the_search(void **state)
{
	const char *const parts[][2] = {
		{"text", "why: +1.00 commits of the journal"},
		{"html", "<h4>Why</h4>"},
		{"html", "class=\"plot difference\""},
		{"html", "v2 &lt;b&gt;"},
		{"json", "\"explanations\""},
		{"markdown", "jbd2_journal_commit_transaction"},
		{"json", "jbd2_journal_commit_transaction"},
	};
	const struct search_event found = {.status = "confirmed", .culprit = CULPRIT};
	struct search_record search = {
		.key = "k", .kind = "scenario", .parameters = "{}"};
	const struct report_options options = {.now = 1};
	CLEANUP(report_model_finish) struct report_model model = {0};
	struct story story;
	struct error err = {0};
	int64_t id;

	(void)state;
	begin(&story, &before, &after);
	search.session = story.world.session;
	check(store_add_search(story.world.store, &search, &id, &err), &err);
	check(store_add_search_event(story.world.store, id, &found, &err), &err);
	story.record.sentence = "stored";
	check(store_add_explanation(story.world.store, &story.record, &err), &err);
	check(report_collect(story.world.store, &options, &model, &err), &err);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		CLEANUP(text_finish) struct text out = {0};

		report_writer_find(parts[i][0])->write(&model, &out);
		says(text_string(&out), parts[i][1]);
	}
	world_finish(&story.world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_sentence_tells_why),
		cmocka_unit_test(the_cause_comes_first),
		cmocka_unit_test(equal_sides_say_so),
		cmocka_unit_test(what_hardly_differs_is_called_so),
		cmocka_unit_test(terminals_get_tables),
		cmocka_unit_test(a_kernel_without_symbols_is_named),
		cmocka_unit_test(json_has_it_all),
		cmocka_unit_test(files_can_be_rows),
		cmocka_unit_test(amounts_are_short),
		cmocka_unit_test(reports_show_it_with_the_search),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
