/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/json_private.h"

#include "base/cleanup.h"
#include "base/utf8.h"
#include "report/format.h"

#include <math.h>
#include <string.h>

json_t *json_number_or_null(double value)
{
	if (!isfinite(value))
		return json_null();
	if (value == floor(value) && fabs(value) <= 9007199254740992.0)
		return json_integer((json_int_t)value);
	return json_real(value);
}

json_t *json_text(const char *string)
{
	CLEANUP(text_finish) struct text clean = {0};

	if (!string)
		return json_null();
	utf8_add(&clean, string, strlen(string));
	return json_string(text_string(&clean));
}

json_t *json_text_or_null(const char *string)
{
	return json_text(string && *string ? string : NULL);
}

json_t *json_time(int64_t time)
{
	CLEANUP(text_finish) struct text text = {0};

	if (!time)
		return json_null();
	format_time(&text, time);
	return json_text(text_string(&text));
}

static int append(const char *bytes, size_t length, void *out)
{
	text_add_bytes(out, bytes, length);
	return 0;
}

void json_print(json_t *document, struct text *out)
{
	json_dump_callback(document, append, out, JSON_INDENT(1) | JSON_ENSURE_ASCII);
	text_add_char(out, '\n');
	json_decref(document);
}
