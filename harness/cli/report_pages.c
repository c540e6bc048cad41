/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/report_pages.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "report/index.h"
#include "report/report.h"

#include <stdlib.h>

#define INDEX_NAME "index.html"

struct pages {
	struct store *store;
	char *folder;
	struct session_list sessions;
	struct finding_list findings;
	char **names; /* one for each session: its file, or NULL */
};

static void pages_finish(struct pages *pages)
{
	for (size_t i = 0; pages->names && i < pages->sessions.count; i++)
		free(pages->names[i]);
	free(pages->names);
	free(pages->folder);
	session_list_finish(&pages->sessions);
	finding_list_finish(&pages->findings);
}

static int has_content(const struct report_model *model)
{
	for (size_t i = 0; i < model->search_records.count; i++)
		if (model->searches[i].listed)
			return 1;
	return model->section_count > 0;
}

static int write_page(struct pages *pages, int64_t session, const char *path,
		      struct error *err)
{
	CLEANUP(report_model_finish) struct report_model model = {0};
	CLEANUP(text_finish) struct text page = {0};
	const struct report_options options = {.session = session};

	if (report_collect(pages->store, &options, &model, err) < 0)
		return -1;
	if (!has_content(&model))
		return 0;
	model.index = INDEX_NAME;
	report_writer_html.write(&model, &page);
	return file_write(path, page.data, page.size, err);
}

static int write_pages(struct pages *pages, int64_t wanted, struct error *err)
{
	for (size_t i = 0; i < pages->sessions.count; i++) {
		int64_t session = pages->sessions.items[i].id;
		CLEANUP(cleanup_free)
		char *name = memory_format("session-%lld.html", (long long)session);
		CLEANUP(cleanup_free) char *path = file_join(pages->folder, name);
		int is_due = wanted ? session == wanted : !file_exists(path);

		if (is_due && write_page(pages, session, path, err) < 0)
			return -1;
		if (file_exists(path))
			pages->names[i] = TAKE(name);
	}
	return 0;
}

static int write_index(struct pages *pages, const char *path, struct error *err)
{
	CLEANUP(text_finish) struct text page = {0};
	const struct report_index index = {
		.made = store_now(),
		.sessions = &pages->sessions,
		.findings = &pages->findings,
		.pages = pages->names,
	};

	report_index_write(&index, &page);
	return file_write(path, page.data, page.size, err);
}

int report_pages_write(struct store *store, const char *results, int64_t session,
		       char **ret_path, struct error *err)
{
	CLEANUP(pages_finish)
	struct pages pages = {.store = store, .folder = file_join(results, "reports")};
	CLEANUP(cleanup_free) char *index = file_join(pages.folder, INDEX_NAME);

	if (store_load_sessions(store, &pages.sessions, err) < 0 ||
	    store_load_findings(store, &pages.findings, err) < 0 ||
	    file_make_folders(pages.folder, err) < 0)
		return -1;
	pages.names = memory_new(pages.sessions.count, sizeof(*pages.names));
	if (write_pages(&pages, session, err) < 0 || write_index(&pages, index, err) < 0)
		return -1;
	for (size_t i = 0; i < pages.sessions.count; i++)
		if (session && pages.sessions.items[i].id == session && pages.names[i]) {
			*ret_path = file_join(pages.folder, pages.names[i]);
			return 0;
		}
	*ret_path = TAKE(index);
	return 0;
}
