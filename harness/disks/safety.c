/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "disks/safety.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/text.h"
#include "disks/facts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { CLASS_STORAGE = 0x01, SHOWN_MAX = 4 };

struct rule;

/* One rule looks at the facts and says why not; nothing means that it has no objection.
 */
struct look {
	const struct disk_facts *facts;
	const struct rule *rule;
	const char *device; /* as configured */
	struct text why;
};

struct rule {
	const char *code;
	enum facts_step step;
	enum error_kind kind;
	void (*check)(struct look *look);
	/* For the checks of several rules: what is looked for, its name, its cure. */
	enum block_stack stack;
	const char *type, *noun, *cure;
};

#define SAY(look, ...) text_format(&(look)->why, __VA_ARGS__)

/* --- what it is */

static void check_address(struct look *look)
{
	if (look->facts->bad_address)
		SAY(look, "%s is no PCI address such as 0000:03:00.0", look->device);
}

static void check_there(struct look *look)
{
	const struct disk_facts *facts = look->facts;

	if (facts->kind == FACTS_NOTHING)
		SAY(look, "%s: %s; \"kregress disks\" shows what is there", look->device,
		    strerror(facts->find_error));
	else if (facts->request->attach == DISK_PCI && !facts->pci.exists)
		SAY(look, "there is no PCI device %s", look->device);
}

static void check_class(struct look *look)
{
	unsigned class = look->facts->pci.class;

	if (look->facts->request->attach == DISK_PCI && class >> 16 != CLASS_STORAGE)
		SAY(look, "PCI device %s is no storage controller (class %06x)",
		    look->device, class);
}

static void check_iommu(struct look *look)
{
	const struct pci_function *pci = &look->facts->pci;

	if (look->facts->request->attach != DISK_PCI)
		return;
	if (!*pci->iommu_group)
		SAY(look,
		    "PCI device %s has no IOMMU group: switch the IOMMU on (in the "
		    "firmware, and with intel_iommu=on or amd_iommu=on for the host's "
		    "kernel), or attach the disk as block",
		    look->device);
	else if (pci->others.count)
		SAY(look,
		    "PCI device %s shares its IOMMU group with %s, and both would leave "
		    "the host; attach the disk as block",
		    look->device, pci->others.items[0]);
}

static void check_kind(struct look *look)
{
	enum disk_attach attach = look->facts->request->attach;
	enum facts_kind kind = look->facts->kind;

	if (attach == DISK_BLOCK && kind != FACTS_BLOCK)
		SAY(look, "%s is no block device%s", look->device,
		    kind == FACTS_FILE ? "; a file needs \"attach: file\"" : "");
	if (attach == DISK_FILE && kind != FACTS_FILE)
		SAY(look, "%s is no file%s", look->device,
		    kind == FACTS_BLOCK ? "; a block device needs \"attach: block\""
					: "");
}

static void check_size(struct look *look)
{
	if (look->facts->size)
		return;
	if (look->facts->names.count)
		SAY(look, "%s has no size: no medium, or no file behind it",
		    look->device);
	if (look->facts->kind == FACTS_FILE)
		SAY(look, "%s is empty; \"truncate -s 1G\" gives it a size",
		    look->device);
}

static void check_read_only(struct look *look)
{
	if (look->facts->read_only)
		SAY(look, "%s is read-only", look->device);
}

/* --- what it is used for */

static void add_part(struct look *look, const char *name)
{
	if (text_list_contains(&look->facts->names, name))
		SAY(look, "%s", look->device);
	else
		SAY(look, "%s, which belongs to %s,", name, look->device);
}

static int is_system(const char *target)
{
	static const char *const targets[] = {"/", "/boot", "/boot/efi", "/usr", "/var"};

	for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++)
		if (!strcmp(targets[i], target))
			return 1;
	return 0;
}

static void check_system(struct look *look)
{
	for (size_t i = 0; i < look->facts->mounts.count && !look->why.size; i++) {
		const struct disk_mount *mount = &look->facts->mounts.items[i];

		if (mount->own && is_system(mount->target))
			SAY(look,
			    "%s is the disk of the running system: %s is mounted at %s",
			    look->device, mount->device, mount->target);
	}
}

/* One that can be seen from here is told first. */
static const struct disk_mount *choose_mount(const struct disk_mounts *mounts)
{
	for (size_t i = 0; i < mounts->count; i++)
		if (mounts->items[i].own)
			return &mounts->items[i];
	return mounts->items;
}

static void check_mounts(struct look *look)
{
	const struct disk_mount *mount = choose_mount(&look->facts->mounts);

	if (!mount)
		return;
	add_part(look, mount->device);
	SAY(look, " is mounted at %s%s; umount it first", mount->target,
	    mount->own ? "" : " in another mount namespace");
}

