/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/utf8.h"

#include <string.h>

/* A lead byte tells how many follow, which bits are its own, the least legal value. */
struct lead {
	unsigned char mask, pattern, bits;
	size_t length;
	uint32_t least;
};

static const struct lead leads[] = {
	{0x80, 0x00, 0x7f, 1, 0},
	{0xe0, 0xc0, 0x1f, 2, 0x80},
	{0xf0, 0xe0, 0x0f, 3, 0x800},
	{0xf8, 0xf0, 0x07, 4, 0x10000},
};

static const struct lead *find_lead(unsigned char byte)
{
	for (size_t i = 0; i < sizeof(leads) / sizeof(*leads); i++)
		if ((byte & leads[i].mask) == leads[i].pattern)
			return &leads[i];
	return NULL;
}

size_t utf8_decode(const char *bytes, size_t length, uint32_t *ret_character)
{
	const struct lead *lead = length ? find_lead((unsigned char)bytes[0]) : NULL;
	uint32_t character;

	if (!lead || lead->length > length)
		return 0;
	character = (unsigned char)bytes[0] & lead->bits;
	for (size_t i = 1; i < lead->length; i++) {
		if (((unsigned char)bytes[i] & 0xc0) != 0x80)
			return 0;
		character = character << 6 | ((unsigned char)bytes[i] & 0x3f);
	}
	if (character < lead->least || character > 0x10ffff ||
	    (character >= 0xd800 && character <= 0xdfff))
		return 0;
	*ret_character = character;
	return lead->length;
}

int utf8_valid(const char *bytes, size_t length)
{
	uint32_t character;
	size_t used;

	for (size_t i = 0; i < length; i += used) {
		used = utf8_decode(bytes + i, length - i, &character);
		if (!used)
			return 0;
	}
	return 1;
}

/* Appends one character, or U+FFFD for a stray byte; returns the bytes taken. */
static size_t add_one(struct text *text, const char *bytes, size_t length, int plain)
{
	uint32_t character;
	size_t used = utf8_decode(bytes, length, &character);

	if (!used)
		text_add(text, "\xef\xbf\xbd");
	else if (plain && utf8_is_control(character))
		text_add_char(text, '?');
	else
		text_add_bytes(text, bytes, used);
	return used ? used : 1;
}

void utf8_add(struct text *text, const char *bytes, size_t length)
{
	for (size_t i = 0; i < length;)
		i += add_one(text, bytes + i, length - i, 0);
}

int utf8_is_control(uint32_t character)
{
	return character < ' ' || (character >= 0x7f && character <= 0x9f) ||
	       (character >= 0x200e && character <= 0x200f) ||
	       (character >= 0x202a && character <= 0x202e) ||
	       (character >= 0x2066 && character <= 0x2069);
}

void utf8_add_plain(struct text *text, const char *bytes, size_t length)
{
	for (size_t i = 0; i < length;)
		i += add_one(text, bytes + i, length - i, 1);
}

void utf8_add_plain_string(struct text *text, const char *string)
{
	utf8_add_plain(text, string, strlen(string));
}
