/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lab/initramfs.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "lab/filesystem.h"
#include "lab/programs.h"
#include "vm/image.h"
#include "vm/modules.h"

#include <string.h>

/* Folder of file-system images in the guest; the host's copies are below lab state. */
#define GUEST_IMAGES "images"

/* What a modular kernel may need for any scenario; '?' marks what may be missing. */
static const char *const modules[] = {
	"?virtio_pci", "?virtio_blk", "?virtio_console", "?virtio_scsi",
	"?sd_mod",     "?ahci",       "?ata_piix",       "?nvme",
	"?null_blk",   "?configfs",   "?ext4",           "?ext2",
	"?xfs",        NULL,
};

static void cleanup_image(struct image **image)
{
	image_destroy(*image);
}

/* A disk that is written to as it is has no file system mounted at the same time. */
static enum job_filesystem file_system_of(const struct scenario *scenario,
					  const struct scenario_case *scenario_case)
{
	return scenario_case_is_raw(scenario, scenario_case) ? JOB_FS_NONE
							     : scenario_case->filesystem;
}

static char *image_name(const struct lab *lab, const struct scenario *scenario,
			const struct scenario_case *scenario_case)
{
	return memory_format(
		"%s-%llu", job_filesystem_name(scenario_case->filesystem),
		(unsigned long long)lab->kind->file_system_size(scenario, scenario_case));
}

static int set_parameters(const struct scenario_case *from, struct job_case *to,
			  struct error *err)
{
	for (size_t i = 0; i < from->parameter_count; i++)
		if (job_case_set_parameter(to, from->parameters[i].name,
					   from->parameters[i].value))
			return error_set(err, ERROR_USAGE, "case %s: too many parameters",
					 from->label);
	return 0;
}

static int add_case(const struct lab *lab, const struct scenario *scenario,
		    const struct scenario_case *from, struct job *job, struct error *err)
{
	enum job_filesystem filesystem = file_system_of(scenario, from);
	CLEANUP(cleanup_free) char *name = image_name(lab, scenario, from);
	CLEANUP(cleanup_free) char *image = memory_format("/" GUEST_IMAGES "/%s", name);
	struct job_case *to = job_add_case(job, from->label);

	if (!to || strlen(from->mount_options) >= sizeof(to->mount_options))
		return error_set(err, ERROR_USAGE, "case %s: label or options too long",
				 from->label);
	to->workload = scenario->workload;
	to->runs = scenario->runs;
	to->filesystem = filesystem;
	strcpy(to->mount_options, from->mount_options);
	if (set_parameters(from, to, err))
		return -1;
	return lab->kind->add_disks(lab, from, filesystem == JOB_FS_NONE ? "" : image, to,
				    err);
}

/* What the host does not know of the kernel itself. */
static enum job_symbols wanted_symbols(const struct lab_request *request)
{
	if (!request->count_blocks)
		return JOB_SYMBOLS_NONE;
	return request->kernel->system_map ? JOB_SYMBOLS_MODULES : JOB_SYMBOLS_ALL;
}

static int add_job(const struct lab *lab, const struct lab_request *request,
		   struct image *image, struct error *err)
{
	const struct scenario *scenario = request->scenario;
	CLEANUP(job_finish)
	struct job job = {
		.channel = lab->kind->channel,
		.settle_seconds = scenario->settle_seconds,
		.symbols = wanted_symbols(request),
	};
	CLEANUP(cleanup_free) char *text = NULL;
	struct problem problem;
	size_t size;
	FILE *stream;
	int failed;

	for (size_t i = 0; i < scenario->cases.count; i++)
		if (add_case(lab, scenario, &scenario->cases.items[i], &job, err))
			return -1;
	stream = open_memstream(&text, &size);
	if (!stream)
		return error_system(err, "cannot write the job");
	failed = job_write(&job, stream, &problem);
	fclose(stream);
	if (failed)
		return error_set(err, ERROR_USAGE, "%s", problem.text);
	return image_add_bytes(image, "job", 0444, text, size, err);
}

/* One copy of each file system that some case wants. */
static int add_filesystems(const struct lab *lab, const struct scenario *scenario,
			   struct image *image, struct error *err)
{
	CLEANUP(text_list_finish) struct text_list seen = {0};

	for (size_t i = 0; i < scenario->cases.count; i++) {
		const struct scenario_case *item = &scenario->cases.items[i];
		CLEANUP(cleanup_free) char *name = image_name(lab, scenario, item);
		CLEANUP(cleanup_free) char *source = NULL;
		CLEANUP(cleanup_free) char *target = NULL;

		if (file_system_of(scenario, item) == JOB_FS_NONE ||
		    text_list_contains(&seen, name))
			continue;
		text_list_add(&seen, name);
		if (filesystem_image(
			    lab->filesystems, job_filesystem_name(item->filesystem),
			    lab->kind->file_system_size(scenario, item), &source, err))
			return -1;
		target = file_join(GUEST_IMAGES, name);
		if (image_add_file(image, target, 0444, source, err))
			return -1;
	}
	return 0;
}

static int add_programs(const struct scenario *scenario, struct image *image,
			struct error *err)
{
	CLEANUP(programs_finish) struct programs programs = {0};

	return programs_collect(scenario, &programs, err) ||
			       programs_pack(&programs, image, err)
		       ? -1
		       : 0;
}

static int add_module(struct image *image, const char *path, struct text *list,
		      struct error *err)
{
	CLEANUP(text_finish) struct text bytes = {0};
	CLEANUP(cleanup_free) char *name = modules_file_name(path);
	CLEANUP(cleanup_free) char *target = file_join("modules", name);

	if (modules_read(path, &bytes, err))
		return -1;
	text_format(list, "/%s\n", target);
	return image_add_bytes(image, target, 0444, bytes.data, bytes.size, err);
}

static int add_modules(const struct kernel *kernel, struct image *image,
		       struct error *err)
{
	CLEANUP(text_list_finish) struct text_list paths = {0};
	CLEANUP(text_finish) struct text list = {0};

	if (!kernel->modules)
		return 0;
	if (modules_closure(kernel->modules, modules, &paths, err))
		return -1;
	for (size_t i = 0; i < paths.count; i++)
		if (add_module(image, paths.items[i], &list, err))
			return -1;
	return image_add_bytes(image, "modules.load", 0444, text_string(&list), list.size,
			       err);
}

int initramfs_write(const struct lab *lab, const struct lab_request *request,
		    const char *path, struct error *err)
{
	CLEANUP(cleanup_image) struct image *image = image_create();

	if (image_add_base(image, err) ||
	    image_add_file(image, "init", 0755, lab->options.agent, err) ||
	    add_job(lab, request, image, err) ||
	    add_filesystems(lab, request->scenario, image, err) ||
	    add_programs(request->scenario, image, err) ||
	    add_modules(request->kernel, image, err))
		return -1;
	return image_write(image, path, err);
}
