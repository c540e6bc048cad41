/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/judge.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "cli/accepted.h"
#include "cli/levels.h"
#include "store/verdicts.h"

#include <stdlib.h>
#include <string.h>

/* A list without doubles and without 0; whether the id was new. */
static int add_id(int64_t *list, size_t *count, int64_t id)
{
	for (size_t i = 0; i < *count; i++)
		if (list[i] == id)
			return 0;
	if (!id)
		return 0;
	list[(*count)++] = id;
	return 1;
}

void judge_options_init(struct judge_options *options, const struct measurement *list,
			size_t count)
{
	int64_t *versions = memory_new(count, sizeof(*versions));
	int64_t *environments = memory_new(count, sizeof(*environments));
	const char **names = memory_new(count, sizeof(*names));
	const char **commits = memory_new(count, sizeof(*commits));

	options->version_count = options->environment_count = 0;
	for (size_t i = 0; i < count; i++) {
		const struct subject *subject = list[i].subject;

		add_id(environments, &options->environment_count, list[i].environment);
		if (!add_id(versions, &options->version_count, subject->version_id))
			continue;
		names[options->version_count - 1] = subject->name;
		commits[options->version_count - 1] =
			subject->has_commit ? subject->commit.hex : "";
	}
	options->versions = versions;
	options->names = names;
	options->commits = commits;
	options->environments = environments;
}

void judge_options_finish(struct judge_options *options)
{
	free((void *)options->versions);
	free((void *)options->names);
	free((void *)options->commits);
	free((void *)options->environments);
}

static const struct scenario *find_scenario(const struct judge_options *options,
					    const char *name)
{
	for (size_t i = 0; i < options->scenario_count; i++)
		if (!strcmp(options->scenarios[i].name, name))
			return &options->scenarios[i];
	return NULL;
}

static int in_environments(const struct judge_options *options, int64_t environment)
{
	for (size_t i = 0; i < options->environment_count; i++)
		if (options->environments[i] == environment)
			return 1;
	return options->environment_count == 0;
}

static int is_judged(const struct judge_options *options,
		     const struct result_series *series)
{
	const struct scenario *scenario = find_scenario(options, series->scenario);

	return scenario && better_parse(series->better) != BETTER_NONE &&
	       in_environments(options, series->environment) &&
	       scenario_find_metric(scenario, series->metric);
}

/* Version by version: a dataset orders versions by their first appearance. */
static int add_results(const struct judge_options *options, const struct results *results,
		       int exact, struct dataset *data, struct error *err)
{
	for (size_t version = 0; version < results->versions.count; version++)
		for (size_t i = 0; i < results->count; i++)
			if (is_judged(options, &results->series[i]) &&
			    levels_add(results, &results->series[i], version, exact, data,
				       err))
				return -1;
	return 0;
}

/* What a scenario says of its metrics, unless the user said something for all. */
static void set_minimum_effects(const struct judge_options *options,
				struct measurements *measurements)
{
	for (size_t i = 0; i < measurements->count; i++) {
		struct series *series = &measurements->series[i];
		const struct scenario *scenario =
			find_scenario(options, series->name.scenario);
		const struct scenario_metric *metric =
			scenario_find_metric(scenario, series->name.metric);

		series->minimum_change = metric->min_change;
		if (metric->min_effect > 0 && options->min_effect < 0)
			series->minimum_effect = metric->min_effect / 100;
	}
}

void judge_keep_judged(const struct judge_options *options,
		       struct measurements *measurements)
{
	size_t kept = 0;

	for (size_t i = 0; i < measurements->count; i++) {
		const struct series_name *name = &measurements->series[i].name;
		const struct scenario *scenario = find_scenario(options, name->scenario);

		if (scenario && scenario_find_metric(scenario, name->metric))
			measurements->series[kept++] = measurements->series[i];
	}
	measurements->count = kept;
	set_minimum_effects(options, measurements);
}

static int load(struct workbench *workbench, const struct judge_options *options,
		struct dataset *data, struct error *err)
{
	CLEANUP(results_finish) struct results results = {0};
	CLEANUP(finding_list_finish) struct finding_list findings = {0};
	CLEANUP(floor_list_finish) struct floor_list floors = {0};
	int exact = workbench->lab_kind == CONFIG_VIRTUAL;
	struct results_query query = {
		.versions = options->versions,
		.version_count = options->version_count,
		.boots_of = exact ? NULL : &workbench->sessions,
	};

