/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/number.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

int number_parse_double(const char *string, double *ret_value)
{
	char *end;
	double value;

	/* strtod() would take spaces, "nan", "inf" and "0x1p3" as well. */
	if (!*string || string[strspn(string, "+-.0123456789eE")])
		return -1;
	value = strtod(string, &end);
	if (*end || end == string || !isfinite(value))
		return -1;
	*ret_value = value;
	return 0;
}

int number_parse_unsigned(const char *string, uint64_t *ret_value)
{
	char *end;
	unsigned long long value;

	if (!isdigit((unsigned char)*string))
		return -1;
	errno = 0;
	value = strtoull(string, &end, 10);
	if (*end || errno)
		return -1;
	*ret_value = value;
	return 0;
}

int number_parse_signed(const char *string, int64_t *ret_value)
{
	char *end;
	long long value;

	if (!isdigit((unsigned char)string[*string == '-']))
		return -1;
	errno = 0;
	value = strtoll(string, &end, 10);
	if (*end || errno)
		return -1;
	*ret_value = value;
	return 0;
}

int number_parse_size(const char *string, uint64_t *ret_bytes)
{
	static const char units[] = "kmgt";
	size_t digits = strspn(string, "0123456789");
	const char *suffix = string + digits, *unit;
	char number[24];
	uint64_t value;
	unsigned shift = 0;

	if (!digits || digits >= sizeof(number))
		return -1;
	memcpy(number, string, digits);
	number[digits] = '\0';
	if (number_parse_unsigned(number, &value))
		return -1;
	if (*suffix) {
		unit = strchr(units, tolower((unsigned char)*suffix));
		if (!unit)
			return -1;
		shift = 10 * (unsigned)(unit - units + 1);
		if (suffix[1] && strcmp(suffix + 1, "iB") && strcmp(suffix + 1, "B"))
			return -1;
	}
	if (shift && value > UINT64_MAX >> shift)
		return -1;
	*ret_bytes = value << shift;
	return 0;
}
