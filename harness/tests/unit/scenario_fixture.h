/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scenarios out of strings. The test says in FILE_NAME which file it writes. */
#ifndef TESTS_UNIT_SCENARIO_FIXTURE_H
#define TESTS_UNIT_SCENARIO_FIXTURE_H

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "scenario/scenario.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD "name: t\nworkload: sync-loop\n"

static const struct scenario_options in_virtual = {.lab = CONFIG_VIRTUAL};

static inline void write_file(const char *yaml)
{
	struct error err = {0};

	if (file_write(FILE_NAME, yaml, strlen(yaml), &err))
		fail_msg("%s", err.text);
}

static inline void load_with(const char *yaml, const struct scenario_options *options,
			     struct scenario *scenario)
{
	struct error err = {0};

	write_file(yaml);
	if (scenario_load(FILE_NAME, options, scenario, &err))
		fail_msg("%s", err.text);
}

static inline void load(const char *yaml, struct scenario *scenario)
{
	load_with(yaml, &in_virtual, scenario);
}

static inline void assert_refused(const char *yaml, const char *message)
{
	CLEANUP(scenario_finish) struct scenario scenario = {0};
	struct error err = {0};

	write_file(yaml);
	if (!scenario_load(FILE_NAME, &in_virtual, &scenario, &err))
		fail_msg("taken: %s", yaml);
	assert_int_equal(err.kind, ERROR_USAGE);
	if (strncmp(err.text, FILE_NAME, strlen(FILE_NAME)) || !strstr(err.text, message))
		fail_msg("'%s' is not in '%s'", message, err.text);
}

#endif
