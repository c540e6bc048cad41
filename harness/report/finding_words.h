/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The life of a finding in words, the same in every form of a report.
 */
#ifndef REPORT_FINDING_WORDS_H
#define REPORT_FINDING_WORDS_H

#include "base/text.h"
#include "store/findings.h"

/*
 * Where it stands: "opened on 2027-01-15", "bisected, still open on day 2 in v6.2",
 * "recovered in v6.3 on day 3", "acknowledged: REASON". Not escaped.
 */
void finding_words(const struct finding_record *finding, struct text *out);

#endif
