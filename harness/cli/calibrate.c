/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/process.h"
#include "cli/calibrated.h"
#include "cli/command.h"
#include "cli/judge.h"
#include "cli/measurements.h"
#include "cli/results.h"
#include "cli/setup.h"
#include "exchange/csv.h"
#include "measure/scenario_set.h"
#include "measure/schedule.h"
#include "store/sessions.h"

#include <stdio.h>
#include <stdlib.h>

enum { BOOTS_EXACT = 5, BOOTS_NOISY = 30, BOOTS_MOST = 10000 };

struct arguments {
	struct context *context;
	const char *tree, *from, *version;
	unsigned boots; /* 0: by the lab */
	double max_minutes;
	uint64_t seed;
	struct text_list scenarios, parameters;
};

enum { KEY_TREE = 0x2000, KEY_BOOTS, KEY_FROM, KEY_MAX_MINUTES, KEY_SEED };

static const struct argp_option options[] = {
	{"tree", KEY_TREE, "DIR", 0, "Git repository with the kernel source", 0},
	{"scenario", 's', "NAME", 0,
	 "Scenario by name or file; may be repeated (default: as for run)", 0},
	{"param", 'p', "NAME=VALUE[,VALUE]", 0, "Override a parameter of the scenarios",
	 0},
	{"boots", KEY_BOOTS, "N", 0, "Boots (default: 30, in the virtual lab 5)", 0},
	{"max-minutes", KEY_MAX_MINUTES, "M", 0, "No boot is begun after so many minutes",
	 0},
	{"from", KEY_FROM, "FILE.csv", 0,
	 "Boots of one version in a file (- for stdin), instead of measuring", 0},
	{"seed", KEY_SEED, "N", 0, "Of the draws (default: 1)", 0},
	{0},
};

static void read_boots(const char *text, struct arguments *arguments,
		       struct argp_state *state)
{
	uint64_t boots;

	if (number_parse_unsigned(text, &boots) || boots < 2 || boots > BOOTS_MOST)
		argp_error(state, "--boots: a number from 2 to %d, not '%s'", BOOTS_MOST,
			   text);
	arguments->boots = (unsigned)boots;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case KEY_TREE:
		arguments->tree = arg;
		return 0;
	case 's':
		text_list_add(&arguments->scenarios, arg);
		return 0;
	case 'p':
		text_list_add(&arguments->parameters, arg);
		return 0;
	case KEY_BOOTS:
		read_boots(arg, arguments, state);
		return 0;
	case KEY_FROM:
		arguments->from = arg;
		return 0;
	case KEY_MAX_MINUTES:
		arguments->max_minutes = command_minutes(state, "--max-minutes", arg);
		return 0;
	case KEY_SEED:
		if (number_parse_unsigned(arg, &arguments->seed) ||
		    arguments->seed > INT64_MAX)
			argp_error(state, "--seed: a number, not '%s'", arg);
		return 0;
	case ARGP_KEY_ARG:
		if (arguments->version)
			argp_error(state, "one version");
		arguments->version = arg;
		return 0;
	case ARGP_KEY_END:
		if (!arguments->version && !arguments->from)
			argp_error(state, "a version, or --from FILE.csv");
		if (arguments->from &&
		    (arguments->boots || arguments->tree || arguments->scenarios.count))
			argp_error(state,
				   "--from measures nothing: no --boots, --tree or "
				   "--scenario beside it");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	options,
	parse,
	"VERSION\n--from FILE.csv [VERSION]",
	"Measures one version against itself: how far its numbers scatter, how often "
	"that "
	"would have been called a change, and which changes so many boots show. What is "
	"found is stored: no later judgement in the same environment takes a change "
	"below "
	"that floor for real.",
	NULL,
	NULL,
	NULL,
};

static void arguments_finish(struct arguments *arguments)
{
	text_list_finish(&arguments->scenarios);
	text_list_finish(&arguments->parameters);
}

static int print(const struct arguments *arguments, const struct calibration *calibration,
		 struct error *err)
{
	CLEANUP(text_finish) struct text out = {0};

	if (arguments->context->json)
		calibration_json(calibration, &out);
	else
		calibration_text(calibration, &out);
	if (fputs(text_string(&out), stdout) < 0)
		return error_system(err, "standard output");
	return 0;
}

/* --- from a file */

static int open_store(const struct context *context, struct store **ret_store,
		      struct error *err)
{
	CLEANUP(cleanup_free) char *folder = NULL;
	CLEANUP(cleanup_free) char *path = NULL;

	if (results_folder(context, &folder, err) || file_make_folders(folder, err))
		return -1;
	path = file_join(folder, STORE_FILE_NAME);
	return store_open(path, STORE_READ_WRITE, ret_store, err);
}

/* The version that is named, or the only one. */
static int choose_version(const struct arguments *arguments,
			  const struct dataset *dataset, size_t *ret_version,
			  struct error *err)
{
	if (arguments->version)
		return measurements_find_version(dataset, arguments->version, ret_version,
						 err);
	if (dataset->measurements.version_count != 1)
		return error_set(err, ERROR_USAGE,
				 "%s: %zu versions; say which one is to be compared with "
				 "itself",
				 arguments->from, dataset->measurements.version_count);
	*ret_version = 0;
	return 0;
}

static int calibrate_file(const struct arguments *arguments, const char *command,
			  struct error *err)
{
	CLEANUP(dataset_finish) struct dataset dataset = {0};
	CLEANUP(calibration_finish)
	struct calibration calibration = {.lab = "import", .seed = arguments->seed};
	CLEANUP(cleanup_store) struct store *store = NULL;
	struct session_record session = {
		.command = command, .lab = "import", .program = KREGRESS_VERSION};
	int64_t id;
	size_t version;

