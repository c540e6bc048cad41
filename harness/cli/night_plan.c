/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a night is to measure, first things first: declared in night.h. */
#include "cli/night.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "store/queue.h"

#include <stdlib.h>
#include <string.h>

/* As the scenario says, else 1; in a noisy lab its plan decides. */
static unsigned boots_of(const struct night *night, size_t scenario)
{
	unsigned boots = (unsigned)night->scenarios.items[scenario].boots;

	return boots || night_is_noisy(night) ? boots : 1;
}

static struct night_work *find_work(const struct night *night, size_t point,
				    size_t scenario)
{
	for (size_t i = 0; i < night->work_count; i++)
		if (night->work[i].point == point &&
		    night->work[i].scenario == scenario && !night->work[i].is_done)
			return &night->work[i];
	return NULL;
}

/* What failed by its own doing fails again; the host's failures are not counted. */
static int is_known(const struct measured *measured, unsigned boots)
{
	return measured->good >= (boots ? boots : 1) || measured->failed > 0;
}

static void add_work(struct night *night, size_t point, size_t scenario, unsigned boots,
		     const char *reason)
{
	struct night_work *planned = find_work(night, point, scenario);

	if (planned) {
		planned->boots = boots > planned->boots ? boots : planned->boots;
		return;
	}
	night->work = memory_grow(night->work, night->work_count, &night->work_capacity,
				  sizeof(*night->work));
	night->work[night->work_count++] = (struct night_work){
		.point = point, .scenario = scenario, .boots = boots, .reason = reason};
}

int night_want(struct night *night, size_t point, size_t scenario, unsigned boots,
	       const char *reason, struct error *err)
{
	struct measured measured;

	if (!boots)
		boots = boots_of(night, scenario);
	if (night_look_up(night, point, scenario, &measured, err))
		return -1;
	if (!is_known(&measured, boots))
		add_work(night, point, scenario, boots, reason);
	return 0;
}

static int want_all(struct night *night, size_t point, unsigned boots, const char *reason,
		    struct error *err)
{
	for (size_t i = 0; i < night->scenarios.count; i++)
		if (night_want(night, point, i, boots, reason, err))
			return -1;
	return 0;
}

static int want_heads(struct night *night, struct error *err)
{
	for (size_t i = 0; i < night->line_count; i++) {
		const struct night_line *line = &night->lines[i];

		if (want_all(night, line->points[line->count - 1], 0, "newest", err))
			return -1;
	}
	return 0;
}

/* What is new is compared with this, in the virtual lab with what is known of it. */
static int want_beside(struct night *night, size_t point, unsigned boots,
		       const char *reason, struct error *err)
{
	if (!night_is_noisy(night))
		return want_all(night, point, boots, reason, err);
	for (size_t i = 0; i < night->scenarios.count; i++)
		add_work(night, point, i, boots_of(night, i), reason);
	return 0;
}

static int has_work(const struct night *night, const struct night_line *line)
{
	for (size_t i = 0; i < night->work_count; i++)
		for (size_t k = 0; k < line->count; k++)
			if (night->work[i].point == line->points[k])
				return 1;
	return 0;
}

/* In the virtual lab two boots of it are the check that boots repeat at all. */
static int want_compared(struct night *night, const struct night_line *line,
			 struct error *err)
{
	/* Nothing new: then nothing is compared in a noisy lab. */
	if (night_is_noisy(night) && !has_work(night, line))
		return 0;
	if (line->count > 1 &&
	    want_beside(night, line->points[line->count - 2],
			night_is_noisy(night) ? 0 : 2, "compared with the newest", err))
		return -1;
	for (size_t i = 0; i + 1 < line->count; i++) {
		enum night_kind kind = night->points[line->points[i]].kind;

		if (kind != NIGHT_BASELINE && kind != NIGHT_FINDING)
			continue;
		if (want_beside(night, line->points[i], 0,
				kind == NIGHT_BASELINE ? "baseline" : "end of a finding",
				err))
			return -1;
	}
	return 0;
}

static int want_tags(struct night *night, const struct night_line *line,
		     struct error *err)
{
	for (size_t i = line->count; i-- > 0;)
		if (night->points[line->points[i]].kind == NIGHT_TAG &&
		    want_all(night, line->points[i], 0, "tag", err))
			return -1;
	return 0;
}

static size_t find_scenario(const struct night *night, const char *name)
{
	size_t i = 0;

	while (i < night->scenarios.count &&
	       strcmp(night->scenarios.items[i].name, name) != 0)
		i++;
	return i;
}

/* What it left over, where it still means something. */
static int want_left_over(struct night *night, struct error *err)
{
	CLEANUP(queue_list_finish) struct queue_list queue = {0};
	const char *lab = config_lab_names[night->bench->lab_kind];

	if (store_load_queue(night->bench->store, lab, &queue, err))
		return -1;
	for (size_t i = 0; i < queue.count; i++) {
		const struct queue_item *item = &queue.items[i];
		size_t scenario = find_scenario(night, item->scenario);
		size_t point;

		if (!*item->commit || scenario == night->scenarios.count)
			continue;
		point = night_find_commit(night, item->commit);
		if (point < night->point_count &&
		    night_want(night, point, scenario, (unsigned)item->boots,
			       "left over from an earlier night", err))
			return -1;
	}
	return 0;
}

int night_plan(struct night *night, struct error *err)
{
	if (want_heads(night, err))
		return -1;
	for (size_t i = 0; i < night->line_count; i++)
		if (want_compared(night, &night->lines[i], err))
			return -1;
	for (size_t i = 0; i < night->line_count; i++)
		if (want_tags(night, &night->lines[i], err))
			return -1;
	return want_left_over(night, err) || night_store_queue(night, err) ? -1 : 0;
}

/* --- the queue */

static struct queue_item *add_item(struct queue_list *list)
{
	list->items = memory_grow(list->items, list->count, &list->capacity,
				  sizeof(*list->items));
	list->items[list->count] = (struct queue_item){0};
	return &list->items[list->count++];
}

static void add_left(const struct night *night, struct queue_list *list)
{
	for (size_t i = 0; i < night->work_count; i++) {
		const struct night_work *work = &night->work[i];
		const struct night_point *point = &night->points[work->point];

		if (!work->is_done)
			*add_item(list) = (struct queue_item){
				.kind = "measure",
				.lab = config_lab_names[night->bench->lab_kind],
				.commit = point->commit.hex,
				.version = point->name,
				.scenario = night->scenarios.items[work->scenario].name,
				.boots = (int)work->boots,
				.reason = work->reason,
			};
	}
}

static void add_searches(const struct night *night, const struct finding_list *findings,
			 struct queue_list *list)
{
	const char *lab = config_lab_names[night->bench->lab_kind];

	for (size_t i = 0; i < findings->count; i++)
		if (night_is_to_search(night, &findings->items[i]))
			*add_item(list) = (struct queue_item){
				.kind = "search",
				.lab = lab,
				.scenario = findings->items[i].cases[0].scenario,
				.finding = findings->items[i].id,
				.reason = "no commit is named yet",
			};
}

int night_store_queue(struct night *night, struct error *err)
{
	CLEANUP(queue_list_finish) struct queue_list list = {0};
	CLEANUP(finding_list_finish) struct finding_list findings = {0};

	if (store_load_findings(night->bench->store, &findings, err))
		return -1;
	add_left(night, &list);
	add_searches(night, &findings, &list);
	return store_add_queue(night->bench->store, night->bench->session, list.items,
			       list.count, err);
}
