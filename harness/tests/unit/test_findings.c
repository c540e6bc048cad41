/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/finding_words.h"
#include "store/findings.h"
#include "store/queue.h"
#include "store/schema_private.h"
#include "tests/unit/older_private.h"

#include <string.h>

enum { DAY = 86400, OPENED = 1800000000 };

static const struct finding_case cases[] = {
	{"fsync-loop", "mode=extend", "elapsed", 0},
	{"fsync-loop", "mode=overwrite", "elapsed", 0},
	{"raw-sync", "", "elapsed", 0},
};

struct life {
	struct world world;
	struct finding_record finding;
	struct finding_list list;
	int64_t id;
};

static void begin(struct life *life)
{
	int64_t kernel;
	struct error err;

	*life = (struct life){0};
	world_init(&life->world);
	life->finding = (struct finding_record){
		.session = life->world.session,
		.lab = "virtual",
		.good_version = life->world.version,
		.bad_version = world_add_version(&life->world, "v2", NULL, &kernel),
		.bad = "v2",
		.opened = OPENED,
		.cases = cases,
		.case_count = 3,
	};
	assert_int_equal(
		store_add_finding(life->world.store, &life->finding, &life->id, &err), 0);
}

static const struct finding_record *reload(struct life *life)
{
	struct error err;

	finding_list_finish(&life->list);
	assert_int_equal(store_load_findings(life->world.store, &life->list, &err), 0);
	return &life->list.items[0];
}

static void end(struct life *life)
{
	finding_list_finish(&life->list);
	world_finish(&life->world);
}

static void tell(struct life *life, struct finding_event event)
{
	struct error err;

	event.session = life->world.session;
	assert_int_equal(
		store_add_finding_event(life->world.store, life->id, &event, &err), 0);
}

static void expect(struct life *life, const char *state, const char *words)
{
	CLEANUP(text_finish) struct text text = {0};
	const struct finding_record *finding = reload(life);

	assert_string_equal(finding_state(finding), state);
	finding_words(finding, &text);
	assert_string_equal(text_string(&text), words);
}

static void a_life_is_told_in_words(void **state)
{
	struct life life;

	(void)state;
	begin(&life);
	expect(&life, "opened", "opened on 2027-01-15");
	tell(&life, (struct finding_event){.kind = "searched", .at = OPENED + 1});
	expect(&life, "opened", "opened on 2027-01-15");
	tell(&life, (struct finding_event){
			    .kind = "still-open", .version = "v3", .at = OPENED + DAY});
	expect(&life, "still-open", "still open on day 2 in v3");
	tell(&life, (struct finding_event){
			    .kind = "bisected", .commit = "abc", .at = OPENED + DAY});
	expect(&life, "bisected", "bisected, still open on day 2 in v3");
	tell(&life, (struct finding_event){.kind = "recovered",
					   .version = "v4",
					   .at = OPENED + 2 * DAY});
	expect(&life, "recovered", "recovered in v4 on day 3");
	end(&life);
}

/* A search that ends later does not open what somebody closed. */
static void what_was_decided_stays_decided(void **state)
{
	struct life life;

	(void)state;
	begin(&life);
	tell(&life, (struct finding_event){.kind = "acknowledged", .text = "we want it"});
	tell(&life, (struct finding_event){.kind = "bisected", .commit = "abc"});
	expect(&life, "acknowledged", "acknowledged: we want it");
	assert_string_equal(finding_culprit(&life.list.items[0]), "abc");
	tell(&life, (struct finding_event){.kind = "suppressed", .text = "expected"});
	expect(&life, "suppressed", "suppressed as expected: expected");
	tell(&life, (struct finding_event){.kind = "reopened"});
	assert_int_equal(finding_standing(reload(&life)), FINDING_OPEN);
	end(&life);
}

static void days_are_counted_from_the_first(void **state)
{
	const struct finding_record finding = {.opened = OPENED};

	(void)state;
	assert_int_equal(finding_day(&finding, OPENED), 1);
	assert_int_equal(finding_day(&finding, OPENED + DAY - 1), 1);
	assert_int_equal(finding_day(&finding, OPENED + DAY), 2);
	assert_int_equal(finding_day(&finding, OPENED - DAY), 1);
}

