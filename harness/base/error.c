/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* A text that was cut must not end inside a UTF-8 character. */
static void drop_partial_character(char *text, size_t length)
{
	while (length > 0 && ((unsigned char)text[length - 1] & 0xc0) == 0x80)
		length--;
	if (length > 0 && (unsigned char)text[length - 1] >= 0xc0)
		text[length - 1] = '\0';
}

static void put(struct error *err, const char *text)
{
	size_t length = strlen(text);

	if (length < sizeof(err->text)) {
		memcpy(err->text, text, length + 1);
		return;
	}
	memcpy(err->text, text, sizeof(err->text) - 1);
	err->text[sizeof(err->text) - 1] = '\0';
	drop_partial_character(err->text, sizeof(err->text) - 1);
}

int error_set(struct error *err, enum error_kind kind, const char *format, ...)
{
	char text[2 * ERROR_TEXT_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	err->kind = kind;
	put(err, text);
	return -1;
}

int error_system(struct error *err, const char *format, ...)
{
	char text[ERROR_TEXT_SIZE];
	const char *cause = strerror(errno);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	return error_set(err, ERROR_HOST, "%s: %s", text, cause);
}

int error_prefix(struct error *err, const char *format, ...)
{
	char prefix[ERROR_TEXT_SIZE];
	char text[2 * ERROR_TEXT_SIZE + 2];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(prefix, sizeof(prefix), format, arguments);
	va_end(arguments);
	snprintf(text, sizeof(text), "%s: %s", prefix, err->text);
	put(err, text);
	return -1;
}

int error_change_kind(struct error *err, enum error_kind kind)
{
	err->kind = kind;
	return -1;
}
