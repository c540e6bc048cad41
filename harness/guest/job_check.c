/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/job_keys.h"

#include <ctype.h>
#include <string.h>

int job_check_number(const struct key *key, uint64_t number, struct problem *problem)
{
	if (number < key->minimum || number > key->maximum || number % key->step)
		return problem_set(
			problem,
			"%s is %llu, but must be from %llu to %llu in steps of %llu",
			key->name, (unsigned long long)number,
			(unsigned long long)key->minimum,
			(unsigned long long)key->maximum, (unsigned long long)key->step);
	return 0;
}

static int check_line(const char *name, const char *value, struct problem *problem)
{
	if (strlen(name) + strlen(value) + 2 > JOB_LINE_MAX)
		return problem_set(problem, "%s is too long", name);
	for (const char *c = value; *c; c++)
		if (iscntrl((unsigned char)*c))
			return problem_set(problem, "%s holds a control character", name);
	return 0;
}

static int check_keys(enum scope scope, const void *object, struct problem *problem)
{
	for (const struct key *key = job_keys; key < job_keys + job_key_count; key++) {
		const void *value = (const char *)object + key->offset;

		if (key->scope != scope)
			continue;
		if (key->kind == KEY_NUMBER &&
		    job_check_number(key, *(const uint64_t *)value, problem))
			return -1;
		if (key->kind == KEY_STRING && check_line(key->name, value, problem))
			return -1;
	}
	return 0;
}

static int check_disk(const struct job_disk *disk, struct problem *problem)
{
	if (check_line("disk", disk->name, problem) ||
	    check_keys(SCOPE_DISK, disk, problem))
		return -1;
	if (!*disk->name)
		return problem_set(problem, "a disk has no name");
	if (disk->kind == JOB_DISK_NULL && !disk->size)
		return problem_set(problem, "disk %s has no size", disk->name);
	if (disk->block_size & (disk->block_size - 1))
		return problem_set(problem, "disk %s: block_size is no power of two",
				   disk->name);
	return 0;
}

static int check_disks(const struct job_case *job_case, struct problem *problem)
{
	for (size_t i = 0; i < job_case->disk_count; i++) {
		if (check_disk(&job_case->disks[i], problem))
			return -1;
		for (size_t k = 0; k < i; k++)
			if (!strcmp(job_case->disks[i].name, job_case->disks[k].name))
				return problem_set(problem, "disk %s is there twice",
						   job_case->disks[i].name);
	}
	return 0;
}

static int check_case(const struct job_case *job_case, struct problem *problem)
{
	if (check_line("case", job_case->label, problem) ||
	    check_keys(SCOPE_CASE, job_case, problem) || check_disks(job_case, problem))
		return -1;
	if (!job_case->workload)
		return problem_set(problem, "case %s has no workload", job_case->label);
	if (job_case->filesystem != JOB_FS_NONE && !job_case->disk_count)
		return problem_set(problem, "case %s has a file system but no disk",
				   job_case->label);
	return parameters_check(job_case->workload, job_case->parameters,
				job_case->parameter_count, problem);
}

int job_check(const struct job *job, struct problem *problem)
{
	if (check_keys(SCOPE_JOB, job, problem))
		return -1;
	for (size_t i = 0; i < job->case_count; i++)
		if (check_case(&job->cases[i], problem))
			return -1;
	return 0;
}
