/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Device classes: what kinds of disk the virtual lab can be given, as data
 * (vm-images/devices.yaml). A class says how a null_blk device in the guest must be made
 * to cost the guest what such a disk would cost, and what an honest disk of the kind
 * cannot do.
 */
#ifndef SCENARIO_DEVICE_CLASS_H
#define SCENARIO_DEVICE_CLASS_H

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

struct device_class {
	char *name;
	char *description;
	uint64_t latency_ns;    /* until a request or a flush completes; 0: at once */
	uint64_t cache_size;    /* bytes of volatile cache; 0: none, hence no flushes */
	uint64_t bandwidth;     /* bytes a second; 0: no limit */
	uint64_t queue_depth;   /* requests that the device takes at once */
	uint64_t block_size;    /* bytes of a logical block */
	uint64_t sync_floor_ns; /* nothing honest is durable sooner; 0: not known */
};

/* Start from {0}. */
struct device_classes {
	struct {
		struct device_class *items;
		size_t count;
	} classes;
};

int device_classes_load(const char *path, struct device_classes *ret_classes,
			struct error *err);
void device_classes_finish(struct device_classes *classes);

/* NULL where there is none of that name. */
const struct device_class *device_class_find(const struct device_classes *classes,
					     const char *name);
/* The same as an error that names the nearest. */
int device_class_require(const struct device_classes *classes, const char *name,
			 const struct device_class **ret_class, struct error *err);

/* All that could move a number, as fields of a content key; not the description. */
void device_class_hash(const struct device_class *device_class, struct hash *hash);

/* The keys of a class as commented YAML. */
void device_class_help(struct text *out);

#endif
