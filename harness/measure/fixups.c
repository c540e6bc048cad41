/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure/fixups.h"

#include "base/cleanup.h"

#include <string.h>

static int has(struct repository *repository, const char *revision,
	       const struct commit_id *commit, int *ret_answer, struct error *err)
{
	struct commit_id id;

	if (repository_resolve(repository, revision, &id, err))
		return error_prefix(err, "fixups");
	if (!strcmp(id.hex, commit->hex)) {
		*ret_answer = 1;
		return 0;
	}
	return repository_is_ancestor(repository, &id, commit, ret_answer, err);
}

static int applies(struct repository *repository, const struct config_fixup *fixup,
		   const struct commit_id *commit, int *ret_answer, struct error *err)
{
	int begun, over = 0;

	if (has(repository, fixup->from, commit, &begun, err) ||
	    (fixup->to && has(repository, fixup->to, commit, &over, err)))
		return -1;
	*ret_answer = begun && !over;
	return 0;
}

int fixups_add_edits(const struct config *config, struct repository *repository,
		     const struct commit_id *commit, struct text *version,
		     struct error *err)
{
	for (size_t i = 0; i < config->fixups.count; i++) {
		const struct config_fixup *fixup = &config->fixups.items[i];
		CLEANUP(cleanup_free) char *path = NULL;
		int needed;

		if (applies(repository, fixup, commit, &needed, err))
			return -1;
		if (!needed)
			continue;
		if (fixup->patch)
			path = config_path(config, fixup->patch);
		if (path)
			text_format(version, "+patch:%s", path);
		if (fixup->cherry_pick)
			text_format(version, "+pick:%s", fixup->cherry_pick);
	}
	return 0;
}

static int apply(const struct config *config, struct repository *repository,
		 struct workspace *workspace, const struct config_fixup *fixup,
		 struct tree_id *tree, struct error *err)
{
	struct tree_id before = *tree;
	CLEANUP(cleanup_free) char *path = NULL;
	struct commit_id pick;

	if (fixup->patch) {
		path = config_path(config, fixup->patch);
		if (workspace_patch(workspace, &before, path, tree, err))
			return -1;
	}
	if (!fixup->cherry_pick)
		return 0;
	before = *tree;
	if (repository_resolve(repository, fixup->cherry_pick, &pick, err))
		return error_prefix(err, "fixups");
	return workspace_pick(workspace, &before, &pick, tree, err);
}

int fixups_apply(const struct config *config, struct repository *repository,
		 struct workspace *workspace, const struct commit_id *commit,
		 struct tree_id *tree, struct error *err)
{
	for (size_t i = 0; i < config->fixups.count; i++) {
		const struct config_fixup *fixup = &config->fixups.items[i];
		int needed;

		if (applies(repository, fixup, commit, &needed, err) ||
		    (needed && apply(config, repository, workspace, fixup, tree, err)))
			return -1;
	}
	return 0;
}

void fixups_describe(const struct config *config, struct text *out)
{
	for (size_t i = 0; i < config->fixups.count; i++) {
		const struct config_fixup *fixup = &config->fixups.items[i];

		text_format(out, "%s..%s:%s+%s;", fixup->from, fixup->to ? fixup->to : "",
			    fixup->patch ? fixup->patch : "",
			    fixup->cherry_pick ? fixup->cherry_pick : "");
	}
}
