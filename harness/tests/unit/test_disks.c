/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Disk safety in a world made of files: what kernels with LVM, md, device mapper or
 * bcache would show, and what would be on the disks. Real loop devices: e2e.
 */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "disks/block.h"
#include "disks/pci.h"
#include "disks/safety.h"
#include "disks/signature.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cmocka.h>

/* Sparse; smaller ones have no room for ZFS. */
enum { DISK_SIZE = 80 << 20 };

struct world {
	char *folder, *sys, *proc, *dev, *node;
	struct disk_roots roots;
};

static void put(const struct world *world, const char *name, const char *content)
{
	CLEANUP(cleanup_free) char *path = file_join(world->folder, name);
	CLEANUP(cleanup_free) char *folder = memory_copy_string(path);
	struct error err = {0};

	*strrchr(folder, '/') = '\0';
	if (file_make_folders(folder, &err) ||
	    file_write(path, content, strlen(content), &err))
		fail_msg("%s", err.text);
}

static void put_link(const struct world *world, const char *name, const char *target)
{
	CLEANUP(cleanup_free) char *path = file_join(world->folder, name);
	CLEANUP(cleanup_free) char *folder = memory_copy_string(path);
	struct error err = {0};

	*strrchr(folder, '/') = '\0';
	assert_int_equal(file_make_folders(folder, &err), 0);
	unlink(path);
	assert_int_equal(symlink(target, path), 0);
}

static void put_bytes(const struct world *world, const char *name, off_t offset,
		      const void *bytes, size_t length)
{
	CLEANUP(cleanup_free) char *path = file_join(world->folder, name);
	FILE *file = fopen(path, "r+e");

	assert_non_null(file);
	assert_int_equal(fseek(file, offset, SEEK_SET), 0);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	fclose(file);
}

static void put_disk(const struct world *world, const char *name, const char *number)
{
	CLEANUP(cleanup_free) char *block = memory_format("sys/block/%s", name);
	const char *const attributes[][2] = {{"size", "163840\n"},
					     {"ro", "0\n"},
					     {"queue/logical_block_size", "512\n"},
					     {"device/model", "  Model X  \n"},
					     {"dev", number}};
	CLEANUP(cleanup_free) char *link = memory_format("sys/dev/block/%s", number);
	CLEANUP(cleanup_free) char *target = memory_format("../../block/%s", name);
	CLEANUP(cleanup_free) char *device = memory_format("dev/%s", name);
	CLEANUP(cleanup_free) char *content = NULL;

	for (size_t i = 0; i < sizeof(attributes) / sizeof(*attributes); i++) {
		CLEANUP(cleanup_free)
		char *path = memory_format("%s/%s", block, attributes[i][0]);

		put(world, path, attributes[i][1]);
	}
	put_link(world, link, target);
	put(world, device, "");
	content = file_join(world->folder, device);
	assert_int_equal(truncate(content, DISK_SIZE), 0);
}

static int set_up(void **state)
{
	struct world *world = memory_new(1, sizeof(*world));
	struct error err = {0};

	if (file_make_temporary_folder("/tmp/kregress-disks-", &world->folder, &err))
		return -1;
	world->sys = file_join(world->folder, "sys");
	world->proc = file_join(world->folder, "proc");
	world->dev = file_join(world->folder, "dev");
	world->node = file_join(world->folder, "node");
	world->roots = (struct disk_roots){world->sys, world->proc, world->dev};
	put(world, "proc/swaps", "Filename Type Size Used Priority\n");
	put(world, "proc/self/mountinfo", "1 0 0:1 / /proc rw - proc proc rw\n");
	put_link(world, "proc/self/ns/mnt", "mnt:[1]");
	put_disk(world, "test0", "7:250");
	*state = world;
	/* A device file that is looked at, never opened; to make it may be forbidden. */
	(void)mknod(world->node, S_IFBLK | 0600, makedev(7, 250));
	return 0;
}

