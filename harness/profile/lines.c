/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/lines_private.h"

#include <string.h>

static int is_plain(const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (bytes[i] != '\t' && (bytes[i] < ' ' || bytes[i] > '~'))
			return 0;
	return 1;
}

int lines_next(struct lines *lines, char *line, size_t size)
{
	while (lines->at < lines->end) {
		const char *start = lines->at;
		const char *newline = memchr(start, '\n', (size_t)(lines->end - start));
		size_t length = (size_t)((newline ? newline : lines->end) - start);

		lines->at = newline ? newline + 1 : lines->end;
		if (!length || length >= size || !is_plain(start, length))
			continue;
		memcpy(line, start, length);
		line[length] = '\0';
		return 1;
	}
	return 0;
}
