/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Judging the lines of a night: declared in night.h. */
#include "cli/night.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "cli/filing.h"
#include "stats/sequential.h"
#include "store/sessions.h"

#include <stdlib.h>
#include <string.h>

/* The versions of a line of which something is known. */
struct stretch {
	int64_t *versions;
	const char **names, **commits;
	int64_t *environments;
	struct judge_options options;
};

static void finish_stretch(struct stretch *stretch)
{
	free(stretch->versions);
	free(stretch->names);
	free(stretch->commits);
	free(stretch->environments);
}

/* A version is known by any scenario that was measured on it. */
static int find_version(struct night *night, size_t point, struct error *err)
{
	struct measured measured;

	for (size_t i = 0; i < night->scenarios.count && !night->points[point].version;
	     i++)
		if (night_look_up(night, point, i, &measured, err))
			return -1;
	return 0;
}

static int fill_stretch(struct night *night, const struct night_line *line,
			struct stretch *stretch, struct error *err)
{
	size_t count = 0;

	stretch->versions = memory_new(line->count, sizeof(*stretch->versions));
	stretch->names = memory_new(line->count, sizeof(*stretch->names));
	stretch->commits = memory_new(line->count, sizeof(*stretch->commits));
	stretch->environments =
		memory_new(night->scenarios.count, sizeof(*stretch->environments));
	for (size_t i = 0; i < line->count; i++) {
		const struct night_point *point = &night->points[line->points[i]];

		if (find_version(night, line->points[i], err))
			return -1;
		if (!point->version)
			continue;
		stretch->versions[count] = point->version;
		stretch->names[count] = point->name;
		stretch->commits[count++] = point->commit.hex;
	}
	for (size_t i = 0; i < night->scenarios.count; i++)
		stretch->environments[i] = night->places[i].environment;
	stretch->options = (struct judge_options){
		.versions = stretch->versions,
		.names = stretch->names,
		.commits = stretch->commits,
		.version_count = count,
		.scenarios = night->scenarios.items,
		.scenario_count = night->scenarios.count,
		.environments = stretch->environments,
		.environment_count = night->scenarios.count,
		.min_effect = -1,
		.sequential = night_is_noisy(night),
	};
	return 0;
}

/* --- what is undecided */

static size_t find_point(const struct night *night, const struct night_line *line,
			 const char *name)
{
	for (size_t i = 0; i < line->count; i++)
		if (!strcmp(night->points[line->points[i]].name, name))
			return line->points[i];
	return night->point_count;
}

static size_t find_scenario(const struct night *night, const char *name)
{
	size_t i = 0;

	while (i < night->scenarios.count &&
	       strcmp(night->scenarios.items[i].name, name) != 0)
		i++;
	return i;
}

/* The next look at both sides, until the plan ends. */
static int extend(struct night *night, const struct night_line *line,
		  const struct comparison *comparison, struct error *err)
{
	size_t fewer = comparison->a.boots < comparison->b.boots ? comparison->a.boots
								 : comparison->b.boots;
	const struct look *look = sequential_next(fewer);
	size_t scenario = find_scenario(night, comparison->name.scenario);
	const char *const names[] = {comparison->a_version, comparison->b_version};

	/* A noisy lab's plan has done that already. */
	if (night_is_noisy(night) || comparison->verdict != VERDICT_INCONCLUSIVE ||
	    !comparison->boots_needed || !fewer || !look ||
	    scenario == night->scenarios.count)
		return 0;
	for (int i = 0; i < 2; i++) {
		size_t point = find_point(night, line, names[i]);

		if (point < night->point_count &&
		    night_want(night, point, scenario, (unsigned)look->boots, "undecided",
			       err))
			return -1;
	}
	return 0;
}

static int extend_all(struct night *night, const struct night_line *line,
		      const struct judgement *judgement, struct error *err)
{
	for (size_t i = 0; i < judgement->comparisons.count; i++)
		if (extend(night, line, &judgement->comparisons.items[i], err))
			return -1;
	return 0;
}

/* --- a line */

static int store_line(struct workbench *bench, const struct stretch *stretch,
		      const struct judgement *judgement, struct error *err)
{
	if (store_add_session_versions(bench->store, bench->session, stretch->versions,
				       stretch->options.version_count, err))
		return -1;
	return judge_store(bench, &stretch->options, judgement, err);
}

/* Each further line is a session of its own, so that its versions stand in order. */
static int store_other_line(struct night *night, const struct night_line *line,
			    const struct stretch *stretch,
			    const struct judgement *judgement, struct error *err)
{
	struct workbench *bench = night->bench;
	CLEANUP(cleanup_free)
	char *command = memory_format("%s # %s", bench->options.command, line->name);
	const struct session_record record = {
		.command = command,
		.lab = config_lab_names[bench->lab_kind],
		.program = KREGRESS_VERSION,
	};
	int64_t own = bench->session;
	int failed;

	if (store_add_session(bench->store, &record, &bench->session, err)) {
		bench->session = own;
		return -1;
	}
	failed = store_line(bench, stretch, judgement, err) ||
		 store_end_session(bench->store, bench->session, 0, NULL, err);
	bench->session = own;
	return failed ? -1 : 0;
}

static int judge_line(struct night *night, size_t number, int is_final, struct error *err)
{
	const struct night_line *line = &night->lines[number];
	CLEANUP(finish_stretch) struct stretch stretch = {0};
	CLEANUP(judgement_finish) struct judgement judgement = {0};
	size_t opened;

	if (fill_stretch(night, line, &stretch, err))
		return -1;
	if (!stretch.options.version_count)
		return 0;
	if (judge_all(night->bench, &stretch.options, &judgement, err) ||
	    filing_open(night->bench, &stretch.options, &judgement.comparisons, &opened,
			err) ||
	    filing_follow(night->bench, &stretch.options, &judgement, err))
		return -1;
	if (!is_final)
		return extend_all(night, line, &judgement, err);
	return number ? store_other_line(night, line, &stretch, &judgement, err)
		      : store_line(night->bench, &stretch, &judgement, err);
}

int night_judge(struct night *night, int is_final, struct error *err)
{
	for (size_t i = 0; i < night->line_count; i++)
		if (judge_line(night, i, is_final, err))
			return -1;
	return 0;
}
