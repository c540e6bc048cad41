/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/path_hints.h"

#include "base/log.h"
#include "base/memory.h"
#include "history/touched.h"

#include <stdlib.h>

void path_hints_init(struct path_hints *hints, struct repository *repository,
		     const struct graph *graph)
{
	*hints = (struct path_hints){
		.repository = repository,
		.graph = graph,
		.rules = memory_new(graph->count, sizeof(*hints->rules)),
	};
}

void path_hints_finish(struct path_hints *hints)
{
	free(hints->rules);
	*hints = (struct path_hints){0};
}

/* The likeliest path counts; once it cannot get likelier the rest is not read. */
static int keep_likeliest(void *state, const char *path)
{
	const struct path_rule **best = state, *rule = path_find_rule(path);

	if (*best == &path_rule_nothing || rule->weight > (*best)->weight)
		*best = rule;
	return (*best)->weight > path_rule_other.weight;
}

double path_hints_ask(void *state, uint32_t node)
{
	struct path_hints *hints = state;
	const struct path_rule *rule = &path_rule_nothing;
	struct error err = {0};

	if (commit_visit_touched(hints->repository, &hints->graph->ids[node],
				 keep_likeliest, &rule, &err)) {
		log_warning("%s; its files give no hint", err.text);
		rule = &path_rule_other;
	}
	hints->rules[node] = rule;
	hints->asked++;
	hints->likely += rule->weight > path_rule_other.weight;
	hints->unlikely += rule->weight < path_rule_other.weight;
	return rule->weight;
}

const struct path_rule *path_hints_rule(const struct path_hints *hints, uint32_t node)
{
	return hints->rules ? hints->rules[node] : NULL;
}

void path_hints_tell(struct path_hints *hints)
{
	if (hints->told || !(hints->likely || hints->unlikely))
		return;
	hints->told = 1;
	log_info("of %zu suspects %zu touch what a storage benchmark runs and are looked "
		 "at first, %zu hardly can matter and come last (--no-priors: all alike)",
		 hints->asked, hints->likely, hints->unlikely);
}
