/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A build from inside: build.c drives it, build_phases.c says what is done. */
#ifndef BUILD_BUILD_PRIVATE_H
#define BUILD_BUILD_PRIVATE_H

#include "base/lock.h"
#include "base/process.h"
#include "build/build.h"
#include "build/kernel_private.h"

enum { NOT_YET = 1 };

struct build {
	const struct build_request *request;
	char key[HASH_HEX_SIZE];
	char *source, *output, *log, *wanted;
	char *running; /* a file that is there while make runs */
	const struct phase *phase;
	struct lock lock;
	struct process process;
	double started; /* of the first make */
	int has_elf, has_modules;
	struct stage stage;
	off_t log_seen;
	size_t log_lines;
	enum build_state state;
	struct kernel kernel;
};

/*
 * What happens one after the other. enter() starts a process or does its work at once
 * (0), or wants to be called again (NOT_YET); leave() looks at what the process made.
 * enter() may end the build by setting its state.
 */
struct phase {
	const char *name;
	int (*enter)(struct build *build, struct error *err);
	int (*leave)(struct build *build, struct error *err);
};

/* In order; the last has no name. */
extern const struct phase build_phases[];

/* Ends the build where the store has its key. */
int build_find_stored(struct build *build, struct error *err);

/* After a make that failed: remembers the failure, unless the host is to blame. */
int build_store_failure(struct build *build, struct error *err);

#endif
