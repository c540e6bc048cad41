/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The explanations that belong to searches. */
#include "report/collect_private.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "report/explanation.h"

#include <stdlib.h>
#include <string.h>

enum { EXPLANATIONS_OF_A_SEARCH = 4 };

/* The newest of each case: they come first. */
static int is_shown(const struct report_search *search,
		    const struct explanation_record *record)
{
	for (size_t i = 0; i < search->explanation_count; i++)
		if (!strcmp(search->explanations[i].scenario, record->scenario) &&
		    !strcmp(search->explanations[i].case_label, record->case_label))
			return 1;
	return 0;
}

static int explain_search(struct store *store, const struct explanation_list *list,
			  struct report_search *search, struct error *err)
{
	search->explanations =
		memory_new(EXPLANATIONS_OF_A_SEARCH, sizeof(*search->explanations));
	for (size_t i = 0; i < list->count; i++) {
		const struct explanation_record *record = &list->items[i];

		if (search->explanation_count == EXPLANATIONS_OF_A_SEARCH ||
		    strcmp(record->b_commit, search->record->culprit) != 0 ||
		    is_shown(search, record))
			continue;
		if (explanation_load(store, record, FOLD_FUNCTION,
				     &search->explanations[search->explanation_count],
				     err))
			return -1;
		search->explanation_count++;
	}
	return 0;
}

int collect_explanations(struct store *store, struct report_model *model,
			 struct error *err)
{
	CLEANUP(explanation_list_finish) struct explanation_list list = {0};

	if (store_load_explanations(store, &list, err))
		return -1;
	for (size_t i = 0; i < model->search_records.count; i++)
		if (*model->searches[i].record->culprit &&
		    explain_search(store, &list, &model->searches[i], err))
			return -1;
	return 0;
}

void collect_explanations_finish(struct report_search *search)
{
	for (size_t i = 0; i < search->explanation_count; i++)
		explanation_finish(&search->explanations[i]);
	free(search->explanations);
}
