/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scenario/config.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "scenario/document.h"
#include "scenario/schema.h"

#include <stdlib.h>
#include <string.h>

enum { LIMIT_SERIAL = 20 }; /* what virtio-blk carries */

const char *const config_lab_names[] = {"virtual", "disk", NULL};
const char *const config_bus_names[] = {"virtio", "scsi", "sata", "ide", "nvme", NULL};
const char *const config_cache_names[] = {"none",      "directsync", "writethrough",
					  "writeback", "unsafe",     NULL};
const char *const config_io_names[] = {"native", "io_uring", "threads", NULL};
const char *const config_attach_names[] = {"block", "file", "pci", NULL};

#define DISK(member) offsetof(struct config_disk, member)
#define CONFIG(member) offsetof(struct config, member)

static const struct field disk_fields[] = {
	{"device", FIELD_STRING, DISK(device), .required = 1,
	 .example = "/dev/disk/by-id/...",
	 .doc = "Stable name of the disk; a file or a PCI address with attach"},
	{"attach", FIELD_CHOICE, DISK(attach), .choices = config_attach_names,
	 .fallback = "block", .doc = "What device is"},
	{"serial", FIELD_STRING, DISK(serial), .required = 1, .example = "DISK0",
	 .doc = "How the guest finds it: up to 20 letters, digits, - and _"},
	{"class", FIELD_STRING, DISK(class), .example = "ssd",
	 .doc = "Class that scenarios may ask for instead of the name"},
	{"bus", FIELD_CHOICE, DISK(bus), .choices = config_bus_names,
	 .fallback = "virtio", .doc = "How the guest sees it"},
	{"cache", FIELD_CHOICE, DISK(cache), .choices = config_cache_names,
	 .fallback = "none", .doc = "Host cache; sync scenarios refuse the last two"},
	{"io", FIELD_CHOICE, DISK(io), .choices = config_io_names, .fallback = "native",
	 .doc = "How QEMU does the I/O"},
	{"queues", FIELD_WHOLE, DISK(queues), .most = 1024, .fallback = "0",
	 .doc = "Queues of virtio or scsi; 0 leaves it to QEMU"},
	{"iothread", FIELD_SWITCH, DISK(iothread), .fallback = "true",
	 .doc = "An I/O thread of its own (virtio and scsi)"},
	{"allow_destroy", FIELD_STRING, DISK(allow_destroy), .example = "DISK0",
	 .doc = "The serial again: what is on the disk may be overwritten"},
	{0},
};

static const struct schema disk_schema = {"disk", sizeof(struct config_disk),
					  disk_fields};

static const struct field virtual_fields[] = {
	{"parallel", FIELD_WHOLE, CONFIG(virtual_lab.parallel) - CONFIG(virtual_lab),
	 .most = 1024, .fallback = "0", .doc = "Boots at once; 0: one a processor"},
	{"memory", FIELD_SIZE, CONFIG(virtual_lab.memory) - CONFIG(virtual_lab),
	 .least = 64 << 20, .most = (double)((uint64_t)1 << 40), .fallback = "512M",
	 .doc = "Memory of a guest, its disks included; more where they need it"},
	{0},
};

static const struct schema virtual_schema = {
	"virtual lab", sizeof(((struct config *)0)->virtual_lab), virtual_fields};

#define DISK_LAB(member) (CONFIG(disk_lab.member) - CONFIG(disk_lab))

static const struct field disk_lab_fields[] = {
	{"memory", FIELD_SIZE, DISK_LAB(memory), .least = 64 << 20,
	 .most = (double)((uint64_t)1 << 40), .fallback = "1G",
	 .doc = "Memory of the guest"},
	{"vcpus", FIELD_WHOLE, DISK_LAB(vcpus), .least = 1, .most = 256, .fallback = "1",
	 .doc = "Its processors"},
	{"machine", FIELD_STRING, DISK_LAB(machine), .fallback = "pc",
	 .doc = "QEMU's machine; q35 has no IDE"},
	{"vcpu_pins", FIELD_STRINGS, DISK_LAB(vcpu_pins), .example = "[2]",
	 .doc = "Processors of the host for each vcpu, as in 2 or 2-3,7"},
	{"emulator_pins", FIELD_STRING, DISK_LAB(emulator_pins), .example = "0-1",
	 .doc = "Processors of the host for QEMU's other threads"},
	{"iothread_pins", FIELD_STRING, DISK_LAB(iothread_pins), .example = "4",
	 .doc = "Processors of the host for the I/O threads of disks"},
	{"huge_pages", FIELD_SWITCH, DISK_LAB(huge_pages), .fallback = "false",
	 .doc = "Memory in huge pages; the host must have them (vm.nr_hugepages)"},
	{0},
};

