/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fixture.h"
#include "history/commit.h"
#include "history/range.h"
#include "history/repository.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct world {
	struct fixture *fixture;
	struct repository *repository;
};

/* base - v1 - side - merge - rename - v2 (root of "other" apart) */
static int set_up(void **state)
{
	static const char lines[] =
		"git init -q -b main repo; cd repo\n"
		"mkdir fs; echo one >fs/a.c; git add .; git commit -qm base\n"
		"echo two >fs/a.c; git commit -qam 'fs: second\n\nBody of it.'\n"
		"git tag -am annotated v1.0\n"
		"git checkout -qb side; echo s >s.c; git add .; git commit -qm side\n"
		"git checkout -q main; echo m >m.c; git add .; git commit -qm mainline\n"
		"git merge -q --no-ff -m merge side\n"
		"seq 50 >long; git add .; git commit -qm long\n"
		"git mv long longer; git commit -qm rename; git tag v2.0-rc1\n"
		"echo three >fs/a.c; git commit -qam third; git tag v2.0\n"
		"git tag both main~1; git branch both main~2\n"
		"git tag same main; git branch same main\n"
		"git tag tree 'main^{tree}'\n"
		"git checkout -q --orphan other; git commit -qm 'other root'\n"
		"git checkout -q main\n"
		"cd ..; git clone -q --bare repo bare.git\n"
		"git clone -q --depth 1 file://$PWD/repo shallow\n"
		"mkdir plain repo/sub\n";
	struct world *world = memory_new(1, sizeof(*world));
	CLEANUP(cleanup_free) char *path = NULL;
	struct error err = {0};

	world->fixture = fixture_create();
	fixture_shell(world->fixture, lines);
	path = fixture_path(world->fixture, "repo");
	*state = world;
	return repository_open(path, &world->repository, &err);
}

static int tear_down(void **state)
{
	struct world *world = *state;

	repository_close(world->repository);
	fixture_destroy(world->fixture);
	free(world);
	return 0;
}

static struct commit_id resolve(struct world *world, const char *revision)
{
	struct commit_id id = {{0}};
	struct error err = {0};

	if (repository_resolve(world->repository, revision, &id, &err))
		fail_msg("%s: %s", revision, err.text);
	return id;
}

