/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Profiles in the database, and a database that was made before there were any. */
#include "store/profiles.h"
#include "store/results.h"
#include "tests/unit/older_private.h"

#include <math.h>
#include <string.h>

static int64_t add_boot(struct world *world, const char *purpose)
{
	const struct sample_record sample = {.case_label = "mode=keep",
					     .metric = "elapsed",
					     .unit = "ns",
					     .better = "lower",
					     .value = 5};
	struct boot_record boot = world_boot(world);
	struct error err = {0};
	int64_t id;

	boot.purpose = purpose;
	boot.samples = &sample;
	boot.sample_count = 1;
	assert_int_equal(store_add_boot(world->store, &boot, &id, &err), 0);
	return id;
}

static int64_t add_profile(struct world *world, int64_t boot, const char *label)
{
	static const struct profile_line lines[] = {
		{"[user]", "", 50, 0},
		{"init_once", "fs/inode.c", 1LL << 52, 3},
		{"init_once", "mm/shmem.c", 7, 1},
		{"bad \xff name", "", 1, 1},
	};
	const struct profile_record profile = {
		.boot = boot,
		.case_label = label,
		.runs = 2,
		.outside = 99,
		.nanoseconds = 1,
		.operations = 200,
		.elapsed = 1.5e9,
		.read_requests = NAN,
		.write_requests = 0,
		.flush_requests = 400,
		.lines = lines,
		.line_count = sizeof(lines) / sizeof(*lines),
	};
	struct error err = {0};
	int64_t id;

	assert_int_equal(store_add_profile(world->store, &profile, &id, &err), 0);
	return id;
}

static void profiles_come_back(void **state)
{
	CLEANUP(profile_list_finish) struct profile_list list = {0};
	struct world world;
	struct error err = {0};
	int64_t boot, id, found;
	const struct profile_record *back;

	(void)state;
	world_init(&world);
	boot = add_boot(&world, "explain");
	id = add_profile(&world, boot, "mode=keep");
	add_profile(&world, boot, "mode=extend");
	assert_int_equal(store_find_profile(world.store, boot, "mode=keep", &found, &err),
			 0);
	assert_int_equal(found, id);
	assert_int_equal(store_find_profile(world.store, boot, "mode=no", &found, &err),
			 0);
	assert_int_equal(found, 0);
	assert_int_equal(store_load_profile(world.store, id, &list, &err), 0);
	back = &list.items[0];
	assert_string_equal(back->case_label, "mode=keep");
	assert_int_equal(back->boot, boot);
	assert_int_equal(back->runs, 2);
	assert_int_equal(back->outside, 99);
	assert_true(back->operations == 200 && back->elapsed == 1.5e9);
	assert_true(isnan(back->read_requests) && back->write_requests == 0);
	assert_int_equal(back->line_count, 4);
	assert_string_equal(back->lines[1].name, "bad \xef\xbf\xbd name");
	assert_string_equal(back->lines[2].file, "fs/inode.c");
	assert_int_equal(back->lines[2].instructions, 1LL << 52);
	assert_int_equal(store_load_profile(world.store, 77, &list, &err), -1);
	assert_non_null(strstr(err.text, "no profile 77"));
	world_finish(&world);
}

/* One profile for each case of a boot, whole or not at all. */
static void a_double_is_refused(void **state)
{
	static const struct profile_line twice[] = {{"f", "a.c", 1, 1},
						    {"f", "a.c", 2, 1}};
	struct profile_record profile = {.case_label = "x", .nanoseconds = 1};
	struct world world;
	struct error err = {0};
	int64_t id, found;

	(void)state;
	world_init(&world);
	profile.boot = add_boot(&world, "explain");
	profile.lines = twice;
	profile.line_count = 2;
	assert_int_equal(store_add_profile(world.store, &profile, &id, &err), -1);
	assert_int_equal(store_find_profile(world.store, profile.boot, "x", &found, &err),
			 0);
	assert_int_equal(found, 0);
	world_finish(&world);
}

static void explanations_come_back(void **state)
{
	CLEANUP(explanation_list_finish) struct explanation_list list = {0};
	static const struct profile_line changed[] = {{"init_once", "mm/shmem.c", 0, 0},
						      {"nowhere", "x.c", 0, 0}};
	struct explanation_record record = {.sentence = "2.0 more flushes",
					    .changed_code = changed,
					    .changed_code_count = 2};
	struct world world;
	struct error err = {0};

	(void)state;
	world_init(&world);
	record.session = world.session;
	record.a = add_profile(&world, add_boot(&world, "explain"), "mode=keep");
	record.b = add_profile(&world, add_boot(&world, "explain"), "mode=keep");
	record.a_version = record.b_version = world.version;
	for (int i = 0; i < 2; i++)
		assert_int_equal(store_add_explanation(world.store, &record, &err), 0);
	assert_int_equal(store_load_explanations(world.store, &list, &err), 0);
	assert_int_equal(list.count, 1);
	assert_string_equal(list.items[0].sentence, "2.0 more flushes");
	assert_string_equal(list.items[0].scenario, "fsync-loop");
	assert_string_equal(list.items[0].case_label, "mode=keep");
	assert_string_equal(list.items[0].b_text, "v1");
	assert_string_equal(list.items[0].b_commit, "");
	assert_int_equal(list.items[0].a, record.a);
	assert_int_equal(list.items[0].changed_code_count, 1);
	assert_string_equal(list.items[0].changed_code[0].name, "init_once");
	assert_string_equal(list.items[0].changed_code[0].file, "mm/shmem.c");
	world_finish(&world);
}

/* Their numbers are those of other boots again: they must not count twice. */
static void boots_that_count_are_not_judged(void **state)
{
	CLEANUP(results_finish) struct results results = {0};
	const struct results_query all = {0};
	struct world world;
	struct error err = {0};

	(void)state;
	world_init(&world);
	add_boot(&world, "explain");
	add_boot(&world, NULL);
	assert_int_equal(store_load_results(world.store, &all, &results, &err), 0);
	assert_int_equal(results.count, 1);
	assert_int_equal(results.series[0].count, 1);
	world_finish(&world);
}

static void an_older_database_is_brought_up(void **state)
{
	struct world world;
	struct error err = {0};

	(void)state;
	world_init(&world);
	world_make_older(&world, 2);
	assert_int_equal(store_open(world.path, STORE_READ_WRITE, &world.store, &err), 0);
	add_profile(&world, add_boot(&world, "explain"), "mode=keep");
	world_finish(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(profiles_come_back),
		cmocka_unit_test(a_double_is_refused),
		cmocka_unit_test(explanations_come_back),
		cmocka_unit_test(boots_that_count_are_not_judged),
		cmocka_unit_test(an_older_database_is_brought_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
