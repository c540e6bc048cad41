/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/data.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

/* Where the program lies, and where its data are seen from what is in front of that. */
static const struct {
	const char *program, *data;
} places[] = {
	{"/build/release/kregress", ""},
	{"/build/dev/kregress", ""},
	{"/bin/kregress", "/share/kregress"},
};

/* NULL where there is no such folder. */
static char *folder_at(const char *program, size_t place)
{
	size_t length = strlen(program), tail = strlen(places[place].program);
	CLEANUP(cleanup_free) char *folder = NULL;

	if (length <= tail || strcmp(program + length - tail, places[place].program))
		return NULL;
	folder = memory_format("%.*s%s", (int)(length - tail), program,
			       places[place].data);
	return file_exists(folder) ? TAKE(folder) : NULL;
}

/* A copy that was installed under another prefix than it was built for works too. */
static char *data_folder(void)
{
	char program[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
	char *folder = NULL;

	program[length > 0 ? length : 0] = '\0';
	for (size_t i = 0; !folder && i < sizeof(places) / sizeof(*places); i++)
		folder = folder_at(program, i);
	return folder ? folder : memory_copy_string(KREGRESS_DATADIR);
}

char *data_path(const char *name)
{
	CLEANUP(cleanup_free) char *folder = data_folder();

	return strcmp(name, ".") ? file_join(folder, name) : TAKE(folder);
}
