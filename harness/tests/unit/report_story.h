/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Six versions of which the fifth got worse, told to a database with texts that mean
 * harm wherever anybody may write some: what the tests of the report's forms read.
 */
#ifndef TESTS_REPORT_STORY_H
#define TESTS_REPORT_STORY_H

#include "base/utf8.h"
#include "report/report.h"
#include "store_fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HOSTILE "</pre><script>alert(1)</script>\x1b[31m \xff\xe2\x80\xae \"'&"

/* For what stands in lines and cells: headers of a mail, a table of Markdown, CSV. */
#define HOSTILE_LINE                                                                     \
	HOSTILE "\r\nBcc: evil@example.org\r\n\r\n`|``@all [x](javascript:1) "           \
		"=?UTF-8?Q?=0A?="

enum { VERSIONS = 6, BAD = 4, WINDOWS = 40 };

static const char *const labels[] = {
	"device=ssd,block_size=4096,mode=keep,run=first",
	"device=ssd,block_size=4096,mode=keep,run=later",
	"device=ssd,block_size=20,mode=keep,run=first",
	"device=ssd,block_size=20,mode=keep,run=later",
};

struct story {
	struct world world;
	int64_t versions[VERSIONS], kernels[VERSIONS];
	int64_t search;
};

static inline void check(int result, const struct error *err)
{
	if (result < 0)
		fail_msg("%s", err->text);
}

/* Elapsed and flushes of each case; worse from version BAD on. */
static inline void tell_boot(struct story *story, int version)
{
	struct sample_record samples[8];
	double windows[WINDOWS], runs[3] = {43.596e9, 42.971e9, 42.888e9};
	const double latencies[] = {0, 1, 2e5, 90, 3e5 + version, 9};
	const struct series_record series[] = {
		{"device=ssd,block_size=4096,mode=keep", "window_mean", "ns", 1, windows,
		 WINDOWS},
		{"device=ssd,block_size=4096,mode=keep", "runs.elapsed", "ns", 0, runs,
		 3},
		{"device=ssd,block_size=4096,mode=keep", "latency_histogram", "ns,hits",
		 1, latencies, 6},
	};
	struct boot_record boot = world_boot(&story->world);
	struct error err = {0};
	int64_t id;

	for (int i = 0; i < 4; i++) {
		double factor = version >= BAD ? 1.5 : 1;

		samples[2 * i] = (struct sample_record){
			labels[i], "elapsed", "ns", "lower", (1e9 + i * 1e8) * factor};
		samples[2 * i + 1] = (struct sample_record){labels[i], "flushes_per_op",
							    "requests", "lower", factor};
	}
	for (int i = 0; i < WINDOWS; i++)
		windows[i] = 1e5 + (version >= BAD ? i * 1e3 : 0);
	boot.kernel = story->kernels[version];
	boot.version = story->versions[version];
	boot.samples = samples;
	boot.sample_count = 8;
	boot.series = series;
	boot.series_count = 3;
	check(store_add_boot(story->world.store, &boot, &id, &err), &err);
}

static inline void tell_verdicts(struct story *story)
{
	static const char *const reasons[] = {"exact"};
	struct verdict_record verdicts[2 * (VERSIONS - 1)];
	struct error err = {0};
	size_t count = 0;

	for (int i = 1; i < VERSIONS; i++)
		for (int j = 0; j < 2; j++)
			verdicts[count++] = (struct verdict_record){
				.session = story->world.session,
				.role = "neighbour",
				.a = {story->versions[i - 1], "", 1, 1e9, 1e9, 1e9},
				.b = {story->versions[i], "", 1, 1.5e9, 1.5e9, 1.5e9},
				.scenario = "fsync-loop",
				.case_label = labels[j],
				.metric = "elapsed",
				.unit = "ns",
				.better = "lower",
				.change_percent = i == BAD ? 50 : 0,
				.ci_low_percent = NAN,
				.ci_high_percent = NAN,
				.p = NAN,
				.q = NAN,
				.superiority = NAN,
				.verdict = i == BAD ? "regression" : "same",
				.sentence = "median +50.0 %, exact: " HOSTILE,
				.reasons = reasons,
				.reason_count = 1,
			};
	for (size_t i = 0; i < count; i++) {
		static const char *const names[] = {"v1",         "v2", "v3",
						    "v4" HOSTILE, "v5", "v6"};

		verdicts[i].a.text = names[i / 2];
		verdicts[i].b.text = names[i / 2 + 1];
	}
	check(store_add_verdicts(story->world.store, verdicts, count, &err), &err);
}

