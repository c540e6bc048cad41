/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "history/fetch.h"

#include "base/cleanup.h"
#include "base/interrupt.h"
#include "base/process.h"
#include "history/repository_private.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TRIES = 2, POLL_MILLISECONDS = 50 };

/* What an agent offers; each key once. */
static int find_credential(git_credential **ret, const char *url, const char *user,
			   unsigned types, void *payload)
{
	int *tries = payload;
	const char *name = user ? user : "git";

	(void)url;
	if (types & GIT_CREDENTIAL_USERNAME)
		return git_credential_username_new(ret, name);
	if ((types & GIT_CREDENTIAL_SSH_KEY) && (*tries)++ < TRIES)
		return git_credential_ssh_key_from_agent(ret, name);
	return GIT_PASSTHROUGH;
}

static void name_remotes(git_repository *git, const char *remote, struct error *err)
{
	git_strarray names = {0};
	struct text known = {0};

	if (git_remote_list(&names, git) == 0)
		for (size_t i = 0; i < names.count; i++)
			text_format(&known, "%s%s", i ? ", " : "", names.strings[i]);
	error_set(err, ERROR_USAGE, "%s has no remote \"%s\"; it has: %s",
		  git_repository_path(git), remote, known.size ? known.data : "none");
	text_finish(&known);
	git_strarray_dispose(&names);
}

static int fetch(struct repository *repository, const char *name, struct error *err)
{
	git_fetch_options options = GIT_FETCH_OPTIONS_INIT;
	git_remote *remote = NULL;
	int tries = 0;
	int code = git_remote_lookup(&remote, repository->git, name);

	if (code) {
		name_remotes(repository->git, name, err);
		return -1;
	}
	options.update_fetchhead = 0;
	options.callbacks.credentials = find_credential;
	options.callbacks.payload = &tries;
	code = git_remote_fetch(remote, NULL, &options, "kregress: fetch");
	if (code)
		history_error(err, ERROR_HOST, "fetch of %s (%s)", name,
			      git_remote_url(remote));
	git_remote_free(remote);
	return code ? -1 : 0;
}

/* In the child; what went wrong goes back as the struct itself. */
static void run_child(const char *path, const char *remote, int answer)
{
	CLEANUP(cleanup_repository) struct repository *repository = NULL;
	struct error err = {0};

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (repository_open(path, &repository, &err) || fetch(repository, remote, &err)) {
		if (write(answer, &err, sizeof(err)) != sizeof(err))
			_exit(2);
		_exit(1);
	}
	_exit(0);
}

/* 1 once it ended; 0: not yet. */
static int has_ended(pid_t child, int *status)
{
	return waitpid(child, status, WNOHANG) == child;
}

static int wait_child(pid_t child, const char *remote, double timeout_seconds,
		      int *status, struct error *err)
{
	double end = process_now() + timeout_seconds;

	while (!has_ended(child, status)) {
		int late = process_now() >= end;

		if (!late && !interrupt_requested()) {
			poll(NULL, 0, POLL_MILLISECONDS);
			continue;
		}
		kill(child, SIGKILL);
		waitpid(child, status, 0);
		if (!late)
			return interrupt_check(err);
		return error_set(err, ERROR_HOST, "fetch of %s: not done after %.0f s",
				 remote, timeout_seconds);
	}
	return 0;
}

static int read_answer(int fd, const char *remote, int status, struct error *err)
{
	struct error answer;

	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	/* It fits into the pipe: all of it is there. */
	if (read(fd, &answer, sizeof(answer)) != (ssize_t)sizeof(answer))
		return error_set(err, ERROR_HOST, "fetch of %s: its process died",
				 remote);
	*err = answer;
	return -1;
}

int repository_fetch(const char *path, const char *remote, double timeout_seconds,
		     struct error *err)
{
	CLEANUP(cleanup_fd) int output = -1;
	int ends[2], status = 0;
	pid_t child;

	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
		return error_system(err, "fetch of %s", remote);
	child = fork();
	if (child < 0) {
		close(ends[0]);
		close(ends[1]);
		return error_system(err, "fetch of %s", remote);
	}
	if (!child)
		run_child(path, remote, ends[1]);
	close(ends[1]);
	output = ends[0];
	if (wait_child(child, remote, timeout_seconds, &status, err))
		return -1;
	return read_answer(output, remote, status, err);
}
