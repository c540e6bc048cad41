/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/line_private.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_VERSIONS = 500 };

void line_finish(struct line *line)
{
	free(line->versions);
	free(line->sessions);
	*line = (struct line){0};
}

static size_t find(const struct line *line, int64_t version)
{
	for (size_t i = 0; i < line->count; i++)
		if (line->versions[i] == version)
			return i;
	return line->count;
}

static void append(struct line *line, int64_t version)
{
	line->versions = memory_grow(line->versions, line->count, &line->capacity,
				     sizeof(*line->versions));
	line->versions[line->count++] = version;
}

static void merge(struct line *line, const struct version_list *versions)
{
	for (size_t i = 0; i < versions->count; i++)
		if (find(line, versions->items[i].id) == line->count)
			append(line, versions->items[i].id);
}

static void add_session(struct line *line, int64_t session)
{
	line->sessions = memory_grow(line->sessions, line->session_count,
				     &line->session_capacity, sizeof(*line->sessions));
	line->sessions[line->session_count++] = session;
}

static int is_plain(const struct version_list *versions)
{
	for (size_t i = 0; i < versions->count; i++)
		if (strcmp(versions->items[i].kind, "git") != 0 ||
		    strchr(versions->items[i].text, '+'))
			return 0;
	return 1;
}

static int continues(const struct line *line, const struct version_list *versions)
{
	if (line->count + versions->count > MOST_VERSIONS || !is_plain(versions))
		return 0;
	for (size_t i = 0; i < versions->count; i++)
		if (find(line, versions->items[i].id) < line->count)
			return 1;
	return 0;
}

static int is_same(const struct line *line, const struct version_list *versions)
{
	if (versions->count != line->count)
		return 0;
	for (size_t i = 0; i < line->count; i++)
		if (versions->items[i].id != line->versions[i])
			return 0;
	return line->count > 0;
}

/* A search boots versions as well; its session is no part of a line. */
static int is_search(const struct report_model *model, int64_t session)
{
	for (size_t i = 0; i < model->search_records.count; i++)
		if (model->search_records.items[i].session == session)
			return 1;
	return 0;
}

static int load_versions(struct store *store, const struct report_model *model,
			 int64_t session, struct version_list *versions,
			 struct error *err)
{
	if (store_load_versions(store, session, versions, err) < 0)
		return -1;
	if (versions->count || is_search(model, session))
		return 0;
	return store_load_booted_versions(store, session, versions, err);
}

static int add_older(struct store *store, const struct report_model *model, size_t index,
		     int plain, char *used, struct line *line, struct error *err)
{
	for (size_t i = index + 1; i < model->sessions.count; i++) {
		const struct session_record *session = &model->sessions.items[i];
		CLEANUP(version_list_finish) struct version_list versions = {0};

		if (used[i])
			continue;
		if (load_versions(store, model, session->id, &versions, err) < 0)
			return -1;
		if (!is_same(line, &versions) && !(plain && continues(line, &versions)))
			continue;
		merge(line, &versions);
		add_session(line, session->id);
		used[i] = 1;
	}
	return 0;
}

/* Of several sessions: what came first in the history stands first. */
static int sort_by_history(struct store *store, struct line *line, struct error *err)
{
	CLEANUP(version_list_finish) struct version_list all = {0};
	struct line sorted = {0};

	if (store_load_versions(store, 0, &all, err) < 0)
		return -1;
	for (size_t i = 0; i < all.count; i++)
		if (find(line, all.items[i].id) < line->count)
			append(&sorted, all.items[i].id);
	free(line->versions);
	line->versions = sorted.versions;
	line->capacity = sorted.capacity;
	return 0;
}

int line_collect(struct store *store, const struct report_model *model, size_t index,
		 char *used, struct line *ret_line, struct error *err)
{
	int64_t session = model->sessions.items[index].id;
	CLEANUP(version_list_finish) struct version_list versions = {0};
	struct line line = {0};

	*ret_line = line;
	used[index] = 1;
	if (load_versions(store, model, session, &versions, err) < 0)
		return -1;
	if (!versions.count)
		return 0;
	merge(&line, &versions);
	add_session(&line, session);
	if (add_older(store, model, index, is_plain(&versions), used, &line, err) < 0 ||
	    (line.session_count > 1 && is_plain(&versions) &&
	     sort_by_history(store, &line, err) < 0)) {
		line_finish(&line);
		return -1;
	}
	*ret_line = line;
	return 0;
}
