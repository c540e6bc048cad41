/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/job_keys.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MIB ((uint64_t)1 << 20)
#define TIB ((uint64_t)1 << 40)
#define DAY 86400

static const char *const channels[] = {"auto", "port", "com2", "tty", NULL};
static const char *const filesystems[] = {"none", "ext2", "ext4", "xfs", NULL};
static const char *const disk_kinds[] = {"null", "serial", NULL};

const struct key job_keys[] = {
	{"channel", SCOPE_JOB, KEY_CHOICE, offsetof(struct job, channel),
	 .choices = channels},
	{"settle_seconds", SCOPE_JOB, KEY_NUMBER, offsetof(struct job, settle_seconds), 0,
	 DAY, 1},
	{"symbols", SCOPE_JOB, KEY_NUMBER, offsetof(struct job, symbols), 0,
	 JOB_SYMBOLS_LAST, 1},
	{"runs", SCOPE_CASE, KEY_NUMBER, offsetof(struct job_case, runs), 1, 10000, 1},
	{"filesystem", SCOPE_CASE, KEY_CHOICE, offsetof(struct job_case, filesystem),
	 .choices = filesystems},
	{"mount_options", SCOPE_CASE, KEY_STRING,
	 offsetof(struct job_case, mount_options), .maximum = JOB_LABEL_SIZE},
	{"kind", SCOPE_DISK, KEY_CHOICE, offsetof(struct job_disk, kind),
	 .choices = disk_kinds},
	{"image", SCOPE_DISK, KEY_STRING, offsetof(struct job_disk, image),
	 .maximum = JOB_NAME_SIZE},
	{"size", SCOPE_DISK, KEY_NUMBER, offsetof(struct job_disk, size), 0, TIB, MIB},
	{"block_size", SCOPE_DISK, KEY_NUMBER, offsetof(struct job_disk, block_size), 512,
	 4096, 512},
	{"completion_time", SCOPE_DISK, KEY_NUMBER,
	 offsetof(struct job_disk, completion_time), 0, 3600000000000, 1},
	{"cache_size", SCOPE_DISK, KEY_NUMBER, offsetof(struct job_disk, cache_size), 0,
	 TIB, MIB},
	{"bandwidth", SCOPE_DISK, KEY_NUMBER, offsetof(struct job_disk, bandwidth), 0,
	 TIB, MIB},
	{"queue_depth", SCOPE_DISK, KEY_NUMBER, offsetof(struct job_disk, queue_depth), 1,
	 1024, 1},
};

const size_t job_key_count = sizeof(job_keys) / sizeof(job_keys[0]);

const char *job_filesystem_name(enum job_filesystem filesystem)
{
	return filesystems[filesystem];
}

enum job_filesystem job_filesystem_find(const char *name)
{
	enum job_filesystem filesystem = JOB_FS_NONE;

	while (filesystem < JOB_FS_COUNT && strcmp(filesystems[filesystem], name))
		filesystem++;
	return filesystem;
}

void job_finish(struct job *job)
{
	for (size_t i = 0; i < job->case_count; i++) {
		free(job->cases[i].parameters);
		free(job->cases[i].disks);
	}
	free(job->cases);
	*job = (struct job){0};
}

/* A list with room for one more zeroed item; NULL at the limit or without memory. */
static void *grow(void **items, size_t count, size_t limit, size_t size)
{
	char *grown = count < limit ? realloc(*items, (count + 1) * size) : NULL;

	if (!grown)
		return NULL;
	*items = grown;
	return memset(grown + count * size, 0, size);
}

static int set_string(char *out, size_t size, const char *string)
{
	if (strlen(string) >= size)
		return -1;
	memcpy(out, string, strlen(string) + 1);
	return 0;
}

struct job_case *job_add_case(struct job *job, const char *label)
{
	struct job_case *added = strlen(label) < JOB_LABEL_SIZE
					 ? grow((void **)&job->cases, job->case_count,
						JOB_CASES_MAX, sizeof(*added))
					 : NULL;

	if (!added)
		return NULL;
	job->case_count++;
	set_string(added->label, sizeof(added->label), label);
	added->runs = 1;
	return added;
}

struct job_disk *job_case_add_disk(struct job_case *job_case, const char *name)
{
	struct job_disk *added =
		strlen(name) < JOB_NAME_SIZE
			? grow((void **)&job_case->disks, job_case->disk_count,
			       JOB_DISKS_MAX, sizeof(*added))
			: NULL;

	if (!added)
		return NULL;
	job_case->disk_count++;
	set_string(added->name, sizeof(added->name), name);
	added->block_size = 512;
	added->queue_depth = 64;
	return added;
}

int job_case_set_parameter(struct job_case *job_case, const char *name, const char *value)
{
	struct parameter_value *added;

	if (strlen(name) >= sizeof(added->name) || strlen(value) >= sizeof(added->value))
		return -1;
	added = grow((void **)&job_case->parameters, job_case->parameter_count,
		     JOB_PARAMETERS_MAX, sizeof(*added));
	if (!added)
		return -1;
	job_case->parameter_count++;
	set_string(added->name, sizeof(added->name), name);
	set_string(added->value, sizeof(added->value), value);
	return 0;
}
