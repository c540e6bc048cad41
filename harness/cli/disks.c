/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "disks/block.h"
#include "disks/safety.h"
#include "lab/disk_request.h"
#include "report/format.h"
#include "report/table.h"
#include "scenario/config.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINE_WIDTH = 100 };

struct arguments {
	struct context *context;
};

/* A row of either list. */
struct entry {
	const struct config_disk *disk; /* NULL: of the host */
	struct block block;             /* name NULL: nothing known */
	struct disk_verdict verdict;
};

struct entries {
	struct entry *items;
	size_t count, capacity;
};

static void entries_finish(struct entries *entries)
{
	for (size_t i = 0; i < entries->count; i++)
		block_finish(&entries->items[i].block);
	free(entries->items);
}

static struct entry *add(struct entries *entries)
{
	struct entry *entry;

	entries->items = memory_grow(entries->items, entries->count, &entries->capacity,
				     sizeof(*entries->items));
	entry = &entries->items[entries->count++];
	*entry = (struct entry){0};
	return entry;
}

static int judge(const struct disk_request *request, struct entry *entry,
		 struct error *err)
{
	return disk_judge(&disk_roots_host, request, 0, &entry->verdict, err);
}

/* What the host has: a whole disk as well as its partitions. */
static int judge_host(struct entries *entries, struct error *err)
{
	CLEANUP(text_list_finish) struct text_list names = {0};

	if (block_list(&disk_roots_host, &names, err))
		return -1;
	for (size_t i = 0; i < names.count; i++) {
		CLEANUP(cleanup_free)
		char *path = file_join(disk_roots_host.dev, names.items[i]);
		struct disk_request request = {.name = names.items[i], .device = path};
		struct entry *entry = add(entries);

		if (judge(&request, entry, err) ||
		    block_read(&disk_roots_host, names.items[i], &entry->block, err))
			return -1;
	}
	return 0;
}

static int judge_configured(const struct config *config, struct entries *entries,
			    struct error *err)
{
	for (size_t i = 0; i < config->disks.count; i++) {
		struct disk_request request = disk_request_of(&config->disks.items[i]);
		struct entry *entry = add(entries);

		entry->disk = &config->disks.items[i];
		if (judge(&request, entry, err))
			return -1;
	}
	return 0;
}

/* --- for people */

static void add_cell(struct table *table, const char *text)
{
	table_add_cell(table, text && *text ? text : "-");
}

static void add_verdict(struct table *table, const struct disk_verdict *verdict)
{
	table_add_cell(table, verdict->code);
	table_add_cell(table, verdict->text);
}

static size_t line_width(void)
{
	size_t columns = terminal_columns();

	return columns > 40 ? columns : LINE_WIDTH;
}

static void print_table(struct table *table)
{
	CLEANUP(text_finish) struct text out = {0};

	table_print(table, line_width(), &out);
	fputs(text_string(&out), stdout);
}

static void add_columns(struct table *table, const char *const *titles)
{
	for (; *titles; titles++)
		table_add_column(table, *titles, !strcmp(*titles, "SIZE"));
}

static void print_configured(const struct entries *entries)
{
	static const char *const titles[] = {"DISK", "DEVICE",  "SERIAL", "CLASS",
					     "BUS",  "VERDICT", "WHY",    NULL};
	CLEANUP(table_finish) struct table table = {0};

	add_columns(&table, titles);
	for (size_t i = 0; i < entries->count; i++) {
		const struct config_disk *disk = entries->items[i].disk;

		add_cell(&table, disk->name);
		add_cell(&table, disk->device);
		add_cell(&table, disk->serial);
		add_cell(&table, disk->class);
		add_cell(&table, config_bus_names[disk->bus]);
		add_verdict(&table, &entries->items[i].verdict);
	}
	if (entries->count)
		print_table(&table);
	else
		puts("No disk is configured: \"disks\" in " CONFIG_FILE
		     " names those that may be used.");
}

static void print_host(const struct entries *entries)
{
	static const char *const titles[] = {"DEVICE", "SIZE",    "TYPE", "MODEL",
					     "SERIAL", "VERDICT", "WHY",  NULL};
	CLEANUP(table_finish) struct table table = {0};

	add_columns(&table, titles);
	for (size_t i = 0; i < entries->count; i++) {
		const struct block *block = &entries->items[i].block;
		CLEANUP(text_finish) struct text size = {0};

		format_value(&size, (double)block->size, "bytes");
		add_cell(&table, block->name);
		add_cell(&table, text_string(&size));
		add_cell(&table, block->transport);
		add_cell(&table, block->model);
		add_cell(&table, block->serial);
		add_verdict(&table, &entries->items[i].verdict);
	}
	putchar('\n');
	print_table(&table);
}

