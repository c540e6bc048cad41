/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Images of empty file systems: the same bytes each time, and what goes wrong. */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "guest/extents.h"
#include "lab/filesystem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { SIZE = 32 << 20 };

static int missing_tools(void)
{
	return access("/usr/sbin/mke2fs", X_OK) && access("/sbin/mke2fs", X_OK);
}

static char *make_folder(void)
{
	struct error err;
	char *folder;

	assert_int_equal(file_make_temporary_folder("/tmp/kregress-test-", &folder, &err),
			 0);
	return folder;
}

static void remove_folder(const char *folder)
{
	struct error err;

	assert_int_equal(file_remove_tree(folder, &err), 0);
}

static void test_same_bytes_twice(void **state)
{
	static const char *const kinds[] = {"ext2", "ext4"};
	CLEANUP(cleanup_free) char *folder = NULL;
	struct error err;

	(void)state;
	if (missing_tools())
		skip();
	folder = make_folder();
	for (size_t i = 0; i < 2; i++) {
		CLEANUP(text_finish) struct text first = {0}, second = {0};
		CLEANUP(cleanup_free) char *path = NULL;
		CLEANUP(cleanup_free) char *again = NULL;

		if (filesystem_image(folder, kinds[i], SIZE, &path, &err))
			fail_msg("%s", err.text);
		assert_int_equal(file_read(path, SIZE, &first, &err), 0);
		unlink(path);
		assert_int_equal(filesystem_image(folder, kinds[i], SIZE, &again, &err),
				 0);
		assert_string_equal(path, again);
		assert_int_equal(file_read(again, SIZE, &second, &err), 0);
		assert_int_equal(first.size, second.size);
		assert_memory_equal(first.data, second.data, first.size);
		assert_true(first.size < 1 << 20);
	}
	remove_folder(folder);
}

/* The image put on a disk passes the file system's own check. */
static void test_image_is_sound(void **state)
{
	CLEANUP(cleanup_free) char *folder = NULL;
	CLEANUP(cleanup_free) char *path = NULL;
	CLEANUP(cleanup_free) char *disk = NULL;
	const char *arguments[] = {"/sbin/e2fsck", "-f", "-n", NULL, NULL};
	struct process_options options = {.argv = arguments, .timeout_seconds = 60};
	struct process_result result;
	struct problem problem;
	struct error err;
	FILE *in, *out;

	(void)state;
	if (missing_tools() || access(arguments[0], X_OK))
		skip();
	folder = make_folder();
	disk = file_join(folder, "disk");
	arguments[3] = disk;
	assert_int_equal(filesystem_image(folder, "ext4", SIZE, &path, &err), 0);
	in = fopen(path, "r");
	out = fopen(disk, "w");
	assert_int_equal(ftruncate(fileno(out), SIZE), 0);
	assert_int_equal(extents_apply(in, fileno(out), 1, &problem), 0);
	fclose(in);
	fclose(out);
	options.log_path = "/dev/null";
	assert_int_equal(process_run(&options, &result, &err), 0);
	assert_int_equal(result.end, PROCESS_EXITED);
	assert_int_equal(result.code, 0);
	remove_folder(folder);
}

static void test_refusals(void **state)
{
	CLEANUP(cleanup_free) char *folder = make_folder();
	char *path = NULL;
	struct error err;

	(void)state;
	assert_int_equal(filesystem_image(folder, "ntfs", SIZE, &path, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_int_equal(filesystem_image(folder, "ext4", 4096, &path, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.text, "ext4 needs a disk of at least 8 MiB, in whole "
				      "pages");
	assert_int_equal(filesystem_image("/proc/nowhere", "ext4", SIZE, &path, &err),
			 -1);
	assert_int_equal(err.kind, ERROR_HOST);
	assert_null(path);
	remove_folder(folder);
}

static void test_identity_is_stable(void **state)
{
	char first[HASH_HEX_SIZE], second[HASH_HEX_SIZE];
	struct error err;

	(void)state;
	assert_int_equal(filesystem_identity("ext4", first, &err), 0);
	assert_int_equal(filesystem_identity("ext4", second, &err), 0);
	assert_string_equal(first, second);
	assert_int_equal(filesystem_identity("ext2", second, &err), 0);
	assert_string_not_equal(first, second);
	assert_int_equal(strlen(first), HASH_HEX_SIZE - 1);
}

/* xfsprogs is for users of xfs only. */
static void test_missing_tool_is_named(void **state)
{
	CLEANUP(cleanup_free) char *folder = make_folder();
	char *path = NULL;
	char key[HASH_HEX_SIZE];
	struct error err;

	(void)state;
	assert_int_equal(filesystem_identity("xfs", key, &err), 0);
	if (!access("/usr/sbin/mkfs.xfs", F_OK)) {
		remove_folder(folder);
		skip();
	}
	assert_int_equal(filesystem_image(folder, "xfs", 300 << 20, &path, &err), -1);
	assert_int_equal(err.kind, ERROR_HOST);
	assert_non_null(strstr(err.text, "install the package xfsprogs"));
	remove_folder(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_bytes_twice),
		cmocka_unit_test(test_image_is_sound),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_identity_is_stable),
		cmocka_unit_test(test_missing_tool_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
