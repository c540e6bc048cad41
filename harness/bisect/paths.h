/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How likely a commit is to change what a storage benchmark measures, by the files that
 * it touches, before anything is measured. A hint for the order of tests and nothing
 * else: the weights differ by a factor of 16 at most, and no verdict rests on them
 * (bisect/search.h).
 */
#ifndef BISECT_PATHS_H
#define BISECT_PATHS_H

struct path_rule {
	const char *pattern; /* "fs/": what is below it; "*.rst": names that end so */
	double weight;       /* 1: neither likely nor unlikely */
	const char *what;    /* for people: "block layer" */
	int idle;            /* no part of what is built */
};

/* A file that no rule knows; a commit that touches nothing (a clean merge). */
extern const struct path_rule path_rule_other, path_rule_nothing;

/* Of a file of the kernel's tree; the most specific pattern counts. */
const struct path_rule *path_find_rule(const char *path);

#endif
