/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A page for each session and one over all, in the folder reports/ among the results:
 * session-7.html tells what was known when session 7 ended, index.html leads there.
 */
#ifndef CLI_REPORT_PAGES_H
#define CLI_REPORT_PAGES_H

#include "store/store.h"

/*
 * With a session its page is written anew, and the index; with 0 the pages that are not
 * there yet. A session with nothing to show has none. *ret_path: of the session's page,
 * or of the index; the caller frees.
 */
int report_pages_write(struct store *store, const char *results, int64_t session,
		       char **ret_path, struct error *err);

#endif
