/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "build/repair.h"

#include "base/file.h"

#include <errno.h>
#include <fts.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DOUBTFUL_SECONDS = 60 };

static int newest(const FTSENT *entry, time_t *time, struct error *err)
{
	(void)err;
	if (entry->fts_statp->st_mtime > *time)
		*time = entry->fts_statp->st_mtime;
	return 0;
}

static int remove_doubtful(const FTSENT *entry, time_t *time, struct error *err)
{
	if (entry->fts_statp->st_mtime < *time - DOUBTFUL_SECONDS)
		return 0;
	if (unlink(entry->fts_accpath) && errno != ENOENT)
		return error_system(err, "cannot remove %s", entry->fts_path);
	return 0;
}

static int each_file(const char *folder,
		     int (*visit)(const FTSENT *entry, time_t *time, struct error *err),
		     time_t *time, struct error *err)
{
	char *roots[] = {(char *)(uintptr_t)folder, NULL};
	FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *entry;
	int result = 0;

	if (!walk)
		return error_system(err, "cannot read %s", folder);
	while (result == 0 && (entry = fts_read(walk)))
		if (entry->fts_info == FTS_F)
			result = visit(entry, time, err);
	fts_close(walk);
	return result;
}

int repair_output(const char *output, const char *running, struct error *err)
{
	time_t end = 0;

	if (!file_exists(running))
		return 0;
	if (each_file(output, newest, &end, err) ||
	    each_file(output, remove_doubtful, &end, err))
		return -1;
	if (unlink(running))
		return error_system(err, "cannot remove %s", running);
	return 0;
}
