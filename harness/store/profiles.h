/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What boots that counted their blocks executed, function by function, and which two of
 * these profiles were set against each other.
 */
#ifndef STORE_PROFILES_H
#define STORE_PROFILES_H

#include "base/text.h"
#include "store/store.h"

#include <stddef.h>

struct profile_line {
	const char *name, *file; /* file "" where it is not known */
	int64_t instructions, calls;
};

/* The runs of one case in one boot; at most one per (boot, case). */
struct profile_record {
	int64_t id; /* read back only */
	int64_t boot;
	const char *case_label; /* as samples have it: with "run=later" and the like */
	int64_t runs;
	int64_t outside;    /* instructions between these runs and those before them */
	double nanoseconds; /* that an instruction takes in the guest */
	/* Sums over the runs; NAN for no value. */
	double operations, elapsed, read_requests, write_requests, flush_requests;
	const struct profile_line *lines; /* each (name, file) once */
	size_t line_count;
};

int store_add_profile(struct store *store, const struct profile_record *profile,
		      int64_t *ret_id, struct error *err);
/* ret_id 0: the boot has none of that case. */
int store_find_profile(struct store *store, int64_t boot, const char *case_label,
		       int64_t *ret_id, struct error *err);

struct profile_list {
	struct profile_record *items;
	size_t count, capacity;
	struct text_list strings;
};

/* Appends the profile with its lines. Fails where there is none of that id. */
int store_load_profile(struct store *store, int64_t id, struct profile_list *list,
		       struct error *err);
void profile_list_finish(struct profile_list *list);

/* B set against A. Read back, the newest come first. */
struct explanation_record {
	int64_t id; /* read back only */
	int64_t session;
	int64_t a, b;                 /* profiles */
	int64_t a_version, b_version; /* as which versions they were asked for */
	const char *sentence;
	int64_t at;
	/*
	 * Functions (name and file) of which B has other code, as the profile of B has
	 * them, or that of A where B has it not.
	 */
	const struct profile_line *changed_code;
	size_t changed_code_count;
	/* read back only: */
	const char *scenario, *case_label;
	const char *a_text, *b_text, *a_commit, *b_commit; /* commits "" where none */
};

/* Adding the same two profiles again changes nothing. */
int store_add_explanation(struct store *store, const struct explanation_record *record,
			  struct error *err);

struct explanation_list {
	struct explanation_record *items;
	size_t count, capacity;
	struct text_list strings;
};

int store_load_explanations(struct store *store, struct explanation_list *list,
			    struct error *err);
void explanation_list_finish(struct explanation_list *list);

#endif
