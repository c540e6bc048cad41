/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/problem.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int problem_set(struct problem *problem, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(problem->text, sizeof(problem->text), format, arguments);
	va_end(arguments);
	return -1;
}

int guest_parse_unsigned(const char *string, uint64_t *ret_value)
{
	unsigned long long value;
	char *end;

	if (*string < '0' || *string > '9')
		return -1;
	errno = 0;
	value = strtoull(string, &end, 10);
	if (*end || errno)
		return -1;
	*ret_value = value;
	return 0;
}
