/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scenario/scenario.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "scenario/document.h"
#include "scenario/metrics.h"
#include "scenario/parameters.h"
#include "scenario/schema.h"

#include <stdlib.h>
#include <string.h>

enum { LIMIT_NAME = 64 };

/* A file while it is read: the scenario, and nodes that wait until the rest is known. */
struct scenario_file {
	struct scenario scenario;
	const struct node *parameters, *metrics;
	const struct node *blocks[2]; /* by enum config_lab */
};

static int keep_parameters(const struct document *document, const struct node *node,
			   void *structure, struct error *err)
{
	(void)document, (void)err;
	((struct scenario_file *)structure)->parameters = node;
	return 0;
}

static int keep_metrics(const struct document *document, const struct node *node,
			void *structure, struct error *err)
{
	(void)document, (void)err;
	((struct scenario_file *)structure)->metrics = node;
	return 0;
}

static int keep_virtual(const struct document *document, const struct node *node,
			void *structure, struct error *err)
{
	(void)document, (void)err;
	((struct scenario_file *)structure)->blocks[CONFIG_VIRTUAL] = node;
	return 0;
}

static int keep_disk(const struct document *document, const struct node *node,
		     void *structure, struct error *err)
{
	(void)document, (void)err;
	((struct scenario_file *)structure)->blocks[CONFIG_DISK] = node;
	return 0;
}

static const char *nearest_workload(const char *name)
{
	CLEANUP(cleanup_free)
	const char **names = memory_new(workload_kind_count + 1, sizeof(*names));

	for (size_t i = 0; i < workload_kind_count; i++)
		names[i] = workload_kinds[i].name;
	return text_nearest(name, names);
}

static int read_workload(const struct document *document, const struct node *node,
			 void *structure, struct error *err)
{
	struct scenario *scenario = &((struct scenario_file *)structure)->scenario;
	const char *near;

	if (node->kind != NODE_SCALAR || node_is_empty(node))
		return document_error(document, node, err,
				      "workload must be a word, not %s",
				      node_describe(node));
	scenario->workload = workload_kind_find(node->text);
	if (scenario->workload)
		return 0;
	near = nearest_workload(node->text);
	return document_error(document, node, err, "there is no workload '%s'%s%s%s",
			      shown(node->text).text, near ? "; did you mean '" : "",
			      near ? near : "", near ? "'?" : "");
}

#define MEMBER(member) offsetof(struct scenario_file, scenario.member)

/* The rows from LAB_FIELDS on may stand in a lab's block as well. */
enum { LAB_FIELDS = 6 };

static const struct field scenario_fields[] = {
	{"name", FIELD_STRING, MEMBER(name), .required = 1, .example = "my-scenario",
	 .doc = "Lower-case letters, digits and -"},
	{"description", FIELD_STRING, MEMBER(description), .example = "What it is for",
	 .doc = "One sentence"},
	{"workload", FIELD_CUSTOM, .read = read_workload, .required = 1,
	 .example = "sync-loop", .doc = "What the guest does"},
	{"files", FIELD_STRINGS, MEMBER(files), .example = "[/usr/bin/fio]",
	 .doc = "exec: what to pack into the guest; programs bring their libraries"},
	{"virtual", FIELD_CUSTOM, .read = keep_virtual,
	 .example = "{parameters: {count: 100}}",
	 .doc = "What differs in the virtual lab: any of the keys below"},
	{"disk", FIELD_CUSTOM, .read = keep_disk,
	 .example = "{parameters: {count: 2000}}",
	 .doc = "What differs in the disk lab: any of the keys below"},
	{"parameters", FIELD_CUSTOM, .read = keep_parameters,
	 .example = "{block_size: [4096, 20]}",
	 .doc = "Values or lists of values by name; the lists make the cases"},
	{"runs", FIELD_WHOLE, MEMBER(runs), .least = 1, .most = 1000, .fallback = "1",
	 .doc = "Runs of each case in one boot"},
	{"boots", FIELD_WHOLE, MEMBER(boots), .most = 1000, .fallback = "0",
	 .doc = "Boots of each version without --boots; 0: 1, in the disk lab 5 to 12"},
	{"settle_seconds", FIELD_WHOLE, MEMBER(settle_seconds), .most = 3600,
	 .fallback = "30", .doc = "Guest time before the first case"},
	{"timeout_seconds", FIELD_WHOLE, MEMBER(timeout_seconds), .least = 1,
	 .most = 604800, .fallback = "600",
	 .doc = "A boot that takes longer has timed out"},
	{"silence_seconds", FIELD_WHOLE, MEMBER(silence_seconds), .least = 1,
	 .most = 86400, .fallback = "120",
	 .doc = "A guest that gives no sign for so long hangs"},
	{"metrics", FIELD_CUSTOM, .read = keep_metrics, .example = "[elapsed]",
	 .doc = "What is judged: names, or maps with name and min_effect (percent)"},
	{0},
};

