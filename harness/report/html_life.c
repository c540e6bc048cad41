/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What came of a finding, and how to see it again. */
#include "report/html_private.h"

#include "base/cleanup.h"
#include "report/reproduce.h"

void html_finding_life(const struct html_view *view, struct text *out)
{
	const struct finding_record *record = view->finding->record;

	if (!record || record->event_count < 2)
		return;
	text_add(out, "<h4>History of this finding</h4>\n<ol class=\"life\">\n");
	for (size_t i = 0; i < record->event_count; i++) {
		const struct finding_event *event = &record->events[i];

		text_add(out, "<li>");
		html_time(event->at, out);
		markup(out, " <strong>%s</strong> %s ", event->kind, event->version);
		if (*event->commit)
			html_commit_id(event->commit, out);
		markup(out, " %s</li>\n", event->text);
	}
	text_add(out, "</ol>\n");
}

void html_finding_reproduce(const struct html_view *view, struct text *out)
{
	CLEANUP(text_finish) struct text again = {0};
	CLEANUP(text_finish) struct text search = {0};

	if (!view->finding->count)
		return;
	reproduce_comparison(view->section, view->finding, &again);
	reproduce_search(view->section, view->finding, &search);
	markup(out, "<h4>To reproduce</h4>\n<pre>%s</pre>\n", text_string(&again));
	if (!view->finding->search || !view->finding->search->command)
		markup(out, "<h4>To search for the commit</h4>\n<pre>%s</pre>\n",
		       text_string(&search));
}
