/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/accepted.h"
#include "cli/filing.h"
#include "store_fixture.h"

#include <stdio.h>
#include <string.h>

enum { VERSIONS = 6 };

/* Versions v1 to v6 in one list, and the levels that a metric shows in them. */
struct night {
	struct world world;
	struct workbench bench;
	int64_t versions[VERSIONS];
	const char *names[VERSIONS];
	struct judge_options options;
	struct judgement judgement;
	struct finding_list findings;
};

static const char *const names[] = {"v1", "v2", "v3", "v4", "v5", "v6"};

static void begin(struct night *night)
{
	int64_t kernel;

	*night = (struct night){.judgement.policy = policy_exact};
	world_init(&night->world);
	night->bench.store = night->world.store;
	night->bench.session = night->world.session;
	night->versions[0] = night->world.version;
	for (int i = 0; i < VERSIONS; i++) {
		night->names[i] = names[i];
		if (i)
			night->versions[i] =
				world_add_version(&night->world, names[i], NULL, &kernel);
	}
	night->options = (struct judge_options){
		.versions = night->versions,
		.names = night->names,
	};
}

static void end(struct night *night)
{
	finding_list_finish(&night->findings);
	judgement_finish(&night->judgement);
	world_finish(&night->world);
}

/* The numbers of the first versions; 0: not measured there. */
static void measure(struct night *night, const char *scenario, const double *levels,
		    int count)
{
	struct error err;

	for (int i = 0; i < count; i++) {
		struct dataset_row row = {
			.version = names[i],
			.scenario = scenario,
			.case_label = "a=1",
			.metric = "elapsed",
			.unit = "ns",
			.better = BETTER_LOWER,
			.boot = "1",
			.environment = "1",
			.value = levels[i],
		};

		if (levels[i] > 0)
			assert_int_equal(dataset_add(&night->judgement.data, &row, &err),
					 0);
	}
	night->options.version_count = (size_t)count;
}

/* Judges and files what was measured: how many findings were opened. */
static size_t judge(struct night *night)
{
	struct judgement *judgement = &night->judgement;
	struct error err;
	size_t opened;

	dataset_complete(&judgement->data);
	finding_list_finish(&night->findings);
	assert_int_equal(store_load_findings(night->bench.store, &night->findings, &err),
			 0);
	accepted_mark(&night->findings, "virtual", &judgement->data.measurements);
	compare_all(&judgement->data.measurements, &judgement->policy,
		    &judgement->comparisons);
	comparisons_settle(&judgement->comparisons);
	assert_int_equal(filing_open(&night->bench, &night->options,
				     &judgement->comparisons, &opened, &err),
			 0);
	assert_int_equal(filing_follow(&night->bench, &night->options, judgement, &err),
			 0);
	finding_list_finish(&night->findings);
	assert_int_equal(store_load_findings(night->bench.store, &night->findings, &err),
			 0);
	return opened;
}

/* A night in which "raw-sync" showed these numbers. */
static size_t pass_night(struct night *night, const double *levels, int count)
{
	judgement_finish(&night->judgement);
	night->judgement = (struct judgement){.policy = policy_exact};
	night->bench.session++;
	measure(night, "raw-sync", levels, count);
	return judge(night);
}

static void next_session(struct night *night)
{
	const struct session_record session = {.command = "kregress nightly"};
	struct error err;
	int64_t id;

	assert_int_equal(store_add_session(night->bench.store, &session, &id, &err), 0);
}

static void tell(struct night *night, const char *kind)
{
	const struct finding_event event = {
		.session = night->world.session, .kind = kind, .text = "because"};
	struct error err;

	assert_int_equal(store_add_finding_event(night->bench.store,
						 night->findings.items[0].id, &event,
						 &err),
			 0);
}

static const char *state_of(const struct night *night, size_t number)
{
	assert_true(number < night->findings.count);
	return finding_state(&night->findings.items[number]);
}

static void one_alarm_then_open_then_recovered(void **state)
{
	const double levels[] = {100, 110, 110, 110, 100, 100};
	struct night night;

	(void)state;
	begin(&night);
	for (int i = 0; i < 4; i++)
		next_session(&night);
	assert_int_equal(pass_night(&night, levels, 2), 1);
	assert_string_equal(state_of(&night, 0), "opened");
	assert_int_equal(pass_night(&night, levels, 3), 0);
	assert_string_equal(state_of(&night, 0), "still-open");
	assert_string_equal(finding_last(&night.findings.items[0], "still-open")->version,
			    "v3");
	assert_int_equal(pass_night(&night, levels, 6), 0);
	assert_string_equal(state_of(&night, 0), "recovered");
	/* In the first good one, not in the newest. */
	assert_string_equal(finding_last(&night.findings.items[0], "recovered")->version,
			    "v5");
	assert_int_equal(pass_night(&night, levels, 6), 0);
	assert_int_equal(night.findings.count, 1);
	end(&night);
}

