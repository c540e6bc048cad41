/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Searches and their steps, enough to replay a bisection after kill -9. The store does
 * not understand them: parameters and results are JSON texts of the search's own.
 */
#ifndef STORE_SEARCH_H
#define STORE_SEARCH_H

#include "base/text.h"
#include "store/store.h"

#include <stddef.h>

/* One commit under suspicion; position orders them (topologically). */
struct suspect_record {
	const char *commit;
	double probability;
	int tested, skipped;
};

struct search_record {
	int64_t id; /* read back only */
	int64_t session;
	const char *key;        /* what makes it the same search; not unique */
	const char *kind;       /* "command", "scenario" ... */
	const char *parameters; /* JSON */
	int64_t started;
	/* read back only, of the last event: */
	const char *status;  /* "running" before the first event */
	const char *culprit; /* "" or a commit */
	const char *result;  /* JSON or "" */
	int64_t changed;
	const struct suspect_record *suspects; /* of the last event that had any */
	size_t suspect_count;
};

struct search_list {
	struct search_record *items;
	size_t count, capacity;
	struct text_list strings;
};

int store_add_search(struct store *store, const struct search_record *search,
		     int64_t *ret_id, struct error *err);
/* The newest search of that key; ret_id 0: none. */
int store_find_search(struct store *store, const char *key, int64_t *ret_id,
		      struct error *err);
/* id 0: all, oldest first. */
int store_load_searches(struct store *store, int64_t id, struct search_list *list,
			struct error *err);
void search_list_finish(struct search_list *list);

/* A new status: "running", "confirmed", "set", "no-difference", "aborted". */
struct search_event {
	const char *status, *culprit, *result;
	const struct suspect_record *suspects; /* in topological order */
	size_t suspect_count;
};

int store_add_search_event(struct store *store, int64_t search,
			   const struct search_event *event, struct error *err);

/* One measurement, in the order they were made. */
struct step_record {
	const char *commit;
	const char *outcome; /* "ok", "skipped", "build-failed" ... */
	const char *detail;  /* NULL or a sentence */
	const char *purpose; /* NULL or the search's own word: "end", "confirm" ... */
	const double *values;
	size_t value_count;
	int built;            /* a build was needed */
	double build_seconds; /* 0 without */
	double seconds;       /* the measurement alone */
	int64_t started;
	int64_t boot; /* the boot's row; 0: none */
};

struct step_list {
	struct step_record *items;
	size_t count, capacity;
	struct text_list strings;
};

int store_add_step(struct store *store, int64_t search, const struct step_record *step,
		   struct error *err);
int store_load_steps(struct store *store, int64_t search, struct step_list *list,
		     struct error *err);
void step_list_finish(struct step_list *list);

#endif
