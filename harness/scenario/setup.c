/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/memory.h"
#include "base/number.h"
#include "scenario/parameters.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MIB ((uint64_t)1 << 20)
#define GIB ((uint64_t)1 << 30)
#define TIB ((uint64_t)1 << 40)

static const char *const filesystems[] = {
	[JOB_FS_NONE] = "none", [JOB_FS_EXT2] = "ext2", [JOB_FS_EXT4] = "ext4",
	[JOB_FS_XFS] = "xfs",   [JOB_FS_COUNT] = NULL,
};

static char *size_text(uint64_t size)
{
	static const struct {
		uint64_t bytes;
		const char *suffix;
	} units[] = {{TIB, "T"}, {GIB, "G"}, {MIB, "M"}};

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (size && size % units[i].bytes == 0)
			return memory_format("%" PRIu64 "%s", size / units[i].bytes,
					     units[i].suffix);
	return memory_format("%" PRIu64, size);
}

char *parameter_canonical(const struct parameter *parameter, const char *text,
			  uint64_t number)
{
	switch (parameter->type) {
	case PARAMETER_COUNT:
		return *text ? memory_format("%" PRIu64, number) : memory_copy_string("");
	case PARAMETER_SIZE:
		return size_text(number);
	case PARAMETER_BOOL:
		return memory_copy_string(number ? "yes" : "no");
	default:
		return memory_copy_string(text);
	}
}

static void set_device(struct scenario_case *scenario_case, const char *value)
{
	free(scenario_case->device);
	scenario_case->device = memory_copy_string(value);
}

static char *get_device(const struct scenario_case *scenario_case)
{
	return memory_copy_string(scenario_case->device);
}

static void set_filesystem(struct scenario_case *scenario_case, const char *value)
{
	scenario_case->filesystem = job_filesystem_find(value);
}

static char *get_filesystem(const struct scenario_case *scenario_case)
{
	return memory_copy_string(job_filesystem_name(scenario_case->filesystem));
}

static void set_mount_options(struct scenario_case *scenario_case, const char *value)
{
	free(scenario_case->mount_options);
	scenario_case->mount_options = memory_copy_string(value);
}

static char *get_mount_options(const struct scenario_case *scenario_case)
{
	return memory_copy_string(scenario_case->mount_options);
}

static void set_disks(struct scenario_case *scenario_case, const char *value)
{
	number_parse_unsigned(value, &scenario_case->disks);
}

static char *get_disks(const struct scenario_case *scenario_case)
{
	return memory_format("%" PRIu64, scenario_case->disks);
}

static void set_disk_size(struct scenario_case *scenario_case, const char *value)
{
	number_parse_size(value, &scenario_case->disk_size);
}

static char *get_disk_size(const struct scenario_case *scenario_case)
{
	return size_text(scenario_case->disk_size);
}

const struct setup_parameter setup_parameters[] = {
	{{"device", PARAMETER_TEXT, "ssd",
	  "Device class; in the disk lab also the name of a disk of kregress.yaml"},
	 set_device,
	 get_device},
	{{"filesystem", PARAMETER_CHOICE, "ext4", "Made anew for each case",
	  .choices = filesystems},
	 set_filesystem,
	 get_filesystem},
	{{"mount_options", PARAMETER_TEXT, "", "As behind mount -o"},
	 set_mount_options,
	 get_mount_options},
	{{"disks", PARAMETER_COUNT, "1", "Disks of a case", 1, JOB_DISKS_MAX},
	 set_disks,
	 get_disks},
	{{"disk_size", PARAMETER_SIZE, "64M",
	  "Size of a disk of the virtual lab, whole MiB; real disks have their own", MIB,
	  16 * TIB},
	 set_disk_size,
	 get_disk_size},
};

const size_t setup_parameter_count = sizeof(setup_parameters) / sizeof(*setup_parameters);

const struct setup_parameter *setup_parameter_find(const char *name)
{
	for (size_t i = 0; i < setup_parameter_count; i++)
		if (!strcmp(setup_parameters[i].kind.name, name))
			return &setup_parameters[i];
	return NULL;
}

static void print_parameter(const struct parameter *parameter, struct text *out)
{
	text_format(out, "#   %s", parameter->name);
	if (!parameter->fallback)
		text_add(out, " (required)");
	else if (*parameter->fallback)
		text_format(out, " (%s)", parameter->fallback);
	text_format(out, ": %s", parameter->description);
	for (size_t i = 0; parameter->choices && parameter->choices[i]; i++)
		text_format(out, "%s%s", i ? ", " : "; one of ", parameter->choices[i]);
	text_add(out, "\n");
}

void parameters_help(struct text *out)
{
	text_add(out, "#\n# Parameters of every scenario:\n");
	for (size_t i = 0; i < setup_parameter_count; i++)
		print_parameter(&setup_parameters[i].kind, out);
	for (size_t i = 0; i < workload_kind_count; i++) {
		const struct workload_kind *kind = &workload_kinds[i];

		text_format(out, "# Workload %s: %s\n", kind->name, kind->description);
		for (size_t j = 0; j < kind->parameter_count; j++)
			print_parameter(&kind->parameters[j], out);
	}
}
