/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lab/lab.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "lab/boot_files.h"
#include "lab/filesystem.h"
#include "lab/kind.h"
#include "lab/programs.h"

#include <stdio.h>
#include <stdlib.h>

static const struct lab_kind *const kinds[] = {
	[CONFIG_VIRTUAL] = &lab_virtual,
	[CONFIG_DISK] = &lab_disk,
};

static int digest_of(const char *path, char hex[HASH_HEX_SIZE], struct error *err)
{
	struct hash hash;

	hash_init(&hash);
	if (hash_field_file(&hash, "agent", path, err))
		return -1;
	hash_hex(&hash, hex);
	return 0;
}

static int open_host(struct lab *lab, struct error *err)
{
	CLEANUP(cleanup_free) char *root = file_join(lab->options.state, "libvirt");
	struct vm_host_options options = {
		.root = root,
		.uri = lab->options.uri,
		.kvm = lab->kind->kvm,
	};

	return vm_host_open(&options, &lab->host, err);
}

int lab_open(const struct lab_options *options, struct lab **ret_lab, struct error *err)
{
	CLEANUP(cleanup_lab) struct lab *lab = memory_new(1, sizeof(*lab));

	lab->kind = kinds[options->kind];
	lab->options = *options;
	lab->filesystems = file_join(options->state, "filesystems");
	if (digest_of(options->agent, lab->agent_digest, err))
		return -1;
	if (file_make_folders(options->state, err) ||
	    file_make_folders(options->boots, err))
		return -1;
	if (open_host(lab, err))
		return -1;
	/* What killed programs left: the lab is ours alone now. */
	boot_files_sweep(options->boots);
	filesystem_sweep(lab->filesystems);
	*ret_lab = TAKE(lab);
	return 0;
}

void lab_close(struct lab *lab)
{
	if (!lab)
		return;
	vm_host_close(lab->host);
	free(lab->filesystems);
	free(lab);
}

const char *lab_name(const struct lab *lab)
{
	return lab->kind->name;
}

unsigned lab_parallel(const struct lab *lab)
{
	return lab->kind->parallel(lab);
}

int lab_check(const struct lab *lab, const struct scenario *scenario, struct error *err)
{
	return lab->kind->check(lab, scenario, err);
}

const char *lab_notes(const struct lab *lab)
{
	return vm_host_facts(lab->host)->notes;
}

void lab_wait(struct lab *lab)
{
	vm_host_wait(lab->host, 10);
}

void lab_fields_finish(struct lab_fields *fields)
{
	text_list_finish(&fields->names);
	text_list_finish(&fields->values);
}

void lab_fields_add(struct lab_fields *fields, const char *name, const char *value)
{
	text_list_add(&fields->names, name);
	text_list_add(&fields->values, value);
}

static void add_versions(const struct lab *lab, struct lab_fields *fields)
{
	const struct vm_host_facts *facts = vm_host_facts(lab->host);
	char version[32];

	snprintf(version, sizeof(version), "%u.%u.%u", facts->qemu_version / 1000000,
		 facts->qemu_version / 1000 % 1000, facts->qemu_version % 1000);
	lab_fields_add(fields, "qemu", version);
}

/* How the kernel was made; which kernel it is does not belong here. */
static void add_origin(const struct kernel *kernel, struct lab_fields *fields)
{
	lab_fields_add(fields, "toolchain", kernel->toolchain ? kernel->toolchain : "");
	lab_fields_add(fields, "modular", kernel->modules ? "yes" : "no");
}

/* Only where there are any, so that other scenarios keep their keys. */
static int add_files(const struct scenario *scenario, struct lab_fields *fields,
		     struct error *err)
{
	CLEANUP(programs_finish) struct programs programs = {0};
	char key[HASH_HEX_SIZE];

	if (!scenario->files.count)
		return 0;
	if (programs_collect(scenario, &programs, err) ||
	    programs_hash(&programs, key, err))
		return -1;
	lab_fields_add(fields, "files", key);
	return 0;
}

/* Of those that the scenario uses: what else is installed moves no number. */
static int add_filesystems(const struct scenario *scenario, struct lab_fields *fields,
			   struct error *err)
{
	for (size_t i = 0; i < scenario->cases.count; i++) {
		enum job_filesystem filesystem = scenario->cases.items[i].filesystem;
		const char *name = job_filesystem_name(filesystem);
		CLEANUP(cleanup_free) char *field = memory_format("mkfs_%s", name);
		char key[HASH_HEX_SIZE];

		if (filesystem == JOB_FS_NONE ||
		    text_list_contains(&fields->names, field))
			continue;
		if (filesystem_identity(name, key, err))
			return -1;
		lab_fields_add(fields, field, key);
	}
	return 0;
}

int lab_environment(struct lab *lab, const struct kernel *kernel,
		    const struct scenario *scenario, struct lab_fields *fields,
		    struct error *err)
{
	char key[HASH_HEX_SIZE];

	lab_fields_add(fields, "lab", lab->kind->name);
	lab_fields_add(fields, "agent", lab->agent_digest);
	lab_fields_add(fields, "command_line", lab->kind->command_line);
	add_versions(lab, fields);
	add_origin(kernel, fields);
	if (add_filesystems(scenario, fields, err))
		return -1;
	scenario_digest(scenario, lab->options.classes, key);
	lab_fields_add(fields, "scenario", key);
	if (add_files(scenario, fields, err))
		return -1;
	return lab->kind->add_fields(lab, scenario, fields, err);
}
