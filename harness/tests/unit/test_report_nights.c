/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Several nights: one line of versions, what is news, and what was known when. */
#include "report/headline.h"
#include "report/report.h"
#include "store_fixture.h"

#include <math.h>
#include <string.h>

enum { DAY = 24 * 60 * 60, FIRST_NIGHT = 1700000000 };

struct nights {
	struct world world;
	int64_t versions[8], kernels[8];
	int64_t sessions[4];
	int64_t finding;
};

static void check(int result, const struct error *err)
{
	if (result < 0)
		fail_msg("%s", err->text);
}

static int64_t begin(struct nights *nights, int night)
{
	const struct session_record session = {.command = "kregress nightly",
					       .lab = "virtual",
					       .started = FIRST_NIGHT + night * DAY};
	struct error err = {0};
	int64_t id;

	check(store_add_session(nights->world.store, &session, &id, &err), &err);
	nights->sessions[night] = id;
	return id;
}

static void boot(struct nights *nights, int64_t session, int version, double value)
{
	const struct sample_record sample = {"mode=keep", "elapsed", "ns", "lower",
					     value};
	struct boot_record boot = world_boot(&nights->world);
	struct error err = {0};
	int64_t id;

	boot.session = session;
	boot.kernel = nights->kernels[version];
	boot.version = nights->versions[version];
	boot.samples = &sample;
	boot.sample_count = 1;
	check(store_add_boot(nights->world.store, &boot, &id, &err), &err);
}

static void judge(struct nights *nights, int64_t session, int a, int b, double change)
{
	CLEANUP(cleanup_free) char *good = memory_format("v%d", a);
	CLEANUP(cleanup_free) char *bad = memory_format("v%d", b);
	const struct verdict_record verdict = {
		.session = session,
		.role = "neighbour",
		.a = {nights->versions[a], good, 1, 1e9, 1e9, 1e9},
		.b = {nights->versions[b], bad, 1, 1.5e9, 1.5e9, 1.5e9},
		.scenario = "fsync-loop",
		.case_label = "mode=keep",
		.metric = "elapsed",
		.unit = "ns",
		.better = "lower",
		.change_percent = change,
		.verdict = change > 1    ? "regression"
			   : change < -1 ? "improvement"
					 : "same",
		.sentence = "a sentence",
	};
	struct error err = {0};

	check(store_add_verdicts(nights->world.store, &verdict, 1, &err), &err);
}

static void set_versions(struct nights *nights, int64_t session, int first, int last)
{
	struct error err = {0};

	check(store_add_session_versions(nights->world.store, session,
					 nights->versions + first,
					 (size_t)(last - first + 1), &err),
	      &err);
	check(store_end_session(nights->world.store, session, 1, NULL, &err), &err);
}

static void add_event(struct nights *nights, int night, const char *kind,
		      const char *version)
{
	const struct finding_event event = {.session = nights->sessions[night],
					    .kind = kind,
					    .version = version,
					    .at = FIRST_NIGHT + night * DAY + 60};
	struct error err = {0};

	check(store_add_finding_event(nights->world.store, nights->finding, &event, &err),
	      &err);
}

/* v1 v2 | v2 v3 v4, where v3 is slow | v4 v5 | v5 v6, which is fast again */
static void nights_init(struct nights *nights)
{
	const struct finding_case item = {"fsync-loop", "mode=keep", "elapsed", 0};
	struct finding_record finding = {.lab = "virtual",
					 .opened = FIRST_NIGHT + DAY + 50,
					 .cases = &item,
					 .case_count = 1};
	static const int ranges[][2] = {{1, 2}, {2, 4}, {4, 5}, {5, 6}};
	struct error err = {0};

	*nights = (struct nights){0};
	world_init(&nights->world);
	for (int i = 1; i < 8; i++) {
		CLEANUP(cleanup_free) char *name = memory_format("v%d", i);

		nights->versions[i] = world_add_version(&nights->world, name, NULL,
							&nights->kernels[i]);
	}
	for (int night = 0; night < 4; night++) {
		int64_t session = begin(nights, night);

		for (int i = ranges[night][0] + (night > 0); i <= ranges[night][1]; i++) {
			double change = i == 3 ? 50 : i == 6 ? -33 : 0;

			boot(nights, session, i, i >= 3 && i < 6 ? 1.5e9 : 1e9);
			if (i > 1)
				judge(nights, session, i - 1, i, change);
		}
		if (night == 1) {
			finding.session = session;
			finding.good_version = nights->versions[2];
			finding.bad_version = nights->versions[3];
			check(store_add_finding(nights->world.store, &finding,
						&nights->finding, &err),
			      &err);
		}
		set_versions(nights, session, ranges[night][0], ranges[night][1]);
	}
	add_event(nights, 2, "still-open", "v5");
	add_event(nights, 3, "recovered", "v6");
}

