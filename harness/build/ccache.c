/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "build/ccache.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Some kernels and configurations; what is older goes. */
static const char most[] = "CCACHE_MAXSIZE=2G";

static int leads_to(const char *link, const char *program)
{
	char target[4096];
	ssize_t length = readlink(link, target, sizeof(target) - 1);

	target[length > 0 ? length : 0] = '\0';
	return !strcmp(target, program);
}

/* Renamed into place: a compilation that runs elsewhere always finds it. */
static int make_link(const char *program, const char *link, struct error *err)
{
	CLEANUP(cleanup_free) char *fresh = memory_format("%s.%d", link, (int)getpid());

	if (leads_to(link, program))
		return 0;
	unlink(fresh);
	if (symlink(program, fresh))
		return error_system(err, "cannot create %s", fresh);
	if (rename(fresh, link)) {
		error_system(err, "cannot create %s", link);
		unlink(fresh);
		return -1;
	}
	return 0;
}

int ccache_use(const char *folder, const char *program, const char *compiler,
	       struct text_list *environment, struct error *err)
{
	CLEANUP(cleanup_free) char *programs = file_join(folder, "bin");
	CLEANUP(cleanup_free) char *link = file_join(programs, compiler);
	const char *path = getenv("PATH");

	if (strchr(compiler, '/'))
		return 0; /* not looked up in PATH */
	if (file_make_folders(programs, err) || make_link(program, link, err))
		return -1;
	text_list_format(environment, "PATH=%s:%s", programs,
			 path ? path : "/usr/bin:/bin");
	text_list_format(environment, "CCACHE_DIR=%s", folder);
	text_list_add(environment, most);
	return 0;
}
