/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One command: one file, one const struct, one row of the table in main.c.
 *
 * A command parses its own options with argp; command_parse() adds the common ones. The
 * context comes first in what the parser fills in:
 *
 *	struct arguments { struct context *context; const char *good; ... };
 *	static const struct argp argp = {options, parse, args_doc, doc};
 *	...
 *	command_parse(&argp, argc, argv, &arguments);
 *
 * --help is printed by argp from these tables; a wrong call ends with exit code 2.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "base/error.h"

#include <argp.h>

/* What the common options say. Strings belong to argv. */
struct context {
	const char *program;     /* "kregress bisect", for messages */
	const char *config_path; /* -c; NULL: kregress.yaml where it exists */
	const char *connect;     /* --connect; NULL: libvirt inside this process */
	const char *results;     /* --results; NULL: results/ beside the configuration */
	const char *lab;         /* --lab; NULL: the configuration's */
	int json;                /* --json */
};

struct command {
	const char *name;
	const char *summary; /* one line of "kregress --help" */
	/*
	 * argv[0] is "kregress NAME". Returns the exit code (0, 1 or 5: DESIGN's table),
	 * or -1 with err, whose kind becomes the exit code.
	 */
	int (*run)(struct context *context, int argc, char **argv, struct error *err);
};

extern const struct command bisect_command;
extern const struct command calibrate_command;
extern const struct command compare_command;
extern const struct command disks_command;
extern const struct command doctor_command;
extern const struct command explain_command;
extern const struct command export_command;
extern const struct command findings_command;
extern const struct command history_command;
extern const struct command import_command;
extern const struct command init_command;
extern const struct command kernels_command;
extern const struct command nightly_command;
extern const struct command report_command;
extern const struct command run_command;
extern const struct command scenarios_command;
extern const struct command simulate_command;
extern const struct command status_command;

/* The exit code of a command that failed: DESIGN's table. */
int command_exit_code(const struct error *err);

/*
 * argp_parse() with the options that all commands have (-C, -c, --lab, --results, --json,
 * -q, -v) added: options may stand anywhere behind the command's name, a
 * wrong call ends the program with exit code 2 and a hint. arguments begins with a
 * struct context *. "--list-options" alone prints all of them and ends.
 */
void command_parse(const struct argp *argp, int argc, char **argv, void *arguments);

/* The value of a percentage option; a wrong one ends the program like a wrong call. */
double command_percent(const struct argp_state *state, const char *option,
		       const char *text);
/* The same of minutes: above 0, 1000000 at most. */
double command_minutes(const struct argp_state *state, const char *option,
		       const char *text);

#endif
