/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a table shows besides its cells, in sentences: comparisons across its rows. */
#include "report/builder_private.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* A smaller one is none that anybody looks for. */
#define NO_DIFFERENCE 0.5

static double time_of(const struct builder *builder, const char *label, int version)
{
	return builder_sample(builder, label, SOURCE_WHOLE, "elapsed", version);
}

static double percent(double from, double to)
{
	return 100 * (to / from - 1);
}

/* Two kernels are compared, of many the newest counts. */
static size_t first_version(const struct builder *builder)
{
	return builder->version_count <= 2 ? 0 : builder->version_count - 1;
}

/* Whether the label is that of the other value with nothing else different. */
static int is_partner(const struct builder *builder, const char *label, const char *rest,
		      const char *value)
{
	CLEANUP(text_finish) struct text own_rest = {0};
	CLEANUP(text_finish) struct text own_value = {0};

	label_take_out(label, builder->layout->against, &own_rest, &own_value);
	return own_value.size && !strcmp(text_string(&own_rest), rest) &&
	       strcmp(text_string(&own_value), value) != 0;
}

/* "-3.2 % at readahead_sectors=64" for the row and the first later one that differs. */
static void add_pair(const struct builder *builder, size_t row, int version,
		     struct text *remark)
{
	const char *label = builder->labels.items[row];
	CLEANUP(text_finish) struct text rest = {0};
	CLEANUP(text_finish) struct text value = {0};

	label_take_out(label, builder->layout->against, &rest, &value);
	for (size_t i = row + 1; value.size && i < builder->labels.count; i++) {
		const char *other = builder->labels.items[i];
		double from = time_of(builder, label, version);
		double to = time_of(builder, other, version);

		if (!is_partner(builder, other, text_string(&rest),
				text_string(&value)) ||
		    !isfinite(from) || !isfinite(to) || from <= 0)
			continue;
		if (!remark->size) {
			CLEANUP(text_finish) struct text second = {0};
			CLEANUP(text_finish) struct text unused = {0};

			label_take_out(other, builder->layout->against, &unused, &second);
			text_format(
				remark, "%s, %s against %s: ",
				builder->section->results.versions.items[version].text,
				text_string(&second), text_string(&value));
		} else {
			text_add(remark, ", ");
		}
		text_format(remark, "%+.1f %% time%s%s", percent(from, to),
			    rest.size ? " at " : "", text_string(&rest));
		return;
	}
}

void builder_compare_values(struct builder *builder)
{
	for (size_t v = first_version(builder); v < builder->version_count; v++) {
		CLEANUP(text_finish) struct text remark = {0};

		for (size_t row = 0; row < builder->labels.count; row++)
			add_pair(builder, row, builder->versions[v], &remark);
		if (remark.size)
			text_list_add(&builder->table->remarks, text_string(&remark));
	}
}

void builder_compare_versions(struct builder *builder)
{
	const struct version_record *versions = builder->section->results.versions.items;
	const char *where = "";
	size_t cases = 0;
	double largest = 0;
	CLEANUP(text_finish) struct text remark = {0};

	for (size_t i = 0; i < builder->labels.count; i++) {
		const char *label = builder->labels.items[i];
		double from = time_of(builder, label, builder->versions[0]);
		double to = time_of(builder, label, builder->versions[1]);

		if (!isfinite(from) || !isfinite(to) || from <= 0)
			continue;
		cases++;
		if (fabs(percent(from, to)) <= fabs(largest))
			continue;
		largest = percent(from, to);
		where = label;
	}
	if (!cases)
		return;
	text_format(&remark, "%s against %s: ", versions[builder->versions[1]].text,
		    versions[builder->versions[0]].text);
	if (fabs(largest) < NO_DIFFERENCE)
		text_format(&remark, "no time differs by as much as %.1f %%",
			    NO_DIFFERENCE);
	else
		text_format(&remark, "the largest difference is %+.1f %% time%s%s",
			    largest, *where ? " at " : "", where);
	text_list_add(&builder->table->remarks, text_string(&remark));
}

struct extremes {
	const char *fastest, *slowest; /* names of series: "disk.NAME.elapsed" */
	double least, most;
	size_t count;
};

static void add_disk(struct text *remark, double ns, const char *name)
{
	const char *end = strrchr(name, '.');

	text_format(remark, "%.4g s (%.*s)", ns / 1e9, (int)(end - name - 5), name + 5);
}

static void name_disks(struct builder *builder, const char *label, int version)
{
	const struct boot_record *boot = builder_boot(builder, version);
	struct extremes disks = {.least = INFINITY, .most = -INFINITY};
	CLEANUP(text_finish) struct text remark = {0};

	for (size_t i = 0; boot && i < boot->series_count; i++) {
		const struct series_record *series = &boot->series[i];
		const char *end = strrchr(series->name, '.');

		if (strcmp(series->case_label, label) || series->run > 1 ||
		    strncmp(series->name, "disk.", 5) || !series->count || !end ||
		    end < series->name + 5 || strcmp(end, ".elapsed"))
			continue;
		disks.count++;
		if (series->values[0] < disks.least) {
			disks.least = series->values[0];
			disks.fastest = series->name;
		}
		if (series->values[0] > disks.most) {
			disks.most = series->values[0];
			disks.slowest = series->name;
		}
	}
	if (disks.count < 2)
		return;
	text_format(&remark, "%s%s%s: %zu disks took from ",
		    builder->section->results.versions.items[version].text,
		    *label ? ", " : "", label, disks.count);
	add_disk(&remark, disks.least, disks.fastest);
	text_add(&remark, " to ");
	add_disk(&remark, disks.most, disks.slowest);
	text_list_add(&builder->table->remarks, text_string(&remark));
}

void builder_name_disks(struct builder *builder)
{
	for (size_t i = 0; builder->version_count && i < builder->labels.count; i++)
		name_disks(builder, builder->labels.items[i],
			   builder->versions[builder->version_count - 1]);
}
