/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drafts of mails about findings: who shall get them, and where the files go. */
#ifndef CLI_REPORT_MAIL_H
#define CLI_REPORT_MAIL_H

#include "report/report.h"

struct report_mail {
	const struct report_model *model;
	int64_t finding;     /* 0: each that is open */
	const char *tree;    /* whose get_maintainer.pl is asked; NULL: none */
	const char *results; /* folder; drafts go into mail/ below it */
	const char *output;  /* a file, or "-"; then there must be one finding */
};

/* Prints the path of each file. Nothing is sent. */
int report_mail_write(const struct report_mail *mail, struct error *err);

#endif
