/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lab/disk_choice.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "lab/filesystem.h"
#include "scenario/document.h"

#include <stdlib.h>
#include <string.h>

#define MIB ((uint64_t)1 << 20)

/* Journal and tables, beside what is written. */
enum { OVERHEAD_MIB = 32, STEP_MIB = 64 };

void disk_choice_finish(struct disk_choice *choice)
{
	free(choice->items);
	*choice = (struct disk_choice){0};
}

static void add(struct disk_choice *choice, const struct config_disk *disk)
{
	for (size_t i = 0; i < choice->count; i++)
		if (choice->items[i] == disk)
			return;
	choice->items = memory_grow(choice->items, choice->count, &choice->capacity,
				    sizeof(*choice->items));
	choice->items[choice->count++] = disk;
}

static size_t count_class(const struct config *config, const char *class)
{
	size_t count = 0;

	for (size_t i = 0; i < config->disks.count; i++)
		count += config->disks.items[i].class &&
			 !strcmp(config->disks.items[i].class, class);
	return count;
}

static int refuse_unknown(const struct config *config, const char *device,
			  struct error *err)
{
	CLEANUP(text_finish) struct text known = {0};

	for (size_t i = 0; i < config->disks.count; i++) {
		const struct config_disk *disk = &config->disks.items[i];

		text_format(&known, "%s%s", i ? ", " : "", disk->name);
		if (disk->class)
			text_format(&known, " (class %s)", disk->class);
	}
	return error_set(
		err, ERROR_USAGE,
		"device %s: no disk of %s has that name or class; there are: %s; "
		"\"-p device=NAME\" names another",
		shown(device).text, config->path ? config->path : CONFIG_FILE,
		known.size ? known.data : "none");
}

static int refuse_few(const char *device, size_t there, uint64_t wanted,
		      struct error *err)
{
	return error_set(err, ERROR_USAGE,
			 "device %s: %llu disks are wanted, but there %s %zu; give "
			 "\"class: %s\" to as many in " CONFIG_FILE
			 ", or \"-p disks=%zu\"",
			 shown(device).text, (unsigned long long)wanted,
			 there == 1 ? "is" : "are", there, shown(device).text, there);
}

int disk_choice_of_case(const struct config *config,
			const struct scenario_case *scenario_case,
			struct disk_choice *choice, struct error *err)
{
	const char *device = scenario_case->device;
	const struct config_disk *named = config_find_disk(config, device);
	size_t there = named ? 1 : count_class(config, device);
	uint64_t wanted = scenario_case->disks;

	if (!there)
		return refuse_unknown(config, device, err);
	if (there < wanted)
		return refuse_few(device, there, wanted, err);
	if (named)
		add(choice, named);
	for (size_t i = 0; !named && wanted; i++) {
		const struct config_disk *disk = &config->disks.items[i];

		if (!disk->class || strcmp(disk->class, device))
			continue;
		add(choice, disk);
		wanted--;
	}
	return 0;
}

int disk_choice_of_scenario(const struct config *config, const struct scenario *scenario,
			    struct disk_choice *choice, struct error *err)
{
	for (size_t i = 0; i < scenario->cases.count; i++)
		if (disk_choice_of_case(config, &scenario->cases.items[i], choice, err))
			return error_prefix(err, "scenario %s", scenario->name);
	return 0;
}

uint64_t disk_file_system_size(const struct scenario *scenario,
			       const struct scenario_case *scenario_case)
{
	const char *filesystem = job_filesystem_name(scenario_case->filesystem);
	uint64_t step = STEP_MIB * MIB;
	uint64_t size = 2 * scenario_case_bytes(scenario, scenario_case) +
			OVERHEAD_MIB * MIB + filesystem_minimum(filesystem);

	if (size < scenario_case->disk_size)
		size = scenario_case->disk_size;
	return (size + step - 1) / step * step;
}
