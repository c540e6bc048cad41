/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/agent/measure.h"

#include "guest/agent/clock.h"
#include "guest/mark.h"

#include <string.h>

void measure_init(struct measure *measure, struct report *report, uint64_t window)
{
	/* Not zero first: a page that was only zeroed may be the shared zero page. */
	memset(measure, 1, sizeof(*measure));
	memset(measure, 0, sizeof(*measure));
	measure->report = report;
	measure->window = window;
	measure->rate.period = RATE_FIRST_PERIOD;
}

void measure_begin(struct measure *measure)
{
	measure->usage_begin = usage_now();
	if (!measure->part)
		MARK(MARK_BEGIN);
	measure->begin = clock_now();
	measure->next_report = measure->begin + MEASURE_REPORT_INTERVAL;
	measure->next_windows = measure->begin + MEASURE_WINDOW_INTERVAL;
}

void measure_send_windows(struct measure *measure)
{
	struct result result = {.type = RESULT_SERIES};

	if (!measure->pending)
		return;
	strcpy(result.series.name, "window_mean");
	result.series.step = measure->window;
	result.series.first = measure->windows_sent;
	result.series.count = measure->pending;
	memcpy(result.series.value, measure->windows,
	       measure->pending * sizeof(measure->windows[0]));
	report_send(measure->report, &result);
	measure->windows_sent += measure->pending;
	measure->pending = 0;
}

/* The clock stands while this runs. */
static void report_life(struct measure *measure, uint64_t since)
{
	struct usage before;
	uint64_t now;

	if (!measure->part)
		MARK(MARK_PAUSE);
	before = usage_now();
	measure_send_windows(measure);
	if (since >= measure->next_report) {
		report_progress(measure->report, "run", measure->operations);
		measure->next_report = since + MEASURE_REPORT_INTERVAL;
	}
	measure->usage_paused =
		usage_plus(measure->usage_paused, usage_minus(usage_now(), before));
	now = clock_now();
	if (!measure->part)
		MARK(MARK_CONTINUE);
	measure->paused += now - since;
	measure->next_windows = now + MEASURE_WINDOW_INTERVAL;
}

static void count_window(struct measure *measure, uint64_t time)
{
	measure->window_time += time;
	if (++measure->window_operations < measure->window)
		return;
	measure->windows[measure->pending++] =
		(double)measure->window_time / (double)measure->window;
	measure->window_time = 0;
	measure->window_operations = 0;
}

void measure_operation(struct measure *measure, uint64_t start, uint64_t end,
		       uint64_t bytes)
{
	measure->operations++;
	measure->bytes += bytes;
	histogram_add(&measure->histogram, end - start);
	rate_add(&measure->rate, end - measure->begin - measure->paused, bytes);
	if (measure->window)
		count_window(measure, end - start);
	if (end >= measure->next_report || measure->pending == RESULT_POINTS_MAX ||
	    (measure->pending && end >= measure->next_windows))
		report_life(measure, end);
}

void measure_end(struct measure *measure)
{
	measure->elapsed = clock_now() - measure->begin - measure->paused;
	if (!measure->part)
		MARK(MARK_END);
	measure->usage = usage_minus(usage_minus(usage_now(), measure->usage_begin),
				     measure->usage_paused);
}

static void send_histogram(struct measure *measure)
{
	struct result result = {.type = RESULT_HISTOGRAM};
	struct result_histogram *part = &result.histogram;

	part->maximum = measure->histogram.maximum;
	for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
		if (!measure->histogram.bucket[i])
			continue;
		part->bucket[part->count] = i;
		part->hits[part->count++] = measure->histogram.bucket[i];
		if (part->count < RESULT_POINTS_MAX)
			continue;
		report_send(measure->report, &result);
		part->count = 0;
	}
	if (part->count)
		report_send(measure->report, &result);
}

static void send_rate(struct measure *measure, size_t count)
{
	struct result result = {.type = RESULT_SERIES};
	struct result_series *series = &result.series;

	strcpy(series->name, "bytes_per_second");
	series->step = measure->rate.period;
	for (size_t i = 0; i < count; i++) {
		series->value[series->count++] = (double)measure->rate.bytes[i] * 1e9 /
						 (double)measure->rate.period;
		if (series->count < RESULT_POINTS_MAX && i + 1 < count)
			continue;
		report_send(measure->report, &result);
		series->first += series->count;
		series->count = 0;
	}
}

static void store_latencies(const struct histogram *histogram,
			    struct metric_values *values)
{
	static const struct {
		enum metric_id id;
		double part;
	} parts[] = {
		{METRIC_LATENCY_P50, 0.5},
		{METRIC_LATENCY_P90, 0.9},
		{METRIC_LATENCY_P99, 0.99},
		{METRIC_LATENCY_P999, 0.999},
	};

	if (!histogram->count)
		return;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		metric_values_set(values, parts[i].id,
				  histogram_percentile(histogram, parts[i].part));
	metric_values_set(values, METRIC_LATENCY_MAX, (double)histogram->maximum);
}

void measure_finish(struct measure *measure, struct metric_values *values)
{
	size_t periods = rate_finish(&measure->rate, measure->elapsed);

	measure_send_windows(measure);
	send_histogram(measure);
	metric_values_set(values, METRIC_ELAPSED, (double)measure->elapsed);
	if (measure->operations)
		metric_values_set(values, METRIC_OPERATIONS, (double)measure->operations);
	if (measure->bytes) {
		send_rate(measure, periods);
		metric_values_set(values, METRIC_BYTES, (double)measure->bytes);
		if (periods >= RATE_POINTS_MIN)
			metric_values_set(values, METRIC_THROUGHPUT_CV,
					  rate_variation(&measure->rate, periods));
	}
	usage_store(&measure->usage, values);
	store_latencies(&measure->histogram, values);
	metric_values_derive(values);
}
