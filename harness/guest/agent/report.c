/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/agent/report.h"

#include "guest/agent/clock.h"

#include <stdio.h>

void report_send(struct report *report, struct result *result)
{
	char *payload = report->buffer + FRAME_HEADER_SIZE;
	size_t length;

	result->case_index = report->case_index;
	result->run = report->run;
	length = result_encode(result, payload);
	length = frame_encode(report->buffer, (uint16_t)result->type, report->sequence,
			      payload, length);
	report->sequence++;
	if (report->channel)
		report->channel->write(report->handle, report->buffer, length);
}

void report_failure(struct report *report, const struct failure *failure)
{
	struct result result = {.type = RESULT_FAILURE};

	snprintf(result.failure.call, sizeof(result.failure.call), "%s", failure->call);
	snprintf(result.failure.disk, sizeof(result.failure.disk), "%s", failure->disk);
	snprintf(result.failure.text, sizeof(result.failure.text), "%s", failure->text);
	result.failure.error_number = (uint64_t)failure->error_number;
	result.failure.offset = failure->offset;
	report_send(report, &result);
}

void report_progress(struct report *report, const char *phase, uint64_t operations)
{
	struct result result = {.type = RESULT_PROGRESS};

	result.progress.uptime = clock_uptime();
	result.progress.operations = operations;
	snprintf(result.progress.phase, sizeof(result.progress.phase), "%s", phase);
	report_send(report, &result);
}
