/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* The one writer of stderr has one state. */
static struct {
	enum log_level level;
	int status_shown;
} logger = {.level = LOG_NORMAL};

void log_set_level(enum log_level level)
{
	logger.level = level;
}

static void hide_status(void)
{
	if (logger.status_shown)
		fputs("\r\033[K", stderr);
	logger.status_shown = 0;
}

static void print(enum log_level least, const char *label, const char *format,
		  va_list arguments)
{
	if (logger.level < least)
		return;
	hide_status();
	fputs(label, stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
}

#define PRINT_AT(least, label)                                                           \
	do {                                                                             \
		va_list arguments;                                                       \
		va_start(arguments, format);                                             \
		print(least, label, format, arguments);                                  \
		va_end(arguments);                                                       \
	} while (0)

void log_error(const char *format, ...)
{
	PRINT_AT(LOG_QUIET, "kregress: error: ");
}

void log_warning(const char *format, ...)
{
	PRINT_AT(LOG_NORMAL, "kregress: warning: ");
}

void log_info(const char *format, ...)
{
	PRINT_AT(LOG_NORMAL, "");
}

void log_detail(const char *format, ...)
{
	PRINT_AT(LOG_VERBOSE, "");
}

static int terminal_width(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || size.ws_col == 0)
		return 80;
	return size.ws_col;
}

void log_status(const char *format, ...)
{
	char line[512];
	va_list arguments;
	int width;

	if (logger.level < LOG_NORMAL || !isatty(STDERR_FILENO))
		return;
	hide_status();
	if (!format)
		return;
	va_start(arguments, format);
	vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	width = terminal_width() - 1;
	fprintf(stderr, "%.*s", width > 0 ? width : 79, line);
	fflush(stderr);
	logger.status_shown = 1;
}