	if (csv_read(arguments->from, &dataset, err) ||
	    choose_version(arguments, &dataset, &version, err) ||
	    calibrated_fill(&dataset.measurements, version, &policy_statistical,
			    &calibration, err) ||
	    open_store(arguments->context, &store, err) ||
	    store_add_session(store, &session, &id, err) ||
	    calibrated_store_import(store, id, &dataset.measurements, version,
				    &calibration, err) ||
	    store_end_session(store, id, 0, NULL, err))
		return -1;
	return print(arguments, &calibration, err);
}

/* --- in a lab */

/* What is measured, and what becomes of it. */
struct task {
	const struct arguments *arguments;
	struct workbench *bench;
	struct scenario_set scenarios;
	struct subject subject;
	struct measurement *work; /* one of each scenario */
};

static void task_close(struct task *task)
{
	for (size_t i = 0; task->work && i < task->scenarios.count; i++)
		measurement_finish(&task->work[i]);
	free(task->work);
	scenario_set_finish(&task->scenarios);
	subject_finish(&task->subject);
}

static int is_exact(const struct task *task)
{
	return task->bench->lab_kind == CONFIG_VIRTUAL;
}

/* Boots of a noisy lab are not interleaved with others: they judge nothing but it. */
static int measure(struct task *task, struct error *err)
{
	unsigned boots = task->arguments->boots;

	if (!boots)
		boots = is_exact(task) ? BOOTS_EXACT : BOOTS_NOISY;
	task->work = memory_new(task->scenarios.count, sizeof(*task->work));
	for (size_t i = 0; i < task->scenarios.count; i++)
		task->work[i] = (struct measurement){
			.subject = &task->subject,
			.scenario = &task->scenarios.items[i],
			.boots = boots,
			.purpose = is_exact(task) ? NULL : "calibrate",
			.resume = 1,
		};
	task->bench->seed = task->arguments->seed;
	task->bench->budget = (struct budget){
		.max_seconds = task->arguments->max_minutes * 60,
		.started = process_now(),
	};
	if (workbench_resume(task->bench, err) ||
	    measure_all(task->bench, task->work, task->scenarios.count, err))
		return -1;
	for (size_t i = 0; i < task->scenarios.count; i++)
		if (!outcome_is_good(task->work[i].outcome))
			return error_set(
				err, ERROR_MEASUREMENT, "%s, %s: %s: %s",
				task->subject.name, task->scenarios.items[i].name,
				outcome_name(task->work[i].outcome),
				task->work[i].detail ? task->work[i].detail : "");
	return 0;
}

static int calibrate(struct task *task, struct error *err)
{
	CLEANUP(dataset_finish) struct dataset dataset = {0};
	CLEANUP(calibration_finish)
	struct calibration calibration = {
		.lab = config_lab_names[task->bench->lab_kind],
		.seed = task->arguments->seed,
	};
	struct judge_options judging = {
		.scenarios = task->scenarios.items,
		.scenario_count = task->scenarios.count,
		.min_effect = -1,
	};

	for (size_t i = 0; i < task->scenarios.count; i++)
		if (calibrated_add_boots(&task->work[i], &dataset, &calibration, err))
			return -1;
	dataset_complete(&dataset);
	judge_keep_judged(&judging, &dataset.measurements);
	if (calibrated_fill(&dataset.measurements, 0,
			    is_exact(task) ? &policy_exact : &policy_statistical,
			    &calibration, err) ||
	    calibrated_store(task->bench->store, task->bench->session, task->work,
			     task->scenarios.count, &calibration, err))
		return -1;
	return print(task->arguments, &calibration, err);
}

static int run_task(struct task *task, struct error *err)
{
	const struct arguments *arguments = task->arguments;

	if (scenario_set_load(task->bench, &arguments->scenarios, &arguments->parameters,
			      &task->scenarios, err) ||
	    subject_open(task->bench, arguments->version, NULL, &task->subject, err) ||
	    workbench_open_lab(task->bench, err) ||
	    workbench_begin_session(task->bench, err) || measure(task, err))
		return -1;
	return calibrate(task, err);
}

static int calibrate_lab(const struct arguments *arguments, int argc, char **argv,
			 struct error *err)
{
	CLEANUP(setup_finish) struct setup setup = {0};
	CLEANUP(task_close)
	struct task task = {.arguments = arguments, .bench = &setup.workbench};
	struct setup_options opening = {
		.tree = arguments->tree, .argc = argc, .argv = argv};
	int failed;

	if (setup_open(arguments->context, &opening, &setup, err))
		return -1;
	failed = run_task(&task, err);
	workbench_end_session(&setup.workbench, failed ? command_exit_code(err) : 0,
			      failed ? err->text : NULL);
	return failed;
}

static int run(struct context *context, int argc, char **argv, struct error *err)
{
	CLEANUP(arguments_finish)
	struct arguments arguments = {.context = context, .seed = 1};
	CLEANUP(cleanup_free) char *command = setup_command_line(argc, argv);

	command_parse(&argp, argc, argv, &arguments);
	return arguments.from ? calibrate_file(&arguments, command, err)
			      : calibrate_lab(&arguments, argc, argv, err);
}

const struct command calibrate_command = {
	.name = "calibrate",
	.summary = "How much noise there is, and which changes can be seen",
	.run = run,
};
