/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces of the sentences that evidence carries. */
#ifndef LAB_SENTENCE_H
#define LAB_SENTENCE_H

#include "base/text.h"

/* "4.2 ms", "-83 us", "90 s": three digits and the unit that fits. */
void sentence_add_time(struct text *text, double ns);

/* "1 window", "7 windows". */
void sentence_add_count(struct text *text, double count, const char *noun);

#endif
