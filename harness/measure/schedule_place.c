/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where results belong, and those that are there already: schedule_private.h. */
#include "measure/schedule_private.h"

#include "base/memory.h"

#include <string.h>

void schedule_note_partial(struct measurement *measurement, const char *detail)
{
	if (measurement->outcome == OUTCOME_PARTIAL)
		return;
	measurement->outcome = OUTCOME_PARTIAL;
	measurement->detail = memory_copy_string(detail);
}

static void note_stored(struct measurement *measurement)
{
	const struct boot_list *found = &measurement->found;

	for (size_t i = 0; i < found->count; i++)
		if (!strcmp(found->items[i].outcome, outcome_name(OUTCOME_PARTIAL)))
			schedule_note_partial(measurement, found->items[i].detail);
}

/* Boots that are there already; those of a list that is measured again are known. */
static int find_boots(struct schedule *schedule, struct item *item, struct error *err)
{
	struct measurement *measurement = item->measurement;

	if (schedule->exact) {
		boot_list_finish(&measurement->found);
		return rows_find_boots(schedule->workbench, measurement->subject,
				       &item->place, &measurement->found, err);
	}
	if (!measurement->resume || measurement->found.count)
		return 0;
	return rows_find_session_boots(schedule->workbench, measurement->subject,
				       &item->place, measurement->purpose,
				       &measurement->found, err);
}

int schedule_place_item(struct schedule *schedule, struct item *item, struct error *err)
{
	struct measurement *measurement = item->measurement;

	item->placed = 1;
	if (rows_add_place(schedule->workbench, measurement->subject,
			   measurement->scenario, measurement->count_blocks, &item->place,
			   err))
		return -1;
	measurement->environment = item->place.environment;
	if (find_boots(schedule, item, err))
		return -1;
	note_stored(measurement);
	item->tally = (struct tally){
		.wanted = measurement->boots,
		.fresh = measurement->fresh,
		.found = measurement->found.count,
	};
	return 0;
}
