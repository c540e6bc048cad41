/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/memory.h"
#include "scenario/parameters.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

char *scenario_file_source(const struct scenario *scenario, size_t index)
{
	const char *name = scenario->files.items[index], *path = scenario->path;

	if (name[0] == '/' || !strchr(path, '/'))
		return memory_copy_string(name);
	return memory_format("%.*s/%s", (int)(base_name(path) - path - 1), path, name);
}

char *scenario_file_target(const struct scenario *scenario, size_t index)
{
	const char *name = scenario->files.items[index];

	if (name[0] == '/')
		return memory_copy_string(name);
	return memory_format("%s/%s", EXEC_FILES, base_name(name));
}

/* What the guest has there itself, or mounts something over. */
static int is_taken(const char *target)
{
	static const char *const taken[] = {
		"/init", "/job",  "/modules.load", "/dev/",    "/proc/",   "/sys/",
		"/tmp/", "/mnt/", "/run/",         "/images/", "/modules/"};

	for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); i++) {
		size_t length = strlen(taken[i]);

		if (!strncmp(target, taken[i], length) &&
		    (taken[i][length - 1] == '/' || !target[length]))
			return 1;
	}
	return 0;
}

/* The list, or the one scalar that may stand for it. */
static const struct node *node_of(const struct document *document, size_t index)
{
	const struct node *list = node_find(&document->root, "files");

	return list->count > index ? &list->items[index] : list;
}

/* Where the command was written; it may have come from elsewhere. */
static const struct node *command_node(const struct document *document)
{
	const struct node *parameters = node_find(&document->root, "parameters");
	const struct node *node = parameters ? node_find(parameters, "command") : NULL;

	return node ? node : &document->root;
}

static int check_source(const struct document *document, const struct scenario *scenario,
			size_t index, struct error *err)
{
	CLEANUP(cleanup_free) char *source = scenario_file_source(scenario, index);
	const struct node *node = node_of(document, index);
	struct stat status;

	if (stat(source, &status))
		return document_error(document, node, err,
				      "%.200s: %s; install it on this host, or name the "
				      "path where it is",
				      shown(source).text, strerror(errno));
	if (!S_ISREG(status.st_mode))
		return document_error(document, node, err, "%.200s is no file",
				      shown(source).text);
	if (access(source, R_OK))
		return document_error(document, node, err, "%.200s cannot be read: %s",
				      shown(source).text, strerror(errno));
	return 0;
}

static int check_target(const struct document *document, const struct scenario *scenario,
			size_t index, struct error *err)
{
	CLEANUP(cleanup_free) char *target = scenario_file_target(scenario, index);
	const struct node *node = node_of(document, index);

	if (is_taken(target) || strstr(target, "/../") || strstr(target, "/./") ||
	    strstr(target, "//"))
		return document_error(document, node, err,
				      "%.200s is no place for a file in the guest; copy "
				      "it beside the scenario and name it without a path",
				      shown(target).text);
	for (size_t i = 0; i < index; i++) {
		CLEANUP(cleanup_free) char *other = scenario_file_target(scenario, i);

		if (!strcmp(other, target))
			return document_error(document, node, err,
					      "%.200s is there twice in the guest",
					      shown(target).text);
	}
	return 0;
}

/* The first word of a command as the agent cuts it; the caller frees. */
static char *program_of(const char *command)
{
	char quote;

	command += strspn(command, " ");
	quote = *command;
	if (quote == '"' || quote == '\'')
		return memory_copy_bytes(command + 1,
					 strcspn(command + 1, quote == '"' ? "\"" : "'"));
	return memory_copy_bytes(command, strcspn(command, " "));
}

static int is_in_path(const char *target)
{
	size_t length = (size_t)(base_name(target) - target - 1);

	for (const char *folder = EXEC_PATH; *folder; folder += *folder == ':') {
		size_t size = strcspn(folder, ":");

		if (size == length && !memcmp(folder, target, length))
			return 1;
		folder += size;
	}
	return 0;
}

static int is_packed(const struct scenario *scenario, const char *program)
{
	for (size_t i = 0; i < scenario->files.count; i++) {
		CLEANUP(cleanup_free) char *target = scenario_file_target(scenario, i);

		if (strchr(program, '/')
			    ? !strcmp(target, program)
			    : is_in_path(target) && !strcmp(base_name(target), program))
			return 1;
	}
	return 0;
}

static int check_command(const struct document *document, const struct scenario *scenario,
			 const struct scenario_case *scenario_case, struct error *err)
{
	CLEANUP(cleanup_free)
	char *command = scenario_case_value(scenario, scenario_case, "command");
	CLEANUP(cleanup_free) char *program = program_of(command ? command : "");

	if (!command || is_packed(scenario, program))
		return 0;
	return document_error(
		document, command_node(document), err,
		"the command runs '%s', which the guest does not have; name its file, "
		"as in files: [%s%s]",
		shown(program).text, strchr(program, '/') ? "" : "/usr/bin/",
		shown(program).text);
}

int scenario_check_files(const struct document *document, const struct scenario *scenario,
			 struct error *err)
{
	for (size_t i = 0; i < scenario->files.count; i++)
		if (check_target(document, scenario, i, err) ||
		    check_source(document, scenario, i, err))
			return -1;
	for (size_t i = 0; i < scenario->cases.count; i++)
		if (check_command(document, scenario, &scenario->cases.items[i], err))
			return -1;
	return 0;
}
