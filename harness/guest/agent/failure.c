/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/agent/failure.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int failure_system(struct failure *failure, const char *call, const char *disk,
		   uint64_t offset)
{
	*failure =
		(struct failure){.call = call, .error_number = errno, .offset = offset};
	snprintf(failure->disk, sizeof(failure->disk), "%s", disk);
	snprintf(failure->text, sizeof(failure->text), "%s on %s at byte %llu: %s", call,
		 disk, (unsigned long long)offset, strerror(failure->error_number));
	return -1;
}

int failure_set(struct failure *failure, const char *disk, const char *format, ...)
{
	va_list arguments;

	*failure = (struct failure){.call = ""};
	snprintf(failure->disk, sizeof(failure->disk), "%s", disk);
	va_start(arguments, format);
	vsnprintf(failure->text, sizeof(failure->text), format, arguments);
	va_end(arguments);
	return -1;
}