	if (store_load_results(workbench->store, &query, &results, err) ||
	    store_load_findings(workbench->store, &findings, err) ||
	    store_load_floors(workbench->store, &floors, err) ||
	    add_results(options, &results, exact, data, err))
		return -1;
	levels_complete(&results, exact, data);
	set_minimum_effects(options, &data->measurements);
	accepted_mark(&findings, config_lab_names[workbench->lab_kind],
		      &data->measurements);
	levels_set_floors(&floors, &data->measurements);
	return 0;
}

int judge_all(struct workbench *workbench, const struct judge_options *options,
	      struct judgement *ret_judgement, struct error *err)
{
	struct judgement judgement = {
		.policy = workbench->lab_kind == CONFIG_VIRTUAL ? policy_exact
								: policy_statistical,
	};

	judgement.policy.sequential = options->sequential;
	if (options->min_effect >= 0)
		judgement.policy.minimum_effect = options->min_effect / 100;
	if (load(workbench, options, &judgement.data, err)) {
		judgement_finish(&judgement);
		return -1;
	}
	judgement.data.measurements.baseline = workbench->config.baseline;
	compare_all(&judgement.data.measurements, &judgement.policy,
		    &judgement.comparisons);
	comparisons_settle(&judgement.comparisons);
	*ret_judgement = judgement;
	return 0;
}

void judgement_finish(struct judgement *judgement)
{
	comparisons_finish(&judgement->comparisons);
	dataset_finish(&judgement->data);
}

long judge_place(const struct judge_options *options, int64_t version, const char *name)
{
	for (size_t i = 0; i < options->version_count; i++)
		if ((version && options->versions[i] == version) ||
		    (name && !strcmp(options->names[i], name)))
			return (long)i;
	return -1;
}

int64_t judge_version(const struct judge_options *options, const char *name)
{
	long place = judge_place(options, 0, name);

	return place < 0 ? 0 : options->versions[place];
}

static struct verdict_side side_record(const struct judge_options *options,
				       const struct side_summary *side,
				       const char *version)
{
	return (struct verdict_side){
		.version = judge_version(options, version),
		.text = version,
		.boots = (int)side->boots,
		.median = side->median,
		.min = side->min,
		.max = side->max,
	};
}

static int store_one(struct workbench *workbench, const struct judge_options *options,
		     const struct comparison *comparison, struct error *err)
{
	const char *reasons[REASON_COUNT];
	char sentence[COMPARISON_SENTENCE_SIZE];
	struct verdict_record record = {
		.session = workbench->session,
		.role = role_name(comparison->role),
		.a = side_record(options, &comparison->a, comparison->a_version),
		.b = side_record(options, &comparison->b, comparison->b_version),
		.scenario = comparison->name.scenario,
		.case_label = comparison->name.case_label,
		.metric = comparison->name.metric,
		.unit = comparison->name.unit,
		.better = better_name(comparison->name.better),
		.change_percent = comparison->change_percent,
		.ci_low_percent = comparison->ci_percent[0],
		.ci_high_percent = comparison->ci_percent[1],
		.p = comparison->p,
		.q = comparison->q,
		.superiority = comparison->superiority,
		.boots_needed = (int)comparison->boots_needed,
		.verdict = verdict_name(comparison->verdict),
		.sentence = sentence,
		.reasons = reasons,
	};

	for (int reason = 0; reason < REASON_COUNT; reason++)
		if (comparison_has(comparison, (enum reason)reason))
			reasons[record.reason_count++] = reason_name((enum reason)reason);
	comparison_sentence(comparison, sentence);
	return store_add_verdicts(workbench->store, &record, 1, err);
}

int judge_store(struct workbench *workbench, const struct judge_options *options,
		const struct judgement *judgement, struct error *err)
{
	if (store_begin(workbench->store, err))
		return -1;
	for (size_t i = 0; i < judgement->comparisons.count; i++)
		if (store_one(workbench, options, &judgement->comparisons.items[i],
			      err)) {
			store_rollback(workbench->store);
			return -1;
		}
	return store_commit(workbench->store, err);
}
