/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A version that is measured: what the user wrote, what it means in the tree, and the
 * kernel that it became.
 */
#ifndef MEASURE_SUBJECT_H
#define MEASURE_SUBJECT_H

#include "build/version.h"
#include "lab/evidence.h"
#include "measure/workbench.h"

#include <stdint.h>

enum subject_state {
	SUBJECT_UNBUILT,
	SUBJECT_READY,  /* kernel is there */
	SUBJECT_FAILED, /* outcome and detail say why */
};

struct subject {
	struct version version;
	char *name; /* for tables: the tag, the package, the revision as written */
	int has_commit;
	struct commit_id commit; /* of a revision: without its edits */
	struct tree_id tree;     /* with its edits */
	struct config_request config;
	enum subject_state state;
	enum outcome outcome;
	char *detail;
	struct kernel kernel;
	int64_t kernel_id, version_id; /* rows; 0 until the kernel is there */
};

/*
 * Takes the text apart and resolves it; nothing is built. name NULL: as written. A
 * revision needs the tree, an edit is applied here (a conflict names the files).
 */
int subject_open(struct workbench *workbench, const char *text, const char *name,
		 struct subject *ret_subject, struct error *err);
void subject_finish(struct subject *subject);

struct subject_list {
	struct subject *items;
	size_t count, capacity;
};

void subject_list_finish(struct subject_list *list);

/* A version, or a range A..B by the options: adds what it names, oldest first. */
struct range_options;
int subject_list_add(struct workbench *workbench, const char *text,
		     const struct range_options *range, struct subject_list *list,
		     struct error *err);

/*
 * Looks for the kernel without building: packages and images are unpacked, a revision is
 * looked up in the kernel store. The state tells what came of it.
 */
int subject_find_kernel(struct workbench *workbench, struct subject *subject,
			struct error *err);

/* A build that runs: what build/build.h wants to borrow stays here. Do not move it. */
struct subject_build {
	struct build *build; /* NULL: none; for build_poll() and build_destroy() */
	struct build_request request;
	struct workspace *workspace;
	struct tree_id tree;
};

/* Starts a build of a revision that is not there. subject must outlive it. */
int subject_start_build(struct workbench *workbench, const struct subject *subject,
			struct subject_build *build, struct error *err);

/*
 * The kernel (or its failure) is known: keeps it, leaving *kernel empty, holds it in the
 * store, and adds its rows to the database. Where another command has removed it in this
 * very moment, a revision stays unbuilt.
 */
int subject_take_kernel(struct workbench *workbench, struct subject *subject,
			struct kernel *kernel, struct error *err);

/* No kernel will come: why. */
void subject_fail(struct subject *subject, enum outcome outcome, const char *detail);

#endif
