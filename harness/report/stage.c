/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/collect_private.h"

#include <string.h>

enum { SECONDS_A_DAY = 24 * 60 * 60, NIGHT = SECONDS_A_DAY / 2 };

static const char *const names[REPORT_STAGES] = {
	[REPORT_OPENED] = "new",          [REPORT_BISECTED] = "commit found",
	[REPORT_RECOVERED] = "recovered", [REPORT_STILL_OPEN] = "still open",
	[REPORT_OVER] = "over",
};

const char *report_stage_name(enum report_stage stage)
{
	return names[stage];
}

/* What an event makes of a finding when it is news, and when it is not. */
static const struct {
	const char *kind;
	enum report_stage news, later;
} kinds[] = {
	{"opened", REPORT_OPENED, REPORT_STILL_OPEN},
	{"reopened", REPORT_OPENED, REPORT_STILL_OPEN},
	{"bisected", REPORT_BISECTED, REPORT_STILL_OPEN},
	{"recovered", REPORT_RECOVERED, REPORT_OVER},
	{"acknowledged", REPORT_OVER, REPORT_OVER},
	{"suppressed", REPORT_OVER, REPORT_OVER},
};

enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

static size_t find_kind(const struct finding_event *event)
{
	size_t i = 0;

	while (i < KINDS && strcmp(kinds[i].kind, event->kind) != 0)
		i++;
	return i;
}

static int ends(enum report_stage stage)
{
	return stage == REPORT_RECOVERED || stage == REPORT_OVER;
}

/*
 * An end holds until it is opened again; before that, what was said first of tonight is
 * the news: a finding that was opened and bisected is a new one.
 */
static enum report_stage stage_of(const struct finding_record *record, int64_t since)
{
	enum report_stage stage = REPORT_STILL_OPEN;

	for (size_t i = 0; i < record->event_count; i++) {
		size_t kind = find_kind(&record->events[i]);
		enum report_stage next;

		if (kind == KINDS)
			continue;
		next = record->events[i].at >= since ? kinds[kind].news
						     : kinds[kind].later;
		if (ends(stage) && !ends(next) && kinds[kind].news != REPORT_OPENED)
			continue; /* only being opened again takes an end back */
		if (ends(next) || ends(stage) || next < stage)
			stage = next;
	}
	return stage;
}

void collect_stage(const struct report_model *model, struct report_finding *finding)
{
	const struct finding_record *record = finding->record;
	int64_t end = model->sessions.count ? model->sessions.items[0].started : 0;

	if (!record) {
		finding->stage = REPORT_OPENED;
		return;
	}
	finding->stage = stage_of(record, model->since);
	/* Nights of the same hour are a day apart, whatever minute it was found. */
	finding->days = (end - record->opened + NIGHT) / SECONDS_A_DAY + 1;
	if (finding->days < 1)
		finding->days = 1;
}

int64_t collect_since(const struct report_model *model)
{
	return model->sessions.count ? model->sessions.items[0].started - NIGHT : 0;
}