static void collect(struct nights *nights, int night, struct report_model *model)
{
	const struct report_options options = {
		.session = night < 0 ? 0 : nights->sessions[night], .now = 1};
	struct error err = {0};

	check(report_collect(nights->world.store, &options, model, &err), &err);
}

static void nights_are_one_line(void **state)
{
	CLEANUP(report_model_finish) struct report_model model = {0};
	struct nights nights;
	const struct report_section *section;

	(void)state;
	nights_init(&nights);
	collect(&nights, -1, &model);
	assert_int_equal(model.section_count, 1);
	section = &model.sections[0];
	assert_int_equal(section->results.versions.count, 6);
	for (int i = 0; i < 6; i++)
		assert_int_equal(section->results.versions.items[i].id,
				 nights.versions[i + 1]);
	assert_int_equal(section->verdict_count, 1);
	assert_int_equal(section->changes.count, 2);
	assert_int_equal(section->finding_count, 1);
	assert_int_equal(section->findings[0].good_index, 1);
	assert_non_null(section->findings[0].cases[0].verdict);
	world_finish(&nights.world);
}

/* As each night's report said it, whenever it is made. */
static void each_night_tells_its_news(void **state)
{
	static const struct {
		enum report_stage stage;
		int64_t days;
		size_t versions;
		const char *headline;
	} told[] = {
		{REPORT_STAGES, 0, 2, "No new regression"},
		{REPORT_OPENED, 1, 4, "1 new regression"},
		{REPORT_STILL_OPEN, 2, 5, "No new regression, 1 still open"},
		{REPORT_RECOVERED, 3, 6, "No new regression, 1 recovered"},
	};
	struct nights nights;

	(void)state;
	nights_init(&nights);
	for (int night = 0; night < 4; night++) {
		CLEANUP(report_model_finish) struct report_model model = {0};
		CLEANUP(text_finish) struct text headline = {0};

		collect(&nights, night, &model);
		assert_int_equal(model.sessions.count, (size_t)night + 1 + 1);
		assert_int_equal(model.sections[0].results.versions.count,
				 told[night].versions);
		report_headline(&model, &headline);
		assert_string_equal(text_string(&headline), told[night].headline);
		if (told[night].stage == REPORT_STAGES) {
			assert_int_equal(model.sections[0].finding_count, 0);
			continue;
		}
		assert_int_equal(model.sections[0].finding_count, 1);
		assert_int_equal(model.sections[0].findings[0].stage, told[night].stage);
		assert_int_equal(model.sections[0].findings[0].days, told[night].days);
	}
	world_finish(&nights.world);
}

static void what_is_over_stays_over_until_it_is_opened_again(void **state)
{
	CLEANUP(report_model_finish) struct report_model model = {0};
	struct nights nights;

	(void)state;
	nights_init(&nights);
	begin(&nights, 0);
	nights.sessions[3] = nights.sessions[0];
	add_event(&nights, 3, "acknowledged", "");
	add_event(&nights, 3, "bisected", "");
	collect(&nights, -1, &model);
	assert_int_equal(model.sections[0].findings[0].stage, REPORT_OVER);
	report_model_finish(&model);
	add_event(&nights, 3, "reopened", "");
	collect(&nights, -1, &model);
	assert_int_not_equal(model.sections[0].findings[0].stage, REPORT_OVER);
	world_finish(&nights.world);
}

