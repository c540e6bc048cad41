/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/clock.h"

#include "base/number.h"

#include <stdlib.h>
#include <time.h>

static const char variable[] = "KREGRESS_NOW";

int clock_check(struct error *err)
{
	const char *fixed = getenv(variable);
	int64_t ignored;

	if (!fixed || !number_parse_signed(fixed, &ignored))
		return 0;
	return error_set(err, ERROR_USAGE, "%s: Unix seconds, not \"%.80s\"", variable,
			 fixed);
}

int64_t clock_now(void)
{
	const char *fixed = getenv(variable);
	int64_t time_of_day;

	if (fixed && !number_parse_signed(fixed, &time_of_day))
		return time_of_day;
	return (int64_t)time(NULL);
}

void clock_format(struct text *out, int64_t time_of_day)
{
	time_t seconds = (time_t)time_of_day;
	char stamp[40];
	struct tm parts;

	if (!gmtime_r(&seconds, &parts) ||
	    !strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%SZ", &parts)) {
		text_format(out, "%lld", (long long)time_of_day);
		return;
	}
	text_add(out, stamp);
}
