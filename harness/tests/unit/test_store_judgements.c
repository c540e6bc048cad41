/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was made of the evidence: verdicts, findings, searches, failures. */
#include "store/findings.h"
#include "store/noise.h"
#include "store/search.h"
#include "store/verdicts.h"
#include "store_sql_private.h"

#include <math.h>
#include <string.h>

static void failures_name_version_and_cause(void **state)
{
	CLEANUP(failure_list_finish) struct failure_list list = {0};
	struct world world;
	struct boot_record boot;
	struct build_record build = {.outcome = "build-failed",
				     .first_error = "fs/x.c:3: error: no"};
	struct error err = {0};
	int64_t second, later;

	(void)state;
	world_init(&world);
	boot = world_boot(&world);
	boot.outcome = "panic";
	boot.detail = "VFS: Unable to mount root";
	boot.started = 100;
	world_add_boot(&world, boot);
	build.session = world.session;
	build.started = 200;
	second = world_add_version(&world, "v2", NULL, &build.kernel);
	assert_int_equal(store_add_build(world.store, &build, &err), 0);
	assert_int_equal(store_load_failures(world.store, world.session, &list, &err), 0);
	assert_int_equal(list.count, 2);
	assert_string_equal(list.items[1].version, "v1");
	assert_string_equal(list.items[1].outcome, "panic");
	assert_string_equal(list.items[0].version, "v2");
	assert_string_equal(list.items[0].detail, "fs/x.c:3: error: no");
	assert_int_equal(sql_ask(world.path, "SELECT count(*) FROM outcomes"), 2);
	/* a later session about v2 has nothing of its own, but v2 still does not build */
	assert_int_equal(store_add_session(world.store,
					   &(struct session_record){.command = "again"},
					   &later, &err),
			 0);
	assert_int_equal(store_add_session_versions(world.store, later, &second, 1, &err),
			 0);
	failure_list_finish(&list);
	assert_int_equal(store_load_failures(world.store, later, &list, &err), 0);
	assert_int_equal(list.count, 1);
	assert_string_equal(list.items[0].version, "v2");
	build.outcome = "ok";
	build.started = 300;
	assert_int_equal(store_add_build(world.store, &build, &err), 0);
	failure_list_finish(&list);
	assert_int_equal(store_load_failures(world.store, later, &list, &err), 0);
	assert_int_equal(list.count, 0);
	world_finish(&world);
}

static void searches_are_replayed(void **state)
{
	static const double values[] = {0.1, 7, 1e300};
	static const struct suspect_record suspects[] = {{"aa", 0.25, 1, 0},
							 {"bb", 0.75, 0, 1}};
	CLEANUP(step_list_finish) struct step_list steps = {0};
	CLEANUP(search_list_finish) struct search_list list = {0};
	struct world world;
	struct search_record search = {.key = "k", .kind = "command", .parameters = "{}"};
	struct search_event event = {
		.status = "running", .suspects = suspects, .suspect_count = 2};
	struct step_record step = {.commit = "aa",
				   .outcome = "ok",
				   .values = values,
				   .value_count = 3,
				   .seconds = 1.5};
	struct error err = {0};
	int64_t first, second, found;

	(void)state;
	world_init(&world);
	search.session = world.session;
	assert_int_equal(store_find_search(world.store, "k", &found, &err), 0);
	assert_int_equal(found, 0);
	assert_int_equal(store_add_search(world.store, &search, &first, &err), 0);
	assert_int_equal(store_add_search(world.store, &search, &second, &err), 0);
	assert_int_equal(store_find_search(world.store, "k", &found, &err), 0);
	assert_int_equal(found, second);
	assert_int_equal(store_add_step(world.store, second, &step, &err), 0);
	step = (struct step_record){.commit = "bb", .outcome = "skipped"};
	assert_int_equal(store_add_step(world.store, second, &step, &err), 0);
	assert_int_equal(store_load_steps(world.store, second, &steps, &err), 0);
	assert_int_equal(steps.count, 2);
	assert_int_equal(steps.items[0].value_count, 3);
	assert_memory_equal(steps.items[0].values, values, sizeof(values));
	assert_int_equal(steps.items[1].value_count, 0);
	assert_string_equal(steps.items[1].commit, "bb");
	assert_int_equal(store_add_search_event(world.store, second, &event, &err), 0);
	event = (struct search_event){
		.status = "confirmed", .culprit = "bb", .result = "{\"boots\":2}"};
	assert_int_equal(store_add_search_event(world.store, second, &event, &err), 0);
	assert_int_equal(store_load_searches(world.store, 0, &list, &err), 0);
	assert_int_equal(list.count, 2);
	assert_string_equal(list.items[0].status, "running");
	assert_string_equal(list.items[1].status, "confirmed");
	assert_string_equal(list.items[1].culprit, "bb");
	assert_int_equal(list.items[1].suspect_count, 2);
	assert_true(list.items[1].suspects[1].probability == 0.75);
	world_finish(&world);
}

