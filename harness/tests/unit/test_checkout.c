/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fixture.h"
#include "history/checkout.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include <cmocka.h>

/* The library loses eight bytes where it refuses a tree. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libgit2\n";
}

struct world {
	struct fixture *fixture;
	struct repository *repository;
	struct workspace *workspace;
};

static int set_up(void **state)
{
	static const char lines[] =
		"git init -q -b main repo; cd repo\n"
		"mkdir -p a/deep b; echo 1 >a/deep/file; echo 2 >b/two; echo k >keep\n"
		"printf '#!/bin/sh\\n' >run; chmod +x run; ln -s b/two link; ln -s ../.. "
		"up\n"
		"seq 20 >numbers\n"
		"git add .; git commit -qm one; git tag one\n"
		"git rm -q a/deep/file; echo 22 >b/two; chmod -x run; rm link; echo f "
		">link\n"
		"mkdir a; echo x >a/new; sed -i 's/^5$/five/' numbers\n"
		"git add .; git commit -qm two; git tag two\n"
		"git rm -qr b; echo now a file >b; git add .; git commit -qm three\n"
		"git tag three\n"
		"sed -i 's/^15$/fifteen/' numbers; git commit -qam four; git tag four\n"
		"sed -i 's/^five$/FIVE/' numbers; git commit -qam five; git tag five\n";
	struct world *world = memory_new(1, sizeof(*world));
	CLEANUP(cleanup_free) char *path = NULL;
	CLEANUP(cleanup_free) char *folder = NULL;
	struct error err = {0};

	world->fixture = fixture_create();
	fixture_shell(world->fixture, lines);
	path = fixture_path(world->fixture, "repo");
	folder = fixture_path(world->fixture, "work");
	*state = world;
	return repository_open(path, &world->repository, &err) ||
	       workspace_open(world->repository, folder, &world->workspace, &err);
}

static int tear_down(void **state)
{
	struct world *world = *state;

	workspace_close(world->workspace);
	repository_close(world->repository);
	fixture_destroy(world->fixture);
	free(world);
	return 0;
}

static struct tree_id tree_of(struct world *world, const char *revision)
{
	struct commit_id id;
	struct tree_id tree = {{0}};
	struct error err = {0};

	if (repository_resolve(world->repository, revision, &id, &err) ||
	    repository_tree(world->repository, &id, &tree, &err))
		fail_msg("%s", err.text);
	return tree;
}

static struct checkout_counts check_out(struct world *world, const char *revision)
{
	struct tree_id tree = tree_of(world, revision);
	struct checkout_counts counts = {0};
	struct error err = {0};

	if (workspace_checkout(world->workspace, &tree, &counts, &err))
		fail_msg("%s: %s", revision, err.text);
	return counts;
}

/* The folder is what git itself would make of the revision, plus the file "built". */
static void holds(struct world *world, const char *revision)
{
	CLEANUP(cleanup_free)
	char *lines = memory_format(
		"rm -rf want; mkdir want; git -C repo archive %s | tar xf - -C want\n"
		"list() { (cd $1; find . -mindepth 1 ! -name built -printf '%%M %%p "
		"%%l\\n' |"
		"sed 's/^\\(....\\)....../\\1/'; find . -type f ! -name built -exec "
		"sha256sum "
		"{} +) | sort; }\n"
		"list want >want.list; list work/source >have.list\n"
		"diff want.list have.list >&2\n"
		"test -z \"$(git -C repo status --porcelain)\"\n",
		revision);

	fixture_shell(world->fixture, lines);
}

static void trees_are_brought_exactly(void **state)
{
	static const char *const order[] = {"one", "two", "three", "one", "three", "two"};
	struct world *world = *state;

	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++) {
		check_out(world, order[i]);
		holds(world, order[i]);
	}
}

static void only_changed_files_are_written(void **state)
{
	struct world *world = *state;
	struct stat before, after;
	CLEANUP(cleanup_free)
	char *keep = fixture_path(world->fixture, "work/source/keep");
	struct checkout_counts counts;

	check_out(world, "three");
	assert_int_equal(stat(keep, &before), 0);
	fixture_shell(world->fixture, "echo product >work/source/built");
	counts = check_out(world, "four");
	assert_int_equal(counts.written, 1);
	assert_int_equal(counts.removed, 0);
	assert_int_equal(stat(keep, &after), 0);
	assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
	assert_true(fixture_holds(world->fixture, "work/source/built", "product\n"));
	assert_int_equal(check_out(world, "four").written, 0);
}