/* --- for programs */

static void put_string(struct text *json, const char *key, const char *value)
{
	json_put_key(json, key);
	json_put_string(json, value);
}

static void put_number(struct text *json, const char *key, uint64_t value)
{
	json_put_key(json, key);
	json_put_number(json, (double)value);
}

static void put_verdict(struct text *json, const struct disk_verdict *verdict)
{
	json_put_key(json, "usable");
	text_add(json, verdict->kind == ERROR_NONE ? "true" : "false");
	put_string(json, "verdict", verdict->code);
	put_string(json, "reason", verdict->text);
}

static void put_configured(struct text *json, const struct entry *entry)
{
	const struct config_disk *disk = entry->disk;

	put_string(json, "name", disk->name);
	put_string(json, "device", disk->device);
	put_string(json, "attach", config_attach_names[disk->attach]);
	put_string(json, "serial", disk->serial);
	put_string(json, "class", disk->class);
	put_string(json, "bus", config_bus_names[disk->bus]);
	put_string(json, "cache", config_cache_names[disk->cache]);
	put_string(json, "io", config_io_names[disk->io]);
	put_verdict(json, &entry->verdict);
}

static void put_host(struct text *json, const struct entry *entry)
{
	const struct block *block = &entry->block;

	put_string(json, "name", block->name);
	put_string(json, "disk", block->whole);
	put_number(json, "size", block->size);
	put_string(json, "type", block->transport);
	put_string(json, "model", block->model);
	put_string(json, "firmware", block->firmware);
	put_string(json, "serial", block->serial);
	put_number(json, "logical_block_size", block->logical_block);
	put_number(json, "physical_block_size", block->physical_block);
	put_number(json, "rotational", (uint64_t)block->rotational);
	put_string(json, "scheduler", block->scheduler);
	put_string(json, "write_cache", block->write_cache);
	put_number(json, "queue_depth", block->queue_depth);
	put_verdict(json, &entry->verdict);
}

static void put_list(struct text *json, const char *key, const struct entries *entries,
		     void (*put)(struct text *, const struct entry *))
{
	json_put_key(json, key);
	text_add_char(json, '[');
	for (size_t i = 0; i < entries->count; i++) {
		json_put_comma(json);
		text_add_char(json, '{');
		put(json, &entries->items[i]);
		text_add_char(json, '}');
	}
	text_add_char(json, ']');
}

static void print_json(const struct entries *configured, const struct entries *host)
{
	CLEANUP(text_finish) struct text json = {0};

	text_add_char(&json, '{');
	put_list(&json, "disks", configured, put_configured);
	put_list(&json, "host", host, put_host);
	text_add_char(&json, '}');
	puts(text_string(&json));
}

static int all_usable(const struct entries *entries)
{
	for (size_t i = 0; i < entries->count; i++)
		if (entries->items[i].verdict.kind != ERROR_NONE)
			return 0;
	return 1;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	argp_error(state, "no arguments are taken");
	return 0;
}

static const struct argp argp = {
	NULL,
	parse,
	"",
	"Show the disks of the configuration and all block devices of the host, and "
	"whether each may be given to a guest that writes over it."
	"\vNothing is opened for writing. Exit code 3 where a configured disk cannot be "
	"used. \"kregress doctor --keys\" prints the keys of a disk.",
	NULL,
	NULL,
	NULL,
};

static int run(struct context *context, int argc, char **argv, struct error *err)
{
	struct arguments arguments = {.context = context};
	CLEANUP(config_finish) struct config config = {0};
	CLEANUP(entries_finish) struct entries configured = {0};
	CLEANUP(entries_finish) struct entries host = {0};

	command_parse(&argp, argc, argv, &arguments);
	if (config_load(context->config_path, &config, err) ||
	    judge_configured(&config, &configured, err) || judge_host(&host, err))
		return -1;
	if (context->json) {
		print_json(&configured, &host);
	} else {
		print_configured(&configured);
		print_host(&host);
	}
	return all_usable(&configured) ? 0 : 3;
}

const struct command disks_command = {
	.name = "disks",
	.summary = "Show disks, and whether each may be given to a guest",
	.run = run,
};
