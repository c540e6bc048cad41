/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/layout_private.h"

#include "report/format.h"

#include <math.h>
#include <string.h>

static const struct layout layouts[] = {
	{
		.scenario = "fsync-loop",
		.caption =
			"Elapsed time of first and later runs; flushes and writes of one "
			"operation",
		.keys = {"block_size", "mode", "device"},
		.columns =
			{
				{"first (s)", "elapsed", SOURCE_FIRST, FORM_SECONDS},
				{"later (s)", "elapsed", SOURCE_LATER, FORM_SECONDS},
				{"flush first", "flushes_per_op", SOURCE_FIRST,
				 FORM_NUMBER},
				{"flush later", "flushes_per_op", SOURCE_LATER,
				 FORM_NUMBER},
				{"write first", "writes_per_op", SOURCE_FIRST,
				 FORM_NUMBER},
				{"write later", "writes_per_op", SOURCE_LATER,
				 FORM_NUMBER},
			},
	},
	{
		.scenario = "cat-readahead",
		.caption = "Time of each run in seconds, with cold caches",
		.keys = {"target", "readahead_sectors"},
		.columns =
			{
				{"real (s)", "elapsed", SOURCE_RUNS, FORM_SECONDS},
				{"user", "user", SOURCE_RUNS, FORM_SECONDS},
				{"sys", "system", SOURCE_RUNS, FORM_SECONDS},
			},
		.best_of = "readahead_sectors",
		.against = "target",
	},
	{
		.scenario = "multi-disk-fsync",
		.caption = "All writers together, times in seconds; faults are major + "
			   "minor; uneven is the variation of the throughput, of which "
			   "some periods of equal length are shown",
		.keys = {"direct", "queue_depth"},
		.columns =
			{
				{"user", "user", SOURCE_WHOLE, FORM_SECONDS},
				{"system", "system", SOURCE_WHOLE, FORM_SECONDS},
				{"elapsed", "elapsed", SOURCE_WHOLE, FORM_CLOCK},
				{"CPU %", "cpu_percent", SOURCE_WHOLE, FORM_NUMBER},
				{"faults", "major_faults", SOURCE_WHOLE, FORM_NUMBER,
				 "minor_faults"},
				{"uneven %", "throughput_cv", SOURCE_WHOLE, FORM_NUMBER},
				{"MB/s over the run", "bytes_per_second", SOURCE_WINDOWS,
				 FORM_MEGABYTES},
			},
		.best_of = "queue_depth",
		.disks = 1,
	},
	{
		.scenario = "raw-sync",
		.caption =
			"Mean time of an operation from the first to the last windows; "
			"drift is by how much each operation takes longer than the one "
			"before",
		.keys = {"target"},
		.columns =
			{
				{"window means over the run (ms)", "window_mean",
				 SOURCE_WINDOWS, FORM_MILLISECONDS},
				{"total (ms)", "elapsed", SOURCE_WHOLE,
				 FORM_MILLISECONDS},
				{"ops/s", "ops_per_second", SOURCE_WHOLE, FORM_NUMBER},
				{"drift (ns)", "drift", SOURCE_WHOLE, FORM_NUMBER},
				{"stalls", "stalls", SOURCE_WHOLE, FORM_NUMBER},
			},
	},
};

const struct layout *layout_find(const char *scenario)
{
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++)
		if (!strcmp(layouts[i].scenario, scenario))
			return &layouts[i];
	return NULL;
}

static void format_clock(struct text *out, double seconds)
{
	if (seconds < 60)
		format_number(out, seconds);
	else
		text_format(out, "%.0f:%05.2f", floor(seconds / 60), fmod(seconds, 60));
}

/* Below 10 us there is nothing to see in a column of seconds. */
static void format_seconds(struct text *out, double seconds)
{
	if (seconds > 0 && seconds < 0.1)
		text_format(out, "%.5f", seconds);
	else
		format_number(out, seconds);
}

static void format_one(const struct layout_column *column, double value, struct text *out)
{
	switch (column->form) {
	case FORM_SECONDS:
		format_seconds(out, value / 1e9);
		return;
	case FORM_MILLISECONDS:
		format_number(out, value / 1e6);
		return;
	case FORM_CLOCK:
		format_clock(out, value / 1e9);
		return;
	case FORM_MEGABYTES:
		format_number(out, value / 1e6);
		return;
	case FORM_NUMBER:
		format_number(out, value);
		return;
	case FORM_UNIT:
		format_value(out, value, column->unit);
		return;
	}
}

void layout_format(const struct layout_column *column, const double *values, size_t count,
		   struct text *out)
{
	for (size_t i = 0; i < count; i++) {
		if (i)
			text_add_char(out, ' ');
		format_one(column, values[i], out);
	}
}
