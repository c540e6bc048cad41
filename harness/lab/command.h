/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A command of the user's on the host that measures a commit.
 *
 * It is given to "sh -c" with KREGRESS_COMMIT set, and says by its exit code what came of
 * it: 0 measured, 125 this commit cannot be tested, 126, 127 and signals (128 and more
 * too): the command itself is broken, anything else: something went wrong that says
 * nothing of the commit. A measured one prints a number or "metric=value" lines.
 * One that is ended by max_seconds timed out and says nothing either.
 * With pass_fail nothing is read: 0 passed, 1 failed.
 */
#ifndef LAB_COMMAND_H
#define LAB_COMMAND_H

#include "lab/measurer.h"

struct host_command {
	const char *command;
	const char *metric; /* which line counts; NULL: there is one number only */
	int pass_fail;
	double max_seconds; /* one run that takes longer is ended; 0: no limit */
	/* NULL, or called before each run; gives the folder to run in. */
	int (*prepare)(void *state, const char *commit, const char **ret_folder,
		       struct error *err);
	void *prepare_state;
};

/* The state is a struct host_command. */
extern const struct measurer_ops command_measurer;

/*
 * The one finite number of an output; -1 where there is not exactly one, with a sentence
 * in problem. Without metric: a number, or one "name=number" line. With metric: the
 * line of that name, whatever else there is.
 */
int command_read_output(const char *output, size_t length, const char *metric,
			double *ret_value, struct text *problem);

#endif
