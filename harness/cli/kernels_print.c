/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/kernels_print.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/utf8.h"
#include "report/format.h"

#include <stdio.h>

static void put_string(struct text *json, const char *key, const char *value)
{
	json_put_key(json, key);
	json_put_string(json, value && *value ? value : NULL);
}

static void put_flag(struct text *json, const char *key, int value)
{
	json_put_key(json, key);
	text_add(json, value ? "true" : "false");
}

static void put_item(const struct shelf_item *item, struct text *json)
{
	const struct kernel *kernel = &item->kernel;

	json_put_comma(json);
	text_add_char(json, '{');
	put_string(json, "key", kernel->key);
	put_string(json, "origin", kernel->origin);
	put_string(json, "release", kernel->release);
	put_string(json, "toolchain", kernel->toolchain);
	put_string(json, "failure", kernel->failure);
	put_string(json, "folder", kernel->folder);
	json_put_key(json, "bytes");
	json_put_number(json, (double)item->bytes);
	json_put_key(json, "used");
	json_put_number(json, (double)item->used);
	json_put_key(json, "build_seconds");
	json_put_number(json, kernel->build_seconds);
	put_flag(json, "in_use", item->is_held);
	text_add_char(json, '}');
}

static void add_bytes(struct text *out, uint64_t bytes)
{
	format_value(out, (double)bytes, "bytes");
}

/* What a kernel was made from is text of the user's and the repository's. */
static void add_line(const struct shelf_item *item, struct text *out)
{
	CLEANUP(text_finish) struct text size = {0};
	CLEANUP(text_finish) struct text used = {0};
	const struct kernel *kernel = &item->kernel;

	add_bytes(&size, item->bytes);
	clock_format(&used, item->used);
	text_format(out, "%.12s  %10s  %.10s  ", kernel->key, text_string(&size),
		    text_string(&used));
	utf8_add_plain_string(out, kernel->origin ? kernel->origin : "");
	if (kernel->failure) {
		text_add(out, "  (failed: ");
		utf8_add_plain_string(out, kernel->failure);
		text_add(out, ")");
	}
	text_add(out, item->is_held ? "  (in use)\n" : "\n");
}

void kernels_print(const struct shelf *shelf, int json)
{
	CLEANUP(text_finish) struct text out = {0};

	if (json) {
		text_add(&out, "{\"kernels\":[");
		for (size_t i = 0; i < shelf->count; i++)
			put_item(&shelf->items[i], &out);
		text_format(&out, "],\"bytes\":%llu}\n",
			    (unsigned long long)shelf->bytes);
	} else {
		for (size_t i = 0; i < shelf->count; i++)
			add_line(&shelf->items[i], &out);
		format_count(&out, shelf->count, "kernel");
		text_add(&out, ", ");
		add_bytes(&out, shelf->bytes);
		text_format(&out, ", in %s\n", shelf->store);
	}
	fputs(text_string(&out), stdout);
}

static void add_field(struct text *out, const char *name, const char *value)
{
	if (!value || !*value)
		return;
	text_format(out, "%-14s ", name);
	utf8_add_plain_string(out, value);
	text_add(out, "\n");
}

void kernels_print_one(const struct shelf_item *item, int json)
{
	const struct kernel *kernel = &item->kernel;
	CLEANUP(text_finish) struct text out = {0};
	CLEANUP(text_finish) struct text size = {0};
	CLEANUP(text_finish) struct text used = {0};

	if (json) {
		put_item(item, &out);
		puts(text_string(&out));
		return;
	}
	add_bytes(&size, item->bytes);
	clock_format(&used, item->used);
	add_field(&out, "key", kernel->key);
	add_field(&out, "made from", kernel->origin);
	add_field(&out, "release", kernel->release);
	add_field(&out, "banner", kernel->banner);
	add_field(&out, "build id", kernel->build_id);
	add_field(&out, "toolchain", kernel->toolchain);
	add_field(&out, "failure", kernel->failure);
	add_field(&out, "image", kernel->image);
	add_field(&out, "configuration", kernel->config);
	add_field(&out, "build log", kernel->log);
	add_field(&out, "size", text_string(&size));
	add_field(&out, "last used", text_string(&used));
	add_field(&out, "in use", item->is_held ? "by a running command" : "");
	fputs(text_string(&out), stdout);
}

static void print_pruned_json(const struct shelf *shelf, struct text *out)
{
	uint64_t freed = 0;

	text_add(out, "{\"removed\":[");
	for (size_t i = 0; i < shelf->count; i++)
		if (shelf->items[i].is_removed) {
			put_item(&shelf->items[i], out);
			freed += shelf->items[i].bytes;
		}
	text_add(out, "],\"kept_in_use\":[");
	for (size_t i = 0; i < shelf->count; i++)
		if (shelf->items[i].is_chosen && !shelf->items[i].is_removed)
			put_item(&shelf->items[i], out);
	text_format(out, "],\"freed\":%llu,\"bytes\":%llu}\n", (unsigned long long)freed,
		    (unsigned long long)shelf->bytes);
}

void kernels_print_pruned(const struct shelf *shelf, int is_dry, int json)
{
	CLEANUP(text_finish) struct text out = {0};

	if (json) {
		print_pruned_json(shelf, &out);
		fputs(text_string(&out), stdout);
		return;
	}
	for (size_t i = 0; i < shelf->count; i++) {
		if (!shelf->items[i].is_chosen)
			continue;
		text_add(&out, !shelf->items[i].is_removed ? "kept     "
			       : is_dry                    ? "would go "
							   : "removed  ");
		add_line(&shelf->items[i], &out);
	}
	text_add(&out, is_dry ? "then " : "now ");
	add_bytes(&out, shelf->bytes);
	text_format(&out, " in %s\n", shelf->store);
	fputs(text_string(&out), stdout);
}
