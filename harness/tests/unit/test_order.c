/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of versions in the database, against a history whose dates lie.
 */
#include "fixture.h"
#include "measure/order.h"
#include "measure/rows.h"
#include "stats/random.h"
#include "store/order.h"
#include "store/subjects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { COMMITS = 12, SEEDS = 8 };

/* c1 ... c12 with these hours as dates: equal ones, and some long before or after. */
static const int hours[COMMITS] = {10, 11, 11, 11, 2, 12, 40, 13, 14, 14, 3, 15};

struct base {
	struct fixture *fixture;
	struct repository *repository;
	struct store *store;
};

static void open_store(struct base *base, uint64_t number)
{
	CLEANUP(cleanup_free) char *path = NULL;
	char name[32];
	struct error err;

	store_close(base->store);
	snprintf(name, sizeof(name), "results-%d.sqlite", (int)number);
	path = fixture_path(base->fixture, name);
	assert_int_equal(store_open(path, STORE_READ_WRITE, &base->store, &err), 0);
}

static void base_open(struct base *base)
{
	struct error err;

	base->fixture = fixture_create();
	fixture_shell(base->fixture, "git init -q .");
	for (int i = 0; i < COMMITS; i++) {
		CLEANUP(cleanup_free)
		char *lines = memory_format(
			"export GIT_COMMITTER_DATE=2020-01-0%dT%02d:00:00Z\n"
			"echo %d > file; git add file; git commit -qm c%d; git tag c%d",
			1 + hours[i] / 24, hours[i] % 24, i, i + 1, i + 1);

		fixture_shell(base->fixture, lines);
	}
	/* A branch of its own, between c3 and nothing. */
	fixture_shell(base->fixture,
		      "git checkout -q -b side c3\n"
		      "export GIT_COMMITTER_DATE=2020-01-01T11:30:00Z\n"
		      "echo s > side; git add side; git commit -qm side; git tag s1");
	assert_int_equal(repository_open(base->fixture->folder, &base->repository, &err),
			 0);
	base->store = NULL;
	open_store(base, 0);
}

static void base_close(struct base *base)
{
	store_close(base->store);
	repository_close(base->repository);
	fixture_destroy(base->fixture);
}

static void add_version(struct base *base, const char *name)
{
	struct kernel_record kernel = {.key = name, .kind = "git"};
	struct version_record version = {.text = name};
	struct commit_id id;
	struct error err = {0};
	int64_t row;

	if (repository_resolve(base->repository, name, &id, &err) ||
	    rows_add_commit(base->store, base->repository, &id, &err) ||
	    store_add_kernel(base->store, &kernel, &version.kernel, &err))
		fail_msg("%s", err.text);
	version.commit = id.hex;
	assert_int_equal(store_add_version(base->store, &version, &row, &err), 0);
}

static void shuffle(int *numbers, uint64_t seed)
{
	struct random random;

	random_init(&random, seed);
	for (int i = 0; i < COMMITS; i++)
		numbers[i] = i + 1;
	for (int i = COMMITS - 1; i > 0; i--) {
		int other = (int)random_below(&random, (uint64_t)i + 1);
		int kept = numbers[i];

		numbers[i] = numbers[other];
		numbers[other] = kept;
	}
}

static int place_of(const struct version_list *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++)
		if (!strcmp(list->items[i].text, name))
			return (int)i;
	fail_msg("no version %s", name);
	return -1;
}

static void check_order(struct base *base)
{
	CLEANUP(version_list_finish) struct version_list list = {0};
	char name[16], before[16];
	struct error err;

	assert_int_equal(store_load_versions(base->store, 0, &list, &err), 0);
	assert_int_equal(list.count, COMMITS + 1);
	for (int i = 2; i <= COMMITS; i++) {
		snprintf(before, sizeof(before), "c%d", i - 1);
		snprintf(name, sizeof(name), "c%d", i);
		assert_true(place_of(&list, before) < place_of(&list, name));
	}
	assert_true(place_of(&list, "c3") < place_of(&list, "s1"));
}

static void ancestors_come_first_however_they_came(void **state)
{
	struct base base;

	(void)state;
	base_open(&base);
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		int numbers[COMMITS];
		char name[16];

		open_store(&base, seed);
		shuffle(numbers, seed);
		add_version(&base, "s1");
		for (int i = 0; i < COMMITS; i++) {
			snprintf(name, sizeof(name), "c%d", numbers[i]);
			add_version(&base, name);
		}
		check_order(&base);
	}
	base_close(&base);
}

/* A file of others may say anything; the versions are all there all the same. */
static void a_circle_loses_no_version(void **state)
{
	CLEANUP(version_list_finish) struct version_list list = {0};
	struct commit_id first, last;
	struct base base;
	struct error err;

	(void)state;
	base_open(&base);
	add_version(&base, "c1");
	add_version(&base, "c12");
	assert_int_equal(repository_resolve(base.repository, "c1", &first, &err), 0);
	assert_int_equal(repository_resolve(base.repository, "c12", &last, &err), 0);
	assert_int_equal(store_add_order(base.store, last.hex, first.hex, &err), 0);
	assert_int_equal(store_load_versions(base.store, 0, &list, &err), 0);
	assert_int_equal(list.count, 2);
	base_close(&base);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ancestors_come_first_however_they_came),
		cmocka_unit_test(a_circle_loses_no_version),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
