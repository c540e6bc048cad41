/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fixture.h"
#include "history/fetch.h"
#include "history/lineage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct world {
	struct fixture *fixture;
	char *path;
};

/* "clone" follows "origin"; since then origin got a commit and two tags. */
static int set_up(void **state)
{
	static const char lines[] =
		"git init -q -b main origin; cd origin\n"
		"for i in 1 2 3; do echo $i >f; git add .; git commit -qm $i; done\n"
		"git checkout -qb side HEAD~1; echo s >s; git add .; git commit -qm "
		"side\n"
		"git checkout -q main; cd ..\n"
		"git clone -q origin clone; git clone -q --bare origin mirror.git\n"
		"cd clone; git remote add file file://$PWD/../origin\n"
		"git remote add gone $PWD/../nowhere\n"
		"git remote add silent git://127.0.0.1:1/x; cd ../origin\n"
		"echo 4 >f; git commit -qam 4; git tag -am four v4; git tag old HEAD~3\n";
	struct world *world = memory_new(1, sizeof(*world));

	world->fixture = fixture_create();
	fixture_shell(world->fixture, lines);
	world->path = fixture_path(world->fixture, "clone");
	*state = world;
	return 0;
}

static int tear_down(void **state)
{
	struct world *world = *state;

	fixture_destroy(world->fixture);
	free(world->path);
	free(world);
	return 0;
}

static void expect(const struct world *world, const char *revision, int there)
{
	CLEANUP(cleanup_repository) struct repository *repository = NULL;
	struct commit_id id;
	struct error err;

	assert_int_equal(repository_open(world->path, &repository, &err), 0);
	assert_int_equal(repository_resolve(repository, revision, &id, &err) == 0, there);
}

static void a_fetch_brings_branches_and_tags(void **state)
{
	struct world *world = *state;
	struct error err = {0};

	expect(world, "v4", 0);
	if (repository_fetch(world->path, "origin", 60, &err))
		fail_msg("%s", err.text);
	expect(world, "v4", 1);
	expect(world, "old", 1);
	fixture_shell(
		world->fixture,
		"cd clone; test $(git rev-parse origin/main) = $(git rev-parse v4^0)\n"
		"test $(git rev-parse main) != $(git rev-parse v4^0)\n"
		"test -z \"$(git status --porcelain)\"\n");
}

static void a_file_url_works_too(void **state)
{
	struct world *world = *state;
	struct error err = {0};

	if (repository_fetch(world->path, "file", 60, &err))
		fail_msg("%s", err.text);
	fixture_shell(world->fixture, "cd clone; git rev-parse -q --verify file/main\n");
}

static void no_hook_is_run(void **state)
{
	struct world *world = *state;
	struct error err = {0};

	fixture_shell(world->fixture,
		      "cd clone; printf '#!/bin/sh\ntouch $PWD/ran\n' "
		      ">.git/hooks/reference-transaction; chmod +x .git/hooks/*\n");
	assert_int_equal(repository_fetch(world->path, "origin", 60, &err), 0);
	fixture_shell(world->fixture,
		      "test ! -e clone/ran && test ! -e clone/.git/ran\n");
}

static void failures_are_named(void **state)
{
	struct world *world = *state;
	struct error err = {0};

	assert_int_equal(repository_fetch(world->path, "upstream", 60, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_non_null(strstr(err.text, "upstream"));
	assert_non_null(strstr(err.text, "origin"));
	assert_int_equal(repository_fetch(world->path, "gone", 60, &err), -1);
	assert_int_equal(err.kind, ERROR_HOST);
	assert_non_null(strstr(err.text, "nowhere"));
	assert_int_equal(repository_fetch(world->path, "silent", 60, &err), -1);
	assert_int_equal(err.kind, ERROR_HOST);
	assert_non_null(strstr(err.text, "127.0.0.1"));
}

/* A host that takes the connection and says nothing. */
static void a_silent_host_is_left_in_time(void **state)
{
	struct world *world = *state;
	struct error err = {0};

	if (access("/usr/bin/perl", X_OK))
		skip();
	fixture_shell(
		world->fixture,
		"cat >listen <<'END'\n"
		"use IO::Socket::INET; use POSIX 'setsid';\n"
		"my $s = IO::Socket::INET->new(Listen => 5, LocalAddr => '127.0.0.1');\n"
		"open my $f, '>', 'port'; print $f $s->sockport; close $f;\n"
		"exit if fork; setsid; open STDOUT, '>/dev/null'; open STDERR, "
		"'>/dev/null';\n"
		"alarm 5; my @all; push @all, $s->accept while 1;\n"
		"END\n"
		"perl listen\n"
		"cd clone; git remote set-url silent git://127.0.0.1:$(cat ../port)/x\n");
	assert_int_equal(repository_fetch(world->path, "silent", 0.5, &err), -1);
	assert_int_equal(err.kind, ERROR_HOST);
	assert_non_null(strstr(err.text, "not done after"));
}

static void a_line_is_found_in_order(void **state)
{
	static const char *const names[] = {"origin/side", "origin/main", "main~2",
					    "main~1", "origin/main"};
	struct world *world = *state;
	CLEANUP(cleanup_repository) struct repository *repository = NULL;
	CLEANUP(lineage_finish) struct lineage line = {0};
	CLEANUP(lineage_finish) struct lineage none = {0};
	struct commit_id ids[5];
	struct error err = {0};

	assert_int_equal(repository_open(world->path, &repository, &err), 0);
	for (int i = 0; i < 5; i++)
		assert_int_equal(repository_resolve(repository, names[i], &ids[i], &err),
				 0);
	assert_int_equal(lineage_find(repository, &ids[1], ids, 5, &line, &err), 0);
	assert_int_equal(line.count, 3);
	assert_int_equal(line.items[0], 2);
	assert_int_equal(line.items[1], 3);
	assert_true(line.items[2] == 1 || line.items[2] == 4);
	assert_int_equal(lineage_find(repository, &ids[1], NULL, 0, &none, &err), 0);
	assert_int_equal(none.count, 0);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_fetch_brings_branches_and_tags),
		TEST(a_file_url_works_too),
		TEST(no_hook_is_run),
		TEST(failures_are_named),
		TEST(a_silent_host_is_left_in_time),
		TEST(a_line_is_found_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