static void check_swap(struct look *look)
{
	const struct text_list *swaps = &look->facts->swaps;

	if (!swaps->count)
		return;
	add_part(look, look->facts->kind == FACTS_FILE ? "" : swaps->items[0]);
	SAY(look, " is swap space in use; swapoff first");
}

static void check_stack(struct look *look)
{
	const struct disk_facts *facts = look->facts;

	for (size_t i = 0; i < facts->family.count && !look->why.size; i++) {
		const char *name = facts->family.items[i];

		if (block_stack(facts->roots, name) != look->rule->stack)
			continue;
		if (text_list_contains(&facts->names, name))
			SAY(look, "%s is %s; give a disk that stands alone", look->device,
			    look->rule->noun);
		else
			SAY(look, "%s belongs to %s, %s; %s first", look->device,
			    look->rule->noun, name, look->rule->cure);
	}
}

/* What else is built on it, or it on: loop devices, and what no other rule knows. */
static void check_built(struct look *look)
{
	const struct disk_facts *facts = look->facts;
	size_t length = strlen(facts->roots->dev) + 1;

	for (size_t i = 0; i < facts->family.count && !look->why.size; i++) {
		CLEANUP(block_finish) struct block block = {0};
		struct error unused;

		if (block_read(facts->roots, facts->family.items[i], &block, &unused) ||
		    !strcmp(block_disk(&block), block_disk(&facts->block)) ||
		    text_list_contains(&facts->names, block.name))
			continue;
		if (block.backing && strlen(block.backing) > length &&
		    text_list_contains(&facts->family, block.backing + length))
			SAY(look, "%s has loop device %s on it; losetup -d /dev/%s first",
			    look->device, block.name, block.name);
		else
			SAY(look,
			    "%s is built together with %s; give a disk that stands alone",
			    look->device, block.name);
	}
}

static void check_holders(struct look *look)
{
	const struct disk_holders *holders = &look->facts->holders;

	if (holders->count)
		SAY(look, "%s is in use by ", look->device);
	for (size_t i = 0; i < holders->count && i < SHOWN_MAX; i++)
		SAY(look, "%s%s (process %d)", i ? ", " : "", holders->items[i].name,
		    (int)holders->items[i].pid);
}

/* --- what is on it */

static void check_readable(struct look *look)
{
	if (look->facts->content_error.kind != ERROR_NONE)
		SAY(look, "%s", look->facts->content_error.text);
}

static void check_member(struct look *look)
{
	const char *type = look->rule->type;

	for (size_t i = 0; i < look->facts->signatures.count && !look->why.size; i++) {
		const struct disk_signature *item = &look->facts->signatures.items[i];

		if (!strcmp(item->usage, type) || !strcmp(item->type, type))
			SAY(look,
			    "%s carries %s (%s on %s); take it out of there first, then "
			    "\"wipefs -a\" it",
			    look->device, look->rule->noun, item->type, item->device);
	}
}

static size_t count_foreign(const struct disk_signatures *signatures)
{
	size_t count = 0;

	for (size_t i = 0; i < signatures->count; i++)
		count += strcmp(signatures->items[i].uuid, DISK_OWN_UUID) ||
			 strcmp(signatures->items[i].usage, "filesystem");
	return count;
}

static int may_destroy(const struct disk_request *request)
{
	return request->allow_destroy && request->serial &&
	       !strcmp(request->allow_destroy, request->serial);
}

static void check_signatures(struct look *look)
{
	const struct disk_signatures *signatures = &look->facts->signatures;
	const struct disk_request *request = look->facts->request;

	if (!count_foreign(signatures) || may_destroy(request))
		return;
	SAY(look, "%s is not empty: it carries ", look->device);
	for (size_t i = 0; i < signatures->count && i < SHOWN_MAX; i++)
		SAY(look, "%s%s on %s", i ? ", " : "", signatures->items[i].type,
		    signatures->items[i].device);
	SAY(look, "; what may be destroyed says so with \"allow_destroy: %s\"",
	    request->serial ? request->serial : "SERIAL");
}

static int may_change(const char *name)
{
	static const char *const kinds[] = {"sd", "hd", "vd", "xvd", "nvme", "mmcblk"};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strncmp(name, kinds[i], strlen(kinds[i])))
			return 1;
	return 0;
}

/*
 * sda of today is sdb tomorrow: permission to destroy goes with a name that stays with
 * the disk, or with the serial that the disk itself tells.
 */
static void check_stable_name(struct look *look)
{
	const struct disk_facts *facts = look->facts;
	const char *name = facts->names.count ? facts->names.items[0] : "";
	CLEANUP(cleanup_free) char *plain = file_join(facts->roots->dev, name);

	if (!count_foreign(&facts->signatures) || strcmp(look->device, plain) ||
	    !may_change(name) || !strcmp(facts->block.serial, facts->request->serial))
		return;
	SAY(look,
	    "%s may be another disk after the next start, and what it names is not "
	    "empty; name the disk as in /dev/disk/by-id, or give its own serial%s%s",
	    look->device, *facts->block.serial ? ", " : "", facts->block.serial);
}

