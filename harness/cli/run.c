/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "cli/filing.h"
#include "cli/identity_notes.h"
#include "cli/judge.h"
#include "cli/run_options.h"
#include "cli/run_output.h"
#include "cli/sampled.h"
#include "cli/setup.h"
#include "measure/scenario_set.h"
#include "measure/schedule.h"
#include "report/comparison_json.h"
#include "report/comparison_text.h"
#include "report/format.h"
#include "store/sessions.h"
#include "store/subjects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One run of the command. */
struct run {
	const struct run_arguments *arguments;
	struct workbench *bench;
	struct scenario_set scenarios;
	struct subject_list subjects;
	struct subject reference; /* name NULL: the first of the subjects */
	struct measurement *work; /* subjects x scenarios */
	size_t work_count;
};

static void finish_run(struct run *run)
{
	for (size_t i = 0; i < run->work_count; i++)
		measurement_finish(&run->work[i]);
	scenario_set_finish(&run->scenarios);
	subject_list_finish(&run->subjects);
	subject_finish(&run->reference);
	free(run->work);
}

/* The version to compare with comes first, unless it is among them anyhow. */
static int add_baseline(struct run *run, struct error *err)
{
	const char *baseline = run->bench->config.baseline;

	for (size_t i = 0; baseline && i < run->arguments->versions.count; i++)
		if (!strcmp(run->arguments->versions.items[i], baseline))
			return 0;
	return baseline ? subject_list_add(run->bench, baseline, &run->arguments->range,
					   &run->subjects, err)
			: 0;
}

static int is_double(const struct run *run, const struct subject *subject)
{
	for (const struct subject *other = run->subjects.items; other < subject; other++)
		if (!strcmp(other->name, subject->name))
			return 1;
	return 0;
}

/* A range may hold the baseline, or overlap with another one. */
static void drop_doubles(struct run *run)
{
	struct subject_list *list = &run->subjects;
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		if (is_double(run, &list->items[i]))
			subject_finish(&list->items[i]);
		else
			list->items[kept++] = list->items[i];
	}
	list->count = kept;
}

static int resolve_versions(struct run *run, struct error *err)
{
	const struct text_list *versions = &run->arguments->versions;
	const char *reference = run->arguments->reference ? run->arguments->reference
							  : run->bench->config.reference;

	if (add_baseline(run, err))
		return -1;
	for (size_t i = 0; i < versions->count; i++)
		if (subject_list_add(run->bench, versions->items[i],
				     &run->arguments->range, &run->subjects, err))
			return -1;
	drop_doubles(run);
	if (run->bench->lab_kind == CONFIG_VIRTUAL || !reference)
		return 0;
	return subject_open(run->bench, reference, NULL, &run->reference, err);
}

/*
 * As the user says, as the scenario says, or 0: 1, in a noisy lab by the plan. In the
 * virtual lab the first version is booted twice: that is the check that boots repeat at
 * all.
 */
static unsigned boots_of(const struct run *run, const struct scenario *scenario,
			 int first)
{
	unsigned boots =
		run->arguments->boots ? run->arguments->boots : (unsigned)scenario->boots;
	int check = first && run->bench->lab_kind == CONFIG_VIRTUAL;

	return check && boots < 2 ? 2 : boots;
}

/* Version by version, so that a kernel is measured while the next one is built. */
static void plan(struct run *run)
{
	run->work = memory_new(run->subjects.count * run->scenarios.count,
			       sizeof(*run->work));
	for (size_t i = 0; i < run->subjects.count; i++)
		for (size_t j = 0; j < run->scenarios.count; j++)
			run->work[run->work_count++] = (struct measurement){
				.subject = &run->subjects.items[i],
				.scenario = &run->scenarios.items[j],
				.boots = boots_of(run, &run->scenarios.items[j], i == 0),
			};
}

static struct judge_options judging_of(const struct run *run)
{
	return (struct judge_options){
		.scenarios = run->scenarios.items,
		.scenario_count = run->scenarios.count,
		.min_effect = run->arguments->min_effect,
		.sequential =
			run->bench->lab_kind != CONFIG_VIRTUAL && !run->arguments->boots,
	};
}

static int measure_noisily(struct run *run, struct error *err)
{
	struct sampled sampled = {
		.bench = run->bench,
		.list = run->work,
		.count = run->work_count,
		.reference = run->reference.name ? &run->reference : run->subjects.items,
		.judging = judging_of(run),
		.seed = run->arguments->seed,
	};

	return sampled_measure(&sampled, err);
}

static int measure(struct run *run, struct error *err)
{
	CLEANUP(text_finish) struct text size = {0};

	format_count(&size, run->subjects.count, "version");
	text_add(&size, ", ");
	format_count(&size, run->scenarios.count, "scenario");
	log_info("%s, %s lab", text_string(&size), lab_name(run->bench->lab));
	plan(run);
	if (run->bench->lab_kind != CONFIG_VIRTUAL)
		return measure_noisily(run, err);
	if (measure_all(run->bench, run->work, run->work_count, err))
		return -1;
	return identity_notes_add(run->bench, run->work, run->work_count, err);
}

