/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/collect_private.h"

#include "base/memory.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BOOTS = 12 };

static char *copy_member(const json_t *object, const char *name)
{
	const char *value = json_string_value(json_object_get(object, name));

	return memory_copy_string(value ? value : "");
}

/* What the search said of itself, in its own JSON. */
static void read_result(struct report_search *search)
{
	json_t *result = json_loads(search->record->result, 0, NULL);

	search->reason = copy_member(result, "reason");
	search->bisect_log = copy_member(result, "bisect_log");
	json_decref(result);
}

static const char *command_of(const struct session_list *sessions, int64_t id)
{
	for (size_t i = 0; i < sessions->count; i++)
		if (sessions->items[i].id == id)
			return sessions->items[i].command;
	return NULL;
}

int collect_searches(struct store *store, struct report_model *model, struct error *err)
{
	size_t count = model->search_records.count;

	model->searches = memory_new(count, sizeof(*model->searches));
	for (size_t i = 0; i < count; i++) {
		struct report_search *search = &model->searches[i];

		search->parent.id = search->child.id = "";
		search->record = &model->search_records.items[i];
		search->command = command_of(&model->sessions, search->record->session);
		read_result(search);
		if (store_load_steps(store, search->record->id, &search->steps, err) < 0)
			return -1;
		if (*search->record->culprit &&
		    store_load_commit(store, search->record->culprit, &search->culprit,
				      err) < 0)
			return -1;
	}
	return 0;
}

static int load_commit(struct store *store, const struct report_search *search,
		       struct report_commit *commit, struct error *err)
{
	if (store_load_commit(store, commit->id, &commit->info, err) < 0)
		return -1;
	for (size_t i = 0; i < search->steps.count; i++) {
		const struct step_record *step = &search->steps.items[i];

		if (!step->boot || strcmp(step->commit, commit->id) != 0 ||
		    strcmp(step->outcome, "ok") != 0 || commit->boots.count >= MOST_BOOTS)
			continue;
		if (store_load_boot(store, step->boot, &commit->boots, err) < 0)
			return -1;
	}
	return 0;
}

/* The culprit's parent is what else was booted for its confirmation. */
static const char *find_parent(const struct report_search *search)
{
	for (size_t i = 0; i < search->steps.count; i++) {
		const struct step_record *step = &search->steps.items[i];

		if (!strcmp(step->purpose, "confirm") &&
		    strcmp(step->commit, search->record->culprit) != 0)
			return step->commit;
	}
	return "";
}

int collect_confirmations(struct store *store, struct report_model *model,
			  struct error *err)
{
	for (size_t i = 0; i < model->search_records.count; i++) {
		struct report_search *search = &model->searches[i];

		if (!search->shown || !*search->record->culprit)
			continue;
		search->child.id = search->record->culprit;
		search->parent.id = find_parent(search);
		if (load_commit(store, search, &search->child, err) < 0 ||
		    (*search->parent.id &&
		     load_commit(store, search, &search->parent, err) < 0))
			return -1;
	}
	return 0;
}

static void finish_commit(struct report_commit *commit)
{
	commit_list_finish(&commit->info);
	boot_list_finish(&commit->boots);
}

void collect_searches_finish(struct report_model *model)
{
	for (size_t i = 0; model->searches && i < model->search_records.count; i++) {
		struct report_search *search = &model->searches[i];

		step_list_finish(&search->steps);
		collect_explanations_finish(search);
		commit_list_finish(&search->culprit);
		finish_commit(&search->parent);
		finish_commit(&search->child);
		free(search->reason);
		free(search->bisect_log);
	}
	free(model->searches);
}
