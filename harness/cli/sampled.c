/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/sampled.h"

#include "base/cleanup.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/process.h"
#include "cli/reference.h"
#include "measure/sampling.h"
#include "store/results.h"
#include "store/sessions.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* One sampling on its way. */
struct task {
	struct sampled *sampled;
	struct measurement *ends[2]; /* the reference, one of each scenario */
	size_t scenario_count;
	int end; /* the one that comes next */
};

static void task_finish(struct task *task)
{
	for (int end = 0; end < 2; end++) {
		for (size_t i = 0; i < task->scenario_count; i++)
			measurement_finish(&task->ends[end][i]);
		free(task->ends[end]);
	}
}

/* --- the reference */

static int note(struct task *task, const char *kind, const char *text, struct error *err)
{
	struct workbench *bench = task->sampled->bench;
	struct note_record record = {
		.session = bench->session,
		.kind = kind,
		.version = task->sampled->reference->name,
		.text = text,
	};

	return store_add_note(bench->store, &record, err);
}

/* Whatever this session went on with has no verdicts either. */
static int note_move(struct task *task, const char *moved, struct error *err)
{
	const struct workbench *bench = task->sampled->bench;
	struct note_record record = {
		.kind = NOTE_REFERENCE_MOVED,
		.version = task->sampled->reference->name,
		.text = moved,
	};

	for (size_t i = 0; i < bench->sessions.count; i++) {
		record.session = bench->sessions.ids[i];
		if (store_add_note(bench->store, &record, err))
			return -1;
	}
	return 0;
}

static int check_reference(struct task *task, struct error *err)
{
	for (size_t i = 0; i < task->scenario_count; i++) {
		CLEANUP(cleanup_free) char *moved = NULL;

		if (reference_find_move(&task->sampled->judging, &task->ends[0][i].found,
					&task->ends[1][i].found,
					task->ends[0][i].scenario->name, &moved, err))
			return -1;
		if (!moved)
			continue;
		log_warning("the reference %s moved while others were measured, so that "
			    "this session has no verdicts: %s",
			    task->sampled->reference->name, moved);
		return note_move(task, moved, err);
	}
	return 0;
}

static int check_outcomes(const struct measurement *list, size_t count, struct error *err)
{
	for (size_t i = 0; i < count; i++)
		if (!outcome_is_good(list[i].outcome) ||
		    list[i].found.count < REFERENCE_BOOTS)
			return error_set(err, ERROR_MEASUREMENT,
					 "%s: the reference %s gives no numbers: %s%s%s",
					 list[i].scenario->name, list[i].subject->name,
					 outcome_name(list[i].outcome),
					 list[i].detail ? ": " : "",
					 list[i].detail ? list[i].detail : "");
	return 0;
}

/* What is kept for the end is used there. */
static int measure_reference(void *state, struct error *err)
{
	struct task *task = state;
	struct sampled *sampled = task->sampled;
	struct measurement *list = task->ends[task->end];
	size_t count = task->scenario_count;

	log_info("reference %s, %s", sampled->reference->name,
		 task->end ? "at the end" : "at the start");
	if (task->end)
		sampled->bench->budget = (struct budget){0}; /* it has to be */
	for (size_t i = 0; i < count; i++)
		list[i] = (struct measurement){
			.subject = sampled->reference,
			.scenario = &sampled->judging.scenarios[i],
			.boots = REFERENCE_BOOTS,
			.purpose = "reference",
			.resume = !task->end,
		};
	if (measure_all(sampled->bench, list, count, err) ||
	    check_outcomes(list, count, err))
		return -1;
	return task->end++ ? check_reference(task, err) : 0;
}

/* --- the versions */