/* Killed before it had judged: what it booted is shown all the same. */
static void a_session_that_was_killed_has_its_section(void **state)
{
	CLEANUP(report_model_finish) struct report_model model = {0};
	CLEANUP(text_finish) struct text size = {0};
	struct nights nights;
	int64_t session;

	(void)state;
	nights_init(&nights);
	session = begin(&nights, 3);
	boot(&nights, session, 7, 3e9);
	boot(&nights, session, 6, 1e9);
	collect(&nights, -1, &model);
	assert_int_equal(model.sections[0].session->id, session);
	assert_true(model.sections[0].is_cut_short);
	assert_int_equal(model.sections[0].results.versions.count, 7);
	report_section_size(&model.sections[0], &size);
	assert_non_null(strstr(text_string(&size), "cut short"));
	world_finish(&nights.world);
}

/* An edited kernel is no place in a history. */
static void edited_versions_stay_alone(void **state)
{
	CLEANUP(report_model_finish) struct report_model model = {0};
	struct nights nights;
	struct error err = {0};
	int64_t session, kernel, pair[2];

	(void)state;
	nights_init(&nights);
	session = begin(&nights, 3);
	pair[0] = nights.versions[6];
	pair[1] = world_add_version(&nights.world, "v6+config:A=y", NULL, &kernel);
	nights.kernels[7] = kernel;
	nights.versions[7] = pair[1];
	boot(&nights, session, 7, 2e9);
	check(store_add_session_versions(nights.world.store, session, pair, 2, &err),
	      &err);
	collect(&nights, -1, &model);
	assert_int_equal(model.section_count, 2);
	assert_int_equal(model.sections[0].results.versions.count, 2);
	assert_int_equal(model.sections[1].results.versions.count, 6);
	world_finish(&nights.world);
}

static void write_config(struct nights *nights, int version, const char *text,
			 struct error *err)
{
	CLEANUP(cleanup_free)
	char *folder = memory_format("%s/kernel%d", nights->world.folder, version);
	CLEANUP(cleanup_free) char *path = file_join(folder, "config");
	const struct build_record build = {.kernel = nights->kernels[version],
					   .session = nights->sessions[1],
					   .outcome = "ok",
					   .path = folder};

	check(file_make_folders(folder, err), err);
	check(file_write(path, text, strlen(text), err), err);
	check(store_add_build(nights->world.store, &build, err), err);
}

static void configurations_are_compared(void **state)
{
	CLEANUP(report_model_finish) struct report_model model = {0};
	const struct report_config *config;
	struct nights nights;
	struct error err = {0};

	(void)state;
	nights_init(&nights);
	write_config(&nights, 2,
		     "#\n# Linux/x86\n#\nCONFIG_B=y\n# CONFIG_C is not set\nCONFIG_A=1\n"
		     "CONFIG_D=\"x\"\n",
		     &err);
	collect(&nights, -1, &model);
	assert_int_equal(model.sections[0].findings[0].config.symbols, 0);
	report_model_finish(&model);
	write_config(&nights, 3, "CONFIG_C=m\nCONFIG_A=2\nCONFIG_E=y\nCONFIG_D=\"x\"\n",
		     &err);
	collect(&nights, -1, &model);
	config = &model.sections[0].findings[0].config;
	assert_int_equal(config->symbols, 5);
	assert_int_equal(config->count, 4);
	assert_string_equal(config->changes[0].symbol, "CONFIG_A");
	assert_string_equal(config->changes[0].good, "1");
	assert_string_equal(config->changes[1].bad, "");
	assert_string_equal(config->changes[2].good, "");
	assert_string_equal(config->changes[2].bad, "m");
	assert_string_equal(config->changes[3].symbol, "CONFIG_E");
	world_finish(&nights.world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nights_are_one_line),
		cmocka_unit_test(each_night_tells_its_news),
		cmocka_unit_test(what_is_over_stays_over_until_it_is_opened_again),
		cmocka_unit_test(a_session_that_was_killed_has_its_section),
		cmocka_unit_test(edited_versions_stay_alone),
		cmocka_unit_test(configurations_are_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
