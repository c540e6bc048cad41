/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure/rows.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "history/commit.h"
#include "measure/order.h"
#include "store/subjects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {
	[VERSION_REVISION] = "git",
	[VERSION_PACKAGE] = "deb",
	[VERSION_IMAGE] = "image",
};

static void write_changes(const struct commit_changes *changes, struct text *text)
{
	size_t added = 0, removed = 0;

	for (size_t i = 0; i < changes->count; i++) {
		const struct commit_change *item = &changes->items[i];

		if (item->binary)
			text_format(text, " %s | binary\n", item->path);
		else
			text_format(text, " %s | +%zu -%zu\n", item->path, item->added,
				    item->removed);
		added += item->added;
		removed += item->removed;
	}
	text_format(text, " %zu file%s, lines: %zu added, %zu removed\n", changes->count,
		    changes->count == 1 ? "" : "s", added, removed);
}

int rows_add_commit(struct store *store, struct repository *repository,
		    const struct commit_id *id, struct error *err)
{
	CLEANUP(commit_info_finish) struct commit_info info = {0};
	CLEANUP(commit_changes_finish) struct commit_changes changes = {0};
	CLEANUP(commit_list_finish) struct commit_list known = {0};
	CLEANUP(text_finish) struct text stat = {0};
	CLEANUP(cleanup_free) char *author = NULL;
	struct commit_record record;

	if (commit_read(repository, id, &info, err) ||
	    commit_read_changes(repository, id, &changes, err))
		return -1;
	write_changes(&changes, &stat);
	author = memory_format("%s <%s>", info.author_name, info.author_email);
	record = (struct commit_record){
		.id = info.id.hex,
		.tree = info.tree.hex,
		.subject = info.subject,
		.message = info.message,
		.author = author,
		.changes = text_string(&stat),
		.committed = info.commit_time,
	};
	if (store_load_commit(store, record.id, &known, err))
		return -1;
	if (known.count)
		return 0;
	return store_add_commit(store, &record, err) ||
			       order_add_commit(store, repository, id, info.commit_time,
						err)
		       ? -1
		       : 0;
}

static int add_kernel(struct workbench *workbench, struct subject *subject,
		      struct error *err)
{
	const struct kernel *kernel = &subject->kernel;
	struct kernel_record record = {
		.key = kernel->key,
		.kind = kinds[subject->version.kind],
		.release = kernel->release,
		.build_id = kernel->build_id,
	};
	struct build_record build = {
		.session = workbench->session,
		.outcome = kernel->failure ? "build-failed" : "ok",
		.first_error = kernel->failure,
		.toolchain = kernel->toolchain,
		.path = kernel->folder,
		.log_path = kernel->log,
		.seconds = kernel->build_seconds,
	};
	int64_t known = 0;

	if (store_find_kernel(workbench->store, kernel->key, &known, err))
		return -1;
	if (known) {
		subject->kernel_id = known;
		return 0;
	}
	if (store_add_kernel(workbench->store, &record, &subject->kernel_id, err))
		return -1;
	build.kernel = subject->kernel_id;
	return store_add_build(workbench->store, &build, err);
}

static int add_rows(struct workbench *workbench, struct subject *subject,
		    struct error *err)
{
	struct version_record version = {.text = subject->name};

	if (subject->has_commit &&
	    rows_add_commit(workbench->store, workbench->repository, &subject->commit,
			    err))
		return -1;
	if (add_kernel(workbench, subject, err))
		return -1;
	version.commit = subject->has_commit ? subject->commit.hex : "";
	version.kernel = subject->kernel_id;
	return store_add_version(workbench->store, &version, &subject->version_id, err);
}

int rows_add_subject(struct workbench *workbench, struct subject *subject,
		     struct error *err)
{
	if (store_begin(workbench->store, err))
		return -1;
	if (add_rows(workbench, subject, err)) {
		store_rollback(workbench->store);
		return -1;
	}
	return store_commit(workbench->store, err);
}

static int add_environment(struct workbench *workbench, const struct lab_fields *fields,
			   struct rows_place *place, struct error *err)
{
	CLEANUP(cleanup_free)
	struct environment_field *items = memory_new(fields->names.count, sizeof(*items));

	for (size_t i = 0; i < fields->names.count; i++)
		items[i] = (struct environment_field){fields->names.items[i],
						      fields->values.items[i]};
	environment_key(items, fields->names.count, place->environment_key);
	return store_add_environment(workbench->store, lab_name(workbench->lab), items,
				     fields->names.count, &place->environment, err);
}

/*
 * What was asked of the configuration, without the edits of one version: an edit is what
 * is compared, not what makes two versions incomparable.
 */
static void add_config_field(const struct workbench *workbench,
			     const struct subject *subject, struct lab_fields *fields)
{
	char hex[HASH_HEX_SIZE] = "";
	struct hash hash;

	if (subject->version.kind == VERSION_REVISION) {
		hash_init(&hash);
		config_hash(&workbench->kernel_config, &hash);
		hash_hex(&hash, hex);
	}
	lab_fields_add(fields, "kernel_config", *hex ? hex : "of its maker");
}

int rows_add_place(struct workbench *workbench, const struct subject *subject,
		   const struct scenario *scenario, int count_blocks,
		   struct rows_place *ret_place, struct error *err)
{
	CLEANUP(lab_fields_finish) struct lab_fields fields = {0};

