/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/html_private.h"

#include <string.h>

/* The message without its first paragraph, which is the subject. */
static const char *body_of(const char *message)
{
	const char *end = strstr(message, "\n\n");

	return end ? end + strspn(end, "\n") : "";
}

void html_commit(const struct commit_record *commit, struct text *out)
{
	markup(out, "<div class=\"commit\">\n<p class=\"subject\">%s</p>\n",
	       commit->subject);
	markup(out, "<p class=\"meta\"><code>%s</code> \xc2\xb7 %s \xc2\xb7 ", commit->id,
	       commit->author);
	html_time(commit->committed, out);
	text_add(out, "</p>\n");
	if (*body_of(commit->message))
		markup(out, "<pre>%s</pre>\n", body_of(commit->message));
	if (*commit->changes)
		markup(out, "<pre class=\"stat\">%s</pre>\n", commit->changes);
	text_add(out, "</div>\n");
}

void html_finding_commit(const struct html_view *view, struct text *out)
{
	if (view->finding->search)
		html_search(view->finding->search, 4, out);
}
