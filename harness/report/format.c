/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/format.h"

#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void format_number(struct text *out, double value)
{
	double size = fabs(value);
	int before = size >= 1 ? (int)floor(log10(size)) + 1 : 1;
	int digits = 4 - before;

	if (!isfinite(value)) {
		text_add(out, "n/a");
		return;
	}
	if (size >= 1e15) {
		text_format(out, "%.3e", value);
		return;
	}
	if (size > 0 && size < 1)
		digits = 3 - (int)floor(log10(size));
	if (value == floor(value))
		digits = 0;
	if (digits > 9)
		digits = 9;
	text_format(out, "%.*f", digits > 0 ? digits : 0, value);
}

/* Scales, largest first; the last one of a unit takes what is smaller. */
static const struct scale {
	const char *unit;
	double from, factor;
	const char *name;
} scales[] = {
	{"ns", 1e9, 1e-9, "s"},
	{"ns", 1e6, 1e-6, "ms"},
	{"ns", 1e3, 1e-3, "\xc2\xb5s"},
	{"ns", 0, 1, "ns"},
	{"bytes/s", 1e9, 1e-9, "GB/s"},
	{"bytes/s", 1e6, 1e-6, "MB/s"},
	{"bytes/s", 1e3, 1e-3, "kB/s"},
	{"bytes/s", 0, 1, "B/s"},
	{"bytes", 1073741824.0, 1 / 1073741824.0, "GiB"},
	{"bytes", 1048576, 1 / 1048576.0, "MiB"},
	{"bytes", 1024, 1 / 1024.0, "KiB"},
	{"bytes", 0, 1, "bytes"},
	{"count", 0, 1, ""},
};

static const struct scale *find_scale(double size, const char *unit)
{
	for (size_t i = 0; i < sizeof(scales) / sizeof(*scales); i++)
		if (!strcmp(scales[i].unit, unit) && size >= scales[i].from)
			return &scales[i];
	return NULL;
}

void format_value(struct text *out, double value, const char *unit)
{
	const struct scale *scale = find_scale(fabs(value), unit);
	const char *name = scale ? scale->name : unit;

	if (!isfinite(value)) {
		text_add(out, "n/a");
		return;
	}
	format_number(out, scale ? value * scale->factor : value);
	if (*name)
		text_format(out, " %s", name);
}

const char *format_scale(double size, const char *unit, double *ret_factor)
{
	const struct scale *scale = find_scale(size, unit);

	*ret_factor = scale ? scale->factor : 1;
	return scale ? scale->name : unit;
}

void format_change(struct text *out, double percent)
{
	double size = fabs(percent);

	if (!isfinite(percent))
		text_add(out, "n/a");
	else if (size < 0.005)
		text_add(out, "0 %");
	else
		text_format(out, "%+.*f %%", size < 1 ? 2 : size < 100 ? 1 : 0, percent);
}

void format_time(struct text *out, int64_t time)
{
	clock_format(out, time);
}

void format_duration(struct text *out, double seconds)
{
	long long whole = (long long)(seconds + 0.5);

	if (!isfinite(seconds))
		text_add(out, "n/a");
	else if (seconds < 60)
		text_format(out, "%.1f s", seconds);
	else if (seconds < 3600)
		text_format(out, "%lld min %lld s", whole / 60, whole % 60);
	else
		text_format(out, "%lld h %lld min", whole / 3600, whole / 60 % 60);
}

void format_count(struct text *out, uint64_t count, const char *noun)
{
	text_format(out, "%llu %s%s", (unsigned long long)count, noun,
		    count == 1 ? "" : "s");
}

void format_shell_word(struct text *out, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_./:=,@^~+-";

	if (*word && strspn(word, plain) == strlen(word) && *word != '~') {
		text_add(out, word);
		return;
	}
	text_add_char(out, '\'');
	for (; *word; word++)
		if (*word == '\'')
			text_add(out, "'\\''");
		else
			text_add_char(out, *word);
	text_add_char(out, '\'');
}

static const struct {
	const char *lab, *text;
} limits[] = {
	{"virtual",
	 "Virtual lab: time is counted in executed instructions and timed waits of "
	 "emulated devices. It sees longer paths, extra I/O, flushes, wake-ups and "
	 "timers; it does not see cache misses, lock contention or real devices."},
	{"disk", "Disk lab: real devices; numbers are noisy and verdicts statistical."},
};

const char *format_limits(const char *lab)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++)
		if (!strcmp(limits[i].lab, lab))
			return limits[i].text;
	return "";
}

void format_note_subject(struct text *out, const struct note_record *note)
{
	const char *const parts[] = {note->version, note->scenario, note->case_label,
				     note->metric};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (parts[i] && *parts[i])
			text_format(out, "%s%s", out->size ? ", " : "", parts[i]);
}
