/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a draft is made of. */
#ifndef REPORT_MAIL_PRIVATE_H
#define REPORT_MAIL_PRIVATE_H

#include "report/mail.h"

/* Printable ASCII that nobody takes for an encoded word. */
int mail_is_plain(const char *string);
/* Valid UTF-8 as encoded words of RFC 2047. */
void mail_encode(const char *string, struct text *out);

/* "Name: value", folded and encoded; values of a list are separated by commas. */
void mail_add_header(const char *name, const char *value, struct text *out);
void mail_add_list_header(const char *name, const struct text_list *values,
			  struct text *out);

/*
 * Parent and culprit side by side, in the form that reviewers of kernel performance
 * know. Falls back to the versions of the finding where no commit was named.
 */
void mail_add_comparison(const struct mail_draft *draft, struct text *out);

#endif