/* A command that measured nothing at all has failed, however orderly. */
static int check_measured(const struct run *run, struct error *err)
{
	for (size_t i = 0; i < run->work_count; i++)
		if (outcome_is_good(run->work[i].outcome))
			return 0;
	return error_set(err, ERROR_MEASUREMENT, "nothing was measured: %s, %s: %s",
			 run->work[0].subject->name, outcome_name(run->work[0].outcome),
			 run->work[0].detail ? run->work[0].detail : "");
}

/* The detail quotes a guest or a compiler. */
static void add_failure(const struct measurement *work, struct text *out)
{
	text_format(out, "%s: %s, %s: %s: ",
		    outcome_is_good(work->outcome) ? "measured in part" : "not measured",
		    work->subject->name, work->scenario->name,
		    outcome_name(work->outcome));
	utf8_add_plain_string(out, work->detail ? work->detail : "");
	text_add_char(out, '\n');
}

static int print_json(const struct run *run, const struct judgement *judgement,
		      struct error *err)
{
	CLEANUP(text_finish) struct text more = {0};

	/* Where all that comes is an error, no half an answer goes before it. */
	if (check_measured(run, err) ||
	    run_put_remarks(run->bench->store, run->bench->session, &more, err))
		return -1;
	return comparisons_print_json(&judgement->comparisons, text_string(&more), stdout,
				      err);
}

/* Many versions make long tables: those are for reports, or where asked for. */
static int wants_tables(const struct run *run)
{
	return run->arguments->tables || run->subjects.count <= 2;
}

static int print(const struct run *run, const struct judgement *judgement,
		 struct error *err)
{
	struct store *store = run->bench->store;
	CLEANUP(text_finish) struct text out = {0};

	if (run->arguments->context->json)
		return print_json(run, judgement, err);
	if (wants_tables(run) && run_add_tables(store, run->bench->session, &out, err))
		return -1;
	comparison_text_add(judgement->comparisons.items, judgement->comparisons.count,
			    comparison_text_colour(STDOUT_FILENO), &out);
	for (size_t i = 0; i < run->work_count; i++)
		if (run->work[i].outcome != OUTCOME_OK)
			add_failure(&run->work[i], &out);
	if (run_add_remarks(store, run->bench->session, &out, err))
		return -1;
	fputs(text_string(&out), stdout);
	return 0;
}

static int judge(struct run *run, int *ret_code, struct error *err)
{
	CLEANUP(judgement_finish) struct judgement judgement = {0};
	size_t opened;
	CLEANUP(judge_options_finish)
	struct judge_options judging = judging_of(run);

	judge_options_init(&judging, run->work, run->work_count);
	if (store_add_session_versions(run->bench->store, run->bench->session,
				       judging.versions, judging.version_count, err) ||
	    judge_all(run->bench, &judging, &judgement, err) ||
	    judge_store(run->bench, &judging, &judgement, err) || interrupt_check(err) ||
	    filing_open(run->bench, &judging, &judgement.comparisons, &opened, err) ||
	    interrupt_check(err) || print(run, &judgement, err))
		return -1;
	*ret_code = comparisons_regressed(&judgement.comparisons);
	return 0;
}

static void set_budget(struct run *run)
{
	run->bench->budget = (struct budget){
		.max_boots = run->arguments->max_boots,
		.max_seconds = run->arguments->max_minutes * 60,
		.started = process_now(),
	};
}

static int run_all(struct run *run, int *ret_code, struct error *err)
{
	set_budget(run);
	if (scenario_set_load(run->bench, &run->arguments->scenarios,
			      &run->arguments->parameters, &run->scenarios, err) ||
	    resolve_versions(run, err) || workbench_open_lab(run->bench, err) ||
	    workbench_begin_session(run->bench, err) || measure(run, err) ||
	    judge(run, ret_code, err))
		return -1;
	return check_measured(run, err);
}

static int run_with(const struct run_arguments *arguments, int argc, char **argv,
		    struct error *err)
{
	CLEANUP(setup_finish) struct setup setup = {0};
	CLEANUP(finish_run)
	struct run run = {.arguments = arguments, .bench = &setup.workbench};
	struct setup_options opening = {
		.tree = arguments->tree, .argc = argc, .argv = argv};
	int code = 0;

	if (setup_open(arguments->context, &opening, &setup, err))
		return -1;
	if (run_all(&run, &code, err)) {
		workbench_end_session(&setup.workbench, command_exit_code(err),
				      err->text);
		return -1;
	}
	workbench_end_session(&setup.workbench, code, NULL);
	return code;
}

static int execute(struct context *context, int argc, char **argv, struct error *err)
{
	CLEANUP(run_arguments_finish)
	struct run_arguments arguments = {.context = context, .min_effect = -1};

	run_parse(argc, argv, &arguments);
	return run_with(&arguments, argc, argv, err);
}

const struct command run_command = {
	.name = "run",
	.summary = "Build, boot and measure versions, and compare them",
	.run = execute,
};
