/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/interrupt.h"

#include <signal.h>
#include <stddef.h>

/* A signal handler can reach nothing but a global. */
static volatile sig_atomic_t requested;

static void handle(int signal)
{
	(void)signal;
	requested = 1;
}

void interrupt_install(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	/* SA_RESETHAND: the second signal takes its default way and ends us. */
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESETHAND};

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

int interrupt_requested(void)
{
	return requested != 0;
}

int interrupt_check(struct error *err)
{
	if (interrupt_requested())
		return error_set(err, ERROR_INTERRUPTED,
				 "interrupted; what was measured is kept");
	return 0;
}
