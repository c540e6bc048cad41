/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session: one command that measured, judged or searched, from its start to its end.
 * A session without an end was killed or is running.
 */
#ifndef STORE_SESSIONS_H
#define STORE_SESSIONS_H

#include "base/text.h"
#include "store/store.h"

#include <stddef.h>

struct session_record {
	int64_t id;
	const char *command; /* the command line as it can be typed again */
	const char *lab;     /* "virtual", "disk", "import", or "" for none */
	const char *program; /* version of kregress */
	int64_t started;
	int64_t finished; /* read back only; 0: no end stored */
	int exit_code;    /* read back only; -1: no end stored */
	const char *reason;
	/* read back only: how many it stored; regressions against the baseline repeat
	 * those of earlier versions and do not count */
	int64_t boots, verdicts, regressions;
};

struct session_list {
	struct session_record *items; /* newest first */
	size_t count, capacity;
	struct text_list strings;
};

/* session->id is not read. */
int store_add_session(struct store *store, const struct session_record *session,
		      int64_t *ret_id, struct error *err);
/* reason: the error's text, or NULL. */
int store_end_session(struct store *store, int64_t session, int exit_code,
		      const char *reason, struct error *err);
int store_load_sessions(struct store *store, struct session_list *list,
			struct error *err);
void session_list_finish(struct session_list *list);

/* Some sessions by their ids; count 0: all there are. */
struct session_set {
	int64_t *ids;
	size_t count, capacity;
};

void session_set_add(struct session_set *set, int64_t session);
void session_set_finish(struct session_set *set);

/*
 * Appends what a session goes on with: the ones right before it with the same command and
 * lab that were interrupted or killed, newest first.
 */
int store_find_interrupted(struct store *store, int64_t session, struct session_set *set,
			   struct error *err);

/*
 * Something said once that a report should repeat: an identity check that failed, a
 * device without flushes, a version left out. Empty strings and NULL for what does not
 * apply.
 */
struct note_record {
	int64_t session;
	const char *kind; /* a short code: "identity-failed", "device", "skipped" ... */
	const char *version, *scenario, *case_label, *metric;
	const char *text; /* one sentence */
	int64_t at;
};

struct note_list {
	struct note_record *items; /* in the order they were added */
	size_t count, capacity;
	struct text_list strings;
};

int store_add_note(struct store *store, const struct note_record *note,
		   struct error *err);
/* session 0: all. */
int store_load_notes(struct store *store, int64_t session, struct note_list *list,
		     struct error *err);
void note_list_finish(struct note_list *list);

#endif
