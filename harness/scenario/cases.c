/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/memory.h"
#include "scenario/parameters.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Commas and '=' part the label; a value that holds them must not look like more. */
static void add_label(struct text *label, const char *name, const char *value)
{
	text_format(label, "%s%s=", label->size ? "," : "", name);
	for (; *value; value++)
		text_add_char(label, *value == ',' ? ';' : *value == '=' ? ':' : *value);
}

static void set_workload(struct scenario_case *scenario_case, const char *name,
			 const char *value)
{
	struct parameter_value *slot =
		&scenario_case->parameters[scenario_case->parameter_count++];

	snprintf(slot->name, sizeof(slot->name), "%s", name);
	snprintf(slot->value, sizeof(slot->value), "%s", value);
}

/* The values of the case with that number; the first list is the slowest. */
static void fill(const struct scenario *scenario, size_t number,
		 struct scenario_case *scenario_case)
{
	CLEANUP(text_finish) struct text label = {0};
	size_t below = scenario->cases.count;

	for (size_t i = 0; i < setup_parameter_count; i++)
		setup_parameters[i].set(scenario_case, setup_parameters[i].kind.fallback);
	scenario_case->parameters = memory_new(scenario->parameters.count + 1,
					       sizeof(*scenario_case->parameters));
	for (size_t i = 0; i < scenario->parameters.count; i++) {
		const struct scenario_parameter *parameter =
			&scenario->parameters.items[i];
		const struct setup_parameter *setup =
			setup_parameter_find(parameter->name);
		const char *value;

		below /= parameter->values.count;
		value = parameter->values.items[number / below % parameter->values.count];
		if (parameter->listed)
			add_label(&label, parameter->name, value);
		if (setup)
			setup->set(scenario_case, value);
		else
			set_workload(scenario_case, parameter->name, value);
	}
	scenario_case->label = text_take(&label);
}

static int is_choice(const struct scenario *scenario,
		     const struct scenario_case *scenario_case, const char *name,
		     const char *value)
{
	CLEANUP(cleanup_free)
	char *actual = scenario_case_value(scenario, scenario_case, name);

	return actual && !strcmp(actual, value);
}

static int check_disks(const struct scenario *scenario,
		       const struct scenario_case *scenario_case, struct problem *problem)
{
	int several = !strcmp(scenario->workload->name, "parallel-writers") ||
		      !strcmp(scenario->workload->name, "exec");

	if (scenario_case->disks > 1 && !several)
		return problem_set(problem, "%s uses one disk, not %" PRIu64,
				   scenario->workload->name, scenario_case->disks);
	if (scenario_case->filesystem == JOB_FS_NONE &&
	    is_choice(scenario, scenario_case, "target", "file"))
		return problem_set(problem, "target file needs a filesystem");
	return 0;
}

static int check_space(const struct scenario *scenario,
		       const struct scenario_options *options,
		       const struct scenario_case *scenario_case, struct problem *problem)
{
	uint64_t bytes = scenario_case_bytes(scenario, scenario_case);

	if (options->lab == CONFIG_VIRTUAL && bytes > scenario_case->disk_size)
		return problem_set(problem,
				   "%" PRIu64 " bytes do not fit on a disk of %" PRIu64
				   "; raise disk_size or lower the workload's size",
				   bytes, scenario_case->disk_size);
	return 0;
}

static int check_label(const struct scenario *scenario, size_t number,
		       struct problem *problem)
{
	const struct scenario_case *items = scenario->cases.items;

	if (strlen(items[number].label) >= JOB_LABEL_SIZE)
		return problem_set(problem, "its label is longer than %d bytes",
				   JOB_LABEL_SIZE - 1);
	for (size_t i = 0; i < number; i++)
		if (!strcmp(items[i].label, items[number].label))
			return problem_set(problem, "two cases have this label");
	return 0;
}

static int check_case(const struct scenario *scenario,
		      const struct scenario_options *options, size_t number,
		      struct error *err)
{
	const struct scenario_case *scenario_case = &scenario->cases.items[number];
	struct problem problem;

