/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lab/boot_files.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

#include <string.h>
#include <unistd.h>

static int ends_with(const char *name, const char *suffix)
{
	size_t length = strlen(name), tail = strlen(suffix);

	return length > tail && !strcmp(name + length - tail, suffix);
}

void boot_files_sweep(const char *folder)
{
	CLEANUP(text_list_finish) struct text_list names = {0};
	struct error unused;

	if (file_list(folder, &names, &unused))
		return;
	for (size_t i = 0; i < names.count; i++) {
		CLEANUP(cleanup_free) char *path = file_join(folder, names.items[i]);

		if (ends_with(path, BOOT_INITRAMFS_SUFFIX) ||
		    ends_with(path, BOOT_RESULTS_SUFFIX) ||
		    ends_with(path, BOOT_COUNTS_SUFFIX))
			unlink(path);
	}
}
