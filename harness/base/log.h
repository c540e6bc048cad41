/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages and progress for people, on stderr; results never come this way. Control
 * characters in a message, whoever wrote them, become '?'; line ends stay.
 * Only cli, lab and measure call it. One thread at a time.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

enum log_level { LOG_QUIET, LOG_NORMAL, LOG_VERBOSE };

/* Chosen once at start from -q and -v. */
void log_set_level(enum log_level level);

/* "kregress: error: ..."; printed at every level. */
__attribute__((format(printf, 1, 2))) void log_error(const char *format, ...);
/* "kregress: warning: ..."; not with -q. */
__attribute__((format(printf, 1, 2))) void log_warning(const char *format, ...);
/* A plain line of progress; not with -q. */
__attribute__((format(printf, 1, 2))) void log_info(const char *format, ...);
/* Only with -v. */
__attribute__((format(printf, 1, 2))) void log_detail(const char *format, ...);
/*
 * What is going on now: on a terminal one line that is overwritten, elsewhere nothing
 * (log_info() marks the milestones there). NULL takes the line away.
 */
__attribute__((format(printf, 1, 2))) void log_status(const char *format, ...);

#endif
