/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vm/xml.h"

#include <stdint.h>

/* Length of the UTF-8 character at text by RFC 3629, 0 where there is none. */
static size_t character_length(const unsigned char *text)
{
	static const struct {
		unsigned char first, last; /* of the first byte */
		unsigned char low, high;   /* of the second */
		unsigned char length;
	} forms[] = {
		{0x20, 0x7e, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2},
		{0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
		{0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
		{0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4},
		{0xf4, 0xf4, 0x80, 0x8f, 4},
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		if (text[0] < forms[i].first || text[0] > forms[i].last)
			continue;
		if (forms[i].length > 1 &&
		    (text[1] < forms[i].low || text[1] > forms[i].high))
			return 0;
		for (size_t k = 2; k < forms[i].length; k++)
			if ((text[k] & 0xc0) != 0x80)
				return 0;
		return forms[i].length;
	}
	return 0;
}

/* U+FFFE and U+FFFF are well-formed UTF-8 but no XML characters. */
static int forbidden(const unsigned char *text)
{
	return text[0] == 0xef && text[1] == 0xbf && text[2] >= 0xbe;
}

int xml_check(const char *what, const char *value, struct error *err)
{
	const unsigned char *next = (const unsigned char *)value;

	while (*next) {
		size_t length = character_length(next);

		if (length == 0 || forbidden(next))
			return error_set(err, ERROR_USAGE,
					 "%s: byte 0x%02x at position %zu is not allowed",
					 what, *next,
					 (size_t)(next - (const unsigned char *)value));
		next += length;
	}
	return 0;
}

static const char *entity(char character)
{
	switch (character) {
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '&':
		return "&amp;";
	case '\'':
		return "&apos;";
	case '"':
		return "&quot;";
	default:
		return NULL;
	}
}

void xml_escape(struct text *xml, const char *value)
{
	for (; *value; value++) {
		const char *name = entity(*value);

		if (name)
			text_add(xml, name);
		else
			text_add_char(xml, *value);
	}
}

void xml_attribute(struct text *xml, const char *name, const char *value)
{
	text_format(xml, " %s='", name);
	xml_escape(xml, value);
	text_add_char(xml, '\'');
}

void xml_element(struct text *xml, const char *name, const char *value)
{
	text_format(xml, "<%s>", name);
	xml_escape(xml, value);
	text_format(xml, "</%s>", name);
}