static int tear_down(void **state)
{
	struct world *world = *state;
	struct error err;

	file_remove_tree(world->folder, &err);
	free(world->folder);
	free(world->sys);
	free(world->proc);
	free(world->dev);
	free(world->node);
	free(world);
	return 0;
}

static void need_node(const struct world *world)
{
	if (!file_exists(world->node))
		skip();
}

static void judge(const struct world *world, struct disk_request request,
		  const char *code, const char *words)
{
	struct disk_verdict verdict;
	struct error err = {0};

	request.name = "d";
	if (!request.device)
		request.device = world->node;
	if (!request.serial)
		request.serial = "DISK0";
	if (disk_judge(&world->roots, &request, 0, &verdict, &err))
		fail_msg("%s", err.text);
	if (strcmp(verdict.code, code) || !strstr(verdict.text, words))
		fail_msg("%s: %s, not %s: %s", verdict.code, verdict.text, code, words);
	assert_int_equal(verdict.kind == ERROR_NONE, !strcmp(code, "usable"));
}

static const struct disk_request plain;

static void an_empty_disk_is_usable(void **state)
{
	need_node(*state);
	judge(*state, plain, "usable", "");
}

static void what_is_not_there_is_refused(void **state)
{
	const struct world *world = *state;
	CLEANUP(cleanup_free) char *missing = file_join(world->folder, "no-such");
	CLEANUP(cleanup_free) char *file = file_join(world->dev, "test0");

	judge(world, (struct disk_request){.device = missing}, "missing", "No such file");
	judge(world, (struct disk_request){.device = file}, "wrong-kind", "attach: file");
	judge(world, (struct disk_request){.device = world->folder}, "wrong-kind",
	      "is no block device");
	judge(world, (struct disk_request){.device = file, .attach = DISK_FILE}, "usable",
	      "");
	assert_int_equal(truncate(file, 0), 0);
	judge(world, (struct disk_request){.device = file, .attach = DISK_FILE},
	      "no-size", "is empty");
	need_node(world);
	judge(world, (struct disk_request){.attach = DISK_FILE}, "wrong-kind",
	      "attach: block");
	put(world, "sys/block/test0/size", "0\n");
	judge(world, plain, "no-size", "has no size");
}

static void mounts_are_found_in_all_namespaces(void **state)
{
	const struct world *world = *state;

	need_node(world);
	put(world, "proc/77/mountinfo", "5 1 7:250 / /elsewhere rw - ext4 /dev/x rw\n");
	put_link(world, "proc/77/ns/mnt", "mnt:[2]");
	judge(world, plain, "mounted", "at /elsewhere in another mount namespace");
	put(world, "proc/self/mountinfo", "5 1 7:250 / /mine rw - ext4 /dev/x rw\n");
	judge(world, plain, "mounted", "at /mine; umount it first");
	put(world, "proc/self/mountinfo", "5 1 7:250 / / rw - ext4 /dev/x rw\n");
	judge(world, plain, "system", "is the disk of the running system");
	/* "/" of a container is not ours. */
	put(world, "proc/self/mountinfo", "1 0 0:1 / /proc rw - proc proc rw\n");
	put(world, "proc/77/mountinfo", "5 1 7:250 / / rw - ext4 /dev/x rw\n");
	judge(world, plain, "mounted", "in another mount namespace");
}

/* btrfs has a device number of its own. */
static void mounts_are_found_by_source(void **state)
{
	const struct world *world = *state;
	CLEANUP(cleanup_free)
	char *line =
		memory_format("5 1 0:44 / /data rw - btrfs %s/test0 rw\n", world->dev);

	need_node(world);
	put(world, "proc/self/mountinfo", line);
	judge(world, plain, "mounted", "at /data");
}

