/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scenario/parameters.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

const struct parameter *scenario_parameter_kind(const struct workload_kind *workload,
						const char *name)
{
	const struct setup_parameter *setup = setup_parameter_find(name);

	return setup ? &setup->kind : parameter_find(workload, name);
}

static const char *nearest(const struct workload_kind *workload, const char *name)
{
	size_t count = setup_parameter_count + workload->parameter_count;
	CLEANUP(cleanup_free) const char **names = memory_new(count + 1, sizeof(*names));

	for (size_t i = 0; i < setup_parameter_count; i++)
		names[i] = setup_parameters[i].kind.name;
	for (size_t i = 0; i < workload->parameter_count; i++)
		names[setup_parameter_count + i] = workload->parameters[i].name;
	return text_nearest(name, names);
}

static int find_kind(const struct scenario *scenario, const char *name,
		     const struct parameter **ret_kind, struct problem *problem)
{
	const struct parameter *kind = scenario_parameter_kind(scenario->workload, name);
	const char *near;

	if (kind) {
		*ret_kind = kind;
		return 0;
	}
	near = nearest(scenario->workload, name);
	return problem_set(problem, "the workload %s has no parameter '%s'%s%s%s",
			   scenario->workload->name, shown(name).text,
			   near ? "; did you mean '" : "", near ? near : "",
			   near ? "'?" : "");
}

static int check_device(const struct scenario_options *options, const char *name,
			struct problem *problem)
{
	const struct device_class *class;
	struct error err;

	if (options->lab != CONFIG_VIRTUAL || !options->classes)
		return 0;
	if (device_class_require(options->classes, name, &class, &err))
		return problem_set(problem, "%.400s", err.text);
	return 0;
}

static int check_whole_mib(const struct parameter *kind, uint64_t number,
			   struct problem *problem)
{
	if (!strcmp(kind->name, "disk_size") && number % (1 << 20))
		return problem_set(problem, "disk_size must be whole MiB");
	return 0;
}

/* Messages repeat values, so these must not hold what could trick a terminal. */
static int check_characters(const struct parameter *kind, const char *text,
			    struct problem *problem)
{
	for (; *text; text++)
		if (is_control_at(text))
			return problem_set(problem, "%s holds a control character",
					   kind->name);
	return 0;
}

static int add_value(const struct parameter *kind, const char *text,
		     const struct scenario_options *options, struct text_list *values,
		     struct problem *problem)
{
	CLEANUP(cleanup_free) char *canonical = NULL;
	uint64_t number = 0;

	if (check_characters(kind, text, problem) ||
	    parameter_parse(kind, text, &number, problem) ||
	    check_whole_mib(kind, number, problem))
		return -1;
	if (!strcmp(kind->name, "device") && check_device(options, text, problem))
		return -1;
	canonical = parameter_canonical(kind, text, number);
	if (text_list_contains(values, canonical))
		return problem_set(problem, "%s has the value %s twice", kind->name,
				   shown(canonical).text);
	text_list_add(values, canonical);
	return 0;
}

/* Takes the values; a parameter that is there keeps its place and stays listed. */
static void put(struct scenario *scenario, const char *name, struct text_list *values,
		int listed)
{
	struct scenario_parameter *parameter;
	size_t count = scenario->parameters.count;

	for (size_t i = 0; i < count; i++) {
		parameter = &scenario->parameters.items[i];
		if (!strcmp(parameter->name, name)) {
			text_list_finish(&parameter->values);
			parameter->values = *values;
			parameter->listed |= listed;
			*values = (struct text_list){0};
			return;
		}
	}
	scenario->parameters.items =
		memory_resize(scenario->parameters.items, count + 1, sizeof(*parameter));
	scenario->parameters.items[count] =
		(struct scenario_parameter){memory_copy_string(name), *values, listed};
	scenario->parameters.count++;
	*values = (struct text_list){0};
}

static int take_value(const struct document *document, const struct node *node,
		      const struct parameter *kind,
		      const struct scenario_options *options, struct text_list *values,
		      struct error *err)
{
	struct problem problem;

	if (node->kind != NODE_SCALAR || node_is_empty(node))
		return document_error(document, node, err,
				      "%s must be a value or a list of values, not %s",
				      kind->name, node_describe(node));
	if (add_value(kind, node->text, options, values, &problem))
		return document_error(document, node, err, "%s", problem.text);
	return 0;
}

static int take_parameter(const struct document *document, const struct node *node,
			  const struct scenario_options *options,
			  struct scenario *scenario, struct error *err)
{
	CLEANUP(text_list_finish) struct text_list values = {0};
	int listed = node->kind == NODE_LIST;
	const struct node *items = listed ? node->items : node;
	size_t count = listed ? node->count : 1;
	const struct parameter *kind = NULL;
	struct problem problem;

	if (find_kind(scenario, node->key, &kind, &problem))
		return document_error_key(document, node, err, "%s", problem.text);
	if (!count)
		return document_error(document, node, err, "%s has an empty list",
				      kind->name);
	for (size_t i = 0; i < count; i++)
		if (take_value(document, &items[i], kind, options, &values, err))
			return -1;
	put(scenario, kind->name, &values, listed);
	return 0;
}

int scenario_take_parameters(const struct document *document, const struct node *map,
			     const struct scenario_options *options,
			     struct scenario *scenario, struct error *err)
{
	if (map->kind != NODE_MAP)
		return document_error(document, map, err,
				      "parameters must be a map of names, not %s",
				      node_describe(map));
	for (size_t i = 0; i < map->count; i++)
		if (take_parameter(document, &map->items[i], options, scenario, err))
			return -1;
	return 0;
}

static int split_values(const struct parameter *kind, char *text,
			const struct scenario_options *options, struct text_list *values,
			struct problem *problem)
{
	char *value;

	while ((value = strsep(&text, ",")))
		if (add_value(kind, value, options, values, problem))
			return -1;
	return 0;
}

int scenario_take_override(const char *text, const struct scenario_options *options,
			   struct scenario *scenario, struct error *err)
{
	CLEANUP(text_list_finish) struct text_list values = {0};
	CLEANUP(cleanup_free) char *copy = memory_copy_string(text);
	char *rest = copy, *name = strsep(&rest, "=");
	const struct parameter *kind = NULL;
	struct problem problem;

	if (!rest || !*name)
		return error_set(err, ERROR_USAGE,
				 "--param '%s': must be name=value[,value...]",
				 shown(text).text);
	if (find_kind(scenario, name, &kind, &problem) ||
	    split_values(kind, rest, options, &values, &problem))
		return error_set(err, ERROR_USAGE, "--param %s: %s", shown(text).text,
				 problem.text);
	put(scenario, kind->name, &values, values.count > 1);
	return 0;
}
