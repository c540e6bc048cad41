/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scenario/metrics.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "scenario/schema.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const better_names[] = {
	[METRIC_LOWER] = "lower", [METRIC_HIGHER] = "higher", NULL};

static const struct field metric_fields[] = {
	{"name", FIELD_STRING, offsetof(struct scenario_metric, name), .required = 1,
	 .example = "elapsed", .doc = "Name of the metric"},
	{"min_effect", FIELD_NUMBER, offsetof(struct scenario_metric, min_effect),
	 .most = 10000, .example = "0.5", .doc = "Smallest change that counts, percent"},
	{"min_change", FIELD_NUMBER, offsetof(struct scenario_metric, min_change),
	 .most = 1e18, .example = "10",
	 .doc = "Smallest change that counts besides, in the metric's unit"},
	{"unit", FIELD_STRING, offsetof(struct scenario_metric, unit), .example = "ms",
	 .doc = "exec: unit of a metric of the command's own"},
	{"better", FIELD_CHOICE, offsetof(struct scenario_metric, better),
	 .choices = better_names, .example = "lower",
	 .doc = "exec: which way is better, for a metric of the command's own"},
	{0},
};

static const struct schema metric_schema = {"metric", sizeof(struct scenario_metric),
					    metric_fields};

static const char *nearest(const char *name)
{
	const char *names[METRIC_COUNT + 1] = {NULL};

	for (size_t i = 0; i < METRIC_COUNT; i++)
		names[i] = metric_table[i].name;
	return text_nearest(name, names);
}

static int refuse_unknown(const struct document *document, const struct node *node,
			  const char *name, struct error *err)
{
	const char *near = nearest(name);

	return document_error(document, node, err, "there is no metric '%s'%s%s%s",
			      shown(name).text, near ? "; did you mean '" : "",
			      near ? near : "", near ? "'?" : "");
}

/* A metric of the table brings unit and sense along. */
static int complete(const struct document *document, const struct node *node,
		    enum metric_id id, struct scenario_metric *metric, struct error *err)
{
	if (node_find(node, "unit") || node_find(node, "better"))
		return document_error(document, node, err,
				      "%s has unit and sense already; leave them out",
				      metric->name);
	if (metric_table[id].better == METRIC_NEITHER)
		return document_error(document, node, err,
				      "%s cannot be judged: neither way is better",
				      metric->name);
	metric->unit = memory_copy_string(metric_table[id].unit);
	metric->better = metric_table[id].better;
	if (!node_find(node, "min_change"))
		metric->min_change = metric_table[id].min_change;
	return 0;
}

static int is_word(const char *name)
{
	if (!*name || strlen(name) > 64)
		return 0;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && !strchr("_-.", *name))
			return 0;
	return 1;
}

/* One that the command prints: the file must say what it is. */
static int check_own(const struct document *document, const struct node *node,
		     const struct scenario_metric *metric, struct error *err)
{
	if (!is_word(metric->name))
		return document_error(document, node, err,
				      "a metric's name is made of letters, digits, _ - "
				      "and ., not '%s'",
				      shown(metric->name).text);
	if (!metric->unit || !node_find(node, "better"))
		return document_error(document, node, err,
				      "%s is the command's own metric: it needs unit and "
				      "better",
				      metric->name);
	return 0;
}

static int check_metric(const struct document *document, const struct node *node,
			const struct scenario *scenario, struct scenario_metric *metric,
			struct error *err)
{
	enum metric_id id = metric_find(metric->name);

	if (scenario_find_metric(scenario, metric->name))
		return document_error(document, node, err, "%s is there twice",
				      shown(metric->name).text);
	if (id != METRIC_COUNT)
		return complete(document, node, id, metric, err);
	if (strcmp(scenario->workload->name, "exec"))
		return refuse_unknown(document, node, metric->name, err);
	return check_own(document, node, metric, err);
}

static void finish_metric(struct scenario_metric *metric)
{
	schema_finish(&metric_schema, metric);
}

static int read_metric(const struct document *document, const struct node *node,
		       struct scenario_metric *metric, struct error *err)
{
	if (node->kind == NODE_SCALAR && !node_is_empty(node)) {
		metric->name = memory_copy_string(node->text);
		metric->min_effect = -1;
		return 0;
	}
	if (schema_read(document, node, &metric_schema, metric, err))
		return -1;
	if (!node_find(node, "min_effect"))
		metric->min_effect = -1;
	return 0;
}

static void add_metric(struct scenario *scenario, struct scenario_metric *metric)
{
	size_t count = scenario->metrics.count;

	scenario->metrics.items =
		memory_resize(scenario->metrics.items, count + 1, sizeof(*metric));
	scenario->metrics.items[count] = *metric;
	scenario->metrics.count++;
	*metric = (struct scenario_metric){0};
}

int scenario_take_metrics(const struct document *document, const struct node *node,
			  struct scenario *scenario, struct error *err)
{
	if (node->kind != NODE_LIST || !node->count)
		return document_error(
			document, node, err, "metrics must be a list of names, not %s",
			node->kind == NODE_LIST ? "an empty one" : node_describe(node));
	scenario_finish_metrics(scenario);
	for (size_t i = 0; i < node->count; i++) {
		CLEANUP(finish_metric) struct scenario_metric metric = {0};
		const struct node *item = &node->items[i];

		if (read_metric(document, item, &metric, err) ||
		    check_metric(document, item, scenario, &metric, err))
			return -1;
		add_metric(scenario, &metric);
	}
	return 0;
}

void scenario_default_metrics(struct scenario *scenario)
{
	const struct metric *elapsed = &metric_table[METRIC_ELAPSED];
	struct scenario_metric metric = {
		.name = memory_copy_string(elapsed->name),
		.unit = memory_copy_string(elapsed->unit),
		.better = elapsed->better,
		.min_effect = -1,
	};

	add_metric(scenario, &metric);
}

void scenario_finish_metrics(struct scenario *scenario)
{
	for (size_t i = 0; i < scenario->metrics.count; i++)
		finish_metric(&scenario->metrics.items[i]);
	free(scenario->metrics.items);
	scenario->metrics.items = NULL;
	scenario->metrics.count = 0;
}

const struct scenario_metric *scenario_find_metric(const struct scenario *scenario,
						   const char *name)
{
	for (size_t i = 0; i < scenario->metrics.count; i++)
		if (!strcmp(scenario->metrics.items[i].name, name))
			return &scenario->metrics.items[i];
	return NULL;
}
