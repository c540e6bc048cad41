/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/json.h"

#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void json_put_comma(struct text *text)
{
	if (text->size && !strchr("{[:\n", text->data[text->size - 1]))
		text_add_char(text, ',');
}

void json_put_key(struct text *text, const char *key)
{
	json_put_comma(text);
	json_put_string(text, key);
	text_add_char(text, ':');
}

static void add_escaped(struct text *text, unsigned char byte)
{
	static const char plain[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
	const char *found = byte ? strchr(plain, byte) : NULL;

	if (found)
		text_format(text, "\\%c", letters[found - plain]);
	else
		text_format(text, "\\u%04x", byte);
}

void json_put_string(struct text *text, const char *string)
{
	size_t left = string ? strlen(string) : 0, size;
	uint32_t character;

	if (!string) {
		text_add(text, "null");
		return;
	}
	text_add_char(text, '"');
	for (; left; string += size, left -= size) {
		size = utf8_decode(string, left, &character);
		if (size == 1 && (character < 0x20 || character == '"' ||
				  character == '\\' || character == 0x7f))
			add_escaped(text, (unsigned char)character);
		else
			utf8_add(text, string, size ? size : 1);
		size = size ? size : 1;
	}
	text_add_char(text, '"');
}

void json_put_number(struct text *text, double value)
{
	char digits[40] = "null";

	if (value == 0)
		value = 0; /* not -0 */
	if (isfinite(value) && fabs(value) < 1e15 && value == trunc(value)) {
		text_format(text, "%.0f", value);
		return;
	}
	for (int precision = 15; isfinite(value) && precision <= 17; precision += 2) {
		snprintf(digits, sizeof(digits), "%.*g", precision, value);
		if (strtod(digits, NULL) == value)
			break;
	}
	text_add(text, digits);
}

void json_put_count(struct text *text, size_t value)
{
	text_format(text, "%zu", value);
}