static void a_mounted_partition_counts(void **state)
{
	const struct world *world = *state;

	need_node(world);
	put(world, "sys/block/test0/test0p1/partition", "1\n");
	put(world, "sys/block/test0/test0p1/dev", "7:251\n");
	put_link(world, "sys/dev/block/7:251", "../../block/test0/test0p1");
	put(world, "proc/self/mountinfo", "5 1 7:251 / /part rw - ext4 /dev/x rw\n");
	judge(world, plain, "mounted", "test0p1, which belongs to");
}

static void swap_counts(void **state)
{
	const struct world *world = *state;
	CLEANUP(cleanup_free)
	char *swaps = memory_format("Filename Type Size Used Priority\n"
				    "%s/test0 partition 1000 0 -2\n",
				    world->dev);

	put(world, "proc/swaps", swaps);
	need_node(world);
	judge(world, plain, "swap", "is swap space in use");
}

static void stacks_are_known_by_their_holders(void **state)
{
	static const struct {
		const char *holder, *mark, *content, *code, *words;
	} stacks[] = {
		{"dm-0", "dm/uuid", "LVM-abc\n", "lvm", "belongs to an LVM volume, dm-0"},
		{"dm-0", "dm/uuid", "CRYPT-abc\n", "dm", "device-mapper device, dm-0"},
		{"md0", "md/level", "raid1\n", "md", "belongs to an md array, md0"},
		{"bcache0", "bcache/x", "\n", "bcache", "a set of bcache, bcache0"},
		{"drbd0", "x", "\n", "built-on", "is built together with drbd0"},
	};
	const struct world *world = *state;

	need_node(world);
	for (size_t i = 0; i < sizeof(stacks) / sizeof(*stacks); i++) {
		CLEANUP(cleanup_free)
		char *mark = memory_format("sys/block/%s/%s", stacks[i].holder,
					   stacks[i].mark);
		CLEANUP(cleanup_free)
		char *holder =
			memory_format("sys/block/test0/holders/%s", stacks[i].holder);
		CLEANUP(cleanup_free) char *path = file_join(world->folder, holder);
		CLEANUP(cleanup_free)
		char *block = memory_format("%s/block/%s", world->sys, stacks[i].holder);
		struct error err;

		put(world, mark, stacks[i].content);
		put(world, holder, "");
		judge(world, plain, stacks[i].code, stacks[i].words);
		unlink(path);
		file_remove_tree(block, &err);
	}
}

/* A disk below a mounted volume, and the volume itself. */
static void the_whole_stack_is_looked_at(void **state)
{
	const struct world *world = *state;

	need_node(world);
	put(world, "sys/block/dm-0/dev", "252:0\n");
	put(world, "sys/block/dm-0/dm/uuid", "LVM-abc\n");
	put(world, "sys/block/test0/holders/dm-0", "");
	put_link(world, "sys/dev/block/252:0", "../../block/dm-0");
	put(world, "proc/self/mountinfo", "5 1 252:0 / / rw - ext4 /dev/x rw\n");
	judge(world, plain, "system", "dm-0 is mounted at /");
	put(world, "proc/self/mountinfo", "1 0 0:1 / /proc rw - proc proc rw\n");
	put(world, "sys/block/test0/dm/uuid", "x\n");
	put(world, "sys/block/dm-0/slaves/test0", "");
	judge(world, plain, "lvm", "dm-0");
}

static void a_loop_device_on_the_disk_counts(void **state)
{
	const struct world *world = *state;
	CLEANUP(cleanup_free) char *backing = memory_format("%s/test0\n", world->dev);

	need_node(world);
	put(world, "sys/block/loop9/loop/backing_file", backing);
	judge(world, plain, "built-on", "has loop device loop9 on it");
}

static void read_only_counts(void **state)
{
	need_node(*state);
	put(*state, "sys/block/test0/ro", "1\n");
	judge(*state, plain, "read-only", "is read-only");
}

