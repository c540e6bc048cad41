/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/result_fields.h"

#define FIELD(name, field_kind, member)                                                  \
	{                                                                                \
		name, field_kind, offsetof(struct result, member)                        \
	}
#define CASE FIELD("case", FIELD_NUMBER, case_index)
#define RUN FIELD("run", FIELD_NUMBER, run)

static const struct record records[] = {
	[RESULT_HELLO] = {"hello",
			  {FIELD("release", FIELD_STRING, hello.release),
			   FIELD("version", FIELD_STRING, hello.version),
			   FIELD("machine", FIELD_STRING, hello.machine),
			   FIELD("build_id", FIELD_STRING, hello.build_id),
			   FIELD("uptime", FIELD_NUMBER, hello.uptime),
			   FIELD("memory", FIELD_NUMBER, hello.memory),
			   FIELD("processors", FIELD_NUMBER, hello.processors),
			   FIELD("command_line", FIELD_TEXT, hello.command_line)}},
	[RESULT_CASE_BEGIN] = {"case-begin",
			       {CASE, FIELD("label", FIELD_STRING, case_begin.label),
				FIELD("clocksource", FIELD_STRING,
				      case_begin.clocksource),
				FIELD("uptime", FIELD_NUMBER, case_begin.uptime)}},
	[RESULT_READBACK] =
		{"readback",
		 {CASE, FIELD("disk", FIELD_STRING, readback.disk),
		  FIELD("device", FIELD_STRING, readback.device),
		  FIELD("scheduler", FIELD_STRING, readback.scheduler),
		  FIELD("write_cache", FIELD_STRING, readback.write_cache),
		  FIELD("readahead_sectors", FIELD_NUMBER, readback.readahead_sectors),
		  FIELD("queue_depth", FIELD_NUMBER, readback.queue_depth),
		  FIELD("size", FIELD_NUMBER, readback.size),
		  FIELD("logical_block_size", FIELD_NUMBER, readback.logical_block_size),
		  FIELD("rotational", FIELD_NUMBER, readback.rotational),
		  FIELD("fua", FIELD_NUMBER, readback.fua)}},
	[RESULT_PROGRESS] = {"progress",
			     {CASE, RUN, FIELD("uptime", FIELD_NUMBER, progress.uptime),
			      FIELD("operations", FIELD_NUMBER, progress.operations),
			      FIELD("phase", FIELD_STRING, progress.phase)}},
	[RESULT_SERIES] = {"series",
			   {CASE, RUN, FIELD("name", FIELD_STRING, series.name),
			    FIELD("step", FIELD_NUMBER, series.step),
			    FIELD("first", FIELD_NUMBER, series.first),
			    FIELD("points", FIELD_POINTS, series)}},
	[RESULT_HISTOGRAM] = {"histogram",
			      {CASE, RUN,
			       FIELD("maximum", FIELD_NUMBER, histogram.maximum),
			       FIELD("hits", FIELD_HITS, histogram)}},
	[RESULT_COUNTERS] = {"counters",
			     {CASE, RUN, FIELD("disk", FIELD_STRING, values.disk),
			      FIELD("metric", FIELD_VALUES, values.values)}},
	[RESULT_RUN] = {"run", {CASE, RUN, FIELD("metric", FIELD_VALUES, values.values)}},
	[RESULT_OUTPUT] = {"output",
			   {CASE, RUN, FIELD("parser", FIELD_STRING, output.parser),
			    FIELD("bytes", FIELD_BYTES, output)}},
	[RESULT_FAILURE] = {"failure",
			    {CASE, RUN, FIELD("call", FIELD_STRING, failure.call),
			     FIELD("disk", FIELD_STRING, failure.disk),
			     FIELD("text", FIELD_TEXT, failure.text),
			     FIELD("errno", FIELD_NUMBER, failure.error_number),
			     FIELD("offset", FIELD_NUMBER, failure.offset)}},
	[RESULT_CASE_END] = {"case-end",
			     {CASE, FIELD("failed", FIELD_NUMBER, case_end.failed),
			      FIELD("uptime", FIELD_NUMBER, case_end.uptime)}},
	[RESULT_DONE] = {"done",
			 {FIELD("cases", FIELD_NUMBER, done.cases),
			  FIELD("failed", FIELD_NUMBER, done.failed),
			  FIELD("uptime", FIELD_NUMBER, done.uptime)}},
	[RESULT_LEFT_OUT] = {"left-out",
			     {CASE, FIELD("disk", FIELD_STRING, failure.disk),
			      FIELD("text", FIELD_TEXT, failure.text)}},
	[RESULT_SYMBOLS] = {"symbols", {FIELD("bytes", FIELD_BYTES, output)}},
};

const struct record *result_find_record(unsigned type)
{
	if (type >= sizeof(records) / sizeof(records[0]) || !records[type].name)
		return NULL;
	return &records[type];
}

const char *result_type_name(enum result_type type)
{
	const struct record *record = result_find_record(type);

	return record ? record->name : NULL;
}
