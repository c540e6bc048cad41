/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What measurements are about: environments, scenarios, commits, kernels, versions.
 * Each is known by its content: adding what is there already gives the id of the row
 * that is there.
 */
#ifndef STORE_SUBJECTS_H
#define STORE_SUBJECTS_H

#include "base/hash.h"
#include "base/text.h"
#include "store/store.h"

#include <stddef.h>

struct environment_field {
	const char *name, *value;
};

/* The key of an environment: a digest over its fields, whatever their order. */
void environment_key(const struct environment_field *fields, size_t count,
		     char ret_key[HASH_HEX_SIZE]);

/* lab is "virtual", "disk" or "import". The key is environment_key()'s. */
int store_add_environment(struct store *store, const char *lab,
			  const struct environment_field *fields, size_t count,
			  int64_t *ret_id, struct error *err);

struct environment {
	int64_t id;
	const char *key, *lab;
	struct environment_field *fields; /* sorted by name */
	size_t count, capacity;
	struct text_list strings;
};

/* Fails where there is no such environment. */
int store_load_environment(struct store *store, int64_t id, struct environment *ret,
			   struct error *err);
void environment_finish(struct environment *environment);

/* key: the scenario's digest; yaml: its text as used, overrides included. */
int store_add_scenario(struct store *store, const char *key, const char *name,
		       const char *yaml, int64_t *ret_id, struct error *err);

struct commit_record {
	const char *id;   /* 40 or 64 hexadecimal digits */
	const char *tree; /* likewise */
	const char *subject, *message, *author;
	const char *changes; /* what it touched, in the form of "git diff --stat" */
	int64_t committed;
};

struct commit_list {
	struct commit_record *items;
	size_t count, capacity;
	struct text_list strings;
};

int store_add_commit(struct store *store, const struct commit_record *commit,
		     struct error *err);
/* Appends the commit where it is known; nothing otherwise. */
int store_load_commit(struct store *store, const char *id, struct commit_list *list,
		      struct error *err);
void commit_list_finish(struct commit_list *list);

struct kernel_record {
	const char *key;  /* content key */
	const char *kind; /* "git", "deb", "image", "import" */
	const char *release, *build_id, *config_digest;
};

int store_add_kernel(struct store *store, const struct kernel_record *kernel,
		     int64_t *ret_id, struct error *err);
/* ret_id 0: not known. */
int store_find_kernel(struct store *store, const char *key, int64_t *ret_id,
		      struct error *err);

/* One attempt at making a kernel; the last one counts. */
struct build_record {
	int64_t kernel, session;
	const char *outcome;     /* "ok" or "build-failed" */
	const char *first_error; /* the first error line of a failed build */
	const char *toolchain, *path, *log_path;
	double seconds;
	int64_t started;
};

int store_add_build(struct store *store, const struct build_record *build,
		    struct error *err);

struct version_record {
	int64_t id;
	const char *text;   /* as the user writes it: "v6.1", "deb:..." */
	const char *commit; /* "" where it is no git revision; else added before */
	int64_t kernel;
	/* read back only: */
	const char *kernel_key, *kind, *release, *subject;
	int64_t committed;
	const char *build_outcome, *build_error; /* of the last build, "" if none */
	double build_seconds;
	const char *build_path, *toolchain; /* of that build: the kernel's folder */
};

struct version_list {
	struct version_record *items;
	size_t count, capacity;
	struct text_list strings;
};

/* The same text with another kernel (a moved branch) is another version. */
int store_add_version(struct store *store, const struct version_record *version,
		      int64_t *ret_id, struct error *err);
/* The versions that a session is about, in their order (topological for a range). */
int store_add_session_versions(struct store *store, int64_t session,
			       const int64_t *versions, size_t count, struct error *err);
/*
 * The versions of one session in its order; with session 0 all versions: ancestors before
 * descendants (store/order.h), else by the date of the commit, then by first appearance.
 */
int store_load_versions(struct store *store, int64_t session, struct version_list *list,
			struct error *err);
/*
 * Those that a session booted, in the order of their first boots; none where that was a
 * calibration.
 */
int store_load_booted_versions(struct store *store, int64_t session,
			       struct version_list *list, struct error *err);
/* Appends the newest version of that text, or whose commit is that one, if any. */
int store_find_version(struct store *store, const char *text, struct version_list *list,
		       struct error *err);
/*
 * The versions that nights (sessions with a queue) of a lab were about and that are git
 * revisions: one for each commit, the newest, by the date of the commit.
 */
int store_load_followed(struct store *store, const char *lab, struct version_list *list,
			struct error *err);
void version_list_finish(struct version_list *list);

/* What is known of a commit in one place of measurement. */
struct measured {
	int64_t version; /* the newest that has boots there; 0: none has */
	int64_t good;    /* boots of it with outcome ok */
	int64_t failed;  /* those whose kernel or guest failed */
};

int store_find_measured(struct store *store, const char *commit, const char *scenario_key,
			const char *environment_key, struct measured *ret_measured,
			struct error *err);

#endif
