/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/process.h"
#include "build/toolchain.h"
#include "cli/command.h"
#include "cli/data.h"
#include "cli/setup.h"
#include "lab/lab.h"
#include "report/format.h"
#include "vm/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum level { LEVEL_OK, LEVEL_NOTE, LEVEL_PROBLEM };

static const char *const level_names[] = {"ok", "note", "problem"};

/* What one check found. */
struct diagnosis {
	enum level level;
	struct text text; /* what is */
	struct text cure; /* what helps; empty where nothing needs help */
};

struct check {
	const char *name;
	void (*run)(struct setup *setup, struct diagnosis *diagnosis);
};

static void problem(struct diagnosis *diagnosis, const char *text, const char *cure)
{
	diagnosis->level = LEVEL_PROBLEM;
	text_add(&diagnosis->text, text);
	text_add(&diagnosis->cure, cure);
}

static void check_data(struct setup *setup, struct diagnosis *diagnosis)
{
	CLEANUP(text_list_finish) struct text_list paths = {0};
	struct error err = {0};

	if (scenario_list(&setup->workbench.scenario_folders, &paths, &err)) {
		problem(diagnosis, err.text, "run \"make\" or \"make install\"");
		return;
	}
	text_format(&diagnosis->text, "%zu scenarios, agent %s", paths.count,
		    setup->agent);
}

