/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/collect_private.h"

#include <stdlib.h>
#include <string.h>

static void drop_sessions(struct session_list *list, int64_t session)
{
	size_t newer = 0;

	while (newer < list->count && list->items[newer].id > session)
		newer++;
	list->count -= newer;
	if (newer)
		memmove(list->items, list->items + newer,
			list->count * sizeof(*list->items));
}

static void drop_findings(struct finding_list *list, int64_t session)
{
	while (list->count && list->items[list->count - 1].session > session) {
		struct finding_record *record = &list->items[--list->count];

		free((void *)record->cases);
		free((void *)record->events);
	}
	for (size_t i = 0; i < list->count; i++) {
		struct finding_record *record = &list->items[i];

		while (record->event_count &&
		       record->events[record->event_count - 1].session > session)
			record->event_count--;
	}
}

static void drop_searches(struct search_list *list, int64_t session)
{
	while (list->count && list->items[list->count - 1].session > session)
		free((void *)list->items[--list->count].suspects);
}

void collect_as_of(struct report_model *model, int64_t session)
{
	drop_sessions(&model->sessions, session);
	drop_findings(&model->findings, session);
	drop_searches(&model->search_records, session);
}