static void judging_twice_in_a_night_tells_once(void **state)
{
	const double levels[] = {100, 110, 110};
	struct night night;

	(void)state;
	begin(&night);
	next_session(&night);
	next_session(&night);
	pass_night(&night, levels, 2);
	pass_night(&night, levels, 3);
	night.bench.session--;
	pass_night(&night, levels, 3);
	assert_int_equal(night.findings.items[0].event_count, 2);
	end(&night);
}

static void a_second_loss_is_a_second_finding(void **state)
{
	const double levels[] = {100, 110, 110, 130};
	struct night night;

	(void)state;
	begin(&night);
	for (int i = 0; i < 3; i++)
		next_session(&night);
	assert_int_equal(pass_night(&night, levels, 2), 1);
	assert_int_equal(pass_night(&night, levels, 4), 1);
	assert_int_equal(night.findings.count, 2);
	assert_string_equal(night.findings.items[1].good, "v3");
	assert_string_equal(state_of(&night, 0), "still-open");
	end(&night);
}

/* Between its ends it is measured later: the same change, found nearer. */
static void a_version_between_the_ends_is_no_news(void **state)
{
	const double sparse[] = {100, 0, 0, 120};
	const double dense[] = {100, 100, 120, 120};
	const double missing[] = {100, 0, 0, 0, 120};
	struct night night;

	(void)state;
	begin(&night);
	for (int i = 0; i < 3; i++)
		next_session(&night);
	assert_int_equal(pass_night(&night, sparse, 4), 1);
	assert_int_equal(pass_night(&night, dense, 4), 0);
	assert_int_equal(pass_night(&night, missing, 5), 0);
	assert_int_equal(night.findings.count, 1);
	end(&night);
}

/* Good again and bad once more is another regression. */
static void it_comes_back(void **state)
{
	const double levels[] = {100, 110, 100, 110};
	struct night night;

	(void)state;
	begin(&night);
	for (int i = 0; i < 3; i++)
		next_session(&night);
	pass_night(&night, levels, 2);
	pass_night(&night, levels, 3);
	assert_string_equal(state_of(&night, 0), "recovered");
	assert_int_equal(pass_night(&night, levels, 4), 1);
	assert_int_equal(night.findings.count, 2);
	end(&night);
}

static void what_is_accepted_is_the_new_baseline(void **state)
{
	const double creeping[] = {100, 110, 110.3, 110.6, 110.8, 111.1};
	struct night night;

	(void)state;
	begin(&night);
	for (int i = 0; i < 3; i++)
		next_session(&night);
	assert_int_equal(pass_night(&night, creeping, 2), 1);
	tell(&night, "acknowledged");
	/* Against v1 all would be losses; against v2, which was accepted, none yet. */
	assert_int_equal(pass_night(&night, creeping, 3), 0);
	for (size_t i = 0; i < night.judgement.comparisons.count; i++)
		assert_int_not_equal(night.judgement.comparisons.items[i].role,
				     ROLE_BASELINE);
	assert_string_equal(state_of(&night, 0), "acknowledged");
	/* What creeps on from there is a finding of its own. */
	assert_int_equal(pass_night(&night, creeping, 6), 1);
	assert_string_equal(night.findings.items[1].good, "v2");
	end(&night);
}

static void what_is_suppressed_is_not_followed(void **state)
{
	const double levels[] = {100, 110, 110};
	struct night night;

	(void)state;
	begin(&night);
	next_session(&night);
	next_session(&night);
	pass_night(&night, levels, 2);
	tell(&night, "suppressed");
	assert_int_equal(pass_night(&night, levels, 3), 0);
	assert_string_equal(state_of(&night, 0), "suppressed");
	assert_int_equal(night.findings.items[0].event_count, 2);
	end(&night);
}

static void scenarios_share_a_finding(void **state)
{
	const double levels[] = {100, 110};
	struct night night;

	(void)state;
	begin(&night);
	measure(&night, "fsync-loop", levels, 2);
	measure(&night, "raw-sync", levels, 2);
	assert_int_equal(judge(&night), 1);
	assert_int_equal(night.findings.count, 1);
	assert_int_equal(night.findings.items[0].case_count, 2);
	end(&night);
}

static void what_is_not_measured_decides_nothing(void **state)
{
	const double levels[] = {100, 110, 0};
	struct night night;

	(void)state;
	begin(&night);
	next_session(&night);
	next_session(&night);
	pass_night(&night, levels, 2);
	assert_int_equal(pass_night(&night, levels, 3), 0);
	assert_string_equal(state_of(&night, 0), "opened");
	end(&night);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_alarm_then_open_then_recovered),
		cmocka_unit_test(judging_twice_in_a_night_tells_once),
		cmocka_unit_test(a_second_loss_is_a_second_finding),
		cmocka_unit_test(a_version_between_the_ends_is_no_news),
		cmocka_unit_test(it_comes_back),
		cmocka_unit_test(what_is_accepted_is_the_new_baseline),
		cmocka_unit_test(what_is_suppressed_is_not_followed),
		cmocka_unit_test(scenarios_share_a_finding),
		cmocka_unit_test(what_is_not_measured_decides_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
