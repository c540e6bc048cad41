/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a source tree to a kernel in the store.
 *
 * A build tree is a folder that is kept from build to build, so that make rebuilds only
 * what changed: TREE/source (the files; the request's prepare() brings them to the
 * version, see history/checkout.h), TREE/source/.kregress-build (make's O=), TREE/lock.
 * One build at a time uses a tree; a second one waits for the lock.
 *
 * Builds are reproducible: time, user, host and build number are pinned, paths are
 * relative, no local version. The same key gives the same image, wherever it is built.
 *
 * Two forms, as in base/process.h: build_run() waits; build_start() / build_poll() /
 * build_destroy() let one loop drive builds and boots.
 */
#ifndef BUILD_BUILD_H
#define BUILD_BUILD_H

#include "build/config.h"
#include "build/kernel.h"
#include "build/toolchain.h"

struct build_request {
	const char *store;   /* folder of the kernel store; made where needed */
	const char *tree;    /* folder of the build tree; made where needed */
	const char *tree_id; /* names the content of the source, edits included */
	const char *origin;  /* for people: "v6.1-3-g0123456789ab" */
	const struct config_request *config;
	const struct toolchain *toolchain;
	/*
	 * Brings TREE/source to tree_id, with the lock held. NULL: it is there already.
	 * A failure is passed on as it is.
	 */
	int (*prepare)(void *context, const char *tree, struct error *err);
	void *context;
	unsigned jobs;          /* 0: one per core */
	double timeout_seconds; /* 0: none; of make alone */
	const char *ccache;     /* folder for ccache, where installed; NULL: not used */
};

/* The content key. */
void build_key(const struct build_request *request, char ret_key[HASH_HEX_SIZE]);

enum build_state {
	BUILD_RUNNING,
	BUILD_DONE,   /* kernel: from the store or new */
	BUILD_FAILED, /* kernel->failure is its first error, kernel->log the whole log */
};

struct build;

/*
 * *ret_build is what build_poll() drives and build_destroy() ends. The request and what
 * it points to must live as long. A key that the store knows is done at the first poll.
 */
int build_start(const struct build_request *request, struct build **ret_build,
		struct error *err);

/*
 * Goes on without waiting (prepare() and the copy into the store excepted); call it every
 * few milliseconds. ret_kernel is written, for the caller to finish, once *ret_state is
 * not BUILD_RUNNING. Fails with ERROR_HOST (nothing is remembered: tools, disk, a tree
 * that is no kernel is ERROR_USAGE, a build beyond its time ERROR_MEASUREMENT) or
 * ERROR_INTERRUPTED; the build is over then.
 */
int build_poll(struct build *build, enum build_state *ret_state,
	       struct kernel *ret_kernel, struct error *err);

/* What it does now, for progress: "waiting for the tree", "checkout", "config", "make".
 */
const char *build_phase(const struct build *build);
/* Lines that make has written so far: a rough measure of progress. */
size_t build_progress(struct build *build);

/* Ends make with all its children where it still runs. Takes NULL. */
void build_destroy(struct build *build);

/* All at once. */
int build_run(const struct build_request *request, enum build_state *ret_state,
	      struct kernel *ret_kernel, struct error *err);

#endif