static void verdicts_keep_every_figure(void **state)
{
	static const char *const reasons[] = {"exact", "significant"};
	CLEANUP(verdict_list_finish) struct verdict_list list = {0};
	struct world world;
	struct verdict_record verdicts[2] = {{
		.role = "neighbour",
		.a = {.text = "v1", .boots = 1, .median = 1, .min = 1, .max = 1},
		.b = {.text = "v2", .boots = 2, .median = 2.5, .min = 2, .max = 3},
		.scenario = "fsync-loop",
		.metric = "elapsed",
		.unit = "ns",
		.better = "lower",
		.change_percent = 150,
		.ci_low_percent = NAN,
		.ci_high_percent = NAN,
		.p = NAN,
		.q = NAN,
		.superiority = 1,
		.verdict = "regression",
		.reasons = reasons,
		.reason_count = 2,
	}};
	struct error err = {0};

	(void)state;
	world_init(&world);
	verdicts[0].session = world.session;
	verdicts[0].a.version = world.version;
	verdicts[1] = verdicts[0];
	verdicts[1].verdict = "same";
	verdicts[1].reason_count = 0;
	assert_int_equal(store_add_verdicts(world.store, verdicts, 2, &err), 0);
	assert_int_equal(store_load_verdicts(world.store, world.session, &list, &err), 0);
	assert_int_equal(list.count, 2);
	assert_true(isnan(list.items[0].p) && isnan(list.items[0].ci_low_percent));
	assert_true(list.items[0].b.median == 2.5 && list.items[0].b.boots == 2);
	assert_int_equal(list.items[0].reason_count, 2);
	assert_string_equal(list.items[0].reasons[1], "significant");
	assert_int_equal(list.items[1].reason_count, 0);
	assert_int_equal(sql_ask(world.path, "SELECT count(*) FROM regressions"), 1);
	verdicts[1].session = 999; /* all or none */
	assert_int_equal(store_add_verdicts(world.store, verdicts, 2, &err), -1);
	assert_int_equal(sql_ask(world.path, "SELECT count(*) FROM verdicts"), 2);
	world_finish(&world);
}

static void findings_live_by_events(void **state)
{
	static const struct finding_case item = {"fsync-loop", "a=1", "elapsed", 0};
	CLEANUP(finding_list_finish) struct finding_list list = {0};
	struct world world;
	struct finding_record finding = {
		.lab = "virtual", .cases = &item, .case_count = 1, .bad = "v2"};
	struct finding_event event = {.kind = "bisected", .commit = "abc"};
	struct error err = {0};
	int64_t kernel, id;

	(void)state;
	world_init(&world);
	finding.session = event.session = world.session;
	finding.good_version = world.version;
	finding.bad_version = world_add_version(&world, "v2", NULL, &kernel);
	assert_int_equal(store_add_finding(world.store, &finding, &id, &err), 0);
	assert_int_equal(store_add_finding_case(world.store, id, &item, &err), 0);
	assert_int_equal(store_add_finding_event(world.store, id, &event, &err), 0);
	assert_int_equal(store_load_findings(world.store, &list, &err), 0);
	assert_int_equal(list.count, 1);
	assert_int_equal(list.items[0].case_count, 1);
	assert_int_equal(list.items[0].event_count, 2);
	assert_string_equal(list.items[0].bad, "v2");
	assert_string_equal(finding_state(&list.items[0]), "bisected");
	world_finish(&world);
}

/* The newest calibration of an environment counts, and no other environment's. */
static void floors_are_of_the_newest_calibration(void **state)
{
	struct noise_record rows[] = {
		{"a=1", "elapsed", 10, 1, 2.5, {5, 4, NAN}, 3, 0},
		{"a=2", "elapsed", 0, NAN, NAN, {NAN, NAN, NAN}, 3, 1},
	};
	struct calibration_record record = {.version = "v1",
					    .scenario = "sync",
					    .boots = 30,
					    .rows = rows,
					    .count = 2};
	struct floor_list list = {0};
	struct world world;
	struct error err = {0};

	(void)state;
	world_init(&world);
	record.session = world.session;
	record.environment = world.environment;
	assert_int_equal(store_add_calibration(world.store, &record, &err), 0);
	rows[0].floor_percent = 1.5;
	record.count = 1;
	assert_int_equal(store_add_calibration(world.store, &record, &err), 0);
	assert_int_equal(store_load_floors(world.store, &list, &err), 0);
	assert_int_equal(list.count, 2);
	assert_true(floor_find(&list, world.environment, "sync", "a=1", "elapsed") ==
		    1.5);
	assert_true(floor_find(&list, world.environment, "sync", "a=2", "elapsed") == 0);
	assert_true(floor_find(&list, world.environment + 1, "sync", "a=1", "elapsed") ==
		    0);
	assert_true(floor_find(&list, world.environment, "sync", "a=1", "p99") == 0);
	floor_list_finish(&list);
	world_finish(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(failures_name_version_and_cause),
		cmocka_unit_test(searches_are_replayed),
		cmocka_unit_test(verdicts_keep_every_figure),
		cmocka_unit_test(findings_live_by_events),
		cmocka_unit_test(floors_are_of_the_newest_calibration),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