static void what_users_changed_is_put_right(void **state)
{
	struct world *world = *state;

	check_out(world, "two");
	fixture_shell(world->fixture,
		      "cd work/source; echo spoilt >keep; rm numbers; chmod +x run\n"
		      "rm -r b; ln -s /etc b; rm a/new; mkdir a/new; touch a/new/x\n");
	assert_int_equal(check_out(world, "two").written, 5);
	holds(world, "two");
	/* Same content with another time needs no build. */
	fixture_shell(world->fixture, "touch -d 2001-01-01 work/source/keep");
	assert_int_equal(check_out(world, "two").written, 0);
}

static void lost_records_cost_no_rebuild(void **state)
{
	struct world *world = *state;

	check_out(world, "two");
	fixture_shell(world->fixture, "echo damaged >work/index; : >work/index.lock");
	assert_int_equal(check_out(world, "two").written, 0);
	holds(world, "two");
}

/* A checkout of "one" that was cut short over "three": some files of it, no record. */
static void cut_checkouts_are_completed(void **state)
{
	struct world *world = *state;

	check_out(world, "three");
	fixture_shell(
		world->fixture,
		"git -C repo rev-parse 'one^{tree}' >work/pending; printf abc "
		">>work/pending\n"
		"cd work/source; mkdir -p a/deep; echo 1 >a/deep/file; rm b; mkdir b\n"
		"echo 2 >b/two\n");
	check_out(world, "three");
	holds(world, "three");
	fixture_shell(world->fixture, "test ! -e work/pending");
}

/* The same for real: killed at any moment, ten times. */
static void killed_checkouts_leave_nothing_wrong(void **state)
{
	static const char *const order[] = {"one", "two", "three", "four"};
	struct world *world = *state;

	for (int i = 0; i < 10; i++) {
		struct timespec pause = {.tv_nsec = 300000 * i};
		pid_t child = fork();

		if (child == 0)
			for (int n = i;; n++) {
				struct tree_id tree = tree_of(world, order[n % 4]);
				struct error err;

				workspace_checkout(world->workspace, &tree, NULL, &err);
			}
		nanosleep(&pause, NULL);
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		check_out(world, order[i / 2 % 4]);
		holds(world, order[i / 2 % 4]);
	}
}

static void hostile_trees_are_refused(void **state)
{
	static const struct {
		const char *make, *part;
	} cases[] = {
		{"printf '100644 ..\\0%b' \"$raw\"", "'..'"},
		{"printf '100644 .GIT\\0%b' \"$raw\"", ".GIT"},
		{"printf '160000 mod\\0%b' \"$raw\"", "mod is a submodule"},
		{"printf '100600 x\\0%b' \"$raw\"", "unknown mode"},
		{"printf '100644 x\\0%b100644 x\\0%b' \"$raw\" \"$raw\"", "twice"},
	};
	struct world *world = *state;

	check_out(world, "two");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		CLEANUP(cleanup_free)
		char *lines = memory_format(
			"cd repo; id=$(git rev-parse two:keep)\n"
			"raw=$(echo $id | sed 's/../\\\\x&/g')\n"
			"tree=$(bash -c \"raw='$raw'; $(cat <<'END'\n%s\nEND\n)\" |"
			"git hash-object -t tree -w --literally --stdin)\n"
			"git tag -f hostile $(git commit-tree -m x $tree) >/dev/null\n",
			cases[i].make);
		struct tree_id tree;
		struct error err = {0};

		fixture_shell(world->fixture, lines);
		tree = tree_of(world, "hostile");
		assert_int_equal(workspace_checkout(world->workspace, &tree, NULL, &err),
				 -1);
		if (!strstr(err.text, cases[i].part))
			fail_msg("\"%s\" lacks \"%s\"", err.text, cases[i].part);
		holds(world, "two");
	}
}

