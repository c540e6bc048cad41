/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CSV, JUnit, Markdown and mail: right in their own form, whatever commits say. */
#include "exchange/csv.h"
#include "report/mail.h"
#include "report/mail_private.h"
#include "report_story.h"

static int contains(const struct text *text, const char *words)
{
	return strstr(text_string(text), words) != NULL;
}

static size_t count(const struct text *text, const char *words)
{
	size_t found = 0;

	for (const char *at = text_string(text); (at = strstr(at, words)); at++)
		found++;
	return found;
}

static void csv_is_what_import_takes(void **state)
{
	CLEANUP(text_finish) struct text page = {0};
	CLEANUP(dataset_finish) struct dataset data = {0};
	CLEANUP(cleanup_free) char *path = NULL;
	struct story story;
	struct error err = {0};

	(void)state;
	story_init(&story);
	write_form(&story, "csv", &page);
	path = file_join(story.world.folder, "page.csv");
	check(file_write(path, page.data, page.size, &err), &err);
	check(csv_read(path, &data, &err), &err);
	assert_int_equal(data.measurements.version_count, VERSIONS);
	assert_int_equal(data.measurements.count, 8);
	world_finish(&story.world);
}

static void junit_counts_what_it_lists(void **state)
{
	CLEANUP(text_finish) struct text page = {0};
	struct story story;

	(void)state;
	story_init(&story);
	write_form(&story, "junit", &page);
	assert_true(contains(&page, "<testsuites name=\"kregress\" tests=\"3\" "
				    "failures=\"2\" errors=\"1\" skipped=\"0\">"));
	assert_int_equal(count(&page, "<testcase "), 3);
	assert_int_equal(count(&page, "<failure "), 2);
	assert_int_equal(count(&page, "<error "), 1);
	assert_int_equal(count(&page, "<script"), 0);
	assert_true(contains(&page, "type=\"panic\""));
	world_finish(&story.world);
}

/*
 * Outside of code spans and blocks Markdown has only our own words. A fence is closed by
 * as many ticks as opened it.
 */
static void assert_fenced(const char *page)
{
	const char *c = page;

	while (*c) {
		size_t fence = strspn(c, "`");

		if (fence) {
			c += fence;
			while (*c && strspn(c, "`") != fence)
				c += strspn(c, "`") ? strspn(c, "`") : 1;
			assert_true(*c);
			c += fence;
			continue;
		}
		assert_false(*c == '<' || *c == '[' || *c == '@');
		c++;
	}
}

static void markdown_shows_the_words_of_others_as_code(void **state)
{
	CLEANUP(text_finish) struct text page = {0};
	struct story story;

	(void)state;
	story_init(&story);
	tell_finding(&story);
	write_form(&story, "markdown", &page);
	assert_fenced(page.data);
	assert_true(contains(&page, "# kregress: 1 new regression"));
	assert_true(contains(&page, "| new | `fsync-loop` |"));
	assert_true(contains(&page, "Reviewed-by: nobody"));
	world_finish(&story.world);
}

static void draft(struct story *story, const char *maintainers, struct text *out)
{
	CLEANUP(report_model_finish) struct report_model model = {0};
	const struct report_options options = {.now = 1};
	struct error err = {0};

	story_init(story);
	tell_finding(story);
	check(report_collect(story->world.store, &options, &model, &err), &err);
	mail_write(&(struct mail_draft){&model.sections[0],
					&model.sections[0].findings[0], maintainers},
		   out);
}

/* Up to the first empty line: names, and folded lines that begin with a blank. */
static void assert_headers(const struct text *page)
{
	static const char *const known[] = {
		"To: ",
		"Cc: ",
		"Subject: ",
		"X-Unsent: ",
		"MIME-Version: ",
		"Content-Type: ",
		"Content-Transfer-Encoding: ",
	};
	const char *line = text_string(page);

	while (*line != '\n') {
		size_t length = strcspn(line, "\n"), i = 0;

		assert_true(length > 1 && length <= 78);
		for (size_t j = 0; j < length; j++)
			assert_true(line[j] >= ' ' && line[j] <= '~');
		while (i < 7 && strncmp(line, known[i], strlen(known[i])) != 0)
			i++;
		assert_true(i < 7 || line[0] == ' ');
		line += length + 1;
	}
}

static void unfold(struct text *page)
{
	for (char *at = page->data; (at = strstr(at, "\n ")); at++)
		memmove(at, at + 1, strlen(at));
}

static void a_draft_has_the_headers_that_we_wrote(void **state)
{
	CLEANUP(text_finish) struct text page = {0};
	struct story story;

	(void)state;
	draft(&story,
	      "M \"x\" <m@example.org> (maintainer:A\nBcc: z@example.org)\n"
	      "l@example.org (open list)\nnonsense\n",
	      &page);
	assert_headers(&page);
	assert_int_equal(count(&page, "\nSubject: "), 1);
	assert_int_equal(count(&page, "\nBcc:"), 0);
	unfold(&page);
	assert_true(contains(&page, "Cc: =?UTF-8?B?w4QgQg==?= <ab@example.org>, "
				    "stable@example.org"));
	assert_true(contains(&page, "\"C, D.\" <cd@example.org>"));
	assert_true(contains(&page, "<m@example.org>"));
	assert_true(contains(&page, "l@example.org"));
	assert_true(contains(&page, "regressions@lists.linux.dev"));
	assert_int_equal(count(&page, "b@example.org>"), 1);
	world_finish(&story.world);
}

static void a_draft_tells_all_that_is_known(void **state)
{
	CLEANUP(text_finish) struct text page = {0};
	struct story story;

	(void)state;
	draft(&story, NULL, &page);
	assert_true(contains(&page, "\n#regzbot introduced: c0ffee00c0ff\n"));
	assert_true(contains(&page, "%stddev     %change         %stddev"));
	assert_true(contains(&page, "+50.0%"));
	assert_true(contains(&page, "fsync-loop.elapsed.s device=ssd"));
	assert_true(contains(&page, "Posterior: 0.970"));
	assert_true(contains(&page, "git bisect start\ngit bisect bad beef\n"));
	assert_true(contains(&page, "kregress run --tree ") ||
		    contains(&page, "kregress run "));
	world_finish(&story.world);
}

static void headers_are_encoded_and_folded(void **state)
{
	CLEANUP(text_finish) struct text out = {0};
	CLEANUP(text_finish) struct text encoded = {0};

	(void)state;
	mail_add_header("Subject", "two  blanks\tand\nlines", &out);
	assert_string_equal(text_string(&out), "Subject: two blanks and lines\n");
	text_clear(&out);
	mail_add_header("Subject", "=?UTF-8?Q?x?=", &out);
	assert_string_equal(text_string(&out),
			    "Subject: =?UTF-8?B?PT9VVEYtOD9RP3g/PQ==?=\n");
	text_clear(&out);
	/* 60 characters of two bytes: no word holds half of one */
	for (int i = 0; i < 60; i++)
		text_add(&encoded, "\xc3\xa4");
	mail_add_header("Subject", text_string(&encoded), &out);
	assert_int_equal(count(&out, "=?UTF-8?B?"), 3);
	assert_int_equal(count(&out, "\n "), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(csv_is_what_import_takes),
		cmocka_unit_test(junit_counts_what_it_lists),
		cmocka_unit_test(markdown_shows_the_words_of_others_as_code),
		cmocka_unit_test(a_draft_has_the_headers_that_we_wrote),
		cmocka_unit_test(a_draft_tells_all_that_is_known),
		cmocka_unit_test(headers_are_encoded_and_folded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
