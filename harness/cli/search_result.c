/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The answer of a search as JSON and for people. */
#include "cli/bisect_log.h"
#include "cli/search_run.h"
#include "cli/search_skips.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "history/commit.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

const char *search_status_name(enum search_status status)
{
	static const char *const names[] = {
		[SEARCH_RUNNING] = "running", [SEARCH_CONFIRMED] = "confirmed",
		[SEARCH_SET] = "set",         [SEARCH_NO_DIFFERENCE] = "no-difference",
		[SEARCH_ABORTED] = "aborted",
	};

	return names[status];
}

/* Suspects are shown where the search found that there is something to suspect. */
static unsigned char *find_suspects(const struct search_run *run)
{
	unsigned char *member = memory_new(run->graph.count, 1);

	if (run->end.status == SEARCH_CONFIRMED || run->end.status == SEARCH_SET)
		search_suspects(run->search, member);
	return member;
}

static const char *touched(const struct search_run *run, uint32_t node)
{
	const struct path_rule *rule = path_hints_rule(&run->hints, node);

	return rule ? rule->what : NULL;
}

static json_t *suspects_json(const struct search_run *run)
{
	CLEANUP(cleanup_free) unsigned char *member = find_suspects(run);
	CLEANUP(cleanup_free)
	double *mass = memory_new(run->graph.count, sizeof(*mass));
	json_t *list = json_array();

	search_posterior(run->search, mass);
	for (uint32_t i = 0; i < run->graph.count; i++)
		if (member[i])
			json_array_append_new(
				list,
				json_pack("{s:s,s:f,s:b,s:b,s:f,s:s?}", "commit",
					  run->graph.ids[i].hex, "probability", mass[i],
					  "tested", search_values(run->search, i) > 0,
					  "skipped", search_skipped(run->search, i),
					  "prior", search_hint(run->search, i), "touches",
					  touched(run, i)));
	return list;
}

static json_t *steps_json(const struct search_run *run)
{
	json_t *list = json_array();

	for (size_t i = 0; i < run->step_count; i++) {
		const struct search_run_step *step = &run->steps[i];
		json_t *values = json_array();

		if (!strcmp(step->outcome, "ok"))
			json_array_append_new(values, json_real(step->value));
		json_array_append_new(list, json_pack("{s:s,s:s,s:s,s:o}", "commit",
						      run->graph.ids[step->node].hex,
						      "purpose", step->purpose, "outcome",
						      step->outcome, "values", values));
	}
	return list;
}

static json_t *plain_json(const char *string)
{
	CLEANUP(text_finish) struct text plain = {0};

	utf8_add_plain_string(&plain, string);
	return json_string(text_string(&plain));
}

static json_t *skips_json(const struct search_run *run)
{
	CLEANUP(skip_groups_finish) struct skip_groups groups = {0};
	json_t *list = json_array();

	skip_groups_find(run, &groups);
	for (size_t i = 0; i < groups.count; i++) {
		const struct skip_group *group = &groups.items[i];
		json_t *commits = json_array();

		for (size_t k = 0; k < group->count; k++)
			json_array_append_new(
				commits,
				json_string(run->graph.ids[group->nodes[k]].hex));
		json_array_append_new(list, json_pack("{s:s,s:o,s:o}", "outcome",
						      group->outcome, "cause",
						      plain_json(group->cause), "commits",
						      commits));
	}
	return list;
}

static const char *const revert_words[] = {
	[SIDE_UNKNOWN] = "not measured",
	[SIDE_GOOD] = "cures it",
	[SIDE_BAD] = "does not cure it",
	[SIDE_CONFLICT] = "conflicts",
};

static const char *const head_words[] = {
	[SIDE_UNKNOWN] = "not measured",
	[SIDE_GOOD] = "gone",
	[SIDE_BAD] = "present",
	[SIDE_CONFLICT] = "not measured",
};

/* What was asked of a confirmed commit; null where it was not. */
static json_t *after_json(const struct search_run *run)
{
	const struct search_after *after = &run->after;

	return json_pack("{s:s?,s:s?,s:s?,s:s?}", "implausible", after->doubt, "revert",
			 after->asked ? revert_words[after->revert] : NULL, "head",
			 after->has_head ? after->head.hex : NULL, "at_head",
			 after->has_head ? head_words[after->head_side] : NULL);
}

