/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bisect/paths.h"
#include "fixture.h"
#include "history/touched.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static int collect(void *state, const char *path)
{
	text_list_add(state, path);
	return 0;
}

static int stop_at_once(void *state, const char *path)
{
	(void)path;
	++*(int *)state;
	return 1;
}

static struct repository *make_history(struct fixture *fixture)
{
	CLEANUP(cleanup_free) char *path = fixture_path(fixture, "repo");
	struct repository *repository;
	struct error err = {0};

	fixture_shell(
		fixture,
		"git init -q -b main repo; cd repo; mkdir -p fs/ext4 mm gone/deep\n"
		"echo 1 >fs/ext4/inode.c; echo 1 >mm/slub.c; echo 1 >top\n"
		"echo 1 >gone/deep/a; echo 1 >gone/b\n"
		"git add .; git commit -qm base; git tag base\n"
		"git checkout -qb topic; echo 2 >fs/ext4/inode.c; git commit -qam side\n"
		"git tag side; git checkout -q main; echo 2 >mm/slub.c\n"
		"git commit -qam main; git tag plain\n"
		"git merge -q --no-ff -m clean topic; git tag clean\n"
		"git reset -q --hard plain\n"
		"git merge -q --no-ff --no-commit -q topic; echo evil >>mm/slub.c\n"
		"git commit -qam evil; git tag evil\n"
		"chmod +x top; git rm -rq gone; mkdir fs/new; echo 1 >fs/new/x\n"
		"git add .; git commit -qam more; git tag more\n"
		"git commit -q --allow-empty -m empty; git tag empty\n");
	if (repository_open(path, &repository, &err))
		fail_msg("%s", err.text);
	return repository;
}

static void assert_touched(struct repository *repository, const char *revision,
			   const char *wanted)
{
	CLEANUP(text_list_finish) struct text_list paths = {0};
	CLEANUP(text_finish) struct text joined = {0};
	struct commit_id id;
	struct error err = {0};

	if (repository_resolve(repository, revision, &id, &err) ||
	    commit_visit_touched(repository, &id, collect, &paths, &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < paths.count; i++)
		text_format(&joined, "%s ", paths.items[i]);
	assert_string_equal(text_string(&joined), wanted);
}

static void touched_files_are_those_of_no_parent(void **state)
{
	struct fixture *fixture = fixture_create();
	struct repository *repository = make_history(fixture);
	struct commit_id id;
	struct error err = {0};
	int calls = 0;

	(void)state;
	assert_touched(repository, "plain", "mm/slub.c ");
	assert_touched(repository, "side", "fs/ext4/inode.c ");
	assert_touched(repository, "clean", "");
	assert_touched(repository, "evil", "mm/slub.c ");
	assert_touched(repository, "more", "fs/new/x top gone ");
	assert_touched(repository, "empty", "");
	assert_touched(repository, "base",
		       "fs/ext4/inode.c gone/b gone/deep/a mm/slub.c "
		       "top ");
	assert_int_equal(repository_resolve(repository, "base", &id, &err), 0);
	assert_int_equal(
		commit_visit_touched(repository, &id, stop_at_once, &calls, &err), 0);
	assert_int_equal(calls, 1);
	repository_close(repository);
	fixture_destroy(fixture);
}

static void the_most_specific_rule_counts(void **state)
{
	static const struct {
		const char *path;
		double weight;
	} cases[] = {
		{"fs/ext4/inode.c", 4},
		{"block/bio.c", 4},
		{"mm/slub.c", 4},
		{"drivers/block/null_blk/main.c", 4},
		{"drivers/usb/core/hub.c", 1},
		{"net/core/dev.c", 1},
		{"arch/arm64/mm/mmu.c", 0.25},
		{"arch/x86/mm/fault.c", 1},
		{"arch/Kconfig", 1},
		{"Documentation/index.rst", 0.25},
		{"kernel/fork.c", 1},
		{"kernel/sched/core.c", 4},
		{"README.md", 0.25},
		{"fs", 1},
		{"fsx/a.c", 1},
		{"include/linux/blkdev.h", 4},
		{"", 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (path_find_rule(cases[i].path)->weight != cases[i].weight)
			fail_msg("%s", cases[i].path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(touched_files_are_those_of_no_parent),
		cmocka_unit_test(the_most_specific_rule_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