static void refused(struct world *world, const char *revision, const char *part)
{
	struct commit_id id;
	struct error err = {0};

	assert_int_equal(repository_resolve(world->repository, revision, &id, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	if (!strstr(err.text, part))
		fail_msg("%s: \"%s\" lacks \"%s\"", revision, err.text, part);
}

static void revisions_lead_to_commits(void **state)
{
	struct world *world = *state;
	struct commit_id tag = resolve(world, "v1.0");
	struct commit_info info;
	struct error err = {0};

	assert_string_equal(tag.hex, resolve(world, "v1.0^{commit}").hex);
	assert_int_equal(commit_read(world->repository, &tag, &info, &err), 0);
	assert_string_equal(info.subject, "fs: second");
	assert_non_null(strstr(info.message, "Body of it."));
	assert_string_equal(info.author_email, "author@example.org");
	assert_int_equal(info.author_time, 1577934245);
	assert_int_equal(info.parent_count, 1);
	commit_info_finish(&info);
	assert_string_equal(resolve(world, "HEAD").hex, resolve(world, "v2.0").hex);
	assert_string_equal(resolve(world, "v2.0~1").hex, resolve(world, "v2.0-rc1").hex);
	assert_string_equal(resolve(world, "same").hex, resolve(world, "main").hex);
}

static void bad_revisions_are_refused(void **state)
{
	struct world *world = *state;

	refused(world, "", "empty");
	refused(world, "v2.1", "did you mean \"v2.0\"");
	refused(world, "v2.0~400", "unknown revision");
	refused(world, "both", "refs/heads/both");
	refused(world, "both~1", "refs/tags/both");
	refused(world, "tree", "names a tree");
	refused(world, "main:fs/a.c", "names a blob");
	refused(world, "--help", "unknown revision");
	refused(world, "%n%s%n", "unknown revision");
}

/* As git has it: fewer than four digits are a name, where there is one, and no id. */
static void very_short_ids_are_refused(void **state)
{
	struct world *world = *state;
	struct commit_id tag = resolve(world, "v1.0");
	char id[COMMIT_ID_SIZE];

	snprintf(id, sizeof(id), "%s", tag.hex);
	id[7] = '\0';
	assert_string_equal(resolve(world, id).hex, tag.hex);
	id[3] = '\0';
	refused(world, id, "unknown revision");
	fixture_shell(world->fixture, "cd repo; git branch abc v1.0");
	assert_string_equal(resolve(world, "abc").hex, tag.hex);
}

/* Commits are made until two share their first four digits. */
static void short_ids_of_two_commits_are_refused(void **state)
{
	struct world *world = *state;
	CLEANUP(text_finish) struct text prefix = {0};
	CLEANUP(cleanup_free) char *path = fixture_path(world->fixture, "prefix");
	struct error err = {0};

	fixture_shell(
		world->fixture,
		"cd repo; tree=$(git rev-parse 'main^{tree}')\n"
		"for i in $(seq 700); do printf 'commit refs/heads/x%d\\n' $i\n"
		"printf 'committer C <c@d> %d +0000\\ndata 2\\nx\\n' $i\n"
		"done | git fast-import --quiet\n"
		"git rev-list --all | cut -c1-4 | sort | uniq -d | head -1 >../prefix\n");
	assert_int_equal(file_read(path, 100, &prefix, &err), 0);
	assert_int_equal(prefix.size, 5);
	prefix.data[4] = '\0';
	refused(world, prefix.data, "ambiguous");
	refused(world, prefix.data, "give more digits");
}

static void ancestry_is_known(void **state)
{
	struct world *world = *state;
	struct commit_id old = resolve(world, "v1.0"), new = resolve(world, "main");
	struct commit_id side = resolve(world, "side"), other = resolve(world, "other");
	struct commit_id mainline = resolve(world, "main~4"), base;
	struct error err = {0};
	char *name = NULL;
	int answer;

	assert_int_equal(
		repository_is_ancestor(world->repository, &old, &new, &answer, &err), 0);
	assert_int_equal(answer, 1);
	assert_int_equal(
		repository_is_ancestor(world->repository, &new, &old, &answer, &err), 0);
	assert_int_equal(answer, 0);
	assert_int_equal(
		repository_is_ancestor(world->repository, &old, &old, &answer, &err), 0);
	assert_int_equal(answer, 1);
	assert_int_equal(
		repository_merge_base(world->repository, &side, &mainline, &base, &err),
		0);
	assert_string_equal(base.hex, old.hex);
	assert_int_equal(
		repository_merge_base(world->repository, &side, &other, &base, &err), -1);
	assert_int_equal(repository_describe(world->repository, &side, &name, &err), 0);
	assert_memory_equal(name, "v1.0-1-g", 8);
	free(name);
	assert_int_equal(repository_describe(world->repository, &other, &name, &err), 0);
	assert_int_equal(strlen(name), 12);
	free(name);
}

static void range_is_listed(struct world *world, const char *text, enum range_mode mode,
			    size_t every, const char *expected)
{
	struct range_options options = {.mode = mode, .every = every};
	CLEANUP(text_finish) struct text subjects = {0};
	struct range range;
	struct error err = {0};

	if (range_list(world->repository, text, &options, &range, &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < range.count; i++) {
		struct commit_info info;

		assert_int_equal(
			commit_read(world->repository, &range.items[i].id, &info, &err),
			0);
		text_format(&subjects, "%s%s", i ? "," : "", info.subject);
		commit_info_finish(&info);
	}
	range_finish(&range);
	assert_string_equal(text_string(&subjects), expected);
}

static void ranges_are_listed_oldest_first(void **state)
{
	struct world *world = *state;

	range_is_listed(world, "v1.0..v2.0", RANGE_TAGS, 0, "fs: second,rename,third");
	range_is_listed(world, "v1.0..main~2", RANGE_EVERY, 2, "fs: second,merge,long");
	range_is_listed(world, "main..main", RANGE_COMMITS, 0, "third");
	range_is_listed(world, "main~3..main", RANGE_COMMITS, 0,
			"merge,long,rename,third");
	assert_true(range_is("a..b"));
	assert_false(range_is("a...b"));
	assert_false(range_is("a.."));
	assert_false(range_is("image:../bzImage"));
	assert_false(range_is("v6.1+patch:../fix.patch"));
}

static void bad_ranges_are_refused(void **state)
{
	static const struct {
		const char *range, *part;
	} cases[] = {{"v2.0..v1.0", "backward; v1.0..v2.0"},
		     {"other..main", "not an ancestor"},
		     {"v1.0..nothing", "unknown revision"},
		     {"v1.0...v2.0", "no range"}};
	struct world *world = *state;
	struct range_options options = {.mode = RANGE_EVERY, .every = 1};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct range range;
		struct error err = {0};

		assert_int_equal(range_list(world->repository, cases[i].range, &options,
					    &range, &err),
				 -1);
		assert_int_equal(err.kind, ERROR_USAGE);
		assert_non_null(strstr(err.text, cases[i].part));
	}
}

static void changes_are_told(void **state)
{
	struct world *world = *state;
	struct commit_id rename = resolve(world, "v2.0-rc1"),
			 third = resolve(world, "v2.0");
	CLEANUP(text_finish) struct text patch = {0};
	struct commit_changes changes;
	struct error err = {0};

	assert_int_equal(commit_read_changes(world->repository, &rename, &changes, &err),
			 0);
	assert_int_equal(changes.count, 1);
	assert_int_equal(changes.items[0].kind, 'R');
	assert_string_equal(changes.items[0].path, "longer");
	commit_changes_finish(&changes);
	assert_int_equal(commit_read_changes(world->repository, &third, &changes, &err),
			 0);
	assert_int_equal(changes.items[0].added, 1);
	assert_int_equal(changes.items[0].removed, 1);
	commit_changes_finish(&changes);
	assert_int_equal(commit_read_patch(world->repository, &third, 4096, &patch, &err),
			 0);
	assert_non_null(strstr(patch.data, "\n-two\n+three\n"));
	assert_int_equal(commit_read_patch(world->repository, &third, 90, &patch, &err),
			 0);
	assert_true(patch.size <= 90);
}

static void open_refused(struct world *world, const char *name, const char *part)
{
	CLEANUP(cleanup_free) char *path = fixture_path(world->fixture, name);
	struct repository *repository;
	struct error err = {0};

	assert_int_equal(repository_open(path, &repository, &err), -1);
	if (!strstr(err.text, part))
		fail_msg("\"%s\" lacks \"%s\"", err.text, part);
}

static void folders_without_repository_are_refused(void **state)
{
	open_refused(*state, "plain", "not a git repository");
	open_refused(*state, "nowhere", "no such folder");
	open_refused(*state, "repo/sub", "not the top");
}

static void bare_and_shallow_clones_open(void **state)
{
	struct world *world = *state;
	CLEANUP(cleanup_free) char *bare = fixture_path(world->fixture, "bare.git");
	CLEANUP(cleanup_free) char *cut = fixture_path(world->fixture, "shallow");
	struct range_options options = {.mode = RANGE_COMMITS};
	struct repository *repository;
	struct commit_id id;
	struct range range;
	struct error err = {0};

	assert_int_equal(repository_open(bare, &repository, &err), 0);
	assert_int_equal(repository_resolve(repository, "v1.0", &id, &err), 0);
	repository_close(repository);
	assert_int_equal(repository_open(cut, &repository, &err), 0);
	assert_true(repository_is_shallow(repository));
	assert_int_equal(repository_resolve(repository, "HEAD", &id, &err), 0);
	assert_int_equal(repository_resolve(repository, "HEAD~1", &id, &err), -1);
	assert_non_null(strstr(err.text, "--unshallow"));
	assert_int_equal(range_list(repository, "HEAD..HEAD", &options, &range, &err),
			 -1);
	assert_non_null(strstr(err.text, "shallow clone"));
	repository_close(repository);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(revisions_lead_to_commits),
		cmocka_unit_test(bad_revisions_are_refused),
		cmocka_unit_test(very_short_ids_are_refused),
		cmocka_unit_test(ancestry_is_known),
		cmocka_unit_test(ranges_are_listed_oldest_first),
		cmocka_unit_test(bad_ranges_are_refused),
		cmocka_unit_test(changes_are_told),
		cmocka_unit_test(folders_without_repository_are_refused),
		cmocka_unit_test(bare_and_shallow_clones_open),
		cmocka_unit_test(short_ids_of_two_commits_are_refused),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
