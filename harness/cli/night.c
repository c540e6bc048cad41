/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/night.h"

#include "base/cleanup.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/process.h"
#include "store/sessions.h"

#include <stdlib.h>
#include <string.h>

static int load_scenarios(struct night *night, struct error *err)
{
	static const struct text_list none = {0};

	return scenario_set_load(night->bench, &night->bench->config.nightly.scenarios,
				 &none, &night->scenarios, err);
}

static int find_places(struct night *night, struct error *err)
{
	night->places = memory_new(night->scenarios.count, sizeof(*night->places));
	for (size_t i = 0; i < night->scenarios.count; i++)
		if (rows_add_usual_place(night->bench, &night->scenarios.items[i],
					 &night->places[i], err))
			return -1;
	return 0;
}

int night_open(struct workbench *bench, const struct budget *budget, struct night *night,
	       struct error *err)
{
	*night = (struct night){.bench = bench, .budget = *budget};
	if (workbench_open_build(bench, err) || load_scenarios(night, err) ||
	    workbench_open_lab(bench, err) || workbench_begin_session(bench, err))
		return -1;
	return find_places(night, err);
}

void night_finish(struct night *night)
{
	scenario_set_finish(&night->scenarios);
	for (size_t i = 0; i < night->point_count; i++) {
		if (night->points[i].is_open)
			subject_finish(&night->points[i].subject);
		free(night->points[i].name);
	}
	for (size_t i = 0; i < night->line_count; i++) {
		free(night->lines[i].name);
		free(night->lines[i].points);
	}
	free(night->places);
	free(night->points);
	free(night->lines);
	free(night->work);
}

int night_note(struct night *night, const char *kind, const char *version,
	       const char *text, struct error *err)
{
	const struct note_record note = {
		.session = night->bench->session,
		.kind = kind,
		.version = version,
		.text = text,
	};

	log_warning("%s%s%s", version ? version : "", version ? ": " : "", text);
	return store_add_note(night->bench->store, &note, err);
}

int night_look_up(struct night *night, size_t point, size_t scenario,
		  struct measured *ret_measured, struct error *err)
{
	const struct rows_place *place = &night->places[scenario];

	if (store_find_measured(night->bench->store, night->points[point].commit.hex,
				place->scenario_key, place->environment_key, ret_measured,
				err))
		return -1;
	if (ret_measured->version)
		night->points[point].version = ret_measured->version;
	return 0;
}

int night_is_noisy(const struct night *night)
{
	return night->bench->lab_kind != CONFIG_VIRTUAL;
}

int night_is_spent(const struct night *night)
{
	return budget_is_spent(&night->budget, process_now());
}
