/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drafts as files: which findings get one, and whom the tree's own script names. */
#include "cli/report_mail.h"
#include "report_story.h"

#include <fcntl.h>
#include <unistd.h>

/* Names a maintainer for a file that the commit touched, and shows what it was asked. */
static const char script[] =
	"print \"M Keeper <keeper\\@example.org> (maintainer:$_)\\n\" for grep /a\\.c/, "
	"@ARGV;\n"
	"print \"bad\\@example.org (asked for $_)\\n\" for grep /\\.\\./, @ARGV;\n";

struct desk {
	struct story story;
	struct report_model model;
	char *tree, *draft;
};

static void write_text(const char *folder, const char *name, const char *text)
{
	CLEANUP(cleanup_free) char *path = file_join(folder, name);
	CLEANUP(cleanup_free) char *parent = memory_copy_string(path);
	struct error err = {0};

	*strrchr(parent, '/') = '\0';
	check(file_make_folders(parent, &err), &err);
	check(file_write(path, text, strlen(text), &err), &err);
}

static void desk_init(struct desk *desk)
{
	const struct report_options options = {.now = 1};
	struct error err = {0};

	*desk = (struct desk){0};
	story_init(&desk->story);
	tell_finding(&desk->story);
	desk->tree = file_join(desk->story.world.folder, "tree");
	desk->draft = file_join(desk->story.world.folder, "draft.eml");
	write_text(desk->tree, "fs/a.c", "");
	check(report_collect(desk->story.world.store, &options, &desk->model, &err),
	      &err);
}

static void desk_finish(struct desk *desk)
{
	report_model_finish(&desk->model);
	world_finish(&desk->story.world);
	free(desk->tree);
	free(desk->draft);
}

/* The paths of the files go to stdout, where the test's own lines are. */
static int write_quietly(const struct report_mail *mail, struct error *err)
{
	int own = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	int result;

	fflush(stdout);
	dup2(nowhere, STDOUT_FILENO);
	result = report_mail_write(mail, err);
	fflush(stdout);
	dup2(own, STDOUT_FILENO);
	close(own);
	close(nowhere);
	return result;
}

static void write_draft(struct desk *desk, struct text *ret_text)
{
	const struct report_mail mail = {
		.model = &desk->model,
		.tree = desk->tree,
		.results = desk->story.world.folder,
		.output = desk->draft,
	};
	struct error err = {0};

	check(write_quietly(&mail, &err), &err);
	check(file_read(desk->draft, 1 << 20, ret_text, &err), &err);
}

static void the_trees_maintainers_get_a_copy(void **state)
{
	CLEANUP(text_finish) struct text text = {0};
	struct desk desk;

	(void)state;
	desk_init(&desk);
	write_text(desk.tree, "scripts/get_maintainer.pl", script);
	write_draft(&desk, &text);
	assert_non_null(strstr(text.data, "<keeper@example.org>"));
	assert_null(strstr(text.data, "bad@example.org"));
	desk_finish(&desk);
}

/* A script that fails, or none: the draft has the others. */
static void a_draft_needs_no_script(void **state)
{
	CLEANUP(text_finish) struct text without = {0};
	CLEANUP(text_finish) struct text failing = {0};
	struct desk desk;

	(void)state;
	desk_init(&desk);
	write_draft(&desk, &without);
	assert_non_null(strstr(without.data, "regressions@lists.linux.dev"));
	write_text(desk.tree, "scripts/get_maintainer.pl",
		   "print \"half\\@example.org\\n\"; exit 1;");
	write_draft(&desk, &failing);
	assert_string_equal(without.data, failing.data);
	desk_finish(&desk);
}

static void only_what_is_open_gets_a_draft(void **state)
{
	struct desk desk;
	struct report_mail mail;
	struct error err = {0};

	(void)state;
	desk_init(&desk);
	mail = (struct report_mail){.model = &desk.model,
				    .results = desk.story.world.folder,
				    .output = desk.draft};
	mail.finding = 9;
	assert_int_equal(write_quietly(&mail, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	desk.model.sections[0].findings[0].stage = REPORT_OVER;
	mail.finding = 0;
	check(write_quietly(&mail, &err), &err);
	assert_false(file_exists(desk.draft));
	/* asked for by its number it is written all the same */
	mail.finding = desk.model.sections[0].findings[0].id;
	check(write_quietly(&mail, &err), &err);
	assert_true(file_exists(desk.draft));
	desk_finish(&desk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_trees_maintainers_get_a_copy),
		cmocka_unit_test(a_draft_needs_no_script),
		cmocka_unit_test(only_what_is_open_gets_a_draft),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