static const struct schema disk_lab_schema = {
	"disk lab", sizeof(((struct config *)0)->disk_lab), disk_lab_fields};

static const struct field build_fields[] = {
	{"jobs", FIELD_WHOLE, CONFIG(build.jobs) - CONFIG(build), .most = 4096,
	 .fallback = "0", .doc = "Compilers at once; 0: one a processor"},
	{"timeout_minutes", FIELD_WHOLE, CONFIG(build.timeout_minutes) - CONFIG(build),
	 .least = 1, .most = 10080, .fallback = "120",
	 .doc = "A build that takes longer has failed"},
	{0},
};

static const struct schema build_schema = {"build", sizeof(((struct config *)0)->build),
					   build_fields};

#define NIGHTLY(member) CONFIG(nightly.member) - CONFIG(nightly)

static const struct field nightly_fields[] = {
	{"fetch", FIELD_STRINGS, NIGHTLY(fetch), .example = "[origin]",
	 .doc = "Remotes of the tree that are fetched first; default: none"},
	{"fetch_minutes", FIELD_WHOLE, NIGHTLY(fetch_minutes), .least = 1, .most = 10080,
	 .fallback = "30", .doc = "A fetch that takes longer has failed"},
	{"branches", FIELD_STRINGS, NIGHTLY(branches), .example = "[origin/master]",
	 .doc = "Branches whose newest commit is measured; default: HEAD, where no tags "
		"are followed"},
	{"tags", FIELD_STRINGS, NIGHTLY(tags), .example = "[\"v6.*\"]",
	 .doc = "Patterns of tags that are measured, from the baseline on, newest first"},
	{"scenarios", FIELD_STRINGS, NIGHTLY(scenarios), .example = "[fsync-loop]",
	 .doc = "Scenarios of the night; default: those above"},
	{"labs", FIELD_STRINGS, NIGHTLY(labs), .fallback = "virtual",
	 .doc = "Labs to measure in, one after the other"},
	{"minutes", FIELD_WHOLE, NIGHTLY(minutes), .most = 100000, .fallback = "480",
	 .doc = "Nothing is begun after so many minutes; 0: no limit"},
	{"boots", FIELD_WHOLE, NIGHTLY(boots), .most = 1000000, .fallback = "0",
	 .doc = "No more boots than these; 0: no limit"},
	{"window", FIELD_WHOLE, NIGHTLY(window), .least = 2, .most = 1000,
	 .fallback = "30", .doc = "Newest versions of a branch that are judged together"},
	{0},
};

static const struct schema nightly_schema = {
	"nightly", sizeof(((struct config *)0)->nightly), nightly_fields};
#define FIXUP(member) offsetof(struct config_fixup, member)

static const struct field fixup_fields[] = {
	{"from", FIELD_STRING, FIXUP(from), .required = 1, .example = "SHA",
	 .doc = "First commit that is broken"},
	{"to", FIELD_STRING, FIXUP(to), .example = "SHA",
	 .doc = "First commit that is not any more; without it: all from there"},
	{"patch", FIELD_STRING, FIXUP(patch), .example = "fix.patch",
	 .doc = "What repairs it, as git diff writes it"},
	{"cherry_pick", FIELD_STRING, FIXUP(cherry_pick), .example = "SHA",
	 .doc = "Or the commit that repaired it"},
	{0},
};

static const struct schema fixup_schema = {"fixup", sizeof(struct config_fixup),
					   fixup_fields};

