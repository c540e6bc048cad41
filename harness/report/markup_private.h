/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * HTML that is well-formed XML as well, from strings that anybody may have written.
 */
#ifndef REPORT_MARKUP_PRIVATE_H
#define REPORT_MARKUP_PRIVATE_H

#include "base/text.h"

/*
 * Appends a string as text or attribute value: markup is escaped; control characters,
 * characters that turn the direction of writing and what is no UTF-8 become U+FFFD.
 */
void markup_text(struct text *out, const char *string);

/*
 * Like text_format(), but each %s is escaped by markup_text(). Only %s, %d, %zu and %%
 * are known.
 */
__attribute__((format(printf, 2, 3))) void markup(struct text *out, const char *format,
						  ...);

#endif
