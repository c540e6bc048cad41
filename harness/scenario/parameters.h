/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parameters of a scenario while it is read: names and values checked by the tables
 * of the workload and of the set-up, values brought into one form, later sources laid
 * over earlier ones. Used inside this folder alone.
 */
#ifndef SCENARIO_PARAMETERS_H
#define SCENARIO_PARAMETERS_H

#include "scenario/document.h"
#include "scenario/scenario.h"

/* What belongs to the machine of a case rather than to its workload. */
struct setup_parameter {
	struct parameter kind;
	void (*set)(struct scenario_case *scenario_case, const char *value);
	char *(*get)(const struct scenario_case *scenario_case); /* the caller frees */
};

extern const struct setup_parameter setup_parameters[];
extern const size_t setup_parameter_count;

/* NULL where there is none. */
const struct setup_parameter *setup_parameter_find(const char *name);
/* Of the workload or the set-up; NULL where there is none. */
const struct parameter *scenario_parameter_kind(const struct workload_kind *workload,
						const char *name);

/* One spelling a value: 4k becomes 4096, 1024k 1M, true yes. The caller frees. */
char *parameter_canonical(const struct parameter *parameter, const char *text,
			  uint64_t number);

/* The tables of the set-up and of each workload as comments. */
void parameters_help(struct text *out);

/* What the map says, over what the scenario holds. */
int scenario_take_parameters(const struct document *document, const struct node *map,
			     const struct scenario_options *options,
			     struct scenario *scenario, struct error *err);

/* "name=value[,value...]" of --param. */
int scenario_take_override(const char *text, const struct scenario_options *options,
			   struct scenario *scenario, struct error *err);

/*
 * Whether the files are there, and whether each case's command is one of them. The
 * document is the scenario's, for the place of a message.
 */
int scenario_check_files(const struct document *document, const struct scenario *scenario,
			 struct error *err);

/* Builds and checks the cases. */
int scenario_expand(const struct scenario_options *options, struct scenario *scenario,
		    struct error *err);

#endif
