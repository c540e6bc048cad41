/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers and times for people. Everything is appended to a text.
 */
#ifndef REPORT_FORMAT_H
#define REPORT_FORMAT_H

#include "base/text.h"
#include "store/sessions.h"

#include <stdint.h>

/* Four significant digits: "0.01234", "3.138", "1234567"; an exponent from 1e15 on. */
void format_number(struct text *out, double value);

/* With its unit, scaled where that reads better: 3138000123 ns is "3.138 s". */
void format_value(struct text *out, double value, const char *unit);

/* The unit that a value of that size reads best in, and the factor to it. */
const char *format_scale(double size, const char *unit, double *ret_factor);

/* "+7.2 %", "-0.06 %"; "n/a" for NAN. */
void format_change(struct text *out, double percent);

/* "2026-01-31T23:59:59Z" */
void format_time(struct text *out, int64_t time);

/* "2 h 3 min", "3 min 20 s", "4.2 s" */
void format_duration(struct text *out, double seconds);

/* "1 boot", "3 boots" */
void format_count(struct text *out, uint64_t count, const char *noun);

/* A word of a command line, quoted where a shell would not take it as it is. */
void format_shell_word(struct text *out, const char *word);

/* "v6.1, raw-sync, target=device, elapsed": as far as the note says. */
void format_note_subject(struct text *out, const struct note_record *note);

/* What numbers of a lab do and do not tell, as sentences; "" for others. */
const char *format_limits(const char *lab);

#endif
