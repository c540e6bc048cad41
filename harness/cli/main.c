/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/command.h"

#include <argp.h>
#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The order of "kregress --help". */
/* clang-format off */
static const struct command *const commands[] = {
	&init_command,
	&doctor_command,
	&run_command,
	&bisect_command,
	&explain_command,
	&nightly_command,
	&compare_command,
	&history_command,
	&import_command,
	&export_command,
	&findings_command,
	&status_command,
	&report_command,
	&calibrate_command,
	&simulate_command,
	&scenarios_command,
	&kernels_command,
	&disks_command,
	NULL, /* the end */
};
/* clang-format on */

static void print_help(FILE *stream)
{
	fputs("Usage: kregress COMMAND [OPTION...] [ARGUMENT...]\n"
	      "Finds kernel performance regressions and names the commit.\n\n",
	      stream);
	for (size_t i = 0; commands[i]; i++)
		fprintf(stream, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
	fputs("\n\"kregress COMMAND --help\" tells more. Exit codes: 0 done, nothing "
	      "regressed;\n1 a regression was found; 2 usage or configuration; 3 host or "
	      "environment;\n4 measurements failed; 5 a search without a confirmed "
	      "culprit; 130 interrupted.\n",
	      stream);
}

/* For completion and the manual. */
static int list_commands(void)
{
	for (size_t i = 0; commands[i]; i++)
		printf("%s\t%s\n", commands[i]->name, commands[i]->summary);
	return 0;
}

static const struct command *find(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

static int unknown_command(const char *name)
{
	const char *names[sizeof(commands) / sizeof(*commands)] = {NULL};
	const char *near;

	for (size_t i = 0; commands[i]; i++)
		names[i] = commands[i]->name;
	near = text_nearest(name, names);
	log_error("no command '%s'%s%s%s; see kregress --help", name,
		  near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
	return 2;
}

/* A result that did not reach its reader is no result. */
static int flush_output(struct error *err)
{
	errno = EIO; /* an earlier failure left only its mark */
	if (fflush(stdout) || ferror(stdout))
		return error_system(err, "standard output");
	return 0;
}

/*
 * The reader of our output has seen enough ("| head"): as for other programs of a pipe
 * this is the end, and nobody is told.
 */
static void end_without_reader(void)
{
	struct pollfd output = {.fd = STDOUT_FILENO};

	if (!ferror(stdout) || poll(&output, 1, 0) != 1 || !(output.revents & POLLERR))
		return;
	signal(SIGPIPE, SIG_DFL);
	raise(SIGPIPE);
}

static int run(const struct command *command, int argc, char **argv)
{
	CLEANUP(cleanup_free) char *program = memory_format("kregress %s", command->name);
	struct context context = {.program = program};
	struct error err = {0};
	int code;

	argv[0] = program;
	code = clock_check(&err) ? -1 : command->run(&context, argc, argv, &err);
	log_status(NULL);
	if (code >= 0 && !flush_output(&err))
		return code;
	end_without_reader();
	log_error("%s", err.text);
	return command_exit_code(&err);
}

int main(int argc, char **argv)
{
	const struct command *command;

	setlocale(LC_CTYPE, "C.UTF-8");
	argp_err_exit_status = 2;
	argp_program_version = "kregress " KREGRESS_VERSION;
	interrupt_install();
	if (argc < 2) {
		print_help(stderr);
		return 2;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
	    !strcmp(argv[1], "help")) {
		print_help(stdout);
		return 0;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		puts(argp_program_version);
		return 0;
	}
	if (!strcmp(argv[1], "--list-commands"))
		return list_commands();
	command = find(argv[1]);
	if (!command)
		return unknown_command(argv[1]);
	return run(command, argc - 1, argv + 1);
}
