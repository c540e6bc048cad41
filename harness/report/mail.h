/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A draft of the mail that tells a regression to those who can mend it. It is written to
 * a file for somebody to read, complete and send; nothing here sends anything.
 *
 * What commits say is hostile: a header holds one line of printable ASCII (other
 * characters are encoded as RFC 2047 asks), an address is one only if it looks like one,
 * and what follows in the body is indented text.
 */
#ifndef REPORT_MAIL_H
#define REPORT_MAIL_H

#include "report/report.h"

struct mail_draft {
	const struct report_section *section;
	const struct report_finding *finding;
	/* Lines of get_maintainer.pl, "Name <address> (role)"; NULL: it was not asked. */
	const char *maintainers;
};

void mail_write(const struct mail_draft *draft, struct text *out);

/* Who shall get it: the commit's author, and the others without doubles. */
struct mail_recipients {
	struct text_list to, cc; /* fit for a header */
};

void mail_recipients_finish(struct mail_recipients *recipients);
/* commit may be NULL. */
void mail_choose_recipients(const struct commit_record *commit, const char *maintainers,
			    struct mail_recipients *ret_recipients);

#endif
