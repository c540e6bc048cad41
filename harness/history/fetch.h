/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fetching from a remote of a repository: the one thing of history/ that writes to it,
 * and only where the user asks for it. Objects, the remote's branches (refs/remotes/...)
 * and its tags, as the repository's own configuration says; never a local branch, HEAD,
 * the work tree or FETCH_HEAD. No hook is run.
 *
 * Paths, file://, git://, http(s):// and ssh:// remotes; ssh asks the agent for a key.
 * Nothing else is asked for: where a password is wanted the fetch fails.
 */
#ifndef HISTORY_FETCH_H
#define HISTORY_FETCH_H

#include "base/error.h"

/*
 * Runs in a process of its own, which is ended when time is up or the user interrupts:
 * the library may wait for a silent host for ever. ERROR_USAGE where there is no such
 * remote, ERROR_HOST where it cannot be fetched, ERROR_INTERRUPTED.
 *
 * What is fetched shows in a repository that is opened afterwards.
 */
int repository_fetch(const char *path, const char *remote, double timeout_seconds,
		     struct error *err);

#endif
