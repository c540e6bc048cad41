/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/mail_private.h"

#include "base/cleanup.h"
#include "base/utf8.h"

#include <string.h>

/*
 * RFC 2047: an encoded word has 75 characters at most, "=?UTF-8?B?" and "?=" included,
 * and holds whole characters: 42 bytes are 56 digits of base 64, so that one fits behind
 * "Subject:" too.
 */
enum { LINE = 76, WORD_BYTES = 42 };

int mail_is_plain(const char *string)
{
	if (strstr(string, "=?"))
		return 0; /* it would be taken for an encoded word */
	for (; *string; string++)
		if (*string < ' ' || *string > '~')
			return 0;
	return 1;
}

static void add_base64(const char *bytes, size_t length, struct text *out)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		"0123456789+/";

	for (size_t i = 0; i < length; i += 3) {
		unsigned group = 0;

		for (size_t j = 0; j < 3; j++)
			group = group << 8 |
				(i + j < length ? (unsigned char)bytes[i + j] : 0);
		for (size_t j = 0; j < 4; j++)
			text_add_char(out, i + j > length
						   ? '='
						   : digits[group >> (18 - 6 * j) & 63]);
	}
}

static size_t whole_characters(const char *bytes, size_t length)
{
	size_t used = 0, step;
	uint32_t character;

	while (used < length) {
		step = utf8_decode(bytes + used, length - used, &character);
		if (!step || used + step > WORD_BYTES)
			break;
		used += step;
	}
	return used ? used : 1;
}

/* Encoded words are parted by blanks, which do not count. */
void mail_encode(const char *string, struct text *out)
{
	size_t length = strlen(string);

	for (size_t i = 0, used; i < length; i += used) {
		used = whole_characters(string + i, length - i);
		text_add(out, i ? " =?UTF-8?B?" : "=?UTF-8?B?");
		add_base64(string + i, used, out);
		text_add(out, "?=");
	}
}

/* One line of valid UTF-8 without control characters, blanks not doubled. */
static void clean(const char *string, struct text *out)
{
	static const char blanks[] = " \t\r\n";

	string += strspn(string, blanks);
	while (*string) {
		size_t length = strcspn(string, blanks);

		utf8_add_plain(out, string, length);
		string += length + strspn(string + length, blanks);
		text_add(out, *string ? " " : "");
	}
}

/* Breaks lines at blanks: what follows the break begins with one. */
static void fold(const char *name, const char *value, struct text *out)
{
	size_t column = strlen(name) + 1;

	text_format(out, "%s:", name);
	while (*(value += strspn(value, " "))) {
		size_t length = strcspn(value, " ");

		if (column + 1 + length > LINE && column > strlen(name) + 1) {
			text_add_char(out, '\n');
			column = 0;
		}
		text_add_char(out, ' ');
		text_add_bytes(out, value, length);
		column += 1 + length;
		value += length;
	}
	text_add_char(out, '\n');
}

void mail_add_header(const char *name, const char *value, struct text *out)
{
	CLEANUP(text_finish) struct text line = {0};
	CLEANUP(text_finish) struct text encoded = {0};

	clean(value, &line);
	if (mail_is_plain(text_string(&line)))
		text_add(&encoded, text_string(&line));
	else
		mail_encode(text_string(&line), &encoded);
	fold(name, text_string(&encoded), out);
}

void mail_add_list_header(const char *name, const struct text_list *values,
			  struct text *out)
{
	CLEANUP(text_finish) struct text line = {0};

	for (size_t i = 0; i < values->count; i++)
		text_format(&line, "%s%s", i ? ", " : "", values->items[i]);
	if (values->count)
		fold(name, text_string(&line), out);
}
