/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vm/pidfile.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"

#include <stdint.h>
#include <string.h>

pid_t pidfile_read(const char *path)
{
	CLEANUP(text_finish) struct text text = {0};
	struct error unused;
	uint64_t pid;

	if (file_read(path, 64, &text, &unused) || !text.size)
		return 0;
	text.data[strcspn(text.data, "\n")] = '\0';
	if (number_parse_unsigned(text.data, &pid) || pid > INT32_MAX)
		return 0;
	return (pid_t)pid;
}

/* Whether one of the arguments, each ended by NUL, holds the string. */
static int has_argument(const struct text *arguments, const char *string)
{
	return arguments->size &&
	       memmem(arguments->data, arguments->size, string, strlen(string)) != NULL;
}

static int read_arguments(pid_t pid, struct text *arguments)
{
	CLEANUP(cleanup_free) char *path = memory_format("/proc/%d/cmdline", (int)pid);
	struct error unused;

	return pid > 0 && file_read(path, 1 << 20, arguments, &unused) == 0;
}

int pidfile_is_guest(pid_t pid, const char *name, const char *uuid)
{
	CLEANUP(cleanup_free) char *guest = memory_format("guest=%s,", name);
	CLEANUP(text_finish) struct text arguments = {0};

	return read_arguments(pid, &arguments) && has_argument(&arguments, guest) &&
	       has_argument(&arguments, uuid);
}

int pidfile_is_named(pid_t pid, const char *path_end)
{
	CLEANUP(text_finish) struct text arguments = {0};

	return read_arguments(pid, &arguments) && has_argument(&arguments, path_end);
}
