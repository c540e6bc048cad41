/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *require(void *pointer)
{
	if (!pointer) {
		fputs("kregress: out of memory\n", stderr);
		exit(3);
	}
	return pointer;
}

void *memory_new(size_t count, size_t size)
{
	return require(calloc(count ? count : 1, size ? size : 1));
}

void *memory_resize(void *pointer, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		return require(NULL);
	return require(realloc(pointer, count && size ? count * size : 1));
}

void *memory_grow(void *pointer, size_t count, size_t *capacity, size_t size)
{
	if (count < *capacity)
		return pointer;
	if (*capacity > SIZE_MAX / 2)
		return require(NULL);
	*capacity = *capacity ? *capacity * 2 : 8;
	return memory_resize(pointer, *capacity, size);
}

char *memory_copy_string(const char *string)
{
	return string ? memory_copy_bytes(string, strlen(string)) : NULL;
}

char *memory_copy_bytes(const void *bytes, size_t length)
{
	char *copy = memory_new(length + 1, 1);

	if (length)
		memcpy(copy, bytes, length);
	return copy;
}

char *memory_format(const char *format, ...)
{
	char *text = NULL;
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vasprintf(&text, format, arguments);
	va_end(arguments);
	return require(length < 0 ? NULL : text);
}