static const struct field config_fields[] = {
	{"tree", FIELD_STRING, CONFIG(tree), .example = "/src/linux",
	 .doc = "Repository of the kernel"},
	{"kernel_config", FIELD_STRINGS, CONFIG(kernel_config), .example = "[my.config]",
	 .doc = "Configuration fragments laid over the built-in ones"},
	{"results", FIELD_STRING, CONFIG(results), .fallback = "results",
	 .doc = "Database, logs and reports"},
	{"cache", FIELD_STRING, CONFIG(cache), .example = "/var/cache/kregress",
	 .doc = "Kernels and work folders; default: kregress in the user's cache"},
	{"scenarios", FIELD_STRINGS, CONFIG(scenarios), .example = "[fsync-loop]",
	 .doc = "Scenarios to run where none is named; default: all"},
	{"scenario_folders", FIELD_STRINGS, CONFIG(scenario_folders),
	 .example = "[scenarios]", .doc = "Searched before the ones that came along"},
	{"lab", FIELD_CHOICE, CONFIG(lab), .choices = config_lab_names,
	 .fallback = "virtual", .doc = "The lab without --lab"},
	{"baseline", FIELD_STRING, CONFIG(baseline), .example = "v6.1",
	 .doc = "Version to compare with besides the neighbour; default: the best so "
		"far"},
	{"reference", FIELD_STRING, CONFIG(reference), .example = "v6.1",
	 .doc = "Disk lab: measured before and after all others; default: the first one"},
	{"disks", FIELD_NAMED, CONFIG(disks), .record = &disk_schema,
	 .doc = "Disks of the disk lab by name"},
	{"virtual", FIELD_RECORD, CONFIG(virtual_lab), .record = &virtual_schema,
	 .doc = "The virtual lab"},
	{"disk", FIELD_RECORD, CONFIG(disk_lab), .record = &disk_lab_schema,
	 .doc = "The disk lab: the guest that gets the disks"},
	{"fixups", FIELD_NAMED, CONFIG(fixups), .record = &fixup_schema,
	 .doc = "Broken stretches of the history, by name, that a search repairs"},
	{"build", FIELD_RECORD, CONFIG(build), .record = &build_schema,
	 .doc = "Building kernels"},
	{"nightly", FIELD_RECORD, CONFIG(nightly), .record = &nightly_schema,
	 .doc = "What \"kregress nightly\" does, within which budget"},
	{"wait_minutes", FIELD_WHOLE, CONFIG(wait_minutes), .most = 10080,
	 .fallback = "60",
	 .doc = "How long a command that measures waits for another that does"},
	{0},
};

static const struct schema config_schema = {"configuration", sizeof(struct config),
					    config_fields};

void config_defaults(struct config *config)
{
	schema_defaults(&config_schema, config);
	config->folder = memory_copy_string(".");
}

void config_finish(struct config *config)
{
	free(config->path);
	free(config->folder);
	schema_finish(&config_schema, config);
}

static int refuse(const struct document *document, const struct config_disk *disk,
		  const char *key, struct error *err, const char *sentence)
{
	const struct node *disks = node_find(&document->root, "disks");
	const struct node *node = node_find(disks, disk->name);

	return document_error(document, node_find(node, key), err, "%s of disk %s %s",
			      key, shown(disk->name).text, sentence);
}

static int is_fit_serial(const char *serial)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

	return *serial && strlen(serial) <= LIMIT_SERIAL &&
	       !serial[strspn(serial, letters)];
}

/* QEMU's AIO of the kernel goes past the page cache, or not at all. */
static int check_io(const struct document *document, const struct config_disk *disk,
		    struct error *err)
{
	if (disk->io != CONFIG_IO_NATIVE || disk->cache <= CONFIG_CACHE_DIRECTSYNC)
		return 0;
	return refuse(
		document, disk, "cache", err,
		"needs \"io: threads\" or \"io: io_uring\": native I/O goes past the "
		"page cache");
}

static int check_disk(const struct document *document, const struct config *config,
		      size_t index, struct error *err)
{
	const struct config_disk *disk = &config->disks.items[index];

	if (!is_fit_serial(disk->serial))
		return refuse(document, disk, "serial", err,
			      "must be up to 20 letters, digits, - and _");
	if (disk->allow_destroy && strcmp(disk->allow_destroy, disk->serial))
		return refuse(document, disk, "allow_destroy", err,
			      "must be the disk's serial, which it is not");
	if (check_io(document, disk, err))
		return -1;
	for (size_t i = 0; i < index; i++)
		if (!strcmp(config->disks.items[i].serial, disk->serial))
			return refuse(document, disk, "serial", err,
				      "is that of another disk");
	return 0;
}