static void a_scenario_moves_to_a_finding_of_its_own(void **state)
{
	struct life life;
	struct error err;
	int64_t other;

	(void)state;
	begin(&life);
	assert_int_equal(store_split_finding(life.world.store, reload(&life), "raw-sync",
					     life.world.session, "another commit", &other,
					     &err),
			 0);
	reload(&life);
	assert_int_equal(life.list.count, 2);
	assert_int_equal(life.list.items[0].case_count, 2);
	assert_string_equal(life.list.items[0].cases[0].scenario, "fsync-loop");
	assert_int_equal(life.list.items[1].id, other);
	assert_int_equal(life.list.items[1].case_count, 1);
	assert_string_equal(life.list.items[1].cases[0].scenario, "raw-sync");
	assert_int_equal(life.list.items[1].bad_version, life.finding.bad_version);
	assert_int_equal(life.list.items[1].opened, OPENED);
	assert_string_equal(finding_last(&life.list.items[1], "split")->text,
			    "raw-sync: another commit");
	assert_int_equal(finding_standing(&life.list.items[0]), FINDING_OPEN);
	end(&life);
}

static void the_newest_queue_counts(void **state)
{
	const struct queue_item items[] = {
		{.kind = "measure",
		 .lab = "virtual",
		 .commit = "c1",
		 .version = "v3",
		 .scenario = "raw-sync",
		 .boots = 2,
		 .reason = "a new head"},
		{.kind = "search", .lab = "virtual", .finding = 999},
	};
	CLEANUP(queue_list_finish) struct queue_list list = {0};
	CLEANUP(queue_list_finish) struct queue_list second = {0};
	struct world world;
	struct error err;

	(void)state;
	world_init(&world);
	assert_int_equal(store_load_queue(world.store, "virtual", &list, &err), 0);
	assert_int_equal(list.session, 0);
	/* All or none: the finding of the second is not there. */
	assert_int_equal(store_add_queue(world.store, world.session, items, 2, &err), -1);
	assert_int_equal(store_load_queue(world.store, "virtual", &list, &err), 0);
	assert_int_equal(list.session, 0);
	assert_int_equal(store_add_queue(world.store, world.session, items, 1, &err), 0);
	assert_int_equal(store_load_queue(world.store, "virtual", &list, &err), 0);
	assert_int_equal(list.session, world.session);
	assert_int_equal(list.count, 1);
	assert_string_equal(list.items[0].version, "v3");
	assert_string_equal(list.items[0].reason, "a new head");
	assert_int_equal(list.items[0].boots, 2);
	assert_int_equal(store_add_queue(world.store, world.session, NULL, 0, &err), 0);
	assert_int_equal(store_load_queue(world.store, "virtual", &second, &err), 0);
	assert_int_equal(second.count, 0);
	assert_int_equal(second.session, world.session);
	world_finish(&world);
}

/* A database from before there were nights: what it holds stays, what is new works. */
static void an_older_database_is_brought_up(void **state)
{
	struct life life;
	struct error err;

	(void)state;
	begin(&life);
	world_make_older(&life.world, 1);
	assert_int_equal(
		store_open(life.world.path, STORE_READ_ONLY, &life.world.store, &err),
		-1);
	assert_non_null(strstr(err.text, "older kregress"));
	assert_int_equal(
		store_open(life.world.path, STORE_READ_WRITE, &life.world.store, &err),
		0);
	assert_int_equal(reload(&life)->case_count, 3);
	assert_int_equal(
		store_add_queue(life.world.store, life.world.session, NULL, 0, &err), 0);
	end(&life);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_life_is_told_in_words),
		cmocka_unit_test(what_was_decided_stays_decided),
		cmocka_unit_test(days_are_counted_from_the_first),
		cmocka_unit_test(a_scenario_moves_to_a_finding_of_its_own),
		cmocka_unit_test(the_newest_queue_counts),
		cmocka_unit_test(an_older_database_is_brought_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
