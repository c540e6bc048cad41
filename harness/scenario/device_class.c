/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scenario/device_class.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "scenario/document.h"
#include "scenario/schema.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MIB (1 << 20)

static const struct field class_fields[] = {
	{"description", FIELD_STRING, offsetof(struct device_class, description),
	 .required = 1, .example = "SATA SSD", .doc = "What kind of disk it stands for"},
	{"latency_ns", FIELD_WHOLE, offsetof(struct device_class, latency_ns),
	 .most = 10e9, .fallback = "100000",
	 .doc = "Time until a request or a flush completes; 0: at once"},
	{"cache", FIELD_SIZE, offsetof(struct device_class, cache_size), .most = 1 << 30,
	 .fallback = "0", .doc = "Volatile write cache, whole MiB; 0: none, no flushes"},
	{"bandwidth", FIELD_SIZE, offsetof(struct device_class, bandwidth),
	 .most = (double)((uint64_t)1 << 40), .fallback = "0",
	 .doc = "Bytes a second, whole MiB; 0: no limit"},
	{"queue_depth", FIELD_WHOLE, offsetof(struct device_class, queue_depth),
	 .least = 1, .most = 4096, .fallback = "64",
	 .doc = "Requests that it takes at once"},
	{"block_size", FIELD_SIZE, offsetof(struct device_class, block_size),
	 .least = 512, .most = 4096, .fallback = "512", .doc = "Logical block"},
	{"sync_floor_ns", FIELD_WHOLE, offsetof(struct device_class, sync_floor_ns),
	 .most = 10e9, .fallback = "0",
	 .doc = "No honest disk of the kind is durable sooner; 0: not known"},
	{0},
};

static const struct schema class_schema = {"device class", sizeof(struct device_class),
					   class_fields};

static const struct field file_fields[] = {
	{"classes", FIELD_NAMED, offsetof(struct device_classes, classes), .required = 1,
	 .record = &class_schema, .doc = "Device classes by name"},
	{0},
};

static const struct schema file_schema = {"file of device classes",
					  sizeof(struct device_classes), file_fields};

static int check(const struct document *document, const struct device_class *class,
		 struct error *err)
{
	const struct node *classes = node_find(&document->root, "classes");
	const struct node *node = node_find(classes, class->name);

	if (class->cache_size % MIB || class->bandwidth % MIB)
		return document_error_key(document, node, err,
					  "cache and bandwidth of %s must be whole MiB",
					  shown(class->name).text);
	if (class->block_size & (class->block_size - 1))
		return document_error_key(document, node, err,
					  "block_size of %s must be a power of two",
					  shown(class->name).text);
	return 0;
}

int device_classes_load(const char *path, struct device_classes *ret_classes,
			struct error *err)
{
	CLEANUP(document_finish) struct document document = {0};
	CLEANUP(device_classes_finish) struct device_classes classes = {0};

	if (document_load(path, &document, err) ||
	    schema_read(&document, &document.root, &file_schema, &classes, err))
		return -1;
	for (size_t i = 0; i < classes.classes.count; i++)
		if (check(&document, &classes.classes.items[i], err))
			return -1;
	*ret_classes = classes;
	classes = (struct device_classes){0};
	return 0;
}

void device_classes_finish(struct device_classes *classes)
{
	schema_finish(&file_schema, classes);
}

const struct device_class *device_class_find(const struct device_classes *classes,
					     const char *name)
{
	for (size_t i = 0; i < classes->classes.count; i++)
		if (!strcmp(classes->classes.items[i].name, name))
			return &classes->classes.items[i];
	return NULL;
}

int device_class_require(const struct device_classes *classes, const char *name,
			 const struct device_class **ret_class, struct error *err)
{
	CLEANUP(cleanup_free)
	const char **names = memory_new(classes->classes.count + 1, sizeof(*names));
	const struct device_class *found = device_class_find(classes, name);
	const char *near;

	if (found) {
		*ret_class = found;
		return 0;
	}
	for (size_t i = 0; i < classes->classes.count; i++)
		names[i] = classes->classes.items[i].name;
	near = text_nearest(name, names);
	return error_set(err, ERROR_USAGE, "there is no device class '%s'%s%s%s",
			 shown(name).text, near ? "; did you mean '" : "",
			 near ? near : "", near ? "'?" : "");
}

static void hash_number(struct hash *hash, const char *name, uint64_t value)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRIu64, value);
	hash_field_string(hash, name, digits);
}

void device_class_hash(const struct device_class *device_class, struct hash *hash)
{
	hash_number(hash, "latency_ns", device_class->latency_ns);
	hash_number(hash, "cache", device_class->cache_size);
	hash_number(hash, "bandwidth", device_class->bandwidth);
	hash_number(hash, "queue_depth", device_class->queue_depth);
	hash_number(hash, "block_size", device_class->block_size);
}

void device_class_help(struct text *out)
{
	schema_print(&file_schema, out);
}