static void who_has_it_open_is_named(void **state)
{
	const struct world *world = *state;
	CLEANUP(cleanup_free) char *path = file_join(world->proc, "4321/cmdline");
	static const char arguments[] = "qemu\0-name\0guest=web-1,debug-threads=on\0-S";
	struct error err;

	need_node(world);
	put(world, "proc/4321/comm", "qemu-system-x86\n");
	put(world, "proc/4321/fdinfo/9", "pos: 0\nflags: 0140002\n");
	put_link(world, "proc/4321/fd/9", world->node);
	put_link(world, "proc/4321/fd/10", "socket:[12]");
	assert_int_equal(file_write(path, arguments, sizeof(arguments), &err), 0);
	judge(world, plain, "in-use",
	      "in use by guest web-1 of qemu-system-x86 (process 4321)");
}

/* --- what is on a disk */

static void put_lvm(const struct world *world)
{
	put_bytes(world, "dev/test0", 512, "LABELONE\1\0\0\0\0\0\0\0", 16);
	put_bytes(world, "dev/test0", 512 + 24, "LVM2 001", 8);
}

static void put_md(const struct world *world)
{
	static const unsigned char head[] = {0xfc, 0x4e, 0x2b, 0xa9, 1};
	unsigned char offset[8] = {8};

	put_bytes(world, "dev/test0", 4096, head, sizeof(head));
	put_bytes(world, "dev/test0", 4096 + 144, offset, sizeof(offset));
}

static void put_bcache(const struct world *world)
{
	static const unsigned char magic[] = {0xc6, 0x85, 0x73, 0xf6, 0x4e, 0x1a,
					      0x45, 0xca, 0x82, 0x65, 0xf5, 0x7f,
					      0x48, 0xba, 0x6d, 0x81};
	unsigned char offset[8] = {8};

	put_bytes(world, "dev/test0", 4096 + 8, offset, sizeof(offset));
	put_bytes(world, "dev/test0", 4096 + 24, magic, sizeof(magic));
}

static void put_zfs(const struct world *world)
{
	static const unsigned char magic[] = {0x0c, 0xb1, 0xba, 0, 0, 0, 0, 0};

	for (int i = 0; i < 8; i++)
		put_bytes(world, "dev/test0", 128 * 1024 + i * 1024, magic,
			  sizeof(magic));
}

static void put_swap(const struct world *world)
{
	static const unsigned char version[] = {1, 0, 0, 0, 255};

	put_bytes(world, "dev/test0", 1024, version, sizeof(version));
	put_bytes(world, "dev/test0", 4086, "SWAPSPACE2", 10);
}

static void put_table(const struct world *world)
{
	static const unsigned char entry[] = {0, 0, 2, 0, 0x83, 0, 2, 0, 8, 0, 0, 0, 8};

	put_bytes(world, "dev/test0", 446, entry, sizeof(entry));
	put_bytes(world, "dev/test0", 510, "\x55\xaa", 2);
}

static void put_ext2(const struct world *world, const unsigned char uuid[16])
{
	put_bytes(world, "dev/test0", 1024 + 56, "\x53\xef", 2);
	put_bytes(world, "dev/test0", 1024 + 104, uuid, 16);
}

static void put_foreign(const struct world *world)
{
	put_ext2(world, (const unsigned char[16]){1, 2, 3});
}

static void clear(const struct world *world)
{
	CLEANUP(cleanup_free) char *path = file_join(world->dev, "test0");

	assert_int_equal(truncate(path, 0), 0);
	assert_int_equal(truncate(path, DISK_SIZE), 0);
}

static void members_are_refused_whatever_is_allowed(void **state)
{
	static const struct {
		void (*make)(const struct world *world);
		const char *code, *words;
	} members[] = {
		{put_lvm, "lvm", "physical volume of LVM (LVM2_member on test0)"},
		{put_md, "md", "a member of an md array (linux_raid_member on test0)"},
		{put_bcache, "bcache", "a member of bcache"},
		{put_zfs, "zfs", "a member of a ZFS pool"},
	};
	const struct world *world = *state;

	need_node(world);
	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
		members[i].make(world);
		judge(world, (struct disk_request){.allow_destroy = "DISK0"},
		      members[i].code, members[i].words);
		clear(world);
	}
}

