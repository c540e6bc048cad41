/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vm/reaper.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "vm/pidfile.h"

#include <glob.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WATCH_MILLISECONDS = 10 };

struct child {
	pid_t pid;
	int fd; /* pidfd; -1 once reaped */
	int status;
	int unasked; /* nobody will ask for its status */
};

struct reaper {
	pthread_t thread;
	int wake; /* eventfd: look at what changed */
	pthread_mutex_t lock;
	int quit;
	struct child *children;
	size_t count;
	size_t capacity;
	char *root;
	int watchers;
};

static void wake(const struct reaper *reaper)
{
	uint64_t one = 1;

	/* A full counter wakes as well. */
	if (write(reaper->wake, &one, sizeof(one)) < 0)
		return;
}

static struct child *find(struct reaper *reaper, pid_t pid)
{
	for (size_t i = 0; i < reaper->count; i++)
		if (reaper->children[i].pid == pid)
			return &reaper->children[i];
	return NULL;
}

/* Only a child of ours can be waited for; others are none of our business. */
static int is_our_child(int fd)
{
	siginfo_t info = {0};

	return waitid(P_PIDFD, (id_t)fd, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

static void take(struct reaper *reaper, pid_t pid, int unasked)
{
	struct child *known = find(reaper, pid);
	int fd = pid > 0 && (!known || known->fd < 0) ? pidfd_open(pid, 0) : -1;

	if (fd < 0)
		return;
	if (!is_our_child(fd)) {
		close(fd);
		return;
	}
	/* A known one that ended: the number was given again. */
	if (!known) {
		reaper->children =
			memory_grow(reaper->children, reaper->count, &reaper->capacity,
				    sizeof(*reaper->children));
		known = &reaper->children[reaper->count++];
	}
	*known = (struct child){.pid = pid, .fd = fd, .unasked = unasked};
}

/*
 * A probe daemonizes by itself: the process in between, which made the session and
 * ended, came to us as well. For guests libvirt is in between and waits itself.
 */
static void take_probe(struct reaper *reaper, pid_t pid)
{
	pid_t leader = pid > 0 ? getsid(pid) : -1;

	take(reaper, pid, 1);
	if (leader > 0 && find(reaper, pid))
		take(reaper, leader, 1);
}

/* The form that the macros of wait() read. */
static int wait_status(const siginfo_t *info)
{
	return info->si_code == CLD_EXITED ? info->si_status << 8 : info->si_status;
}

static void reap(struct child *child)
{
	siginfo_t info = {0};

	if (child->fd < 0 || waitid(P_PIDFD, (id_t)child->fd, &info, WEXITED | WNOHANG) ||
	    !info.si_pid)
		return;
	child->status = wait_status(&info);
	close(child->fd);
	child->fd = -1;
}

static void reap_all(struct reaper *reaper)
{
	for (size_t i = 0; i < reaper->count; i++) {
		reap(&reaper->children[i]);
		if (reaper->children[i].fd < 0 && reaper->children[i].unasked)
			reaper->children[i--] = reaper->children[--reaper->count];
	}
}

static void take_guest(struct reaper *reaper, pid_t pid)
{
	take(reaper, pid, 0);
}

static const struct {
	const char *pattern; /* below the root */
	void (*take)(struct reaper *reaper, pid_t pid);
} pid_files[] = {
	{"run/qemu/*.pid", take_guest},
	{"lib/qemu/qmp-*/qmp.pid", take_probe},
};

static void take_from_files(struct reaper *reaper)
{
	for (size_t i = 0; i < sizeof(pid_files) / sizeof(*pid_files); i++) {
		CLEANUP(cleanup_free)
		char *pattern =
			memory_format("%s/%s", reaper->root, pid_files[i].pattern);
		glob_t found = {0};

		if (glob(pattern, GLOB_NOSORT, NULL, &found) == 0)
			for (size_t k = 0; k < found.gl_pathc; k++)
				pid_files[i].take(reaper,
						  pidfile_read(found.gl_pathv[k]));
		globfree(&found);
	}
}

/* What to wait for: the wake-up and every child. The lock is held. */
static struct pollfd *list(const struct reaper *reaper, nfds_t *ret_count)
{
	struct pollfd *fds = memory_new(reaper->count + 1, sizeof(*fds));

	fds[0] = (struct pollfd){.fd = reaper->wake, .events = POLLIN};
	for (size_t i = 0; i < reaper->count; i++)
		fds[i + 1] =
			(struct pollfd){.fd = reaper->children[i].fd, .events = POLLIN};
	*ret_count = reaper->count + 1;
	return fds;
}

/* One turn; whether to go on. */
static int look(struct reaper *reaper)
{
	CLEANUP(cleanup_free) struct pollfd *fds = NULL;
	nfds_t count;
	uint64_t wakes;
	int timeout, go_on;

	pthread_mutex_lock(&reaper->lock);
	if (reaper->watchers)
		take_from_files(reaper);
	reap_all(reaper);
	fds = list(reaper, &count);
	timeout = reaper->watchers ? WATCH_MILLISECONDS : -1;
	go_on = !reaper->quit;
	pthread_mutex_unlock(&reaper->lock);
	if (go_on && poll(fds, count, timeout) > 0 && fds[0].revents &&
	    read(reaper->wake, &wakes, sizeof(wakes)) < 0)
		return go_on; /* someone else's read: only a needless turn */
	return go_on;
}

static void *run(void *opaque)
{
	while (look(opaque))
		;
	return NULL;
}

int reaper_start(struct reaper **ret_reaper, struct error *err)
{
	struct reaper *reaper = memory_new(1, sizeof(*reaper));

	pthread_mutex_init(&reaper->lock, NULL);
	reaper->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (reaper->wake < 0 || pthread_create(&reaper->thread, NULL, run, reaper)) {
		error_system(err, "the reaper does not start");
		cleanup_fd(&reaper->wake);
		pthread_mutex_destroy(&reaper->lock);
		free(reaper);
		return -1;
	}
	*ret_reaper = reaper;
	return 0;
}

void reaper_stop(struct reaper *reaper)
{
	if (!reaper)
		return;
	pthread_mutex_lock(&reaper->lock);
	reaper->quit = 1;
	pthread_mutex_unlock(&reaper->lock);
	wake(reaper);
	pthread_join(reaper->thread, NULL);
	for (size_t i = 0; i < reaper->count; i++)
		cleanup_fd(&reaper->children[i].fd);
	close(reaper->wake);
	pthread_mutex_destroy(&reaper->lock);
	free(reaper->children);
	free(reaper->root);
	free(reaper);
}

void reaper_take(struct reaper *reaper, pid_t pid)
{
	pthread_mutex_lock(&reaper->lock);
	take(reaper, pid, 0);
	pthread_mutex_unlock(&reaper->lock);
	wake(reaper);
}

int reaper_ended(struct reaper *reaper, pid_t pid, int *ret_status)
{
	const struct child *child;
	int known = -1;

	pthread_mutex_lock(&reaper->lock);
	child = find(reaper, pid);
	if (child && child->fd < 0) {
		*ret_status = child->status;
		known = 0;
	}
	pthread_mutex_unlock(&reaper->lock);
	return known;
}

int reaper_kill(struct reaper *reaper, pid_t pid)
{
	const struct child *child;
	int result = -1;

	pthread_mutex_lock(&reaper->lock);
	child = find(reaper, pid);
	/* By descriptor: the number may be another process by now. */
	if (child && child->fd >= 0)
		result = pidfd_send_signal(child->fd, SIGKILL, NULL, 0);
	pthread_mutex_unlock(&reaper->lock);
	return result;
}

void reaper_forget(struct reaper *reaper, pid_t pid)
{
	struct child *child;

	pthread_mutex_lock(&reaper->lock);
	child = find(reaper, pid);
	if (child && child->fd < 0)
		*child = reaper->children[--reaper->count];
	pthread_mutex_unlock(&reaper->lock);
}

void reaper_watch(struct reaper *reaper, const char *root)
{
	pthread_mutex_lock(&reaper->lock);
	if (reaper->watchers++ == 0) {
		free(reaper->root);
		reaper->root = memory_copy_string(root);
	}
	pthread_mutex_unlock(&reaper->lock);
	wake(reaper);
}

void reaper_unwatch(struct reaper *reaper)
{
	pthread_mutex_lock(&reaper->lock);
	reaper->watchers--;
	pthread_mutex_unlock(&reaper->lock);
}
