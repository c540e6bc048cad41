/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one place that makes JSON values, so that every document of ours is strict: a
 * number that is not finite becomes null, bytes that are not UTF-8 become U+FFFD.
 * Each function returns a new reference and never NULL.
 */
#ifndef REPORT_JSON_PRIVATE_H
#define REPORT_JSON_PRIVATE_H

#include "base/text.h"

#include <jansson.h>

/* Whole numbers up to 2^53 are printed as such. */
json_t *json_number_or_null(double value);
/* NULL becomes null. */
json_t *json_text(const char *string);
/* "" becomes null too. */
json_t *json_text_or_null(const char *string);
/* "2026-01-31T23:59:59Z"; 0 becomes null. */
json_t *json_time(int64_t time);
/* Appends the document and a newline; takes over the reference. */
void json_print(json_t *document, struct text *out);

#endif
