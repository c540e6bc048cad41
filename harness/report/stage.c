/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/collect_private.h"

enum { NIGHT = 12 * 60 * 60 };

static const char *const names[REPORT_STAGES] = {
	[REPORT_OPENED] = "new",          [REPORT_BISECTED] = "commit found",
	[REPORT_RECOVERED] = "recovered", [REPORT_STILL_OPEN] = "still open",
	[REPORT_OVER] = "over",
};

const char *report_stage_name(enum report_stage stage)
{
	return names[stage];
}

static int is_news(const struct finding_record *record, const char *kind, int64_t since)
{
	const struct finding_event *event = finding_last(record, kind);

	return event && event->at >= since;
}

/* A finding that was opened and bisected in one night is a new one. */
static enum report_stage stage_of(const struct finding_record *record, int64_t since)
{
	if (finding_standing(record) == FINDING_RECOVERED &&
	    is_news(record, "recovered", since))
		return REPORT_RECOVERED;
	if (finding_standing(record) != FINDING_OPEN)
		return REPORT_OVER;
	if (is_news(record, "opened", since) || is_news(record, "reopened", since))
		return REPORT_OPENED;
	return is_news(record, "bisected", since) ? REPORT_BISECTED : REPORT_STILL_OPEN;
}

void collect_stage(const struct report_model *model, struct report_finding *finding)
{
	finding->stage = REPORT_OPENED;
	if (!finding->record)
		return;
	finding->stage = stage_of(finding->record, model->since);
	/* Nights of the same hour are a day apart, whatever minute it was found. */
	finding->days =
		finding_day(finding->record, model->sessions.items[0].started + NIGHT);
}

int64_t collect_since(const struct report_model *model)
{
	return model->sessions.count ? model->sessions.items[0].started - NIGHT : 0;
}
