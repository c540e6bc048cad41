/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/import_boots.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "store/boots.h"
#include "store/results.h"
#include "store/sessions.h"
#include "store/subjects.h"

#include <stdlib.h>
#include <string.h>

/* One number of one boot. */
struct entry {
	size_t version;
	const struct series_name *name;
	const char *boot, *environment;
	size_t order; /* of its boot's first appearance */
	double value;
};

struct entries {
	struct entry *items;
	size_t count, capacity;
};

/* One file on its way into the database. */
struct import {
	struct importer *importer;
	const char *path;
	const struct dataset *dataset;
	struct entries entries;
	struct import_counts counts;
};

static void import_finish(struct import *import)
{
	free(import->entries.items);
}

void importer_finish(struct importer *importer)
{
	free(importer->versions);
	*importer = (struct importer){0};
}

static int add_level_entries(struct import *import, const struct series *series,
			     const struct level *level, struct error *err)
{
	struct entries *entries = &import->entries;

	for (size_t i = 0; i < level->count; i++) {
		struct entry entry = {
			.version = level->version,
			.name = &series->name,
			.boot = level->boot_names[i],
			.environment =
				dataset_boot_environment(import->dataset, level, i),
			.order = dataset_boot_order(import->dataset, level, i),
			.value = level->boots[i],
		};

		if (!entry.environment)
			return error_set(err, ERROR_USAGE,
					 "%s: boot '%s' has rows of several environments",
					 import->path, entry.boot);
		entries->items = memory_grow(entries->items, entries->count,
					     &entries->capacity, sizeof(entry));
		entries->items[entries->count++] = entry;
	}
	return 0;
}

/* Entries of the same boot compare equal. */
static int compare_boots(const struct entry *a, const struct entry *b)
{
	int order = (a->version > b->version) - (a->version < b->version);

	order = order ? order : strcmp(a->name->scenario, b->name->scenario);
	order = order ? order : strcmp(a->environment, b->environment);
	return order ? order : strcmp(a->boot, b->boot);
}

static int by_boot(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int order = compare_boots(a, b);

	return order ? order : (a->order > b->order) - (a->order < b->order);
}

static int by_order(const void *left, const void *right)
{
	const struct entry *const *a = left, *const *b = right;

	return ((*a)->order > (*b)->order) - ((*a)->order < (*b)->order);
}

static int collect(struct import *import, struct error *err)
{
	const struct measurements *all = &import->dataset->measurements;

	for (size_t i = 0; i < all->count; i++)
		for (size_t k = 0; k < all->series[i].count; k++)
			if (add_level_entries(import, &all->series[i],
					      &all->series[i].levels[k], err))
				return -1;
	if (import->entries.count)
		qsort(import->entries.items, import->entries.count, sizeof(struct entry),
		      by_boot);
	return 0;
}

/* The rows that a boot points to; the strings of keys belong to the caller. */
struct subject {
	char *kernel_key, *scenario_key;
	char environment_key[HASH_HEX_SIZE];
	int64_t kernel, scenario, environment, version;
};

static void subject_finish(struct subject *subject)
{
	free(subject->kernel_key);
	free(subject->scenario_key);
}

static int add_subject(struct import *import, const struct entry *entry,
		       struct subject *ret_subject, struct error *err)
{
	const char *name = import->dataset->measurements.versions[entry->version];
	struct environment_field field = {"environment", entry->environment};
	struct kernel_record kernel = {.kind = "import"};
	struct version_record version = {.text = name, .commit = ""};

	ret_subject->kernel_key = memory_format("import:%s", name);
	ret_subject->scenario_key = memory_format("import:%s", entry->name->scenario);
	kernel.key = ret_subject->kernel_key;
	environment_key(&field, 1, ret_subject->environment_key);
	if (store_add_kernel(import->importer->store, &kernel, &ret_subject->kernel,
			     err) ||
	    store_add_scenario(import->importer->store, ret_subject->scenario_key,
			       entry->name->scenario, "", &ret_subject->scenario, err) ||
	    store_add_environment(import->importer->store, "import", &field, 1,
				  &ret_subject->environment, err))
		return -1;
	version.kernel = ret_subject->kernel;
	return store_add_version(import->importer->store, &version, &ret_subject->version,
				 err);
}

static int has_value(const struct boot_record *boot, const struct entry *entry)
{
	for (size_t i = 0; i < boot->sample_count; i++)
		if (!strcmp(boot->samples[i].case_label, entry->name->case_label) &&
		    !strcmp(boot->samples[i].metric, entry->name->metric))
			return boot->samples[i].value == entry->value;
	return 0;
}

/* Rows are never rewritten: a boot that came with other values before is only told. */
static int is_known(struct import *import, const struct subject *subject,
		    const struct entry *entries, size_t count, int *ret_known,
		    struct error *err)
{
	size_t same = 0;
	CLEANUP(boot_list_finish) struct boot_list list = {0};