	if (!parameters_check(scenario->workload, scenario_case->parameters,
			      scenario_case->parameter_count, &problem) &&
	    !check_disks(scenario, scenario_case, &problem) &&
	    !check_space(scenario, options, scenario_case, &problem) &&
	    !check_label(scenario, number, &problem))
		return 0;
	error_set(err, ERROR_USAGE, "%s", problem.text);
	if (*scenario_case->label)
		error_prefix(err, "case %s", shown(scenario_case->label).text);
	return error_prefix(err, "%s: %s lab", scenario->path,
			    config_lab_names[options->lab]);
}

static int count_cases(const struct scenario *scenario, size_t *ret_count,
		       struct error *err)
{
	size_t count = 1;

	for (size_t i = 0; i < scenario->parameters.count; i++) {
		count *= scenario->parameters.items[i].values.count;
		if (count > SCENARIO_CASES_MAX)
			return error_set(err, ERROR_USAGE,
					 "%s: the lists make more than %d cases",
					 scenario->path, SCENARIO_CASES_MAX);
	}
	*ret_count = count;
	return 0;
}

int scenario_expand(const struct scenario_options *options, struct scenario *scenario,
		    struct error *err)
{
	size_t count = 0;

	if (count_cases(scenario, &count, err))
		return -1;
	scenario->cases.items = memory_new(count, sizeof(*scenario->cases.items));
	scenario->cases.count = count;
	for (size_t i = 0; i < count; i++)
		fill(scenario, i, &scenario->cases.items[i]);
	for (size_t i = 0; i < count; i++)
		if (check_case(scenario, options, i, err))
			return -1;
	return 0;
}

char *scenario_case_value(const struct scenario *scenario,
			  const struct scenario_case *scenario_case, const char *name)
{
	const struct parameter *parameter = parameter_find(scenario->workload, name);
	const struct setup_parameter *setup = setup_parameter_find(name);
	struct problem problem;
	const char *text;
	uint64_t number = 0;

	if (setup)
		return setup->get(scenario_case);
	if (!parameter)
		return NULL;
	text = parameters_text(scenario->workload, scenario_case->parameters,
			       scenario_case->parameter_count, name);
	if (parameter_parse(parameter, text, &number, &problem))
		return memory_copy_string(text);
	return parameter_canonical(parameter, text, number);
}

static uint64_t number_of(const struct scenario *scenario,
			  const struct scenario_case *scenario_case, const char *name)
{
	return parameters_number(scenario->workload, scenario_case->parameters,
				 scenario_case->parameter_count, name);
}

int scenario_case_is_raw(const struct scenario *scenario,
			 const struct scenario_case *scenario_case)
{
	return is_choice(scenario, scenario_case, "target", "device");
}

uint64_t scenario_case_bytes(const struct scenario *scenario,
			     const struct scenario_case *scenario_case)
{
	if (parameter_find(scenario->workload, "size"))
		return number_of(scenario, scenario_case, "size");
	return number_of(scenario, scenario_case, "count") *
	       number_of(scenario, scenario_case, "block_size");
}

/* A loop that syncs nothing measures the cache, and may have any. */
static int syncs(const struct scenario *scenario)
{
	if (!workload_kind_syncs(scenario->workload))
		return 0;
	for (size_t i = 0; i < scenario->cases.count; i++)
		if (!is_choice(scenario, &scenario->cases.items[i], "sync", "none"))
			return 1;
	return 0;
}

int scenario_check_disk(const struct scenario *scenario, const struct config_disk *disk,
			struct error *err)
{
	static const char *const reasons[] = {
		[CONFIG_CACHE_WRITEBACK] =
			"the host's page cache would take the writes of the guest",
		[CONFIG_CACHE_UNSAFE] = "flushes of the guest would be ignored",
	};

	if (disk->cache < CONFIG_CACHE_WRITEBACK || !syncs(scenario))
		return 0;
	return error_set(err, ERROR_USAGE,
			 "scenario %s syncs, but disk %s has cache: %s, where %s; use "
			 "none or directsync",
			 scenario->name, disk->name, config_cache_names[disk->cache],
			 reasons[disk->cache]);
}
