/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The numbers behind a report, each boot by itself. */
#include "report/report.h"

#include "base/cleanup.h"
#include "exchange/csv.h"
#include "report/result_rows.h"

static char *name_environment(const struct report_section *section,
			      const struct result_series *series)
{
	size_t i = 0;

	while (section->environments[i].id != series->environment)
		i++;
	return result_rows_environment(&section->environments[i], series);
}

static void put_row(void *out, const struct dataset_row *row)
{
	csv_write_row(out, row);
}

static void add_section(const struct report_section *section, struct text *out)
{
	const struct results *results = &section->results;
	CLEANUP(text_list_finish) struct text_list names = {0};

	for (size_t i = 0; i < results->count; i++) {
		CLEANUP(cleanup_free)
		char *name = name_environment(section, &results->series[i]);

		text_list_add(&names, name);
	}
	/* Readers order versions by their first appearance. */
	for (size_t version = 0; version < results->versions.count; version++)
		for (size_t i = 0; i < results->count; i++)
			result_rows_each(results, &results->series[i], version,
					 names.items[i], put_row, out);
}

static void write_csv(const struct report_model *model, struct text *out)
{
	csv_write_header(out);
	for (size_t i = model->section_count; i > 0; i--)
		add_section(&model->sections[i - 1], out);
}

const struct report_writer report_writer_csv = {
	.name = "csv",
	.extension = "csv",
	.summary = "the numbers, as import and compare --from read them",
	.write = write_csv,
};
