/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/target.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A scenario's file may hold slashes; its name may not. */
static const char *end_of_name(const char *text)
{
	const char *yaml = strstr(text, ".yaml");

	return yaml ? yaml + strlen(".yaml") : text + strcspn(text, "/");
}

void target_split(const char *text, int with_metric, struct target *ret_target)
{
	const char *end = end_of_name(text);
	const char *slash;

	*ret_target = (struct target){
		.name = memory_copy_bytes(text, (size_t)(end - text)),
	};
	if (*end != '/' || !end[1])
		return;
	slash = with_metric ? strrchr(end + 1, '/') : NULL;
	if (!slash) {
		ret_target->case_label = memory_copy_string(end + 1);
		return;
	}
	ret_target->case_label = memory_copy_bytes(end + 1, (size_t)(slash - end - 1));
	ret_target->metric = memory_copy_string(slash + 1);
}

void target_finish(struct target *target)
{
	free(target->name);
	free(target->case_label);
	free(target->metric);
	*target = (struct target){0};
}
