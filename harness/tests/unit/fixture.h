/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A temporary folder and shell lines in it, for tests that need a repository or a tree.
 * A line that fails ends the test program.
 */
#ifndef TESTS_UNIT_FIXTURE_H
#define TESTS_UNIT_FIXTURE_H

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"

#include <string.h>

struct fixture {
	char *folder;
};

static inline void fixture_shell(const struct fixture *fixture, const char *lines)
{
	/* Names, dates and settings of git are ours, whoever runs the test. */
	static const char *const environment[] = {
		"GIT_AUTHOR_NAME=A U Thor",
		"GIT_AUTHOR_EMAIL=author@example.org",
		"GIT_COMMITTER_NAME=C O Mitter",
		"GIT_COMMITTER_EMAIL=committer@example.org",
		"GIT_AUTHOR_DATE=2020-01-02T03:04:05Z",
		"GIT_COMMITTER_DATE=2020-01-02T03:04:05Z",
		"GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_CONFIG_SYSTEM=/dev/null",
		NULL};
	CLEANUP(cleanup_free) char *script = memory_format("set -e\n%s", lines);
	const char *argv[] = {"sh", "-c", script, NULL};
	struct process_options options = {.argv = argv,
					  .environment = environment,
					  .folder = fixture->folder,
					  .timeout_seconds = 600};
	struct process_result result;
	struct error err = {0};

	if (process_run(&options, &result, &err) || result.end != PROCESS_EXITED ||
	    result.code != 0) {
		fprintf(stderr, "failed: %s\n%s\n", lines, err.text);
		abort();
	}
}

static inline struct fixture *fixture_create(void)
{
	struct fixture *fixture = memory_new(1, sizeof(*fixture));
	struct error err = {0};

	if (file_make_temporary_folder("/tmp/kregress-test-", &fixture->folder, &err)) {
		fprintf(stderr, "%s\n", err.text);
		abort();
	}
	return fixture;
}

static inline void fixture_destroy(struct fixture *fixture)
{
	struct error err = {0};

	if (file_remove_tree(fixture->folder, &err))
		fprintf(stderr, "%s\n", err.text);
	free(fixture->folder);
	free(fixture);
}

/* The caller frees. */
static inline char *fixture_path(const struct fixture *fixture, const char *name)
{
	return file_join(fixture->folder, name);
}

/* Whether the file has exactly this content. */
static inline int fixture_holds(const struct fixture *fixture, const char *name,
				const char *content)
{
	CLEANUP(cleanup_free) char *path = fixture_path(fixture, name);
	CLEANUP(text_finish) struct text text = {0};
	struct error err = {0};

	return file_read(path, 1 << 20, &text, &err) == 0 &&
	       !strcmp(text_string(&text), content);
}

#endif
