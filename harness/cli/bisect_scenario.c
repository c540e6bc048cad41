/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/bisect_scenario.h"

#include "base/cleanup.h"
#include "base/log.h"
#include "base/memory.h"
#include "cli/bisect_log.h"
#include "cli/explaining.h"
#include "cli/filing.h"
#include "cli/judge.h"
#include "cli/setup.h"
#include "cli/target.h"
#include "measure/fixups.h"
#include "measure/measurer.h"
#include "measure/rows.h"
#include "measure/schedule.h"
#include "store/subjects.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hunt {
	const struct bisect_scenario *options;
	struct workbench *bench;
	struct scenario scenario;
	struct target target; /* what the user named, and what was chosen */
	struct subject ends[2];
	char environment[HASH_HEX_SIZE];
};

static void finish_hunt(struct hunt *hunt)
{
	subject_finish(&hunt->ends[0]);
	subject_finish(&hunt->ends[1]);
	scenario_finish(&hunt->scenario);
	target_finish(&hunt->target);
}

static int open_ends(struct hunt *hunt, struct error *err)
{
	const struct commit_id *ids[2] = {&hunt->options->good, &hunt->options->bad};
	struct workbench *bench = hunt->bench;

	for (int i = 0; i < 2; i++) {
		CLEANUP(text_finish) struct text version = {0};
		CLEANUP(cleanup_free) char *name = NULL;
		CLEANUP(cleanup_free) char *shown = NULL;

		text_add(&version, ids[i]->hex);
		if (repository_describe(bench->repository, ids[i], &name, err) ||
		    fixups_add_edits(&bench->config, bench->repository, ids[i], &version,
				     err))
			return -1;
		text_add(&version, hunt->options->edits);
		shown = memory_format("%s%s", name, hunt->options->edits);
		if (subject_open(bench, text_string(&version), shown, &hunt->ends[i],
				 err))
			return -1;
	}
	return 0;
}

static int open_hunt(struct hunt *hunt, struct error *err)
{
	const struct bisect_scenario *options = hunt->options;
	struct workbench *bench = hunt->bench;

	target_split(options->scenario, 1, &hunt->target);
	if (workbench_load_scenario(bench, hunt->target.name, options->parameters,
				    &hunt->scenario, err) ||
	    workbench_open_build(bench, err) || workbench_open_lab(bench, err))
		return -1;
	if (hunt->target.metric && metric_find(hunt->target.metric) == METRIC_COUNT)
		return error_set(err, ERROR_USAGE, "there is no metric %s",
				 hunt->target.metric);
	return open_ends(hunt, err);
}

/* --- the case that tells most */

static double weight(const struct comparison *comparison)
{
	/* From zero there is no percentage, but hardly anything tells more. */
	return isfinite(comparison->change_percent) ? fabs(comparison->change_percent)
						    : 1e6;
}

static int fits(const struct hunt *hunt, const struct comparison *comparison)
{
	const struct target *target = &hunt->target;
	enum verdict wanted =
		hunt->options->improvement ? VERDICT_IMPROVEMENT : VERDICT_REGRESSION;

	if (target->case_label && strcmp(target->case_label, comparison->name.case_label))
		return 0;
	if (target->metric && strcmp(target->metric, comparison->name.metric))
		return 0;
	return comparison->verdict == wanted;
}

static const struct comparison *find_telling(const struct hunt *hunt,
					     const struct comparisons *comparisons)
{
	const struct comparison *best = NULL;

	for (size_t i = 0; i < comparisons->count; i++) {
		const struct comparison *item = &comparisons->items[i];

		if (fits(hunt, item) && (!best || weight(item) > weight(best)))
			best = item;
	}
	return best;
}

static void choose(struct hunt *hunt, const struct comparison *comparison)
{
	struct target *target = &hunt->target;

	if (!target->case_label)
		target->case_label = memory_copy_string(comparison->name.case_label);
	if (!target->metric)
		target->metric = memory_copy_string(comparison->name.metric);
	log_info("searching by %s of %s%s%s", target->metric, hunt->scenario.name,
		 *target->case_label ? ", " : "", target->case_label);
}

