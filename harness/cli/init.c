/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/command.h"
#include "history/repository.h"
#include "scenario/config.h"
#include "scenario/schema.h"
#include "vm/kvm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_TREE = 0x2000, KEY_FORCE };

struct arguments {
	struct context *context;
	const char *tree;
	int force;
};

static const struct argp_option options[] = {
	{"tree", KEY_TREE, "DIR", 0,
	 "Git repository with the kernel source (default: where it is usually found)", 0},
	{"force", KEY_FORCE, NULL, 0, "Take the place of the file that is there", 0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case KEY_TREE:
		arguments->tree = arg;
		return 0;
	case KEY_FORCE:
		arguments->force = 1;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	options,
	parse,
	"",
	"Write a kregress.yaml for this host: every key explained, those set that the "
	"host "
	"tells (tree, memory of the guests, what a night follows)."
	"\vA file that is there is left alone without --force.",
};

/* What was found, as values of keys; strings belong to texts. */
struct findings {
	struct schema_setting items[8];
	size_t count;
	struct text_list texts;
};

static void finish_findings(struct findings *found)
{
	text_list_finish(&found->texts);
}

static void set(struct findings *found, const char *path, const char *value,
		const char *why)
{
	found->items[found->count++] = (struct schema_setting){path, value, why};
}

static const char *keep(struct findings *found, const char *text)
{
	text_list_add(&found->texts, text);
	return found->texts.items[found->texts.count - 1];
}

/* --- the tree */

static int is_kernel_tree(const char *folder)
{
	CLEANUP(cleanup_repository) struct repository *repository = NULL;
	CLEANUP(cleanup_free) char *makefile = file_join(folder, "Kbuild");
	CLEANUP(cleanup_free) char *kconfig = file_join(folder, "arch/x86/Kconfig");
	struct error ignored;

	return file_exists(makefile) && file_exists(kconfig) &&
	       !repository_open(folder, &repository, &ignored);
}

/* Here, or where people have it; the caller frees, NULL: nowhere. */
static char *look_for_tree(void)
{
	static const char *const names[] = {"linux", "src/linux", "git/linux",
					    "kernel/linux"};
	const char *home = getenv("HOME");

	if (is_kernel_tree("."))
		return realpath(".", NULL);
	if (is_kernel_tree("linux"))
		return realpath("linux", NULL);
	for (size_t i = 0; home && i < sizeof(names) / sizeof(*names); i++) {
		CLEANUP(cleanup_free) char *folder = file_join(home, names[i]);

		if (is_kernel_tree(folder))
			return TAKE(folder);
	}
	return is_kernel_tree("/usr/src/linux") ? memory_copy_string("/usr/src/linux")
						: NULL;
}

/* A name of a file as YAML: in quotes, so that no character means anything. */
static char *quoted(const char *text)
{
	CLEANUP(text_finish) struct text out = {0};

	text_add_char(&out, '"');
	for (; *text; text++) {
		if (strchr("\"\\", *text))
			text_add_char(&out, '\\');
		text_add_char(&out, *text);
	}
	text_add_char(&out, '"');
	return text_take(&out);
}

static int find_tree(const struct arguments *arguments, struct findings *found,
		     struct error *err)
{
	CLEANUP(cleanup_free)
	char *tree = arguments->tree ? realpath(arguments->tree, NULL) : look_for_tree();
	CLEANUP(cleanup_free) char *value = tree ? quoted(tree) : NULL;

	if (arguments->tree && (!tree || !is_kernel_tree(tree)))
		return error_set(err, ERROR_USAGE,
				 "--tree %s: no git repository with a kernel for x86",
				 arguments->tree);
	if (!tree)
		return 0;
	set(found, "tree", keep(found, value), NULL);
	set(found, "nightly.branches", "[HEAD]", NULL);
	return 0;
}

/* --- the host */

/* Guests of all processors must fit beside the rest. */
static void find_parallel(struct findings *found)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t bytes =
		(uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	struct config defaults = {0};
	uint64_t fitting;
	CLEANUP(cleanup_free) char *value = NULL;
	CLEANUP(cleanup_free) char *why = NULL;

	config_defaults(&defaults);
	fitting = bytes / 2 / defaults.virtual_lab.memory;
	config_finish(&defaults);
	if (fitting < 1)
		fitting = 1;
	why = memory_format("%ld processors, %llu MiB of memory", processors,
			    (unsigned long long)(bytes >> 20));
	value = memory_format(
		"%llu",
		(unsigned long long)(fitting < (uint64_t)processors ? fitting : 0));
	set(found, "virtual.parallel", keep(found, value), keep(found, why));
}

static const char *const kvm_words[] = {
	[KVM_ABSENT] = "absent: the virtual lab does not need it, the disk lab is slow",
	[KVM_WORKS] = "works",
	[KVM_DEAD] =
		"there, but guests do not run: kregress keeps libvirt from trying it",
};

static int find_kvm(enum kvm_verdict *ret_verdict, struct error *err)
{
	CLEANUP(cleanup_free) char *folder = NULL;
	CLEANUP(cleanup_free) char *cache = NULL;

	if (file_make_temporary_folder("/tmp/kregress-", &folder, err))
		return -1;
	cache = file_join(folder, "kvm");
	*ret_verdict = kvm_probe(cache);
	return file_remove_tree(folder, err);
}

static int write_file(const struct arguments *arguments, const char *path,
		      struct error *err)
{
	CLEANUP(finish_findings) struct findings found = {0};
	CLEANUP(text_finish) struct text out = {0};
	enum kvm_verdict kvm;

	if (find_tree(arguments, &found, err) || find_kvm(&kvm, err))
		return -1;
	find_parallel(&found);
	text_format(&out,
		    "# What kregress takes from here; every key may be left out. A line "
		    "without # is set.\n# KVM on this host: %s.\n",
		    kvm_words[kvm]);
	config_print_set(found.items, found.count, &out);
	return file_write(path, out.data, out.size, err);
}

static int run(struct context *context, int argc, char **argv, struct error *err)
{
	struct arguments arguments = {.context = context};
	CLEANUP(config_finish) struct config config = {0};
	const char *path;

	command_parse(&argp, argc, argv, &arguments);
	path = context->config_path ? context->config_path : CONFIG_FILE;
	if (file_exists(path) && !arguments.force)
		return error_set(err, ERROR_USAGE,
				 "%s is there already; --force takes its place", path);
	/* What cannot be read again is no configuration. */
	if (write_file(&arguments, path, err) || config_load(path, &config, err))
		return -1;
	if (context->json) {
		CLEANUP(text_finish) struct text json = {0};

		text_add_char(&json, '{');
		json_put_key(&json, "path");
		json_put_string(&json, path);
		text_add_char(&json, '}');
		puts(text_string(&json));
	} else {
		printf("%s: written; next \"kregress doctor\", then \"kregress run\"\n",
		       path);
	}
	return 0;
}

const struct command init_command = {
	.name = "init",
	.summary = "Write a kregress.yaml for this host",
	.run = run,
};
