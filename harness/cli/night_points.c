/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which versions a night is about: declared in night.h. */
#include "cli/night.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "history/commit.h"
#include "history/lineage.h"
#include "store/findings.h"
#include "store/subjects.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t night_find_commit(const struct night *night, const char *hex)
{
	for (size_t i = 0; i < night->point_count; i++)
		if (!strcmp(night->points[i].commit.hex, hex))
			return i;
	return night->point_count;
}

/* A commit of an earlier night may be gone: a branch was rewritten. */
int night_add_point(struct night *night, const char *hex, const char *name,
		    enum night_kind kind, size_t *ret_point, struct error *err)
{
	CLEANUP(commit_info_finish) struct commit_info info = {0};
	size_t place = night_find_commit(night, hex);
	struct night_point point = {.kind = kind};
	struct error ignored;

	(void)err;
	if (place == night->point_count) {
		snprintf(point.commit.hex, sizeof(point.commit.hex), "%s", hex);
		if (commit_read(night->bench->repository, &point.commit, &info,
				&ignored)) {
			*ret_point = night->point_count;
			return 0;
		}
		point.date = info.commit_time;
		point.name = memory_copy_string(name);
		night->points =
			memory_grow(night->points, night->point_count,
				    &night->point_capacity, sizeof(*night->points));
		night->points[night->point_count++] = point;
	}
	*ret_point = place;
	if (kind < night->points[place].kind)
		night->points[place].kind = kind;
	return 0;
}

static int add_branch(struct night *night, const char *branch, struct error *err)
{
	CLEANUP(cleanup_free) char *name = NULL;
	CLEANUP(cleanup_free) char *text = NULL;
	struct commit_id id;
	struct error why;
	size_t point;

	if (repository_resolve(night->bench->repository, branch, &id, &why)) {
		text = memory_format("branch %s is not followed: %s", branch, why.text);
		return night_note(night, "not-followed", NULL, text, err);
	}
	if (repository_describe(night->bench->repository, &id, &name, err))
		return -1;
	return night_add_point(night, id.hex, name, NIGHT_HEAD, &point, err);
}

static int add_branches(struct night *night, struct error *err)
{
	const struct config *config = &night->bench->config;
	const struct text_list *branches = &config->nightly.branches;

	if (!branches->count && !config->nightly.tags.count)
		return add_branch(night, "HEAD", err);
	for (size_t i = 0; i < branches->count; i++)
		if (add_branch(night, branches->items[i], err))
			return -1;
	return 0;
}

static int add_baseline(struct night *night, int64_t *ret_date, struct error *err)
{
	const char *baseline = night->bench->config.baseline;
	struct commit_id id;
	size_t point;

	*ret_date = INT64_MIN;
	if (!baseline)
		return 0;
	if (repository_resolve(night->bench->repository, baseline, &id, err))
		return error_prefix(err, "baseline");
	if (night_add_point(night, id.hex, baseline, NIGHT_BASELINE, &point, err))
		return -1;
	*ret_date = night->points[point].date;
	return 0;
}

static int is_followed(const struct night *night, const char *tag)
{
	const struct text_list *patterns = &night->bench->config.nightly.tags;

	for (size_t i = 0; i < patterns->count; i++)
		if (!fnmatch(patterns->items[i], tag, 0))
			return 1;
	return 0;
}

/* From before the baseline nothing is of interest. */
static int add_tag(struct night *night, const struct tag *tag, int64_t since,
		   struct error *err)
{
	CLEANUP(commit_info_finish) struct commit_info info = {0};
	size_t point;

	if (commit_read(night->bench->repository, &tag->commit, &info, err))
		return -1;
	if (info.commit_time < since)
		return 0;
	return night_add_point(night, tag->commit.hex, tag->name, NIGHT_TAG, &point, err);
}

static int add_tags(struct night *night, int64_t since, struct error *err)
{
	struct tag_list tags = {0};
	int failed = 0;

	if (!night->bench->config.nightly.tags.count)
		return 0;
	if (repository_tags(night->bench->repository, &tags, err))
		return -1;
	for (size_t i = 0; i < tags.count && !failed; i++)
		if (is_followed(night, tags.items[i].name))
			failed = add_tag(night, &tags.items[i], since, err);
	tag_list_finish(&tags);
	return failed;
}

