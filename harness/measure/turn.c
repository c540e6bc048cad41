/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure/turn.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/process.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Says to programs that we start which process has the turn. */
static const char holder_variable[] = "KREGRESS_TURN";

char *turn_path(void)
{
	static const char *const folders[] = {"/run/lock", "/var/lock"};
	const char *chosen = getenv("KREGRESS_LOCK");

	if (chosen && *chosen)
		return memory_copy_string(chosen);
	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		if (!access(folders[i], W_OK | X_OK))
			return file_join(folders[i], "kregress.lock");
	return memory_copy_string("/tmp/kregress.lock");
}

/* "PID PATH" of the lock, in our environment. */
static int is_nested(const char *path)
{
	const char *above = getenv(holder_variable);
	struct lock_holder holder;
	struct error ignored;
	char *end;
	long pid;

	if (!above)
		return 0;
	pid = strtol(above, &end, 10);
	return pid > 0 && *end == ' ' && !strcmp(end + 1, path) && !kill((pid_t)pid, 0) &&
	       !lock_look(path, &holder, &ignored) && holder.held;
}

static void announce(const char *path)
{
	CLEANUP(cleanup_free)
	char *value = memory_format("%ld %s", (long)getpid(), path);

	setenv(holder_variable, value, 1);
}

static int describe(const char *path, struct text *who, struct error *err)
{
	struct lock_holder holder;

	if (lock_look(path, &holder, err))
		return -1;
	lock_describe(&holder, who);
	if (*holder.progress)
		text_format(who, ": %s", holder.progress);
	return 0;
}

static int wait_for(struct turn *turn, const char *path, enum lock_mode mode,
		    const char *command, double wait_seconds, struct error *err)
{
	static const struct timespec pause = {.tv_nsec = 200000000};
	double end = process_now() + wait_seconds;
	int said = 0;
	int taken;

	for (;;) {
		CLEANUP(text_finish) struct text who = {0};

		if (lock_try_mode(path, mode, command, &turn->lock, &taken, err))
			return -1;
		if (taken)
			return 0;
		if (interrupt_check(err) || describe(path, &who, err))
			return -1;
		if (process_now() >= end)
			return error_set(err, ERROR_HOST,
					 "this host measures already: %s; wait for it, "
					 "or end it",
					 text_string(&who));
		if (!said++)
			log_info("this host measures already: waiting for %s",
				 text_string(&who));
		nanosleep(&pause, NULL);
	}
}

int turn_take(struct turn *turn, enum lock_mode mode, const char *command,
	      double wait_seconds, struct error *err)
{
	CLEANUP(cleanup_free) char *path = turn_path();
	struct turn taken = {.taken = 1, .lock = LOCK_NONE};

	if (turn->taken)
		return 0;
	if (!is_nested(path)) {
		if (wait_for(&taken, path, mode, command, wait_seconds, err))
			return -1;
		announce(path);
	}
	*turn = taken;
	return 0;
}

void turn_end(struct turn *turn)
{
	if (!turn->taken)
		return;
	if (turn->lock.fd >= 0)
		unsetenv(holder_variable);
	lock_release(&turn->lock);
	turn->taken = 0;
}

int turn_look(struct lock_holder *ret_holder, struct error *err)
{
	CLEANUP(cleanup_free) char *path = turn_path();

	return lock_look(path, ret_holder, err);
}

void turn_tell(const struct turn *turn, const char *progress)
{
	if (turn->taken)
		lock_tell(&turn->lock, progress);
}