static inline void tell_search(struct story *story)
{
	static const char culprit[] = "c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00";
	static const double values[] = {1, 2.5, NAN};
	const struct commit_record commit = {
		.id = culprit,
		.subject = "fs: " HOSTILE_LINE,
		.message = "fs: " HOSTILE_LINE "\n\nlonger\n\n"
			   "Signed-off-by: \xc3\x84 B <ab@example.org>\n"
			   "cc: stable@example.org # 6.1\nReviewed-by: nobody\n"
			   "Acked-by: C, D. <cd@example.org>\r\nBcc: x@example.org\n"
			   "Tested-by: again <AB@example.org>\n",
		.author = "A \"B\"\nBcc: y@example.org <a@example.org>",
		.changes = " fs/a.c | +1 -1\n fs/../a.c | +1 -1\n -x/a.c | +1 -1\n"
			   " 3 files, lines: 3 added, 3 removed\n",
	};
	const struct suspect_record suspects[] = {{culprit, 0.97, 1, 0},
						  {"beef", 0.03, 0, 1}};
	struct search_record search = {.session = story->world.session, .key = "k"};
	struct search_event event = {"confirmed", culprit,
				     "{\"reason\":\"it is\",\"bisect_log\":"
				     "\"git bisect start\\ngit bisect bad beef\\n\"}",
				     suspects, 2};
	struct step_record step = {
		.commit = culprit, .outcome = "ok", .values = values, .value_count = 2};
	struct error err = {0};

	check(store_add_commit(story->world.store, &commit, &err), &err);
	check(store_add_search(story->world.store, &search, &story->search, &err), &err);
	check(store_add_step(story->world.store, story->search, &step, &err), &err);
	check(store_add_search_event(story->world.store, story->search, &event, &err),
	      &err);
}

static inline void tell_finding(struct story *story)
{
	const struct finding_case item = {"fsync-loop", labels[0], "elapsed", 0};
	const struct finding_record finding = {
		.session = story->world.session,
		.lab = "virtual",
		.good_version = story->versions[BAD - 1],
		.bad_version = story->versions[BAD],
		.cases = &item,
		.case_count = 1,
	};
	const struct finding_event event = {.session = story->world.session,
					    .kind = "bisected",
					    .search = story->search};
	struct error err = {0};
	int64_t id;

	check(store_add_finding(story->world.store, &finding, &id, &err), &err);
	check(store_add_finding_event(story->world.store, id, &event, &err), &err);
}

static inline void story_init(struct story *story)
{
	const struct note_record note = {.kind = "device", .text = "no flush " HOSTILE};
	struct note_record mine = note;
	struct boot_record panic;
	struct error err = {0};
	int64_t id;

	*story = (struct story){0};
	world_init(&story->world);
	for (int i = 0; i < VERSIONS; i++) {
		CLEANUP(cleanup_free)
		char *name = memory_format("v%d%s", i + 1, i == 3 ? HOSTILE : "");

		story->versions[i] =
			world_add_version(&story->world, name, NULL, &story->kernels[i]);
		tell_boot(story, i);
	}
	check(store_add_session_versions(story->world.store, story->world.session,
					 story->versions, VERSIONS, &err),
	      &err);
	panic = world_boot(&story->world);
	panic.outcome = "panic";
	panic.detail = "VFS: " HOSTILE;
	panic.version = story->versions[2];
	check(store_add_boot(story->world.store, &panic, &id, &err), &err);
	mine.session = story->world.session;
	check(store_add_note(story->world.store, &mine, &err), &err);
	tell_verdicts(story);
	tell_search(story);
}

static inline void write_form(struct story *story, const char *name, struct text *out)
{
	CLEANUP(report_model_finish) struct report_model model = {0};
	const struct report_options options = {.now = 1000000000};
	struct error err = {0};

	check(report_collect(story->world.store, &options, &model, &err), &err);
	report_writer_find(name)->write(&model, out);
	assert_true(utf8_valid(out->data, out->size));
}

#endif
