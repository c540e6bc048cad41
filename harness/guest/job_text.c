/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/job_keys.h"

#include <string.h>

static const char header[] = "kregress-job 1";

static void write_keys(enum scope scope, const void *object, FILE *out)
{
	for (const struct key *key = job_keys; key < job_keys + job_key_count; key++) {
		const void *value = (const char *)object + key->offset;

		if (key->scope != scope)
			continue;
		if (key->kind == KEY_NUMBER)
			fprintf(out, "%s %llu\n", key->name,
				*(const unsigned long long *)value);
		else if (key->kind == KEY_CHOICE)
			fprintf(out, "%s %s\n", key->name,
				key->choices[*(const unsigned *)value]);
		else if (*(const char *)value)
			fprintf(out, "%s %s\n", key->name, (const char *)value);
	}
}

static void write_case(const struct job_case *job_case, FILE *out)
{
	fprintf(out, "case %s\nworkload %s\n", job_case->label, job_case->workload->name);
	write_keys(SCOPE_CASE, job_case, out);
	for (size_t i = 0; i < job_case->parameter_count; i++)
		fprintf(out, "parameter %s %s\n", job_case->parameters[i].name,
			job_case->parameters[i].value);
	for (size_t i = 0; i < job_case->disk_count; i++) {
		fprintf(out, "disk %s\n", job_case->disks[i].name);
		write_keys(SCOPE_DISK, &job_case->disks[i], out);
	}
}

int job_write(const struct job *job, FILE *out, struct problem *problem)
{
	if (job_check(job, problem))
		return -1;
	fprintf(out, "%s\n", header);
	write_keys(SCOPE_JOB, job, out);
	for (size_t i = 0; i < job->case_count; i++)
		write_case(&job->cases[i], out);
	fputs("end\n", out);
	if (fflush(out) || ferror(out))
		return problem_set(problem, "the job cannot be written");
	return 0;
}

/* What is open while reading: keys go to the innermost. */
struct parser {
	struct job job;
	struct job_case *job_case;
	struct job_disk *disk;
	int ended;
};

static int read_choice(const struct key *key, const char *value, unsigned *ret_choice,
		       struct problem *problem)
{
	for (unsigned i = 0; key->choices[i]; i++)
		if (!strcmp(key->choices[i], value)) {
			*ret_choice = i;
			return 0;
		}
	return problem_set(problem, "%s cannot be \"%.60s\"", key->name, value);
}

static int copy_string(char *out, size_t size, const char *string)
{
	if (strlen(string) >= size)
		return -1;
	memcpy(out, string, strlen(string) + 1);
	return 0;
}

static int read_key(const struct key *key, void *object, const char *value,
		    struct problem *problem)
{
	void *target = (char *)object + key->offset;
	uint64_t number;

	if (key->kind == KEY_CHOICE)
		return read_choice(key, value, target, problem);
	if (key->kind == KEY_STRING)
		return copy_string(target, key->maximum, value)
			       ? problem_set(problem, "%s is too long", key->name)
			       : 0;
	if (guest_parse_unsigned(value, &number))
		return problem_set(problem, "%s is no number", key->name);
	if (job_check_number(key, number, problem))
		return -1;
	*(uint64_t *)target = number;
	return 0;
}

static int open_case(struct parser *parser, char *value, struct problem *problem)
{
	parser->disk = NULL;
	parser->job_case = job_add_case(&parser->job, value);
	return parser->job_case ? 0 : problem_set(problem, "a case too many");
}

static int open_disk(struct parser *parser, char *value, struct problem *problem)
{
	if (!parser->job_case)
		return problem_set(problem, "a disk outside of a case");
	parser->disk = job_case_add_disk(parser->job_case, value);
	return parser->disk ? 0 : problem_set(problem, "a disk too many");
}

static int set_workload(struct parser *parser, char *value, struct problem *problem)
{
	if (!parser->job_case || parser->disk)
		return problem_set(problem, "workload outside of a case");
	parser->job_case->workload = workload_kind_find(value);
	if (!parser->job_case->workload)
		return problem_set(problem, "no workload is called \"%.60s\"", value);
	return 0;
}

static int set_parameter(struct parser *parser, char *value, struct problem *problem)
{
	const char *name = strsep(&value, " ");

	if (!parser->job_case || parser->disk)
		return problem_set(problem, "parameter outside of a case");
	if (!value || job_case_set_parameter(parser->job_case, name, value))
		return problem_set(problem, "a bad parameter");
	return 0;
}

static int set_end(struct parser *parser, char *value, struct problem *problem)
{
	if (*value)
		return problem_set(problem, "something behind \"end\"");
	parser->ended = 1;
	return 0;
}

static int set_key(struct parser *parser, const char *name, const char *value,
		   struct problem *problem)
{
	enum scope scope = parser->disk       ? SCOPE_DISK
			   : parser->job_case ? SCOPE_CASE
					      : SCOPE_JOB;
	void *const objects[] = {&parser->job, parser->job_case, parser->disk};

	for (const struct key *key = job_keys; key < job_keys + job_key_count; key++)
		if (key->scope == scope && !strcmp(key->name, name))
			return read_key(key, objects[scope], value, problem);
	return problem_set(problem, "\"%.60s\" is no key here", name);
}

static int parse_line(struct parser *parser, char *line, struct problem *problem)
{
	static const struct {
		const char *name;
		int (*set)(struct parser *, char *, struct problem *);
	} openers[] = {
		{"case", open_case},        {"disk", open_disk},
		{"workload", set_workload}, {"parameter", set_parameter},
		{"end", set_end},
	};
	char *value = line, *name = strsep(&value, " ");

	if (parser->ended)
		return problem_set(problem, "something behind \"end\"");
	if (!value)
		value = name + strlen(name);
	for (size_t i = 0; i < sizeof(openers) / sizeof(openers[0]); i++)
		if (!strcmp(openers[i].name, name))
			return openers[i].set(parser, value, problem);
	return set_key(parser, name, value, problem);
}

/* Copies the line at *text and moves behind it; -1 where it is too long or has no end. */
static int take_line(const char **text, char line[JOB_LINE_MAX])
{
	size_t length = strcspn(*text, "\n");

	if (length >= JOB_LINE_MAX || !(*text)[length])
		return -1;
	memcpy(line, *text, length);
	line[length] = '\0';
	*text += length + 1;
	return 0;
}

static int parse_lines(struct parser *parser, const char *text, struct problem *problem)
{
	struct problem inner;
	char line[JOB_LINE_MAX];

	for (int number = 1; *text; number++) {
		if (take_line(&text, line))
			return problem_set(problem, "job, line %d: too long or cut",
					   number);
		if (number == 1 ? strcmp(line, header)
					  ? problem_set(&inner, "no job of this version")
					  : 0
				: parse_line(parser, line, &inner))
			return problem_set(problem, "job, line %d: %.400s", number,
					   inner.text);
	}
	if (!parser->ended)
		return problem_set(problem, "job: \"end\" is missing");
	return job_check(&parser->job, problem);
}

int job_parse(const char *text, struct job *ret_job, struct problem *problem)
{
	struct parser parser = {0};

	if (parse_lines(&parser, text, problem)) {
		job_finish(&parser.job);
		return -1;
	}
	*ret_job = parser.job;
	return 0;
}
