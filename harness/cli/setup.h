/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the common options to an open workbench: where the program's data is, where the
 * results go.
 */
#ifndef CLI_SETUP_H
#define CLI_SETUP_H

#include "cli/command.h"
#include "measure/workbench.h"

/* The guest agent: beside the program's data, or in build/. The caller frees. */
int setup_find_agent(const char *data, char **ret_agent, struct error *err);

/* Where the plugin that counts blocks is, or should be; the caller frees. */
char *setup_find_blocks(const char *data);

/* The command line as it can be typed again; the caller frees. */
char *setup_command_line(int argc, char **argv);

struct setup {
	struct workbench workbench;
	char *data, *agent, *blocks, *command;
};

struct setup_options {
	const char *tree; /* --tree; NULL: not given */
	int argc;         /* the command line, for the session's row */
	char **argv;
	int without_store; /* nothing is measured: the database is not opened */
};

int setup_open(const struct context *context, const struct setup_options *options,
	       struct setup *ret_setup, struct error *err);
void setup_finish(struct setup *setup);

#endif