static const struct schema scenario_schema = {"scenario", sizeof(struct scenario_file),
					      scenario_fields};
static const struct schema block_schema = {"lab block", sizeof(struct scenario_file),
					   scenario_fields + LAB_FIELDS};

static int check_name(const struct document *document, const struct scenario *scenario,
		      struct error *err)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
	const char *name = scenario->name;
	size_t length = strlen(name);

	if (length && length <= LIMIT_NAME && name[0] != '-' &&
	    strspn(name, letters) == length)
		return 0;
	return document_error(document, node_find(&document->root, "name"), err,
			      "name must be up to %d lower-case letters, digits and -, "
			      "not '%s'",
			      LIMIT_NAME, shown(name).text);
}

static int apply_nodes(const struct document *document, struct scenario_file *file,
		       const struct scenario_options *options, struct error *err)
{
	if (file->parameters && scenario_take_parameters(document, file->parameters,
							 options, &file->scenario, err))
		return -1;
	if (file->metrics &&
	    scenario_take_metrics(document, file->metrics, &file->scenario, err))
		return -1;
	return 0;
}

static int apply_block(const struct document *document, struct scenario_file *file,
		       const struct scenario_options *options, struct error *err)
{
	const struct node *block = file->blocks[options->lab];

	if (!block)
		return 0;
	file->parameters = file->metrics = NULL;
	if (schema_read_over(document, block, &block_schema, file, err))
		return -1;
	return apply_nodes(document, file, options, err);
}

static int apply_overrides(struct scenario_file *file,
			   const struct scenario_options *options, struct error *err)
{
	for (size_t i = 0; options->overrides && i < options->overrides->count; i++)
		if (scenario_take_override(options->overrides->items[i], options,
					   &file->scenario, err))
			return -1;
	return 0;
}

static void finish_file(struct scenario_file *file)
{
	scenario_finish(&file->scenario);
}

static int read_for_lab(const struct document *document,
			const struct scenario_options *options,
			struct scenario *ret_scenario, struct error *err)
{
	CLEANUP(finish_file) struct scenario_file file = {0};

	if (schema_read(document, &document->root, &scenario_schema, &file, err))
		return -1;
	file.scenario.path = memory_copy_string(document->name);
	if (check_name(document, &file.scenario, err) ||
	    apply_nodes(document, &file, options, err) ||
	    apply_block(document, &file, options, err) ||
	    apply_overrides(&file, options, err))
		return -1;
	if (!file.scenario.metrics.count)
		scenario_default_metrics(&file.scenario);
	if (scenario_expand(options, &file.scenario, err) ||
	    (options->check_files && scenario_check_files(document, &file.scenario, err)))
		return -1;
	*ret_scenario = file.scenario;
	file.scenario = (struct scenario){0};
	return 0;
}

/*
 * The block of the other lab must be right as well: else it fails one night. But a
 * scenario of the disk lab may name disks that are no class of the virtual one.
 */
static int check_other_lab(const struct document *document,
			   const struct scenario_options *options, struct error *err)
{
	struct scenario_options other = {
		.lab = options->lab == CONFIG_VIRTUAL ? CONFIG_DISK : CONFIG_VIRTUAL,
		.classes = options->lab == CONFIG_DISK ? NULL : options->classes,
	};
	CLEANUP(scenario_finish) struct scenario scenario = {0};

	return read_for_lab(document, &other, &scenario, err);
}

int scenario_load(const char *path, const struct scenario_options *options,
		  struct scenario *ret_scenario, struct error *err)
{
	CLEANUP(document_finish) struct document document = {0};
	CLEANUP(text_finish) struct text bytes = {0};

	if (file_read(path, DOCUMENT_SIZE_LIMIT, &bytes, err))
		return error_change_kind(err, ERROR_USAGE);
	if (document_parse(path, text_string(&bytes), bytes.size, &document, err) ||
	    check_other_lab(&document, options, err) ||
	    read_for_lab(&document, options, ret_scenario, err))
		return -1;
	ret_scenario->text = text_take(&bytes);
	return 0;
}

static void finish_case(struct scenario_case *scenario_case)
{
	free(scenario_case->label);
	free(scenario_case->device);
	free(scenario_case->mount_options);
	free(scenario_case->parameters);
}

void scenario_finish(struct scenario *scenario)
{
	for (size_t i = 0; i < scenario->cases.count; i++)
		finish_case(&scenario->cases.items[i]);
	for (size_t i = 0; i < scenario->parameters.count; i++) {
		free(scenario->parameters.items[i].name);
		text_list_finish(&scenario->parameters.items[i].values);
	}
	scenario_finish_metrics(scenario);
	free(scenario->cases.items);
	free(scenario->parameters.items);
	free(scenario->path);
	free(scenario->text);
	free(scenario->name);
	free(scenario->description);
	text_list_finish(&scenario->files);
	*scenario = (struct scenario){0};
}

void scenario_help(struct text *out)
{
	schema_print(&scenario_schema, out);
	parameters_help(out);
}