static void signatures_need_permission(void **state)
{
	static const struct {
		void (*make)(const struct world *world);
		const char *words;
	} contents[] = {
		{put_swap, "carries swap on test0; what may be destroyed says so with "
			   "\"allow_destroy: DISK0\""},
		{put_table, "carries dos on test0"},
		{put_foreign, "carries ext2 on test0"},
	};
	const struct world *world = *state;

	need_node(world);
	for (size_t i = 0; i < sizeof(contents) / sizeof(*contents); i++) {
		contents[i].make(world);
		judge(world, plain, "not-empty", contents[i].words);
		judge(world, (struct disk_request){.allow_destroy = "DISK1"}, "not-empty",
		      contents[i].words);
		judge(world, (struct disk_request){.allow_destroy = "DISK0"}, "usable",
		      "");
		clear(world);
	}
}

static void own_file_systems_may_go(void **state)
{
	static const unsigned char own[] = {0x6b, 0x72, 0x65, 0x67, 0x72, 0x65,
					    0x53, 0x73, 0x80, 0,    0,    0,
					    0,    0,    0,    1};
	const struct world *world = *state;

	need_node(world);
	put_ext2(world, own);
	judge(world, plain, "usable", "");
	put_swap(world);
	judge(world, plain, "not-empty", "swap");
}

static void pci_functions_are_looked_at(void **state)
{
	const struct world *world = *state;
	struct disk_request request = {.attach = DISK_PCI, .device = "0000:03:00.0"};

	judge(world, (struct disk_request){.attach = DISK_PCI, .device = "nvme0"},
	      "bad-address", "is no PCI address");
	judge(world, request, "missing", "there is no PCI device 0000:03:00.0");
	put(world, "sys/bus/pci/devices/0000:03:00.0/class", "0x030000\n");
	judge(world, request, "wrong-kind", "is no storage controller (class 030000)");
	put(world, "sys/bus/pci/devices/0000:03:00.0/class", "0x010802\n");
	judge(world, request, "no-iommu", "has no IOMMU group");
	put_link(world, "sys/bus/pci/devices/0000:03:00.0/iommu_group",
		 "../../../../kernel/iommu_groups/7");
	put(world, "sys/bus/pci/kernel/iommu_groups/7/devices/0000:03:00.0", "");
	put(world, "sys/kernel/iommu_groups/7/devices/0000:03:00.0", "");
	judge(world, request, "usable", "");
	put(world, "sys/kernel/iommu_groups/7/devices/0000:03:00.1", "");
	put(world, "sys/bus/pci/devices/0000:03:00.1/class", "0x020000\n");
	judge(world, request, "no-iommu", "shares its IOMMU group with 0000:03:00.1");
}

/* The disks of a function are judged like any other. */
static void disks_of_a_function_count(void **state)
{
	const struct world *world = *state;
	struct disk_request request = {.attach = DISK_PCI, .device = "0000:03:00.0"};
	CLEANUP(cleanup_free) char *from = file_join(world->sys, "block/test0");
	CLEANUP(cleanup_free)
	char *to = file_join(world->sys, "bus/pci/devices/0000:03:00.0/test0");

	put(world, "sys/bus/pci/devices/0000:03:00.0/class", "0x010802\n");
	put_link(world, "sys/bus/pci/devices/0000:03:00.0/iommu_group", "../7");
	assert_int_equal(rename(from, to), 0);
	put_link(world, "sys/block/test0", to);
	put(world, "proc/self/mountinfo", "5 1 7:250 / /data rw - ext4 /dev/x rw\n");
	judge(world, request, "mounted", "0000:03:00.0 is mounted at /data");
}