/* Some case of the scenario, so that the search itself can say that nothing differs. */
static void choose_any(struct hunt *hunt, const struct measurement *ends)
{
	const struct boot_list *found = &ends[0].found;
	const struct sample_record *sample = NULL;

	for (size_t i = 0; found->count && i < found->items[0].sample_count && !sample;
	     i++)
		if (scenario_find_metric(&hunt->scenario,
					 found->items[0].samples[i].metric))
			sample = &found->items[0].samples[i];
	if (!hunt->target.case_label)
		hunt->target.case_label =
			memory_copy_string(sample ? sample->case_label : "");
	if (!hunt->target.metric)
		hunt->target.metric =
			memory_copy_string(sample ? sample->metric : "elapsed");
}

static int choose_case(struct hunt *hunt, const struct measurement *ends,
		       struct error *err)
{
	CLEANUP(judgement_finish) struct judgement judgement = {0};
	int64_t versions[2] = {hunt->ends[0].version_id, hunt->ends[1].version_id};
	const char *names[2] = {hunt->ends[0].name, hunt->ends[1].name};
	struct judge_options judging = {
		.versions = versions,
		.names = names,
		.version_count = 2,
		.scenarios = &hunt->scenario,
		.scenario_count = 1,
		.environments = &ends[0].environment,
		.environment_count = 1,
		.min_effect =
			hunt->options->min_effect > 0 ? hunt->options->min_effect : -1,
	};
	const struct comparison *best;

	if (judge_all(hunt->bench, &judging, &judgement, err))
		return -1;
	best = find_telling(hunt, &judgement.comparisons);
	if (best)
		choose(hunt, best);
	else
		choose_any(hunt, ends);
	return 0;
}

static int measure_ends(struct hunt *hunt, struct error *err)
{
	struct measurement ends[2] = {
		{.subject = &hunt->ends[0], .scenario = &hunt->scenario},
		{.subject = &hunt->ends[1], .scenario = &hunt->scenario},
	};
	int failed = measure_all(hunt->bench, ends, 2, err);

	for (int i = 0; i < 2 && !failed; i++)
		if (!outcome_is_good(ends[i].outcome))
			failed = error_set(err, ERROR_MEASUREMENT,
					   "the %s end, %s, cannot be measured: %s: %s",
					   i ? "bad" : "good", hunt->ends[i].name,
					   outcome_name(ends[i].outcome),
					   ends[i].detail ? ends[i].detail : "");
	if (!failed)
		failed = choose_case(hunt, ends, err);
	measurement_finish(&ends[0]);
	measurement_finish(&ends[1]);
	return failed;
}

/* --- the search */

static char *describe(const struct hunt *hunt)
{
	CLEANUP(text_finish) struct text fixups = {0};
	char digest[HASH_HEX_SIZE];
	json_t *object;
	char *text;

	scenario_digest(&hunt->scenario, &hunt->bench->classes, digest);
	fixups_describe(&hunt->bench->config, &fixups);
	object = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:b, s:f}", "scenario",
			   hunt->scenario.name, "case", hunt->target.case_label, "metric",
			   hunt->target.metric, "digest", digest, "environment",
			   hunt->environment, "lab", lab_name(hunt->bench->lab),
			   "improvement", hunt->options->improvement, "min_effect",
			   hunt->options->min_effect);
	if (object && *hunt->options->edits)
		json_object_set_new(object, "edits", json_string(hunt->options->edits));
	if (object && fixups.size)
		json_object_set_new(object, "fixups", json_string(text_string(&fixups)));
	text = object ? json_dumps(object, JSON_COMPACT) : NULL;
	json_decref(object);
	return text;
}

/* Results of another QEMU, agent or configuration belong to another search. */
static int find_environment(struct hunt *hunt, struct error *err)
{
	struct rows_place place;

	if (rows_add_place(hunt->bench, &hunt->ends[0], &hunt->scenario, 0, &place, err))
		return -1;
	memcpy(hunt->environment, place.environment_key, sizeof(hunt->environment));
	return 0;
}

static enum search_direction direction_of(const struct hunt *hunt)
{
	enum metric_id metric = metric_find(hunt->target.metric);
	int worse_is_up =
		metric == METRIC_COUNT || metric_table[metric].better != METRIC_HIGHER;

	return worse_is_up != hunt->options->improvement ? SEARCH_UP : SEARCH_DOWN;
}

/* Of a fraction: the user's, the metric's own, the lab's. */
static double smallest_effect(const struct hunt *hunt)
{
	const struct scenario_metric *metric =
		scenario_find_metric(&hunt->scenario, hunt->target.metric);

	if (hunt->options->min_effect > 0)
		return hunt->options->min_effect / 100;
	if (metric && metric->min_effect > 0)
		return metric->min_effect / 100;
	return hunt->bench->lab_kind == CONFIG_VIRTUAL
		       ? policy_exact.minimum_effect
		       : policy_statistical.minimum_effect;
}

