/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/lock.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/number.h"
#include "base/process.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

enum { HOLDER_LIMIT = 2048 };

/*
 * The file: purpose, pid and since on a line each, of a width that does not change while
 * the lock is held; progress comes behind and is written over.
 */
enum { PURPOSE_WIDTH = 400, PROGRESS_WIDTH = 200 };

/* One line of so many bytes, filled with spaces. */
static void add_line(struct text *text, const char *line, size_t width)
{
	CLEANUP(text_finish) struct text plain = {0};
	size_t length;

	utf8_add_plain_string(&plain, line);
	length = plain.size < width ? plain.size : width;
	while (length < plain.size && (plain.data[length] & 0xc0) == 0x80)
		length--;
	text_add_bytes(text, text_string(&plain), length);
	while (length++ < width)
		text_add_char(text, ' ');
	text_add_char(text, '\n');
}

static int write_holder(int fd, const char *path, const char *purpose, struct error *err)
{
	CLEANUP(text_finish) struct text holder = {0};

	add_line(&holder, purpose, PURPOSE_WIDTH);
	text_format(&holder, "%20ld\n%20lld\n", (long)getpid(), (long long)clock_now());
	add_line(&holder, "", PROGRESS_WIDTH);
	if (ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET) < 0)
		return error_system(err, "cannot write %s", path);
	return file_write_fd(fd, holder.data, holder.size, path, err);
}

void lock_tell(const struct lock *lock, const char *progress)
{
	CLEANUP(text_finish) struct text line = {0};

	if (lock->fd < 0)
		return;
	add_line(&line, progress, PROGRESS_WIDTH);
	if (pwrite(lock->fd, line.data, line.size, PURPOSE_WIDTH + 1 + 2 * 21) < 0)
		return;
}

/*
 * Opened as it is before it is made: in a folder that is everybody's, the kernel refuses
 * O_CREAT on the file of another user. All may take it, whatever the umask.
 */
static int open_file(const char *path)
{
	const int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;
	int fd = open(path, flags);

	if (fd >= 0 || errno != ENOENT)
		return fd;
	fd = open(path, flags | O_CREAT | O_EXCL, 0666);
	if (fd < 0)
		return errno == EEXIST ? open(path, flags) : -1;
	if (fchmod(fd, 0666)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Twice: somebody may only be looking. */
static int take(int fd, enum lock_mode mode)
{
	static const struct timespec moment = {.tv_nsec = 2000000};
	int operation = (mode == LOCK_ALONE ? LOCK_EX : LOCK_SH) | LOCK_NB;

	if (!flock(fd, operation))
		return 0;
	if (errno != EWOULDBLOCK)
		return -1;
	nanosleep(&moment, NULL);
	return flock(fd, operation);
}

/* The next line without the spaces around it; NULL after the last. */
static char *next_line(char **rest)
{
	char *line = strsep(rest, "\n");
	char *end;

	if (!line)
		return NULL;
	line += strspn(line, " ");
	end = line + strlen(line);
	while (end > line && end[-1] == ' ')
		*--end = '\0';
	return line;
}

static void keep(const char *line, char *target, size_t size)
{
	CLEANUP(text_finish) struct text plain = {0};

	utf8_add_plain_string(&plain, line ? line : "");
	snprintf(target, size, "%s", text_string(&plain));
}

static void read_holder(char *rest, struct lock_holder *holder)
{
	const char *purpose = next_line(&rest);
	const char *pid = next_line(&rest);
	const char *since = next_line(&rest);
	int64_t number;

	keep(purpose, holder->purpose, sizeof(holder->purpose));
	if (pid && !number_parse_signed(pid, &number) && number > 0)
		holder->pid = (long)number;
	if (since && !number_parse_signed(since, &number))
		holder->since = number;
	keep(next_line(&rest), holder->progress, sizeof(holder->progress));
}

static int is_living(long pid)
{
	return pid > 0 && (!kill((pid_t)pid, 0) || errno == EPERM);
}

static int read_file(int fd, struct lock_holder *holder)
{
	char bytes[HOLDER_LIMIT + 1];
	ssize_t got = pread(fd, bytes, HOLDER_LIMIT, 0);

	if (got < 0)
		return -1;
	bytes[got] = '\0';
	read_holder(bytes, holder);
	return 0;
}

/* Of several beside each other the first stays named while it lives. */
static int names_living(int fd)
{
	struct lock_holder holder = {0};

	return !read_file(fd, &holder) && is_living(holder.pid);
}

int lock_try_mode(const char *path, enum lock_mode mode, const char *purpose,
		  struct lock *lock, int *ret_taken, struct error *err)
{
	CLEANUP(cleanup_fd) int fd = open_file(path);

	if (fd < 0)
		return error_system(err, "cannot open the lock %s", path);
	if (take(fd, mode)) {
		if (errno != EWOULDBLOCK)
			return error_system(err, "cannot lock %s", path);
		*ret_taken = 0;
		return 0;
	}
	if (!(mode == LOCK_BESIDE && names_living(fd)) &&
	    write_holder(fd, path, purpose, err))
		return -1;
	lock->fd = fd;
	fd = -1;
	*ret_taken = 1;
	return 0;
}

int lock_try(const char *path, const char *purpose, struct lock *lock, int *ret_taken,
	     struct error *err)
{
	return lock_try_mode(path, LOCK_ALONE, purpose, lock, ret_taken, err);
}

int lock_look(const char *path, struct lock_holder *ret_holder, struct error *err)
{
	CLEANUP(cleanup_fd)
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct lock_holder holder = {0};

	if (fd < 0 && errno != ENOENT)
		return error_system(err, "cannot open the lock %s", path);
	/* Nobody holds what can be taken alone; lock_try_mode() allows for this moment.
	 */
	holder.held = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB);
	if (fd >= 0 && read_file(fd, &holder))
		return error_system(err, "cannot read the lock %s", path);
	/* It ended and others that took it beside it did not. */
	if (!is_living(holder.pid))
		holder.pid = 0;
	*ret_holder = holder;
	return 0;
}

void lock_describe(const struct lock_holder *holder, struct text *out)
{
	if (!holder->pid) {
		text_add(out, "another process");
		return;
	}
	text_format(out, "process %ld", holder->pid);
	if (*holder->purpose)
		text_format(out, " (%s)", holder->purpose);
	if (holder->since) {
		text_add(out, ", since ");
		clock_format(out, holder->since);
	}
}

static int refuse(const char *path, struct error *err)
{
	CLEANUP(text_finish) struct text who = {0};
	struct lock_holder holder;

	if (lock_look(path, &holder, err))
		return -1;
	lock_describe(&holder, &who);
	return error_set(err, ERROR_HOST, "%s is locked by %s", path, text_string(&who));
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