	scenario_digest(scenario, &workbench->classes, ret_place->scenario_key);
	add_config_field(workbench, subject, &fields);
	if (lab_environment(workbench->lab, &subject->kernel, scenario, &fields, err) ||
	    (count_blocks && lab_counting_field(workbench->lab, &fields, err)) ||
	    store_add_scenario(workbench->store, ret_place->scenario_key, scenario->name,
			       scenario->text, &ret_place->scenario, err))
		return -1;
	return add_environment(workbench, &fields, ret_place, err);
}

int rows_add_usual_place(struct workbench *workbench, const struct scenario *scenario,
			 struct rows_place *ret_place, struct error *err)
{
	struct subject usual = {.version.kind = VERSION_REVISION};

	if (workbench_open_build(workbench, err))
		return -1;
	usual.kernel.toolchain = workbench->toolchain.identity;
	return rows_add_place(workbench, &usual, scenario, 0, ret_place, err);
}

int rows_find_boots(struct workbench *workbench, const struct subject *subject,
		    const struct rows_place *place, struct boot_list *list,
		    struct error *err)
{
	return store_find_boots(workbench->store, subject->kernel.key,
				place->scenario_key, place->environment_key, list, err);
}

int rows_find_session_boots(struct workbench *workbench, const struct subject *subject,
			    const struct rows_place *place, const char *purpose,
			    struct boot_list *list, struct error *err)
{
	return store_find_session_boots(workbench->store, subject->kernel.key,
					place->scenario_key, place->environment_key,
					&workbench->sessions, purpose, list, err);
}

static struct sample_record *copy_samples(const struct evidence *evidence)
{
	struct sample_record *records =
		memory_new(evidence->samples.count, sizeof(*records));

	for (size_t i = 0; i < evidence->samples.count; i++) {
		const struct evidence_sample *sample = &evidence->samples.items[i];

		records[i] = (struct sample_record){
			.case_label = sample->case_label,
			.metric = sample->metric,
			.unit = sample->unit,
			.better = sample->better,
			.value = sample->value,
		};
	}
	return records;
}

static struct series_record *copy_series(const struct evidence *evidence)
{
	struct series_record *records =
		memory_new(evidence->series.count, sizeof(*records));

	for (size_t i = 0; i < evidence->series.count; i++) {
		const struct evidence_series *series = &evidence->series.items[i];

		records[i] = (struct series_record){
			.case_label = series->case_label,
			.name = series->name,
			.unit = series->unit,
			.run = series->run,
			.values = series->values,
			.count = series->count,
		};
	}
	return records;
}

static struct remark_record *copy_remarks(const struct evidence *evidence)
{
	struct remark_record *records =
		memory_new(evidence->remarks.count, sizeof(*records));

	for (size_t i = 0; i < evidence->remarks.count; i++) {
		const struct evidence_remark *remark = &evidence->remarks.items[i];

		records[i] = (struct remark_record){
			.case_label = remark->case_label,
			.run = remark->run,
			.word = remark->word,
			.start = remark->start,
			.length = remark->length,
			.size = remark->size,
			.text = remark->text,
		};
	}
	return records;
}

static struct setting_record *copy_settings(const struct evidence *evidence)
{
	struct setting_record *records =
		memory_new(evidence->settings.count, sizeof(*records));

	for (size_t i = 0; i < evidence->settings.count; i++) {
		const struct evidence_setting *setting = &evidence->settings.items[i];

		records[i] = (struct setting_record){setting->case_label, setting->disk,
						     setting->name, setting->value};
	}
	return records;
}

int rows_add_boot(struct workbench *workbench, const struct subject *subject,
		  const struct rows_place *place, const char *purpose,
		  const struct evidence *evidence, int64_t *ret_id, struct error *err)
{
	CLEANUP(cleanup_free) struct sample_record *samples = copy_samples(evidence);
	CLEANUP(cleanup_free) struct series_record *series = copy_series(evidence);
	CLEANUP(cleanup_free) struct remark_record *remarks = copy_remarks(evidence);
	CLEANUP(cleanup_free) struct setting_record *settings = copy_settings(evidence);
	struct boot_record boot = {
		.session = workbench->session,
		.kernel = subject->kernel_id,
		.scenario = place->scenario,
		.environment = place->environment,
		.version = subject->version_id,
		.purpose = purpose,
		.outcome = outcome_name(evidence->outcome),
		.detail = evidence->detail,
		.guest_release = evidence->release,
		.build_id = evidence->build_id,
		.console_path = evidence->console_path,
		.seconds = evidence->seconds,
		.started = evidence->started,
		.samples = samples,
		.sample_count = evidence->samples.count,
		.series = series,
		.series_count = evidence->series.count,
		.remarks = remarks,
		.remark_count = evidence->remarks.count,
		.settings = settings,
		.setting_count = evidence->settings.count,
	};

	return store_add_boot(workbench->store, &boot, ret_id, err);
}

static const struct sample_record *find_sample(const struct boot_record *boot,
					       const struct sample_record *like)
{
	for (size_t i = 0; i < boot->sample_count; i++)
		if (!strcmp(boot->samples[i].case_label, like->case_label) &&
		    !strcmp(boot->samples[i].metric, like->metric))
			return &boot->samples[i];
	return NULL;
}

int rows_same_samples(const struct boot_record *a, const struct boot_record *b,
		      char **ret_first)
{
	*ret_first = NULL;
	for (size_t i = 0; i < a->sample_count; i++) {
		const struct sample_record *mine = &a->samples[i];
		const struct sample_record *other = find_sample(b, mine);

		if (other && !memcmp(&mine->value, &other->value, sizeof(mine->value)))
			continue;
		*ret_first = memory_format("%s %s", mine->case_label, mine->metric);
		return 0;
	}
	return a->sample_count == b->sample_count;
}
