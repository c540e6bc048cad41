/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/memory.h"
#include "scenario/parameters.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Changes when the fields below change their meaning. */
#define DIGEST_FORM "2"

static void hash_number(struct hash *hash, const char *name, uint64_t value)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRIu64, value);
	hash_field_string(hash, name, digits);
}

static void hash_value(struct hash *hash, const struct scenario *scenario,
		       const struct scenario_case *scenario_case, const char *name)
{
	CLEANUP(cleanup_free)
	char *value = scenario_case_value(scenario, scenario_case, name);

	hash_field_string(hash, name, value);
}

/*
 * Effective values in the order of the tables, so that neither the order of keys nor a
 * default that is written out makes a difference.
 */
static void hash_case(struct hash *hash, const struct scenario *scenario,
		      const struct scenario_case *scenario_case,
		      const struct device_classes *classes)
{
	const struct workload_kind *workload = scenario->workload;
	const struct device_class *class = NULL;

	hash_field_string(hash, "case", scenario_case->label);
	for (size_t i = 0; i < setup_parameter_count; i++)
		hash_value(hash, scenario, scenario_case, setup_parameters[i].kind.name);
	for (size_t i = 0; i < workload->parameter_count; i++)
		hash_value(hash, scenario, scenario_case, workload->parameters[i].name);
	if (classes)
		class = device_class_find(classes, scenario_case->device);
	if (class)
		device_class_hash(class, hash);
}

void scenario_digest(const struct scenario *scenario,
		     const struct device_classes *classes, char hex[HASH_HEX_SIZE])
{
	struct hash hash;

	hash_init(&hash);
	hash_field_string(&hash, "form", DIGEST_FORM);
	hash_field_string(&hash, "workload", scenario->workload->name);
	hash_number(&hash, "runs", scenario->runs);
	hash_number(&hash, "settle_seconds", scenario->settle_seconds);
	for (size_t i = 0; i < scenario->files.count; i++)
		hash_field_string(&hash, "file", scenario->files.items[i]);
	for (size_t i = 0; i < scenario->cases.count; i++)
		hash_case(&hash, scenario, &scenario->cases.items[i], classes);
	hash_hex(&hash, hex);
}
