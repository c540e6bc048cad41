/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lab/judge_device.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "lab/sentence.h"

#include <math.h>
#include <string.h>

/* Fewer flushes than that an operation leave most of them without one. */
#define LEAST_FLUSHES 0.5

struct facts {
	const struct scenario_case *item;
	const struct device_class *class; /* NULL: none */
	const char *write_cache;          /* as read back; NULL: not known */
	double flushes;                   /* an operation; NAN: not counted */
	double time;                      /* median of an operation, ns; NAN: none */
};

static double find_sample(const struct evidence *evidence, const char *label,
			  const char *metric)
{
	for (size_t i = 0; i < evidence->samples.count; i++)
		if (!strcmp(evidence->samples.items[i].metric, metric) &&
		    !strcmp(evidence->samples.items[i].case_label, label))
			return evidence->samples.items[i].value;
	return NAN;
}

/* Of the later runs where there are several: the first one may grow a file. */
static double sample_of(const struct evidence *evidence, const struct scenario *scenario,
			const char *label, const char *metric)
{
	CLEANUP(cleanup_free)
	char *last = evidence_run_label(label, scenario->runs, scenario->runs);

	return find_sample(evidence, last, metric);
}

static const char *setting_of(const struct evidence *evidence, const char *label,
			      const char *name)
{
	for (size_t i = 0; i < evidence->settings.count; i++)
		if (!strcmp(evidence->settings.items[i].name, name) &&
		    !strcmp(evidence->settings.items[i].case_label, label))
			return evidence->settings.items[i].value;
	return NULL;
}

static uint64_t number_of(const struct scenario *scenario,
			  const struct scenario_case *item, const char *name)
{
	return parameters_number(scenario->workload, item->parameters,
				 item->parameter_count, name);
}

/* sync_file_range() promises nothing; O_SYNC and O_DSYNC may do without a flush (FUA). */
static int syncs_each_write(const struct scenario *scenario,
			    const struct scenario_case *item)
{
	enum sync_kind sync = (enum sync_kind)number_of(scenario, item, "sync");

	return parameter_find(scenario->workload, "call") &&
	       (sync == SYNC_FSYNC || sync == SYNC_FDATASYNC);
}

static void say(const struct facts *facts, const char *word, double size,
		const struct text *text, struct evidence *evidence)
{
	evidence_add_remark(evidence, facts->item->label, 0, word, text_string(text))
		->size = size;
}

static int is_too_fast(const struct facts *facts)
{
	return facts->class && facts->time < (double)facts->class->sync_floor_ns;
}

static void say_too_fast(const struct facts *facts, int has_cache,
			 struct evidence *evidence)
{
	CLEANUP(text_finish) struct text text = {0};

	text_format(&text, "device %s acknowledges a sync in ", facts->item->device);
	sentence_add_time(&text, facts->time);
	text_format(&text, ", but nothing is durable before ");
	sentence_add_time(&text, (double)facts->class->sync_floor_ns);
	text_format(&text, " on such a disk (%s): %s", facts->class->description,
		    has_cache ? "it drops flushes"
			      : "it answers from a cache that it hides");
	say(facts, "too-fast", facts->time, &text, evidence);
}

static void say_cache(const struct facts *facts, struct evidence *evidence)
{
	CLEANUP(text_finish) struct text text = {0};
	int flushed = facts->flushes >= LEAST_FLUSHES;

	if (flushed)
		text_format(&text,
			    "device %s has a volatile cache, and each sync flushes it",
			    facts->item->device);
	else
		text_format(&text,
			    "device %s has a volatile cache, but there were %.2g flushes "
			    "a sync: what was acknowledged without one may be lost",
			    facts->item->device, facts->flushes);
	say(facts, flushed ? "flushes" : "no-flush", facts->flushes, &text, evidence);
}

static void say_no_cache(const struct facts *facts, struct evidence *evidence)
{
	CLEANUP(text_finish) struct text text = {0};

	text_format(&text,
		    "device %s says that it has no volatile cache: a write is durable "
		    "when it is done, and no sync needs a flush",
		    facts->item->device);
	say(facts, "no-cache", facts->flushes, &text, evidence);
}

static void judge(const struct facts *facts, struct evidence *evidence)
{
	int has_cache = facts->write_cache && !strcmp(facts->write_cache, "write back");

	if (is_too_fast(facts))
		say_too_fast(facts, has_cache, evidence);
	else if (has_cache && isfinite(facts->flushes))
		say_cache(facts, evidence);
	else if (!has_cache && facts->write_cache && *facts->write_cache)
		say_no_cache(facts, evidence);
}

void judge_devices(const struct scenario *scenario, const struct device_classes *classes,
		   struct evidence *evidence)
{
	for (size_t i = 0; i < scenario->cases.count; i++) {
		const struct scenario_case *item = &scenario->cases.items[i];
		const struct facts facts = {
			.item = item,
			.class = device_class_find(classes, item->device),
			.write_cache = setting_of(evidence, item->label, "write_cache"),
			.flushes = sample_of(evidence, scenario, item->label,
					     "flushes_per_op"),
			.time = sample_of(evidence, scenario, item->label, "latency_p50"),
		};

		if (syncs_each_write(scenario, item) && isfinite(facts.time))
			judge(&facts, evidence);
	}
}
