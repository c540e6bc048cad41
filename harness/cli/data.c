/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/data.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

/* The folder that holds build/release/kregress; NULL where the program lies elsewhere. */
static char *source_folder(void)
{
	static const char *const places[] = {"/build/release/kregress",
					     "/build/dev/kregress"};
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	for (size_t i = 0; length > 0 && i < sizeof(places) / sizeof(*places); i++) {
		size_t tail = strlen(places[i]);

		path[length] = '\0';
		if ((size_t)length > tail && !strcmp(path + length - tail, places[i]))
			return memory_copy_bytes(path, (size_t)length - tail);
	}
	return NULL;
}

char *data_path(const char *name)
{
	CLEANUP(cleanup_free) char *top = source_folder();

	return file_join(top ? top : KREGRESS_DATADIR, name);
}
