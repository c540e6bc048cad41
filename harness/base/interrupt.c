/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

/* A signal handler can reach nothing but a global. */
static volatile sig_atomic_t requested;
static struct timespec first;

/*
 * timeout(1) signals its child and then the whole group, so one request arrives twice.
 * Only what comes a second later is impatience, and takes its default way.
 */
static void handle(int number)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!requested) {
		first = now;
		requested = 1;
	} else if (now.tv_sec - first.tv_sec > 1) {
		signal(number, SIG_DFL);
		raise(number);
	}
}

void interrupt_install(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = handle};

	sigfillset(&action.sa_mask);
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
