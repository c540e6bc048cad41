/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "disks/signature.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <blkid/blkid.h>
#include <fcntl.h>
#include <string.h>

enum { SIGNATURES_MAX = 64 }; /* of one device: a hostile disk must not keep us */

void disk_signatures_finish(struct disk_signatures *signatures)
{
	for (size_t i = 0; i < signatures->count; i++) {
		free(signatures->items[i].device);
		free(signatures->items[i].type);
		free(signatures->items[i].usage);
		free(signatures->items[i].uuid);
	}
	free(signatures->items);
	*signatures = (struct disk_signatures){0};
}

static const char *value_of(blkid_probe probe, const char *name)
{
	const char *value = NULL;

	return blkid_probe_lookup_value(probe, name, &value, NULL) ? "" : value;
}

static void add(blkid_probe probe, const char *name, struct disk_signatures *signatures)
{
	const char *type = value_of(probe, "TYPE");
	const char *table = value_of(probe, "PTTYPE");

	signatures->items =
		memory_grow(signatures->items, signatures->count, &signatures->capacity,
			    sizeof(*signatures->items));
	signatures->items[signatures->count++] = (struct disk_signature){
		.device = memory_copy_string(name),
		.type = memory_copy_string(*type    ? type
					   : *table ? table
						    : "unknown"),
		.usage = memory_copy_string(*type ? value_of(probe, "USAGE")
						  : "partition table"),
		.uuid = memory_copy_string(value_of(probe, *type ? "UUID" : "PTUUID")),
	};
}

/* One after the other, as wipefs finds them: the first does not hide the next. */
static int probe_all(blkid_probe probe, const char *name,
		     struct disk_signatures *signatures)
{
	int found = 0, result;

	blkid_probe_enable_superblocks(probe, 1);
	blkid_probe_set_superblocks_flags(
		probe, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE | BLKID_SUBLKS_UUID |
			       BLKID_SUBLKS_MAGIC | BLKID_SUBLKS_BADCSUM);
	blkid_probe_enable_partitions(probe, 1);
	blkid_probe_set_partitions_flags(probe,
					 BLKID_PARTS_MAGIC | BLKID_PARTS_FORCE_GPT);
	while (found++ < SIGNATURES_MAX && (result = blkid_do_probe(probe)) == 0)
		add(probe, name, signatures);
	return result;
}

int disk_signatures_read(const char *path, const char *name,
			 struct disk_signatures *signatures, struct error *err)
{
	CLEANUP(cleanup_fd) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	blkid_probe probe;
	int failed;

	if (fd < 0)
		return error_system(err, "%s cannot be read", path);
	probe = blkid_new_probe();
	failed = !probe || blkid_probe_set_device(probe, fd, 0, 0) ||
		 probe_all(probe, name, signatures) < 0;
	blkid_free_probe(probe);
	if (failed)
		return error_set(err, ERROR_HOST,
				 "%s: what is on it cannot be told (read errors?)", path);
	return 0;
}
