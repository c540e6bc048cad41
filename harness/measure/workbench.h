/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Everything that measuring needs, opened when first used: configuration, device
 * classes, database, repository with its work directory, toolchain, lab.
 *
 * The workbench is plain data so that the files of measure/ and the commands share it;
 * who uses a member that opens late calls its workbench_..._open() first (opening twice
 * is nothing).
 */
#ifndef MEASURE_WORKBENCH_H
#define MEASURE_WORKBENCH_H

#include "base/error.h"
#include "base/text.h"
#include "build/build.h"
#include "history/checkout.h"
#include "history/repository.h"
#include "lab/lab.h"
#include "measure/budget.h"
#include "measure/turn.h"
#include "scenario/config.h"
#include "scenario/device_class.h"
#include "store/sessions.h"
#include "store/store.h"

#include <stdint.h>

/* What the command line says; NULL: not given. Borrowed. */
struct workbench_options {
	const char *config_path, *tree, *results, *lab;
	const char *connect; /* URI of libvirt */
	const char *data;    /* folder that holds scenarios/, vm-images/ and the agent */
	const char *agent;   /* path of the guest agent */
	const char *blocks;  /* path of the plugin that counts blocks; need not exist */
	const char *command; /* the command line, for the session row */
	int without_store;   /* nothing is measured: the database is not opened */
};

struct workbench {
	struct workbench_options options;
	struct config config;
	struct device_classes classes;
	enum config_lab lab_kind;
	struct text_list scenario_folders;
	char *results; /* folder */
	char *cache;   /* folder: kernels, build tree, downloads */
	char *tree;    /* the repository; NULL: none was given */
	char *kernel_store;
	char *ccache;        /* folder of compiled objects */
	struct store *store; /* NULL with without_store */
	int64_t session;     /* 0: none was begun */
	/* It, and the interrupted ones that it goes on with; see workbench_resume(). */
	struct session_set sessions;
	struct kernel_lease *lease; /* of the kernels that are used */
	struct repository *repository;
	struct workspace *workspace;
	char *build_tree;
	struct toolchain toolchain;
	struct config_request kernel_config;
	char *lab_state, *lab_boots; /* folders; the lab borrows them */
	struct turn turn;            /* taken with the lab */
	struct lab *lab;
	unsigned boots; /* started by this process: guests must never share a name */
	struct budget budget; /* of all that is measured with it; {0}: none */
	uint64_t seed;        /* of the order of boots in a noisy lab */
};

/* Reads the configuration and opens the database. */
int workbench_open(const struct workbench_options *options,
		   struct workbench *ret_workbench, struct error *err);
void workbench_close(struct workbench *workbench);

/* ERROR_USAGE where no tree was given, by option or configuration. */
int workbench_open_repository(struct workbench *workbench, struct error *err);
/* Toolchain, configuration fragments and work directory, for builds from the tree. */
int workbench_open_build(struct workbench *workbench, struct error *err);
/* Waits until no other command measures on this host; see measure/turn.h. */
int workbench_open_lab(struct workbench *workbench, struct error *err);

int workbench_begin_session(struct workbench *workbench, struct error *err);
/*
 * In a noisy lab stored results are no results, but boots of the same command that was
 * interrupted are those of this session.
 */
int workbench_resume(struct workbench *workbench, struct error *err);
/* Nothing where none was begun; a failure to store the end is only worth a warning. */
void workbench_end_session(struct workbench *workbench, int exit_code,
			   const char *reason);

/* A scenario by name or file for the lab of the workbench, with --param overrides. */
int workbench_load_scenario(const struct workbench *workbench, const char *name,
			    const struct text_list *overrides,
			    struct scenario *ret_scenario, struct error *err);

#endif
