/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/markup_private.h"

#include "base/utf8.h"

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

static const char *entity(uint32_t character)
{
	switch (character) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

static int is_harmful(uint32_t character)
{
	return (utf8_is_control(character) && character != '\n' && character != '\t') ||
	       (character & 0xfffe) == 0xfffe;
}

void markup_text(struct text *out, const char *string)
{
	size_t length = strlen(string), used;

	for (size_t i = 0; i < length; i += used ? used : 1) {
		uint32_t character = 0;

		used = utf8_decode(string + i, length - i, &character);
		if (!used || is_harmful(character))
			text_add(out, "\xef\xbf\xbd");
		else if (entity(character))
			text_add(out, entity(character));
		else
			text_add_bytes(out, string + i, used);
	}
}

/* Adds what one conversion stands for; the number of bytes of the conversion. */
static size_t convert(struct text *out, const char *conversion, va_list *arguments)
{
	if (conversion[1] == 's') {
		markup_text(out, va_arg(*arguments, const char *));
		return 2;
	}
	if (conversion[1] == 'd') {
		text_format(out, "%d", va_arg(*arguments, int));
		return 2;
	}
	if (!strncmp(conversion, "%zu", 3)) {
		text_format(out, "%zu", va_arg(*arguments, size_t));
		return 3;
	}
	text_add_char(out, '%');
	return 2;
}

void markup(struct text *out, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	while (*format) {
		size_t plain = strcspn(format, "%");

		text_add_bytes(out, format, plain);
		format += plain;
		if (*format)
			format += convert(out, format, &arguments);
	}
	va_end(arguments);
}