	*ret_known = 0;
	if (store_find_boots(import->importer->store, subject->kernel_key,
			     subject->scenario_key, subject->environment_key, &list, err))
		return -1;
	for (size_t i = 0; i < list.count && !*ret_known; i++) {
		*ret_known = !strcmp(list.items[i].label, entries->boot);
		for (size_t j = 0; *ret_known && j < count; j++)
			same += (size_t)has_value(&list.items[i], &entries[j]);
	}
	import->counts.different += *ret_known && same < count;
	return 0;
}

static int add_boot(struct import *import, const struct entry *entries, size_t count,
		    const struct subject *subject, struct error *err)
{
	CLEANUP(cleanup_free)
	struct sample_record *samples = memory_new(count, sizeof(*samples));
	struct boot_record boot = {
		.session = import->importer->session,
		.kernel = subject->kernel,
		.scenario = subject->scenario,
		.environment = subject->environment,
		.version = subject->version,
		.label = entries->boot,
		.outcome = "ok",
		.samples = samples,
		.sample_count = count,
	};
	int64_t id;

	for (size_t i = 0; i < count; i++)
		samples[i] = (struct sample_record){
			.case_label = entries[i].name->case_label,
			.metric = entries[i].name->metric,
			.unit = entries[i].name->unit,
			.better = better_name(entries[i].name->better),
			.value = entries[i].value,
		};
	import->counts.added++;
	return store_add_boot(import->importer->store, &boot, &id, err);
}

/* In the order of their first boot: the report shows them so. */
static void note_version(struct importer *importer, int64_t version)
{
	for (size_t i = 0; i < importer->version_count; i++)
		if (importer->versions[i] == version)
			return;
	importer->versions = memory_grow(importer->versions, importer->version_count,
					 &importer->version_capacity, sizeof(version));
	importer->versions[importer->version_count++] = version;
}

static int import_boot(struct import *import, const struct entry *first,
		       struct error *err)
{
	const struct entry *end = import->entries.items + import->entries.count;
	CLEANUP(subject_finish) struct subject subject = {0};
	size_t count = 1;
	int known;

	while (first + count < end && !compare_boots(first, first + count))
		count++;
	if (add_subject(import, first, &subject, err) ||
	    is_known(import, &subject, first, count, &known, err))
		return -1;
	note_version(import->importer, subject.version);
	if (!known)
		return add_boot(import, first, count, &subject, err);
	import->counts.known++;
	return 0;
}

/* In the order in which the boots came: it is the order of time. */
static int add_boots(struct import *import, struct error *err)
{
	size_t count = import->entries.count, boots = 0;
	CLEANUP(cleanup_free)
	const struct entry **first = memory_new(count, sizeof(*first));

	for (size_t i = 0; i < count; i++)
		if (!i || compare_boots(&import->entries.items[i - 1],
					&import->entries.items[i]))
			first[boots++] = &import->entries.items[i];
	qsort(first, boots, sizeof(*first), by_order);
	for (size_t i = 0; i < boots; i++)
		if (import_boot(import, first[i], err))
			return -1;
	return 0;
}

/* A metric of two units would make the whole folder impossible to compare. */
static int check_unit(const struct import *import, const struct series_name *name,
		      struct error *err)
{
	CLEANUP(cleanup_free) char *key = memory_format("import:%s", name->scenario);
	CLEANUP(cleanup_free) char *other = NULL;
	const struct metric_name metric = {key, name->case_label, name->metric,
					   name->unit, better_name(name->better)};

	if (store_find_other_unit(import->importer->store, &metric, &other, err))
		return -1;
	if (!other)
		return 0;
	return error_set(err, ERROR_USAGE,
			 "%s: metric '%s' of %s comes in '%s, %s', but was imported in "
			 "'%s' before: convert it, give it another name, or use another "
			 "folder (--results DIR)",
			 import->path, name->metric, name->scenario, metric.unit,
			 metric.better, other);
}

static int check_units(const struct import *import, struct error *err)
{
	const struct measurements *all = &import->dataset->measurements;

	for (size_t i = 0; i < all->count; i++)
		if (check_unit(import, &all->series[i].name, err))
			return -1;
	return 0;
}

int importer_add(struct importer *importer, const char *path,
		 const struct dataset *dataset, struct import_counts *ret_counts,
		 struct error *err)
{
	CLEANUP(import_finish)
	struct import import = {.importer = importer, .path = path, .dataset = dataset};

	if (collect(&import, err) || check_units(&import, err) ||
	    store_begin(importer->store, err))
		return -1;
	if (add_boots(&import, err)) {
		store_rollback(importer->store);
		return -1;
	}
	*ret_counts = import.counts;
	return store_commit(importer->store, err);
}

int importer_end(struct importer *importer, struct error *err)
{
	return store_add_session_versions(importer->store, importer->session,
					  importer->versions, importer->version_count,
					  err);
}