static void fill_request(const struct hunt *hunt, const char *identity,
			 const struct scenario_measurer *measurer,
			 struct search_request *request)
{
	const struct bisect_scenario *options = hunt->options;
	const struct workbench *bench = hunt->bench;
	int exact = bench->lab_kind == CONFIG_VIRTUAL;

	*request = (struct search_request){
		.repository = bench->repository,
		.store = bench->store,
		.session = bench->session,
		.good = options->good,
		.bad = options->bad,
		.first_parent = options->first_parent,
		.identity = identity,
		.again = options->again,
		.hints = options->hints,
		.marks = options->marks,
		.budget = options->budget,
		.measurer = {&scenario_measurer_ops, (void *)measurer},
		.options = {.model = exact ? &model_exact : &model_robust,
			    .direction = direction_of(hunt),
			    .min_effect = smallest_effect(hunt),
			    .max_boots = options->max_boots,
			    .max_seconds = options->max_minutes * 60},
	};
}

static int print(const struct bisect_scenario *options, const struct search_run *run,
		 struct error *err)
{
	CLEANUP(cleanup_free) char *json = search_run_json(run);

	if (options->log && bisect_log_write(options->log, run, err))
		return -1;
	if (options->is_quiet)
		return 0;
	if (options->context->json)
		puts(json);
	else
		search_run_print(run);
	return 0;
}

/* The answer stands; why it got slower comes on top. */
static int explain_culprit(struct hunt *hunt, const struct search_run *run,
			   struct error *err)
{
	if (run->end.status != SEARCH_CONFIRMED || hunt->options->no_explain)
		return 0;
	return explaining_culprit(hunt->bench, &hunt->scenario, hunt->target.case_label,
				  run->graph.ids[run->end.node].hex,
				  hunt->options->context->json, err);
}

static void answer(const struct search_run *run, struct bisect_answer *ret_answer)
{
	*ret_answer = (struct bisect_answer){
		.id = run->id,
		.status = run->end.status,
		.is_paused = run->is_paused,
		.boots = run->step_count + run->after.step_count - run->stored_steps,
	};
	if (run->end.status == SEARCH_CONFIRMED)
		ret_answer->culprit = run->graph.ids[run->end.node];
	snprintf(ret_answer->reason, sizeof(ret_answer->reason), "%s", run->end.reason);
}

static int search(struct hunt *hunt, struct bisect_answer *ret_answer, struct error *err)
{
	CLEANUP(cleanup_free) char *identity = describe(hunt);
	CLEANUP(search_run_finish) struct search_run run = {0};
	struct scenario_measurer measurer = {
		.edits = hunt->options->edits,
		.workbench = hunt->bench,
		.scenario = &hunt->scenario,
		.case_label = hunt->target.case_label,
		.metric = hunt->target.metric,
	};
	struct search_request request;

	if (!identity)
		return error_set(err, ERROR_USAGE, "the case's name is not UTF-8");
	fill_request(hunt, identity, &measurer, &request);
	if (search_run(&request, &run, err) || print(hunt->options, &run, err) ||
	    filing_note_search(hunt->bench, hunt->scenario.name, &run, err) ||
	    explain_culprit(hunt, &run, err))
		return -1;
	answer(&run, ret_answer);
	return search_run_exit_code(&run);
}

int bisect_on_bench(struct workbench *bench, const struct bisect_scenario *options,
		    struct bisect_answer *ret_answer, struct error *err)
{
	CLEANUP(finish_hunt) struct hunt hunt = {.options = options, .bench = bench};

	if (open_hunt(&hunt, err) ||
	    (!bench->session && workbench_begin_session(bench, err)) ||
	    measure_ends(&hunt, err) || find_environment(&hunt, err))
		return -1;
	return search(&hunt, ret_answer, err);
}

int bisect_with_scenario(const struct bisect_scenario *options, struct error *err)
{
	CLEANUP(setup_finish) struct setup setup = {0};
	struct setup_options opening = {
		.tree = options->tree, .argc = options->argc, .argv = options->argv};
	struct bisect_answer ignored;
	int code;

	if (setup_open(options->context, &opening, &setup, err))
		return -1;
	code = bisect_on_bench(&setup.workbench, options, &ignored, err);
	workbench_end_session(&setup.workbench, code < 0 ? command_exit_code(err) : code,
			      code < 0 ? err->text : NULL);
	return code;
}
