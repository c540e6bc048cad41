/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bisect/patch.h"

#include <stddef.h>
#include <string.h>

static int starts(const char *line, size_t length, const char *word)
{
	return length >= strlen(word) && !strncmp(line, word, strlen(word));
}

static int ends(const char *line, size_t length, const char *word)
{
	return length >= strlen(word) &&
	       !strncmp(line + length - strlen(word), word, strlen(word));
}

static int is_blank(char character)
{
	return character == ' ' || character == '\t' || character == '\r';
}

/* Of a line that begins like the middle of a comment: no code has these in it. */
static int has_code(const char *line, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (strchr(";={}", line[i]))
			return 1;
	return 0;
}

static int is_comment(const char *line, size_t length)
{
	while (length && is_blank(*line)) {
		line++;
		length--;
	}
	while (length && is_blank(line[length - 1]))
		length--;
	if (!length || starts(line, length, "//"))
		return 1;
	if (starts(line, length, "/*"))
		return ends(line, length, "*/") ? memmem(line + 2, length - 2, "*/", 2) ==
							  line + length - 2
						: !memmem(line, length, "*/", 2);
	if (starts(line, length, "*/"))
		return length == 2;
	return *line == '*' && (length == 1 || is_blank(line[1])) &&
	       !has_code(line, length);
}

static int is_source(const char *line, size_t length)
{
	return ends(line, length, ".c") || ends(line, length, ".h");
}

int patch_is_comment(const char *patch)
{
	int in_hunk = 0, source = 0, changed = 0;

	while (*patch) {
		size_t length = strcspn(patch, "\n");

		if (starts(patch, length, "diff --git "))
			in_hunk = source = 0;
		else if (starts(patch, length, "@@"))
			in_hunk = 1;
		else if (!in_hunk && starts(patch, length, "+++ "))
			source = is_source(patch, length);
		else if (starts(patch, length, "Binary files"))
			return 0;
		else if (in_hunk && (*patch == '+' || *patch == '-')) {
			if (!source || !is_comment(patch + 1, length - 1))
				return 0;
			changed = 1;
		}
		patch += length + (patch[length] != '\0');
	}
	return changed;
}