static void check_exclusive(struct look *look)
{
	int error = look->facts->exclusive_error;

	if (error == EBUSY)
		SAY(look,
		    "%s is held exclusively by the kernel (a file system, swap, or a "
		    "stack of devices)",
		    look->device);
	else if (error)
		SAY(look, "%s cannot be opened: %s", look->device, strerror(error));
}

/* The first that says anything decides. */
static const struct rule rules[] = {
	{"bad-address", FACTS_OUTSIDE, ERROR_USAGE, check_address},
	{"missing", FACTS_OUTSIDE, ERROR_HOST, check_there},
	{"wrong-kind", FACTS_OUTSIDE, ERROR_USAGE, check_class},
	{"wrong-kind", FACTS_OUTSIDE, ERROR_USAGE, check_kind},
	{"no-size", FACTS_OUTSIDE, ERROR_HOST, check_size},
	{"system", FACTS_OUTSIDE, ERROR_HOST, check_system},
	{"mounted", FACTS_OUTSIDE, ERROR_HOST, check_mounts},
	{"swap", FACTS_OUTSIDE, ERROR_HOST, check_swap},
	{"lvm", FACTS_OUTSIDE, ERROR_HOST, check_stack, BLOCK_LVM, NULL, "an LVM volume",
	 "vgchange -an, vgreduce and pvremove"},
	{"dm", FACTS_OUTSIDE, ERROR_HOST, check_stack, BLOCK_DM, NULL,
	 "a device-mapper device", "dmsetup remove it"},
	{"md", FACTS_OUTSIDE, ERROR_HOST, check_stack, BLOCK_MD, NULL, "an md array",
	 "mdadm --stop it"},
	{"bcache", FACTS_OUTSIDE, ERROR_HOST, check_stack, BLOCK_BCACHE, NULL,
	 "a set of bcache", "stop that"},
	{"built-on", FACTS_OUTSIDE, ERROR_HOST, check_built},
	{"in-use", FACTS_OUTSIDE, ERROR_HOST, check_holders},
	{"read-only", FACTS_OUTSIDE, ERROR_HOST, check_read_only},
	{"no-iommu", FACTS_OUTSIDE, ERROR_HOST, check_iommu},
	{"unreadable", FACTS_CONTENT, ERROR_HOST, check_readable},
	{"lvm", FACTS_CONTENT, ERROR_HOST, check_member, .type = "LVM2_member",
	 .noun = "a physical volume of LVM"},
	{"md", FACTS_CONTENT, ERROR_HOST, check_member, .type = "linux_raid_member",
	 .noun = "a member of an md array"},
	{"zfs", FACTS_CONTENT, ERROR_HOST, check_member, .type = "zfs_member",
	 .noun = "a member of a ZFS pool"},
	{"bcache", FACTS_CONTENT, ERROR_HOST, check_member, .type = "bcache",
	 .noun = "a member of bcache"},
	/* Of controllers and others: blkid calls the use of them all by this word. */
	{"raid", FACTS_CONTENT, ERROR_HOST, check_member, .type = "raid",
	 .noun = "a member of a RAID"},
	{"not-empty", FACTS_CONTENT, ERROR_USAGE, check_signatures},
	{"unstable-name", FACTS_CONTENT, ERROR_USAGE, check_stable_name},
	{"exclusive", FACTS_EXCLUSIVE, ERROR_HOST, check_exclusive},
};

static void apply(const struct rule *rule, const struct disk_facts *facts,
		  struct disk_verdict *verdict)
{
	struct look look = {
		.facts = facts, .rule = rule, .device = facts->request->device};

	rule->check(&look);
	if (look.why.size) {
		verdict->code = rule->code;
		verdict->kind = rule->kind;
		snprintf(verdict->text, sizeof(verdict->text), "%s", look.why.data);
	}
	text_finish(&look.why);
}

int disk_judge(const struct disk_roots *roots, const struct disk_request *request,
	       int held, struct disk_verdict *verdict, struct error *err)
{
	CLEANUP(disk_facts_finish)
	struct disk_facts facts = {.roots = roots, .request = request, .mine = held};

	*verdict = (struct disk_verdict){.code = "usable"};
	for (int step = 0; step < FACTS_STEPS && verdict->kind == ERROR_NONE; step++) {
		if (disk_facts_gather(&facts, (enum facts_step)step, err))
			return error_prefix(err, "disk %s", request->name);
		for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
			if ((int)rules[i].step == step && verdict->kind == ERROR_NONE)
				apply(&rules[i], &facts, verdict);
	}
	return 0;
}
