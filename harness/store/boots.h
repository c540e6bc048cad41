/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Boots with their samples and series: the evidence. One boot goes in whole or not at
 * all.
 */
#ifndef STORE_BOOTS_H
#define STORE_BOOTS_H

#include "base/text.h"
#include "store/sessions.h"
#include "store/store.h"

#include <stddef.h>

/* One number of a boot. At most one per (case, metric); finite. */
struct sample_record {
	const char *case_label; /* "block_size=4096,mode=extend"; "" with no matrix */
	const char *metric, *unit;
	const char *better; /* "lower", "higher", "none" */
	double value;
};

/* Many numbers of a boot that belong together. At most one per (case, name, run). */
struct series_record {
	const char *case_label;
	const char *name; /* "windows", "runs.elapsed", "latency_histogram" ... */
	const char *unit;
	int run; /* from 1; 0 where it is not of one run */
	const double *values;
	size_t count;
};

/* Something that one boot shows within itself; what the words mean: lab/evidence.h. */
struct remark_record {
	const char *case_label;
	int run; /* from 1; 0: of no single run */
	const char *word;
	double start, length, size; /* NAN for what does not apply */
	const char *text;           /* a sentence */
};

/* A setting of a disk as the guest read it back. */
struct setting_record {
	const char *case_label, *disk, *name, *value;
};

struct boot_record {
	int64_t id; /* read back only */
	int64_t session, kernel, scenario, environment;
	int64_t version;     /* as which version it was asked for; 0: none */
	const char *purpose; /* NULL for "measure"; "identity", "reference", "confirm",
				"explain" */
	const char *label;   /* the boot's name in imported data */
	const char *outcome; /* DESIGN's list */
	const char *detail;  /* one sentence on an outcome that is not ok */
	const char *guest_release, *build_id, *console_path;
	double seconds; /* wall time of the boot */
	int64_t started;
	const struct sample_record *samples;
	size_t sample_count;
	const struct series_record *series;
	size_t series_count;
	const struct remark_record *remarks; /* written only; see store_load_remarks() */
	size_t remark_count;
	const struct setting_record *settings; /* written only: for the view "settings" */
	size_t setting_count;
};

/* A value that is not finite is an error (ERROR_MEASUREMENT) that names the metric. */
int store_add_boot(struct store *store, const struct boot_record *boot, int64_t *ret_id,
		   struct error *err);

struct boot_list {
	struct boot_record *items; /* oldest first */
	size_t count, capacity;
	struct text_list strings;
};

/*
 * The exact stored result: boots with outcome ok or partial of this kernel, scenario and
 * environment (their keys), with samples and without series.
 */
int store_find_boots(struct store *store, const char *kernel_key,
		     const char *scenario_key, const char *environment_key,
		     struct boot_list *list, struct error *err);
/* The same, made in one of these sessions for this purpose. */
int store_find_session_boots(struct store *store, const char *kernel_key,
			     const char *scenario_key, const char *environment_key,
			     const struct session_set *sessions, const char *purpose,
			     struct boot_list *list, struct error *err);
/* One boot whole, series included. Fails where there is none of that id. */
int store_load_boot(struct store *store, int64_t id, struct boot_list *list,
		    struct error *err);
void boot_list_finish(struct boot_list *list);

/* A remark with what it is about. */
struct remark_row {
	int64_t boot;
	const char *version, *scenario, *outcome; /* of the boot */
	struct remark_record remark;
};

struct remark_list {
	struct remark_row *items; /* in the order of versions, scenarios and cases */
	size_t count, capacity;
	struct text_list strings;
};

/*
 * Remarks on the versions of a session: of each version and scenario those of the last
 * boot, in whatever session it was made.
 */
int store_load_remarks(struct store *store, int64_t session, struct remark_list *list,
		       struct error *err);
void remark_list_finish(struct remark_list *list);

/* Outcomes that are not ok, builds included, for "what was left out and why". */
struct failure_record {
	int64_t session, boot; /* boot 0: a failed build */
	const char *version, *commit, *scenario, *outcome, *detail, *log_path;
	int64_t at;
};

struct failure_list {
	struct failure_record *items; /* builds, then boots, oldest first */
	size_t count, capacity;
	struct text_list strings;
};

/*
 * Those of one session, and of its versions where the last attempt, in whatever session,
 * failed; with session 0 all.
 */
int store_load_failures(struct store *store, int64_t session, struct failure_list *list,
			struct error *err);
void failure_list_finish(struct failure_list *list);

#endif