static void check_processors(struct setup *setup, struct diagnosis *diagnosis)
{
	long count = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t bytes =
		(uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t guest = setup->workbench.config.virtual_lab.memory;
	uint64_t parallel = setup->workbench.config.virtual_lab.parallel;

	text_format(&diagnosis->text, "%ld online, %llu MiB of memory", count,
		    (unsigned long long)(bytes >> 20));
	if (bytes >= guest * (parallel ? parallel : (uint64_t)count))
		return;
	diagnosis->level = LEVEL_NOTE;
	text_format(&diagnosis->cure,
		    "each boot of the virtual lab takes up to %llu MiB; set parallel "
		    "below virtual in kregress.yaml",
		    (unsigned long long)(guest >> 20));
}

static void check_emulator(struct setup *setup, struct diagnosis *diagnosis)
{
	(void)setup;
	if (process_find("qemu-system-x86_64"))
		text_add(&diagnosis->text, "qemu-system-x86_64 is there");
	else
		problem(diagnosis, "no qemu-system-x86_64",
			"apt-get install qemu-system-x86");
}

static void check_host(struct setup *setup, struct diagnosis *diagnosis,
		       enum vm_kvm_wish wish)
{
	CLEANUP(cleanup_free) char *root = NULL;
	struct vm_host_options options = {.kvm = wish};
	const struct vm_host_facts *facts;
	struct vm_host *host;
	struct error err = {0};

	root = memory_format("%s/lab/libvirt", setup->workbench.results);
	options.root = root;
	if (vm_host_open(&options, &host, &err)) {
		problem(diagnosis, err.text,
			"apt-get install libvirt-daemon-driver-qemu qemu-system-x86, or "
			"let "
			"the other kregress end");
		return;
	}
	facts = vm_host_facts(host);
	text_format(&diagnosis->text, "libvirt %u.%u.%u, QEMU %u.%u.%u, KVM %s",
		    facts->libvirt_version / 1000000,
		    facts->libvirt_version / 1000 % 1000, facts->libvirt_version % 1000,
		    facts->qemu_version / 1000000, facts->qemu_version / 1000 % 1000,
		    facts->qemu_version % 1000, facts->kvm ? "works" : "is not usable");
	if (*facts->notes) {
		diagnosis->level = LEVEL_NOTE;
		text_add_bytes(&diagnosis->cure, facts->notes,
			       strcspn(facts->notes, "\n"));
	}
	vm_host_close(host);
}

static void check_libvirt(struct setup *setup, struct diagnosis *diagnosis)
{
	check_host(setup, diagnosis, VM_KVM_PROBE);
}

static void check_toolchain(struct setup *setup, struct diagnosis *diagnosis)
{
	struct toolchain toolchain = {0};
	struct error err = {0};

	(void)setup;
	if (toolchain_detect(NULL, &toolchain, &err)) {
		problem(diagnosis, err.text,
			"\"make deps\" as root installs what is missing");
		return;
	}
	text_format(&diagnosis->text, "%s%s", toolchain.identity,
		    toolchain.ccache ? ", ccache" : "");
	toolchain_finish(&toolchain);
}

static void check_mkfs(struct setup *setup, struct diagnosis *diagnosis)
{
	const char *path = getenv("PATH");
	CLEANUP(cleanup_free)
	char *longer = memory_format("%s:/usr/sbin:/sbin", path ? path : "/usr/bin:/bin");

	(void)setup;
	setenv("PATH", longer, 1);
	if (process_find("mke2fs"))
		text_add(&diagnosis->text, "mke2fs is there");
	else
		problem(diagnosis, "no mke2fs", "apt-get install e2fsprogs");
}

static void check_space(const char *path, uint64_t wanted, const char *cure,
			struct diagnosis *diagnosis)
{
	CLEANUP(text_finish) struct text text = {0};
	struct error err = {0};
	uint64_t bytes;

	if (file_make_folders(path, &err) || file_free_space(path, &bytes, &err)) {
		problem(diagnosis, err.text, cure);
		return;
	}
	format_value(&text, (double)bytes, "bytes");
	text_format(&diagnosis->text, "%s: %s free", path, text_string(&text));
	if (access(path, W_OK))
		problem(diagnosis, ", not writable", cure);
	else if (bytes < wanted)
		problem(diagnosis, ", which is too little", cure);
}

static void check_results(struct setup *setup, struct diagnosis *diagnosis)
{
	check_space(setup->workbench.results, 200u << 20,
		    "name another folder with --results, or make room", diagnosis);
}

static void check_database(struct setup *setup, struct diagnosis *diagnosis)
{
	CLEANUP(cleanup_free)
	char *path = file_join(setup->workbench.results, STORE_FILE_NAME);
	CLEANUP(cleanup_store) struct store *store = NULL;
	struct error err = {0};

	if (!file_exists(path))
		text_add(&diagnosis->text, "none yet");
	else if (store_open(path, STORE_READ_WRITE, &store, &err))
		problem(diagnosis, err.text,
			"name another folder with --results, or put the file right");
	else
		text_add(&diagnosis->text, path);
}

static void check_cache(struct setup *setup, struct diagnosis *diagnosis)
{
	check_space(setup->workbench.cache, (uint64_t)4 << 30,
		    "name another folder by \"cache\" in kregress.yaml, or make room (a "
		    "build "
		    "tree takes 3 GiB)",
		    diagnosis);
}

static void check_tree(struct setup *setup, struct diagnosis *diagnosis)
{
	struct error err = {0};

	if (!setup->workbench.tree) {
		diagnosis->level = LEVEL_NOTE;
		text_add(&diagnosis->text, "none given");
		text_add(&diagnosis->cure, "only deb: and image: versions can be "
					   "measured without --tree DIR or "
					   "\"tree\" in kregress.yaml");
		return;
	}
	if (workbench_open_repository(&setup->workbench, &err))
		problem(diagnosis, err.text, "give a complete clone of a kernel tree");
	else
		text_add(&diagnosis->text, setup->workbench.tree);
}

static const struct check checks[] = {
	{"data", check_data},          {"processors", check_processors},
	{"qemu", check_emulator},      {"libvirt", check_libvirt},
	{"compiler", check_toolchain}, {"mkfs", check_mkfs},
	{"results", check_results},    {"database", check_database},
	{"cache", check_cache},        {"tree", check_tree},
};

enum { CHECKS = sizeof(checks) / sizeof(*checks) };

static void print_text(const struct diagnosis *list)
{
	for (int i = 0; i < CHECKS; i++) {
		printf("%-8s %-10s %s\n", level_names[list[i].level], checks[i].name,
		       text_string(&list[i].text));
		if (list[i].cure.size)
			printf("%19s -> %s\n", "", text_string(&list[i].cure));
	}
}

static void add_field(struct text *json, const char *key, const char *value)
{
	json_put_key(json, key);
	json_put_string(json, value);
}

static void print_json(const struct diagnosis *list)
{
	CLEANUP(text_finish) struct text json = {0};

	text_add_char(&json, '{');
	json_put_key(&json, "checks");
	text_add_char(&json, '[');
	for (int i = 0; i < CHECKS; i++) {
		json_put_comma(&json);
		text_add_char(&json, '{');
		add_field(&json, "name", checks[i].name);
		add_field(&json, "level", level_names[list[i].level]);
		add_field(&json, "text", text_string(&list[i].text));
		add_field(&json, "cure", text_string(&list[i].cure));
		text_add_char(&json, '}');
	}
	text_add(&json, "]}");
	puts(text_string(&json));
}

static int examine(struct setup *setup, int json)
{
	struct diagnosis list[CHECKS] = {0};
	int code = 0;

	for (int i = 0; i < CHECKS; i++) {
		checks[i].run(setup, &list[i]);
		if (list[i].level == LEVEL_PROBLEM)
			code = 3;
	}
	if (json)
		print_json(list);
	else
		print_text(list);
	for (int i = 0; i < CHECKS; i++) {
		text_finish(&list[i].text);
		text_finish(&list[i].cure);
	}
	return code;
}

struct arguments {
	struct context *context;
	const char *tree;
	int keys;
};

enum { KEY_TREE = 0x2000, KEY_KEYS };

static const struct argp_option options[] = {
	{"tree", KEY_TREE, "DIR", 0, "Git repository with the kernel source", 0},
	{"keys", KEY_KEYS, NULL, 0,
	 "Print every key of kregress.yaml with its default: a file to begin with", 0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case KEY_TREE:
		arguments->tree = arg;
		return 0;
	case KEY_KEYS:
		arguments->keys = 1;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	options,
	parse,
	"",
	"Look at host, tools, labs and folders; name each problem with its cure."
	"\vExit code 3 where something is missing that measurements need.",
};

static int print_keys(void)
{
	CLEANUP(text_finish) struct text help = {0};

	config_help(&help);
	fputs(text_string(&help), stdout);
	return 0;
}

static int run(struct context *context, int argc, char **argv, struct error *err)
{
	CLEANUP(setup_finish) struct setup setup = {0};
	struct arguments arguments = {.context = context};
	struct setup_options opening = {.argc = argc, .argv = argv, .without_store = 1};

	command_parse(&argp, argc, argv, &arguments);
	if (arguments.keys)
		return print_keys();
	opening.tree = arguments.tree;
	if (setup_open(context, &opening, &setup, err))
		return -1;
	return examine(&setup, context->json);
}

const struct command doctor_command = {
	.name = "doctor",
	.summary = "Look at host, tools, labs and folders: each problem with its cure",
	.run = run,
};
