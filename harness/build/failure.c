/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "build/failure.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { TAIL_BYTES = 64 << 20, MOST_CHARACTERS = 400 };

/* The kinds of lines, best first: the first line of the best kind that occurs counts. */
static const struct kind {
	const char *part;
	int rank;
	int host;
} kinds[] = {
	{"No space left on device", 0, 1},
	{"Disk quota exceeded", 0, 1},
	{"Read-only file system", 0, 1},
	{"Cannot allocate memory", 0, 1},
	{"virtual memory exhausted", 0, 1},
	{"internal compiler error", 0, 1},
	{"Killed signal terminated program", 0, 1},
	{"error while loading shared libraries", 0, 1},
	{": error: ", 1, 0},
	{": fatal error: ", 1, 0},
	{": Error: ", 1, 0},
	{"undefined reference to ", 1, 0},
	{"multiple definition of ", 1, 0},
	{"undefined!", 1, 0},
	{"Kconfig:", 2, 0},
	{"*** ", 3, 0},
};

static const struct kind *kind_of(const char *line)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strstr(line, kinds[i].part))
			return &kinds[i];
	return NULL;
}

static void take_line(struct failure *failure, const char *line)
{
	size_t length = strnlen(line, MOST_CHARACTERS);

	free(failure->line);
	failure->line = memory_copy_bytes(line, length);
}

static void read_lines(FILE *file, struct failure *failure)
{
	CLEANUP(cleanup_free) char *line = NULL;
	size_t capacity = 0;
	ssize_t length;
	int best = 5;

	while ((length = getline(&line, &capacity, file)) > 0) {
		const struct kind *kind;

		line[strcspn(line, "\r\n")] = '\0';
		kind = kind_of(line);
		if (kind && kind->rank < best) {
			best = kind->rank;
			failure->host = kind->host;
			take_line(failure, line);
		} else if (best == 5 && *line) {
			take_line(failure, line);
		}
	}
}

int failure_read(const char *log_path, struct failure *ret_failure, struct error *err)
{
	CLEANUP(cleanup_file) FILE *file = fopen(log_path, "re");
	struct failure failure = {0};

	if (!file)
		return error_system(err, "cannot read %s", log_path);
	if (fseeko(file, 0, SEEK_END) == 0 && ftello(file) > TAIL_BYTES)
		fseeko(file, -(off_t)TAIL_BYTES, SEEK_END);
	else
		rewind(file);
	read_lines(file, &failure);
	if (!failure.line)
		failure.line = memory_copy_string("make failed without a word");
	*ret_failure = failure;
	return 0;
}