static int add_earlier(struct night *night, struct error *err)
{
	CLEANUP(version_list_finish) struct version_list list = {0};
	const char *lab = config_lab_names[night->bench->lab_kind];
	size_t point;

	if (store_load_followed(night->bench->store, lab, &list, err))
		return -1;
	for (size_t i = 0; i < list.count; i++)
		if (night_add_point(night, list.items[i].commit, list.items[i].text,
				    NIGHT_EARLIER, &point, err))
			return -1;
	return 0;
}

/* Its good end is compared with what is new; where it was accepted, judging begins. */
static int add_findings(struct night *night, struct error *err)
{
	CLEANUP(finding_list_finish) struct finding_list list = {0};
	size_t point;

	if (store_load_findings(night->bench->store, &list, err))
		return -1;
	for (size_t i = 0; i < list.count; i++) {
		const struct finding_record *finding = &list.items[i];
		enum finding_standing standing = finding_standing(finding);

		if ((standing != FINDING_OPEN && standing != FINDING_ACKNOWLEDGED) ||
		    strcmp(finding->lab, config_lab_names[night->bench->lab_kind]) ||
		    strchr(finding->good, '+') || strchr(finding->bad, '+') ||
		    !*finding->good_commit || !*finding->bad_commit)
			continue;
		if (night_add_point(night, finding->good_commit, finding->good,
				    NIGHT_FINDING, &point, err) ||
		    night_add_point(night, finding->bad_commit, finding->bad,
				    NIGHT_FINDING, &point, err))
			return -1;
	}
	return 0;
}

/* --- lines */

static int is_kept(const struct night *night, size_t point, size_t behind)
{
	enum night_kind kind = night->points[point].kind;

	return behind < night->bench->config.nightly.window || kind == NIGHT_BASELINE ||
	       kind == NIGHT_FINDING;
}

static int add_line(struct night *night, size_t tip, struct error *err)
{
	CLEANUP(lineage_finish) struct lineage found = {0};
	CLEANUP(cleanup_free)
	struct commit_id *candidates =
		memory_new(night->point_count, sizeof(*candidates));
	struct night_line *line;

	for (size_t i = 0; i < night->point_count; i++)
		candidates[i] = night->points[i].commit;
	if (lineage_find(night->bench->repository, &candidates[tip], candidates,
			 night->point_count, &found, err))
		return -1;
	night->lines = memory_grow(night->lines, night->line_count, &night->line_capacity,
				   sizeof(*night->lines));
	line = &night->lines[night->line_count++];
	*line = (struct night_line){
		.name = memory_copy_string(night->points[tip].name),
		.points = memory_new(found.count, sizeof(*line->points)),
	};
	for (size_t i = 0; i < found.count; i++)
		night->points[found.items[i]].is_placed = 1;
	for (size_t i = 0; i < found.count; i++)
		if (is_kept(night, found.items[i], found.count - 1 - i))
			line->points[line->count++] = found.items[i];
	return 0;
}

/* The newest point of a kind that no line has; point_count: none. */
static size_t newest_stray(const struct night *night, enum night_kind kind)
{
	size_t newest = night->point_count;

	for (size_t i = 0; i < night->point_count; i++)
		if (night->points[i].kind == kind && !night->points[i].is_placed &&
		    (newest == night->point_count ||
		     night->points[i].date > night->points[newest].date))
			newest = i;
	return newest;
}

/* Branches, then tags that lie on none of them. */
static int find_lines(struct night *night, struct error *err)
{
	size_t tip;

	for (size_t i = 0; i < night->point_count; i++)
		if (night->points[i].kind == NIGHT_HEAD && add_line(night, i, err))
			return -1;
	while ((tip = newest_stray(night, NIGHT_TAG)) < night->point_count)
		if (add_line(night, tip, err))
			return -1;
	return 0;
}

int night_find_points(struct night *night, struct error *err)
{
	int64_t since;

	if (add_branches(night, err) || add_baseline(night, &since, err) ||
	    add_tags(night, since, err) || add_earlier(night, err) ||
	    add_findings(night, err) || find_lines(night, err))
		return -1;
	return night->line_count
		       ? 0
		       : error_set(err, ERROR_USAGE,
				   "nothing to follow: none of the branches and tags "
				   "of \"nightly\" in %s is there",
				   CONFIG_FILE);
}