static void print_after(const struct search_run *run)
{
	const struct search_after *after = &run->after;

	if (after->doubt)
		printf("  implausible: %s; it and its parents were measured once more\n",
		       after->doubt);
	if (after->asked)
		printf("  revert: %s\n", revert_words[after->revert]);
	if (after->has_head)
		printf("  at the head, %.12s: %s\n", after->head.hex,
		       head_words[after->head_side]);
}

char *search_run_json(const struct search_run *run)
{
	int confirmed = run->end.status == SEARCH_CONFIRMED;
	json_t *object = json_pack(
		"{s:s,s:s?,s:o,s:i,s:i,s:o,s:o,s:s}", "status",
		search_status_name(run->end.status), "culprit",
		confirmed ? run->graph.ids[run->end.node].hex : NULL, "suspects",
		suspects_json(run), "boots", (int)search_boots(run->search), "builds",
		(int)search_builds(run->search), "steps", steps_json(run), "skips",
		skips_json(run), "reason", run->end.reason);
	CLEANUP(text_finish) struct text log = {0};
	char *text;

	json_object_set_new(object, "checks", after_json(run));
	bisect_log_text(run, &log);
	json_object_set_new(object, "bisect_log", json_string(text_string(&log)));
	text = json_dumps(object, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
	json_decref(object);
	return text;
}

enum { MOST_SHOWN = 20, MOST_NAMED = 4 };

static void print_commit(const struct search_run *run, uint32_t node, double mass)
{
	CLEANUP(commit_info_finish) struct commit_info info = {0};
	CLEANUP(text_finish) struct text subject = {0};
	struct error ignored;
	const char *note = search_values(run->search, node)    ? ""
			   : search_skipped(run->search, node) ? "  (untestable)"
							       : "  (not tested)";

	if (!commit_read(run->request->repository, &run->graph.ids[node], &info,
			 &ignored))
		utf8_add_plain_string(&subject, info.subject);
	printf("  %5.3f  %.12s  %s%s", mass, run->graph.ids[node].hex,
	       text_string(&subject), note);
	if (touched(run, node))
		printf("  (%s: x%g)", touched(run, node), search_hint(run->search, node));
	putchar('\n');
}

static void print_skips(const struct search_run *run)
{
	CLEANUP(skip_groups_finish) struct skip_groups groups = {0};

	skip_groups_find(run, &groups);
	for (size_t i = 0; i < groups.count; i++) {
		const struct skip_group *group = &groups.items[i];
		CLEANUP(text_finish) struct text cause = {0};

		utf8_add_plain_string(&cause, group->cause);
		printf("  %zu commit%s %s%s%s:", group->count,
		       group->count > 1 ? "s" : "", group->outcome,
		       cause.size ? ": " : "", text_string(&cause));
		for (size_t k = 0; k < group->count && k < MOST_NAMED; k++)
			printf(" %.12s", run->graph.ids[group->nodes[k]].hex);
		puts(group->count > MOST_NAMED ? " ..." : "");
	}
}

void search_run_print(const struct search_run *run)
{
	CLEANUP(cleanup_free) unsigned char *member = find_suspects(run);
	CLEANUP(cleanup_free)
	double *mass = memory_new(run->graph.count, sizeof(*mass));
	CLEANUP(text_finish) struct text reason = {0};
	size_t shown = 0, suspects = 0;

	utf8_add_plain_string(&reason, run->end.reason);
	printf("%s: %s\n", search_status_name(run->end.status), text_string(&reason));
	printf("%zu commits in the range, %u measurements of %u commits\n",
	       run->graph.count, search_boots(run->search), search_builds(run->search));
	print_after(run);
	search_posterior(run->search, mass);
	for (uint32_t i = 0; i < run->graph.count; i++)
		suspects += member[i];
	for (uint32_t i = 0; i < run->graph.count; i++)
		if (member[i] && shown++ < MOST_SHOWN)
			print_commit(run, i, mass[i]);
	if (suspects > MOST_SHOWN)
		printf("  ... and %zu more\n", suspects - MOST_SHOWN);
	print_skips(run);
}