/* Those that want more boots as a list of their own, and back. */
static int measure_versions(void *state, const unsigned *wanted, struct error *err)
{
	struct task *task = state;
	struct sampled *sampled = task->sampled;
	CLEANUP(cleanup_free)
	struct measurement *list = memory_new(sampled->count, sizeof(*list));
	size_t count = 0;
	int failed;

	for (size_t i = 0; i < sampled->count; i++) {
		sampled->list[i].boots = wanted[i] ? wanted[i] : sampled->list[i].boots;
		if (wanted[i] && outcome_is_good(sampled->list[i].outcome))
			list[count++] = sampled->list[i];
	}
	failed = measure_all(sampled->bench, list, count, err);
	count = 0;
	for (size_t i = 0; i < sampled->count; i++)
		if (wanted[i] && outcome_is_good(sampled->list[i].outcome))
			sampled->list[i] = list[count++];
	return failed;
}

static void mark(const struct sampled *sampled, const struct comparison *c,
		 unsigned char *undecided)
{
	for (size_t i = 0; i < sampled->count; i++) {
		const char *name = sampled->list[i].subject->name;

		if (!strcmp(sampled->list[i].scenario->name, c->name.scenario) &&
		    (!strcmp(name, c->a_version) || !strcmp(name, c->b_version)))
			undecided[i] = 1;
	}
}

static int judge_versions(void *state, unsigned char *undecided, struct error *err)
{
	struct task *task = state;
	struct sampled *sampled = task->sampled;
	CLEANUP(judgement_finish) struct judgement judgement = {0};
	CLEANUP(judge_options_finish) struct judge_options judging = sampled->judging;
	size_t open = 0;

	judge_options_init(&judging, sampled->list, sampled->count);
	if (judge_all(sampled->bench, &judging, &judgement, err))
		return -1;
	for (size_t i = 0; i < judgement.comparisons.count; i++) {
		const struct comparison *c = &judgement.comparisons.items[i];

		if (c->verdict != VERDICT_INCONCLUSIVE)
			continue;
		open++;
		mark(sampled, c, undecided);
	}
	log_info("%zu of %zu comparisons are undecided so far", open,
		 judgement.comparisons.count);
	return 0;
}

static int is_spent(void *state)
{
	const struct task *task = state;

	return budget_is_spent(&task->sampled->bench->budget, process_now());
}

static const struct sampling_ops ops = {
	.reference = measure_reference,
	.measure = measure_versions,
	.judge = judge_versions,
	.is_spent = is_spent,
};

static uint64_t seed_of_chance(void)
{
	uint32_t seed = 0;

	while (!seed)
		if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed))
			seed = 1;
	return seed;
}

/* The end must be measured too, whatever comes between. */
static int reserve(struct task *task, struct error *err)
{
	struct budget *budget = &task->sampled->bench->budget;
	unsigned least = REFERENCE_BOOTS * (unsigned)task->scenario_count;

	budget->reserved = least;
	if (budget->max_boots && budget->max_boots <= 2 * least)
		return error_set(err, ERROR_USAGE,
				 "%u boots are too few: the reference kernel alone takes "
				 "%u",
				 budget->max_boots, 2 * least);
	return 0;
}

static int note_plan(struct task *task, struct error *err)
{
	CLEANUP(cleanup_free)
	char *text = memory_format(
		"boots in random blocks, seed %llu; %d boots of the reference at each "
		"end",
		(unsigned long long)task->sampled->bench->seed, REFERENCE_BOOTS);

	return note(task, "sampling", text, err);
}

int sampled_measure(struct sampled *sampled, struct error *err)
{
	size_t scenarios = sampled->judging.scenario_count;
	CLEANUP(cleanup_free)
	unsigned *fixed = memory_new(sampled->count, sizeof(*fixed));
	CLEANUP(task_finish)
	struct task task = {
		.sampled = sampled,
		.ends = {memory_new(scenarios, sizeof(struct measurement)),
			 memory_new(scenarios, sizeof(struct measurement))},
		.scenario_count = scenarios,
	};

	for (size_t i = 0; i < sampled->count; i++) {
		fixed[i] = sampled->list[i].boots;
		sampled->list[i].resume = 1;
	}
	sampled->bench->seed = sampled->seed ? sampled->seed : seed_of_chance();
	if (reserve(&task, err) || workbench_resume(sampled->bench, err) ||
	    note_plan(&task, err))
		return -1;
	return sampling_run(&ops, &task, sampled->count, fixed, err);
}