/* A link and a folder of one name: the content must not land behind the link. */
static void links_are_never_followed(void **state)
{
	struct world *world = *state;
	struct tree_id tree;
	struct error err = {0};

	fixture_shell(
		world->fixture,
		"mkdir outside; cd repo\n"
		"raw() { echo $1 | sed 's/../\\\\x&/g'; }\n"
		"to=$(printf %s $PWD/../outside | git hash-object -w --stdin)\n"
		"blob=$(git rev-parse two:keep)\n"
		"sub=$(bash -c \"printf '100644 x\\0$(raw $blob)'\" |"
		"git hash-object -t tree -w --stdin)\n"
		"tree=$(bash -c \"printf '120000 p\\0$(raw $to)40000 p\\0$(raw $sub)'\" |"
		"git hash-object -t tree -w --literally --stdin)\n"
		"git tag -f hostile $(git commit-tree -m x $tree) >/dev/null\n");
	tree = tree_of(world, "hostile");
	workspace_checkout(world->workspace, &tree, NULL, &err);
	fixture_shell(world->fixture, "test -z \"$(ls outside)\"");
	check_out(world, "two");
	holds(world, "two");
}

static void edits_make_trees_of_their_own(void **state)
{
	struct world *world = *state;
	struct tree_id five = tree_of(world, "five"), reverted, patched;
	struct commit_id four;
	CLEANUP(cleanup_free) char *patch = fixture_path(world->fixture, "p.patch");
	struct error err = {0};

	fixture_shell(world->fixture,
		      "git -C repo format-patch -q -1 --stdout four >p.patch\n"
		      "find repo/.git -type f -printf '%p %T@ %s\\n' | sort >before\n");
	assert_int_equal(repository_resolve(world->repository, "four", &four, &err), 0);
	if (workspace_revert(world->workspace, &five, &four, &reverted, &err))
		fail_msg("%s", err.text);
	assert_int_equal(workspace_checkout(world->workspace, &reverted, NULL, &err), 0);
	fixture_shell(world->fixture, "grep -qx 15 work/source/numbers\n"
				      "grep -qx FIVE work/source/numbers\n");
	if (workspace_patch(world->workspace, &reverted, patch, &patched, &err))
		fail_msg("%s", err.text);
	assert_string_equal(patched.hex, five.hex);
	fixture_shell(world->fixture,
		      "find repo/.git -type f -printf '%p %T@ %s\\n' | sort >after\n"
		      "diff before after >&2\n");
}

static void edits_that_do_not_apply_are_refused(void **state)
{
	struct world *world = *state;
	struct tree_id five = tree_of(world, "five"), one = tree_of(world, "one"), made;
	struct commit_id two, four;
	CLEANUP(cleanup_free) char *patch = fixture_path(world->fixture, "p.patch");
	CLEANUP(cleanup_free) char *junk = fixture_path(world->fixture, "junk");
	CLEANUP(cleanup_free) char *none = fixture_path(world->fixture, "none");
	struct error err = {0};

	fixture_shell(world->fixture,
		      "git -C repo format-patch -q -1 --stdout four >p.patch\n"
		      "echo no patch >junk\n");
	assert_int_equal(repository_resolve(world->repository, "two", &two, &err), 0);
	assert_int_equal(repository_resolve(world->repository, "four", &four, &err), 0);
	assert_int_equal(workspace_revert(world->workspace, &five, &two, &made, &err),
			 -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_non_null(strstr(err.text, "conflicts in"));
	assert_non_null(strstr(err.text, "numbers"));
	assert_int_equal(workspace_revert(world->workspace, &one, &four, &made, &err),
			 -1);
	assert_non_null(strstr(err.text, "changes nothing"));
	assert_int_equal(workspace_patch(world->workspace, &five, patch, &made, &err),
			 -1);
	assert_non_null(strstr(err.text, "does not apply"));
	assert_int_equal(workspace_patch(world->workspace, &five, junk, &made, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_int_equal(workspace_patch(world->workspace, &five, none, &made, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trees_are_brought_exactly),
		cmocka_unit_test(only_changed_files_are_written),
		cmocka_unit_test(what_users_changed_is_put_right),
		cmocka_unit_test(lost_records_cost_no_rebuild),
		cmocka_unit_test(cut_checkouts_are_completed),
		cmocka_unit_test(killed_checkouts_leave_nothing_wrong),
		cmocka_unit_test(hostile_trees_are_refused),
		cmocka_unit_test(links_are_never_followed),
		cmocka_unit_test(edits_make_trees_of_their_own),
		cmocka_unit_test(edits_that_do_not_apply_are_refused),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
