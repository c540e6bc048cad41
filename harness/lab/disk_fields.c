/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lab/disk_fields.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "disks/pci.h"
#include "lab/disk_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { CPUINFO_LIMIT = 16 << 20 };

static void add_number(struct lab_fields *fields, const char *name, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	lab_fields_add(fields, name, text);
}

/* The value of the first "model name : ..." line; "" where there is none. */
static char *processor_model(void)
{
	static const char key[] = "model name";
	CLEANUP(text_finish) struct text text = {0};
	struct error unused;
	const char *line;

	if (file_read("/proc/cpuinfo", CPUINFO_LIMIT, &text, &unused))
		return memory_copy_string("");
	line = strstr(text_string(&text), key);
	line = line ? strchr(line, ':') : NULL;
	if (!line)
		return memory_copy_string("");
	line += 1 + strspn(line + 1, " ");
	return memory_copy_bytes(line, strcspn(line, "\n"));
}

/* The first line of a file that need not exist. */
static char *first_line(const char *path)
{
	CLEANUP(text_finish) struct text text = {0};
	struct error unused;

	if (file_read(path, 4096, &text, &unused))
		return memory_copy_string("none");
	return memory_copy_bytes(text_string(&text), strcspn(text_string(&text), "\n"));
}

void disk_fields_add_host(struct lab_fields *fields)
{
	static const struct {
		const char *name, *path;
	} files[] = {
		{"host.governor",
		 "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"},
		{"host.boost", "/sys/devices/system/cpu/cpufreq/boost"},
		{"host.no_turbo", "/sys/devices/system/cpu/intel_pstate/no_turbo"},
		{"host.smt", "/sys/devices/system/cpu/smt/active"},
	};
	CLEANUP(cleanup_free) char *model = processor_model();
	struct utsname name = {0};

	uname(&name);
	lab_fields_add(fields, "host.kernel", name.release);
	lab_fields_add(fields, "host.cpu", model);
	add_number(fields, "host.processors", (uint64_t)sysconf(_SC_NPROCESSORS_ONLN));
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		CLEANUP(cleanup_free) char *value = first_line(files[i].path);

		lab_fields_add(fields, files[i].name, value);
	}
}

/* --- disks */

struct property {
	const char *name;
	const char *text; /* NULL: the number counts */
	uint64_t number;
};

static void add_properties(const struct config_disk *disk, const struct property *list,
			   size_t count, struct lab_fields *fields)
{
	for (size_t i = 0; i < count; i++) {
		CLEANUP(cleanup_free)
		char *name = memory_format("disk.%s.%s", disk->serial, list[i].name);

		if (list[i].text)
			lab_fields_add(fields, name, list[i].text);
		else
			add_number(fields, name, list[i].number);
	}
}

/* How QEMU gives it to the guest. */
static void add_attachment(const struct config_disk *disk, struct lab_fields *fields)
{
	const struct property properties[] = {
		{"device", disk->device, 0},
		{"attach", config_attach_names[disk->attach], 0},
		{"bus", config_bus_names[disk->bus], 0},
		{"cache", config_cache_names[disk->cache], 0},
		{"io", config_io_names[disk->io], 0},
		{"queues", NULL, disk->queues},
		{"iothread", disk->iothread ? "yes" : "no", 0},
	};

	add_properties(disk, properties, sizeof(properties) / sizeof(*properties),
		       fields);
}

/* A queue of the host, and what stands behind it. */
static void add_medium(const struct config_disk *disk, const struct block *block,
		       struct lab_fields *fields)
{
	const struct property properties[] = {
		{"model", block->model ? block->model : "", 0},
		{"firmware", block->firmware ? block->firmware : "", 0},
		{"own_serial", block->serial ? block->serial : "", 0},
		{"transport", block->transport ? block->transport : "", 0},
		{"scheduler", block->scheduler ? block->scheduler : "", 0},
		{"write_cache", block->write_cache ? block->write_cache : "", 0},
		{"queue_depth", NULL, block->queue_depth},
		{"size", NULL, block->size},
		{"logical_block", NULL, block->logical_block},
		{"physical_block", NULL, block->physical_block},
		{"rotational", NULL, (uint64_t)block->rotational},
	};

	add_properties(disk, properties, sizeof(properties) / sizeof(*properties),
		       fields);
}

/*
 * While a guest has the function the host knows nothing of the disk, so only what stays
 * is told: the function. The serial is the disk's own.
 */
static void add_function(const struct config_disk *disk, struct lab_fields *fields)
{
	struct pci_function function = {0};
	struct pci_address address;

	if (pci_parse(disk->device, &address))
		return;
	pci_function_read(&disk_roots_host, &address, &function);
	add_properties(disk, &(struct property){"function", function.identity, 0}, 1,
		       fields);
	pci_function_finish(&function);
}

int disk_fields_add_disks(const struct disk_choice *choice, struct lab_fields *fields,
			  struct error *err)
{
	for (size_t i = 0; i < choice->count; i++) {
		const struct config_disk *disk = choice->items[i];
		CLEANUP(block_finish) struct block block = {0};

		add_attachment(disk, fields);
		if (disk->attach == CONFIG_ATTACH_PCI) {
			add_function(disk, fields);
			continue;
		}
		if (disk_check_describe(disk, &block, err))
			return -1;
		add_medium(disk, &block, fields);
	}
	return 0;
}
