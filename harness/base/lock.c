/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/lock.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/process.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>

enum { HOLDER_LIMIT = 512 };

static int write_holder(int fd, const char *path, const char *purpose, struct error *err)
{
	CLEANUP(text_finish) struct text holder = {0};

	text_format(&holder, "process %ld: %.400s\n", (long)getpid(), purpose);
	if (ftruncate(fd, 0))
		return error_system(err, "cannot write %s", path);
	return file_write_fd(fd, holder.data, holder.size, path, err);
}

int lock_try(const char *path, const char *purpose, struct lock *lock, int *ret_taken,
	     struct error *err)
{
	CLEANUP(cleanup_fd) int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

	if (fd < 0)
		return error_system(err, "cannot open the lock %s", path);
	if (flock(fd, LOCK_EX | LOCK_NB)) {
		if (errno != EWOULDBLOCK)
			return error_system(err, "cannot lock %s", path);
		*ret_taken = 0;
		return 0;
	}
	if (write_holder(fd, path, purpose, err))
		return -1;
	lock->fd = fd;
	fd = -1;
	*ret_taken = 1;
	return 0;
}

static int refuse(const char *path, struct error *err)
{
	CLEANUP(text_finish) struct text holder = {0};

	if (file_read(path, HOLDER_LIMIT, &holder, err))
		return -1;
	while (holder.size && holder.data[holder.size - 1] == '\n')
		holder.data[--holder.size] = '\0';
	return error_set(err, ERROR_HOST, "%s is locked by %s", path,
			 holder.size ? holder.data : "another process");
}

int lock_wait(const char *path, const char *purpose, double timeout_seconds,
	      struct lock *lock, struct error *err)
{
	static const struct timespec pause = {.tv_nsec = 50000000};
	double end = process_now() + timeout_seconds;
	int taken = 0;

	for (;;) {
		if (lock_try(path, purpose, lock, &taken, err))
			return -1;
		if (taken)
			return 0;
		if (process_now() >= end)
			return refuse(path, err);
		if (interrupt_check(err))
			return -1;
		nanosleep(&pause, NULL);
	}
}

void lock_release(struct lock *lock)
{
	if (lock->fd >= 0)
		close(lock->fd);
	lock->fd = -1;
}
