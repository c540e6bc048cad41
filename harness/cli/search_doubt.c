/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commits that hardly can change what is measured. */
#include "cli/search_after.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "bisect/patch.h"
#include "bisect/paths.h"
#include "history/commit.h"
#include "history/touched.h"

#include <string.h>

/* A longer patch is no change of comments. */
enum { LONGEST_PATCH = 1 << 18 };

struct idle {
	size_t paths, idle;
};

static int count_path(void *state, const char *path)
{
	struct idle *count = state;

	count->paths++;
	count->idle += path_find_rule(path)->idle;
	return count->idle < count->paths;
}

static int touches_nothing_built(const struct search_run *run, uint32_t node,
				 int *ret_answer, struct error *err)
{
	struct idle count = {0};

	if (commit_visit_touched(run->request->repository, &run->graph.ids[node],
				 count_path, &count, err))
		return -1;
	*ret_answer = count.paths > 0 && count.idle == count.paths;
	return 0;
}

static int touches_comments(const struct search_run *run, uint32_t node, int *ret_answer,
			    struct error *err)
{
	CLEANUP(text_finish) struct text patch = {0};

	if (commit_read_patch(run->request->repository, &run->graph.ids[node],
			      LONGEST_PATCH, &patch, err))
		return -1;
	*ret_answer = patch.size + 4096 < LONGEST_PATCH &&
		      patch_is_comment(text_string(&patch));
	return 0;
}

static int has_parents_image(const struct search_run *run, uint32_t node, int *ret_answer,
			     struct error *err)
{
	const struct measurer *measurer = &run->request->measurer;
	const uint32_t *parents = graph_parents(&run->graph, node);

	*ret_answer = 0;
	for (size_t k = 0; measurer->ops->same_image && !*ret_answer &&
			   k < graph_parent_count(&run->graph, node);
	     k++)
		if (measurer->ops->same_image(measurer->state, run->graph.ids[node].hex,
					      run->graph.ids[parents[k]].hex, ret_answer,
					      err))
			return -1;
	return 0;
}

int search_find_doubt(const struct search_run *run, uint32_t node, char **ret_why,
		      struct error *err)
{
	static const struct {
		int (*find)(const struct search_run *run, uint32_t node, int *ret_answer,
			    struct error *err);
		const char *why;
	} doubts[] = {
		{touches_nothing_built, "it touches nothing that is built into a kernel"},
		{touches_comments, "it changes comments only"},
		{has_parents_image, "its kernel image is the same as a parent's"},
	};

	*ret_why = NULL;
	for (size_t i = 0; i < sizeof(doubts) / sizeof(*doubts); i++) {
		int answer;

		if (doubts[i].find(run, node, &answer, err))
			return -1;
		if (!answer)
			continue;
		*ret_why = memory_copy_string(doubts[i].why);
		return 0;
	}
	return 0;
}
