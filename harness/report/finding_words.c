/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/finding_words.h"

#include "base/cleanup.h"
#include "base/clock.h"

enum { DATE_LENGTH = sizeof("2027-01-15") - 1 };

static void add_date(struct text *out, int64_t time)
{
	CLEANUP(text_finish) struct text stamp = {0};

	clock_format(&stamp, time);
	text_add_bytes(out, text_string(&stamp),
		       stamp.size < DATE_LENGTH ? stamp.size : DATE_LENGTH);
}

static void add_day(struct text *out, const struct finding_record *finding, int64_t time)
{
	text_format(out, "day %lld", (long long)finding_day(finding, time));
}

static void open_words(const struct finding_record *finding, struct text *out)
{
	const struct finding_event *still = finding_last(finding, "still-open");

	if (finding_last(finding, "bisected"))
		text_add(out, "bisected, ");
	if (!still) {
		text_add(out, "opened on ");
		add_date(out, finding->opened);
		return;
	}
	text_add(out, "still open on ");
	add_day(out, finding, still->at);
	text_format(out, " in %s", still->version);
}

static void recovered_words(const struct finding_record *finding, struct text *out)
{
	const struct finding_event *event = finding_last(finding, "recovered");

	text_format(out, "recovered in %s on ", event->version);
	add_day(out, finding, event->at);
}

static void reason_words(const struct finding_record *finding, const char *kind,
			 const char *words, struct text *out)
{
	const struct finding_event *event = finding_last(finding, kind);

	text_format(out, "%s: %s", words, event->text);
}

void finding_words(const struct finding_record *finding, struct text *out)
{
	switch (finding_standing(finding)) {
	case FINDING_OPEN:
		open_words(finding, out);
		break;
	case FINDING_RECOVERED:
		recovered_words(finding, out);
		break;
	case FINDING_ACKNOWLEDGED:
		reason_words(finding, "acknowledged", "acknowledged", out);
		break;
	case FINDING_SUPPRESSED:
		reason_words(finding, "suppressed", "suppressed as expected", out);
		break;
	}
}
