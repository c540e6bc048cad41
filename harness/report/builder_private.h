/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of one scenario while it is made. */
#ifndef REPORT_BUILDER_PRIVATE_H
#define REPORT_BUILDER_PRIVATE_H

#include "report/label_private.h"
#include "report/layout_private.h"

enum { TABLE_VERSIONS = 6 };

struct builder {
	struct store *store;
	struct report_section *section;
	const char *scenario;
	const struct layout *layout;
	struct table *table;
	int versions[TABLE_VERSIONS];
	size_t version_count;
	struct text_list labels; /* of the rows */
	struct label_parameter keys[LABEL_PARAMETERS];
	size_t key_count;
	struct boot_list boots; /* one for each version, or fewer */
};

/* The number behind a cell; NAN where there is none. */
double builder_sample(const struct builder *builder, const char *label,
		      enum layout_source source, const char *metric, int version);

/* Adds the text of a cell to the table. */
void builder_add_cell(struct builder *builder, const char *label,
		      const struct layout_column *column, int version);

/* A series of the last boot of a version; NULL: none. */
const struct series_record *builder_series(struct builder *builder, const char *label,
					   const char *name, int version);
/* The last boot of the version in this scenario, with its series; NULL: none. */
const struct boot_record *builder_boot(struct builder *builder, int version);

/* The sentences that the layout asks for, as remarks of the table. */
void builder_name_best(struct builder *builder);
void builder_compare_values(struct builder *builder);
void builder_compare_versions(struct builder *builder);
void builder_name_disks(struct builder *builder);

#endif