static int check_pins(const struct document *document, const struct config *config,
		      struct error *err)
{
	const struct node *lab = node_find(&document->root, "disk");
	size_t pins = config->disk_lab.vcpu_pins.count;

	if (!pins || pins == config->disk_lab.vcpus)
		return 0;
	return document_error(document, node_find(lab, "vcpu_pins"), err,
			      "vcpu_pins has %zu entries for %llu vcpus", pins,
			      (unsigned long long)config->disk_lab.vcpus);
}

static int is_lab(const char *name)
{
	for (size_t i = 0; config_lab_names[i]; i++)
		if (!strcmp(config_lab_names[i], name))
			return 1;
	return 0;
}

static int check_labs(const struct document *document, const struct config *config,
		      struct error *err)
{
	const struct text_list *labs = &config->nightly.labs;
	const struct node *nightly = node_find(&document->root, "nightly");

	for (size_t i = 0; i < labs->count; i++)
		if (!is_lab(labs->items[i]))
			return document_error(document, node_find(nightly, "labs"), err,
					      "there is no lab %s: %s or %s",
					      shown(labs->items[i]).text,
					      config_lab_names[CONFIG_VIRTUAL],
					      config_lab_names[CONFIG_DISK]);
	return 0;
}

static int check_fixup(const struct document *document, const struct config *config,
		       size_t index, struct error *err)
{
	const struct config_fixup *fixup = &config->fixups.items[index];
	const struct node *list = node_find(&document->root, "fixups");

	if (!fixup->patch && !fixup->cherry_pick)
		return document_error(document, node_find(list, fixup->name), err,
				      "a fixup needs patch or cherry_pick");
	return 0;
}

static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return memory_copy_string(".");
	return memory_copy_bytes(path, slash > path ? (size_t)(slash - path) : 1);
}

/* QEMU runs elsewhere and wants whole names. */
static void resolve_files(struct config *config)
{
	for (size_t i = 0; i < config->disks.count; i++) {
		struct config_disk *disk = &config->disks.items[i];
		CLEANUP(cleanup_free) char *path = NULL;
		char *real;

		if (disk->attach != CONFIG_ATTACH_FILE)
			continue;
		path = config_path(config, disk->device);
		real = realpath(path, NULL);
		free(disk->device);
		disk->device = real ? real : TAKE(path);
	}
}

static int load(const char *path, struct config *config, struct error *err)
{
	CLEANUP(document_finish) struct document document = {0};

	if (document_load(path, &document, err) ||
	    schema_read(&document, &document.root, &config_schema, config, err))
		return -1;
	config->path = memory_copy_string(path);
	config->folder = folder_of(path);
	for (size_t i = 0; i < config->fixups.count; i++)
		if (check_fixup(&document, config, i, err))
			return -1;
	for (size_t i = 0; i < config->disks.count; i++)
		if (check_disk(&document, config, i, err))
			return -1;
	resolve_files(config);
	return check_pins(&document, config, err) || check_labs(&document, config, err)
		       ? -1
		       : 0;
}

int config_load(const char *path, struct config *ret_config, struct error *err)
{
	CLEANUP(config_finish) struct config config = {0};

	if (!path && !file_exists(CONFIG_FILE)) {
		config_defaults(ret_config);
		return 0;
	}
	if (load(path ? path : CONFIG_FILE, &config, err))
		return -1;
	*ret_config = config;
	config = (struct config){0};
	return 0;
}

char *config_path(const struct config *config, const char *name)
{
	if (!strcmp(config->folder, "."))
		return memory_copy_string(name);
	return file_join(config->folder, name);
}

enum config_lab config_choose_lab(const struct config *config, const char *name)
{
	if (!name)
		return (enum config_lab)config->lab;
	return strcmp(name, config_lab_names[CONFIG_DISK]) ? CONFIG_VIRTUAL : CONFIG_DISK;
}

const struct config_disk *config_find_disk(const struct config *config, const char *name)
{
	for (size_t i = 0; i < config->disks.count; i++)
		if (!strcmp(config->disks.items[i].name, name))
			return &config->disks.items[i];
	return NULL;
}

void config_help(struct text *out)
{
	schema_print(&config_schema, out);
}

void config_print_set(const struct schema_setting *settings, size_t count,
		      struct text *out)
{
	schema_print_set(&config_schema, settings, count, out);
}
