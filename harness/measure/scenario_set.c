/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure/scenario_set.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <stdlib.h>

void scenario_set_finish(struct scenario_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		scenario_finish(&set->items[i]);
	free(set->items);
	*set = (struct scenario_set){0};
}

static int choose(const struct workbench *workbench, const struct text_list *names,
		  struct text_list *ret_names, struct error *err)
{
	const struct text_list *given =
		names->count ? names : &workbench->config.scenarios;

	for (size_t i = 0; i < given->count; i++)
		text_list_add(ret_names, given->items[i]);
	if (ret_names->count)
		return 0;
	if (scenario_list(&workbench->scenario_folders, ret_names, err))
		return -1;
	return ret_names->count ? 0
				: error_set(err, ERROR_USAGE, "there are no scenarios");
}

int scenario_set_load(const struct workbench *workbench, const struct text_list *names,
		      const struct text_list *overrides, struct scenario_set *ret_set,
		      struct error *err)
{
	CLEANUP(text_list_finish) struct text_list chosen = {0};
	CLEANUP(scenario_set_finish) struct scenario_set set = {0};

	if (choose(workbench, names, &chosen, err))
		return -1;
	set.items = memory_new(chosen.count, sizeof(*set.items));
	for (size_t i = 0; i < chosen.count; i++) {
		if (workbench_load_scenario(workbench, chosen.items[i], overrides,
					    &set.items[i], err))
			return -1;
		set.count++;
	}
	*ret_set = set;
	set = (struct scenario_set){0};
	return 0;
}