static void addresses_are_read_strictly(void **state)
{
	static const char *const bad[] = {"",          "0000:03:00",    "03:00.8",
					  "03:20.0",   "0000:03:00.0x", "x:y:z.0",
					  "/dev/nvme0"};
	struct pci_address address;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (!pci_parse(bad[i], &address))
			fail_msg("taken: %s", bad[i]);
	assert_int_equal(pci_parse("00af:3b:1f.7", &address), 0);
	assert_int_equal(address.domain, 0xaf);
	assert_int_equal(address.bus, 0x3b);
	assert_int_equal(address.slot, 0x1f);
	assert_int_equal(address.function, 7);
	assert_int_equal(pci_parse("3b:00.1", &address), 0);
	assert_int_equal(address.domain, 0);
}

static void a_file_is_held_by_one(void **state)
{
	const struct world *world = *state;
	CLEANUP(cleanup_free) char *file = file_join(world->dev, "test0");
	struct disk_request request = {
		.name = "d", .device = file, .attach = DISK_FILE, .serial = "A"};
	CLEANUP(disk_claim_release) struct disk_claim first = DISK_CLAIM_NONE;
	CLEANUP(disk_claim_release) struct disk_claim second = DISK_CLAIM_NONE;
	struct error err = {0};

	if (disk_claim_take(&world->roots, &request, &first, &err))
		fail_msg("%s", err.text);
	assert_int_equal(disk_claim_take(&world->roots, &request, &second, &err), -1);
	assert_non_null(strstr(err.text, "disk d: "));
	assert_non_null(strstr(err.text, "is locked by another process"));
	disk_claim_release(&first);
	assert_int_equal(disk_claim_take(&world->roots, &request, &second, &err), 0);
	disk_claim_release(&second);
	put_foreign(world);
	assert_int_equal(disk_claim_take(&world->roots, &request, &second, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_int_equal(second.fd, -1);
}

static void a_block_device_tells_what_it_is(void **state)
{
	const struct world *world = *state;
	CLEANUP(block_finish) struct block block = {0};
	CLEANUP(text_list_finish) struct text_list names = {0};
	struct error err = {0};

	put(world, "sys/block/test0/queue/scheduler", "mq-deadline [kyber] none\n");
	put(world, "sys/block/test0/device/vpd_pg80", "\1\200\1\7  ABC  ");
	put(world, "sys/block/test0/test0p1/partition", "1\n");
	put(world, "sys/block/empty/size", "0\n");
	assert_int_equal(block_read(&world->roots, "test0", &block, &err), 0);
	assert_string_equal(block.scheduler, "kyber");
	assert_string_equal(block.serial, "ABC");
	assert_string_equal(block.model, "Model X");
	assert_int_equal(block.size, DISK_SIZE);
	assert_null(block.whole);
	assert_int_equal(block_list(&world->roots, &names, &err), 0);
	assert_int_equal(names.count, 2);
	assert_string_equal(names.items[1], "test0p1");
	assert_int_equal(block_read(&world->roots, "nothing", &block, &err), -1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_empty_disk_is_usable),
		TEST(what_is_not_there_is_refused),
		TEST(mounts_are_found_in_all_namespaces),
		TEST(mounts_are_found_by_source),
		TEST(a_mounted_partition_counts),
		TEST(swap_counts),
		TEST(stacks_are_known_by_their_holders),
		TEST(the_whole_stack_is_looked_at),
		TEST(a_loop_device_on_the_disk_counts),
		TEST(read_only_counts),
		TEST(who_has_it_open_is_named),
		TEST(members_are_refused_whatever_is_allowed),
		TEST(signatures_need_permission),
		TEST(own_file_systems_may_go),
		TEST(pci_functions_are_looked_at),
		TEST(disks_of_a_function_count),
		TEST(addresses_are_read_strictly),
		TEST(a_file_is_held_by_one),
		TEST(a_block_device_tells_what_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
