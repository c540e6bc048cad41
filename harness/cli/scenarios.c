/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/log.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/data.h"
#include "scenario/config.h"
#include "scenario/scenario.h"

#include <inttypes.h>
#include <jansson.h>
#include <libsmartcols.h>
#include <stdio.h>
#include <string.h>

enum { KEY_KEYS = 0x2000 };

struct arguments {
	struct context *context;
	struct text_list names, overrides;
	int keys;
};

/* All that was asked for, loaded. */
struct selection {
	struct config config;
	struct device_classes classes;
	struct text_list folders, paths;
	struct scenario *items;
	size_t count;
};

static const struct argp_option options[] = {
	{"param", 'p', "NAME=VALUE[,VALUE...]", 0, "Replace a parameter's values", 1},
	{"keys", KEY_KEYS, NULL, 0, "Print the keys and parameters of a scenario file",
	 1},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case 'p':
		text_list_add(&arguments->overrides, arg);
		return 0;
	case KEY_KEYS:
		arguments->keys = 1;
		return 0;
	case ARGP_KEY_ARG:
		text_list_add(&arguments->names, arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	options, parse, "[NAME|FILE...]",
	"Lists scenarios, or checks the given ones and prints their cases."};

static void finish_arguments(struct arguments *arguments)
{
	text_list_finish(&arguments->names);
	text_list_finish(&arguments->overrides);
}

static void finish_selection(struct selection *selection)
{
	for (size_t i = 0; i < selection->count; i++)
		scenario_finish(&selection->items[i]);
	free(selection->items);
	text_list_finish(&selection->folders);
	text_list_finish(&selection->paths);
	device_classes_finish(&selection->classes);
	config_finish(&selection->config);
}

static int find_paths(const struct arguments *arguments, struct selection *selection,
		      struct error *err)
{
	if (!arguments->names.count)
		return scenario_list(&selection->folders, &selection->paths, err);
	for (size_t i = 0; i < arguments->names.count; i++) {
		CLEANUP(cleanup_free) char *path = NULL;

		if (scenario_find(arguments->names.items[i], &selection->folders, &path,
				  err))
			return -1;
		text_list_add(&selection->paths, path);
	}
	return 0;
}

static void find_folders(struct selection *selection)
{
	const struct text_list *own = &selection->config.scenario_folders;
	CLEANUP(cleanup_free) char *shipped = data_path("scenarios");

	for (size_t i = 0; i < own->count; i++) {
		CLEANUP(cleanup_free)
		char *folder = config_path(&selection->config, own->items[i]);

		text_list_add(&selection->folders, folder);
	}
	text_list_add(&selection->folders, shipped);
}

static enum config_lab chosen_lab(const struct arguments *arguments,
				  const struct selection *selection)
{
	return config_choose_lab(&selection->config, arguments->context->lab);
}

/* Every broken file is told: all but the last here, the last by the caller. */
static int load_all(const struct arguments *arguments, struct selection *selection,
		    struct error *err)
{
	const struct scenario_options how = {
		.lab = chosen_lab(arguments, selection),
		.overrides = &arguments->overrides,
		.classes = &selection->classes,
		.check_files = 1,
	};
	int failed = 0;

	selection->items =
		memory_new(selection->paths.count + 1, sizeof(*selection->items));
	for (size_t i = 0; i < selection->paths.count; i++) {
		struct scenario *scenario = &selection->items[selection->count];
		struct error one = {0};

		if (!scenario_load(selection->paths.items[i], &how, scenario, &one)) {
			selection->count++;
			continue;
		}
		if (failed)
			log_error("%s", err->text);
		*err = one;
		failed = 1;
	}
	return failed ? -1 : 0;
}

static int load(const struct arguments *arguments, struct selection *selection,
		struct error *err)
{
	CLEANUP(cleanup_free) char *classes = data_path("vm-images/devices.yaml");

	if (config_load(arguments->context->config_path, &selection->config, err))
		return -1;
	find_folders(selection);
	if (device_classes_load(classes, &selection->classes, err) ||
	    find_paths(arguments, selection, err))
		return -1;
	return load_all(arguments, selection, err);
}

static void print_list(const struct selection *selection)
{
	struct libscols_table *table = scols_new_table();

	scols_table_new_column(table, "SCENARIO", 0, 0);
	scols_table_new_column(table, "WORKLOAD", 0, 0);
	scols_table_new_column(table, "CASES", 0, SCOLS_FL_RIGHT);
	scols_table_new_column(table, "DESCRIPTION", 0.5, SCOLS_FL_TRUNC);
	for (size_t i = 0; i < selection->count; i++) {
		const struct scenario *scenario = &selection->items[i];
		struct libscols_line *line = scols_table_new_line(table, NULL);

		scols_line_set_data(line, 0, scenario->name);
		scols_line_set_data(line, 1, scenario->workload->name);
		scols_line_refer_data(line, 2,
				      memory_format("%zu", scenario->cases.count));
		scols_line_set_data(line, 3,
				    scenario->description ? scenario->description : "");
	}
	scols_print_table(table);
	scols_unref_table(table);
}

/* What is the same in all cases: the parameters that are no list. */
static void print_fixed(const struct scenario *scenario)
{
	int first = 1;

	for (size_t i = 0; i < scenario->parameters.count; i++) {
		const struct scenario_parameter *parameter =
			&scenario->parameters.items[i];

		if (parameter->listed)
			continue;
		printf("%s%s=%s", first ? "  all cases: " : ", ", parameter->name,
		       parameter->values.items[0]);
		first = 0;
	}
	if (!first)
		putchar('\n');
}

static void print_cases(const struct scenario *scenario)
{
	printf("%s (%s)\n", scenario->name, scenario->path);
	if (scenario->description)
		printf("  %s\n", scenario->description);
	printf("  %s, %zu case%s, %" PRIu64 " run%s each; judged:",
	       scenario->workload->name, scenario->cases.count,
	       scenario->cases.count == 1 ? "" : "s", scenario->runs,
	       scenario->runs == 1 ? "" : "s");
	for (size_t i = 0; i < scenario->metrics.count; i++)
		printf("%s %s", i ? "," : "", scenario->metrics.items[i].name);
	putchar('\n');
	print_fixed(scenario);
	for (size_t i = 0; i < scenario->cases.count; i++)
		printf("    %s\n", *scenario->cases.items[i].label
					   ? scenario->cases.items[i].label
					   : "(one case without a label)");
}

static json_t *json_of_case(const struct scenario *scenario,
			    const struct scenario_case *scenario_case)
{
	json_t *parameters = json_object();

	for (size_t i = 0; i < scenario->workload->parameter_count; i++) {
		const char *name = scenario->workload->parameters[i].name;
		CLEANUP(cleanup_free)
		char *value = scenario_case_value(scenario, scenario_case, name);

		json_object_set_new(parameters, name, json_string(value));
	}
	return json_pack("{s:s, s:s, s:s, s:s, s:I, s:I, s:o}", "label",
			 scenario_case->label, "device", scenario_case->device,
			 "filesystem", job_filesystem_name(scenario_case->filesystem),
			 "mount_options", scenario_case->mount_options, "disks",
			 (json_int_t)scenario_case->disks, "disk_size",
			 (json_int_t)scenario_case->disk_size, "parameters", parameters);
}

static json_t *json_of_metric(const struct scenario_metric *metric)
{
	return json_pack(
		"{s:s, s:s, s:s, s:o}", "name", metric->name, "unit", metric->unit,
		"better", metric_better_name(metric->better), "min_effect_percent",
		metric->min_effect < 0 ? json_null() : json_real(metric->min_effect));
}

static json_t *json_of_scenario(const struct scenario *scenario,
				const struct device_classes *classes)
{
	json_t *cases = json_array(), *metrics = json_array();
	char digest[HASH_HEX_SIZE];

	scenario_digest(scenario, classes, digest);
	for (size_t i = 0; i < scenario->cases.count; i++)
		json_array_append_new(cases,
				      json_of_case(scenario, &scenario->cases.items[i]));
	for (size_t i = 0; i < scenario->metrics.count; i++)
		json_array_append_new(metrics,
				      json_of_metric(&scenario->metrics.items[i]));
	return json_pack("{s:s, s:s, s:s?, s:s, s:I, s:I, s:I, s:s, s:o, s:o}", "name",
			 scenario->name, "path", scenario->path, "description",
			 scenario->description, "workload", scenario->workload->name,
			 "runs", (json_int_t)scenario->runs, "boots",
			 (json_int_t)scenario->boots, "settle_seconds",
			 (json_int_t)scenario->settle_seconds, "digest", digest,
			 "metrics", metrics, "cases", cases);
}

static int print_json(const struct arguments *arguments,
		      const struct selection *selection, struct error *err)
{
	json_t *list = json_array();
	CLEANUP(cleanup_free) char *text = NULL;
	json_t *root;
	int lost = 0;

	for (size_t i = 0; i < selection->count; i++)
		lost |= json_array_append_new(
			list,
			json_of_scenario(&selection->items[i], &selection->classes));
	root = json_pack("{s:s, s:o}", "lab",
			 config_lab_names[chosen_lab(arguments, selection)], "scenarios",
			 list);
	text = json_dumps(root, JSON_INDENT(2));
	json_decref(root);
	if (lost || !text) /* all but the file's name was checked for UTF-8 */
		return error_set(err, ERROR_USAGE, "the name of a file is not UTF-8");
	puts(text);
	return 0;
}

static int print_keys(void)
{
	CLEANUP(text_finish) struct text help = {0};

	scenario_help(&help);
	fputs(text_string(&help), stdout);
	return 0;
}

static int run(struct context *context, int argc, char **argv, struct error *err)
{
	CLEANUP(finish_arguments) struct arguments arguments = {.context = context};
	CLEANUP(finish_selection) struct selection selection = {0};

	command_parse(&argp, argc, argv, &arguments);
	if (arguments.keys)
		return print_keys();
	if (load(&arguments, &selection, err))
		return -1;
	if (context->json)
		return print_json(&arguments, &selection, err);
	if (!arguments.names.count)
		print_list(&selection);
	for (size_t i = 0; i < selection.count && arguments.names.count; i++)
		print_cases(&selection.items[i]);
	return 0;
}

const struct command scenarios_command = {
	.name = "scenarios",
	.summary = "List scenarios, check them, print their cases",
	.run = run,
};
