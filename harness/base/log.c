/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/log.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/utf8.h"

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

/* Messages quote guests, compilers and git: none of them may steer the terminal. */
__attribute__((format(printf, 3, 0))) static void format_lines(struct text *lines,
							       const char *label,
							       const char *format,
							       va_list arguments)
{
	CLEANUP(cleanup_free) char *message = NULL;
	char *rest, *line;

	text_add(lines, label);
	if (vasprintf(&message, format, arguments) < 0)
		message = memory_copy_string(format);
	for (rest = message; (line = strsep(&rest, "\n"));) {
		utf8_add_plain_string(lines, line);
		if (rest && *rest)
			text_add_char(lines, '\n');
	}
}

__attribute__((format(printf, 3, 0))) static void print(enum log_level least,
							const char *label,
							const char *format,
							va_list arguments)
{
	CLEANUP(text_finish) struct text line = {0};

	if (logger.level < least)
		return;
	format_lines(&line, label, format, arguments);
	hide_status();
	fprintf(stderr, "%s\n", text_string(&line));
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

static size_t terminal_width(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || size.ws_col < 2)
		return 80;
	return size.ws_col;
}

/* To one line of so many characters: what is longer could not be taken away. */
static void cut(struct text *line, size_t width)
{
	size_t seen = 0;

	for (size_t i = 0; i < line->size; i++)
		if (line->data[i] == '\n' ||
		    (((unsigned char)line->data[i] & 0xc0) != 0x80 && seen++ == width)) {
			line->data[i] = '\0';
			line->size = i;
		}
}

void log_status(const char *format, ...)
{
	CLEANUP(text_finish) struct text line = {0};
	va_list arguments;

	if (logger.level < LOG_NORMAL || !isatty(STDERR_FILENO))
		return;
	hide_status();
	if (!format)
		return;
	va_start(arguments, format);
	format_lines(&line, "", format, arguments);
	va_end(arguments);
	cut(&line, terminal_width() - 1);
	fputs(text_string(&line), stderr);
	fflush(stderr);
	logger.status_shown = 1;
}
