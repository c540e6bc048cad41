/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lab/filesystem.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/text.h"
#include "disks/signature.h"
#include "guest/extents.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MIB ((uint64_t)1 << 20)
#define MAKING "making-" /* begins the names of folders in use */
#define UUID DISK_OWN_UUID
#define EXTENDED                                                                         \
	"hash_seed=" UUID ",root_owner=0:0,lazy_itable_init=0,lazy_journal_init=0,"      \
	"nodiscard"
#define EXT2_FEATURES                                                                    \
	"none,ext_attr,resize_inode,dir_index,filetype,sparse_super,large_file"
#define EXT4_FEATURES                                                                    \
	EXT2_FEATURES ",has_journal,extent,64bit,flex_bg,huge_file,dir_nlink,"           \
		      "extra_isize,metadata_csum"

enum { ARGUMENTS_MAX = 24 };

struct maker {
	const char *filesystem;
	const char *program, *package;
	const char *version_option;
	uint64_t minimum;                           /* bytes */
	const char *const arguments[ARGUMENTS_MAX]; /* in front of the image's name */
};

static const struct maker makers[] = {
	{"ext2",
	 "mke2fs",
	 "e2fsprogs",
	 "-V",
	 2 * MIB,
	 {"-q", "-F", "-t", "ext2", "-b", "4096", "-I", "256", "-i", "16384", "-U", UUID,
	  "-O", EXT2_FEATURES, "-E", EXTENDED}},
	{"ext4",
	 "mke2fs",
	 "e2fsprogs",
	 "-V",
	 8 * MIB,
	 {"-q", "-F", "-t", "ext4", "-b", "4096", "-I", "256", "-i", "16384", "-U", UUID,
	  "-O", EXT4_FEATURES, "-E", EXTENDED}},
	{"xfs",
	 "mkfs.xfs",
	 "xfsprogs",
	 "-V",
	 300 * MIB,
	 {"-q", "-f", "-K", "-m",
	  "uuid=" UUID ",crc=1,finobt=0,rmapbt=0,reflink=0,bigtime=0,inobtcount=0", "-d",
	  "agcount=4"}},
};

enum { MAKER_COUNT = sizeof(makers) / sizeof(makers[0]) };

static const struct maker *find_maker(const char *filesystem)
{
	for (size_t i = 0; i < MAKER_COUNT; i++)
		if (!strcmp(makers[i].filesystem, filesystem))
			return &makers[i];
	return NULL;
}

/* Where a user's PATH does not reach, the tools are still there. The caller frees. */
static char *find_program(const struct maker *maker)
{
	static const char *const folders[] = {"/usr/sbin", "/sbin"};

	if (process_find(maker->program))
		return memory_copy_string(maker->program);
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		CLEANUP(cleanup_free) char *path = file_join(folders[i], maker->program);

		if (!access(path, X_OK))
			return TAKE(path);
	}
	return NULL;
}

/* The configuration of the host and the clock must not reach the image. */
static const char *const environment[] = {"MKE2FS_CONFIG=/dev/null",
					  "E2FSPROGS_FAKE_TIME=1600000000",
					  "SOURCE_DATE_EPOCH=1600000000",
					  "DETERMINISTIC_SEED=1",
					  "LC_ALL=C",
					  NULL};

static int run_maker(const struct maker *maker, const char *image, struct error *err)
{
	CLEANUP(cleanup_free) char *program = find_program(maker);
	CLEANUP(text_finish) struct text output = {0};
	const char *arguments[ARGUMENTS_MAX + 3] = {"sh", "-c", "exec \"$@\" 2>&1", "sh"};
	size_t count = 4;
	struct process_options options = {.argv = arguments,
					  .environment = environment,
					  .output = &output,
					  .timeout_seconds = 600};
	struct process_result result;

	if (!program)
		return error_set(err, ERROR_HOST, "%s is missing: install the package %s",
				 maker->program, maker->package);
	arguments[count++] = program;
	for (size_t i = 0; maker->arguments[i]; i++)
		arguments[count++] = maker->arguments[i];
	arguments[count++] = image;
	arguments[count] = NULL;
	if (process_run(&options, &result, err))
		return -1;
	if (result.end != PROCESS_EXITED || result.code)
		return error_set(err, ERROR_HOST, "%s failed: %.400s", maker->program,
				 text_string(&output));
	return 0;
}

/* Written elsewhere and renamed: a cache never holds a cut image. */
static int convert(const char *image, uint64_t size, const char *part, const char *path,
		   struct error *err)
{
	CLEANUP(cleanup_file) FILE *in = fopen(image, "re");
	CLEANUP(cleanup_file) FILE *out = fopen(part, "we");
	struct problem problem;

	if (!in || !out)
		return error_system(err, "%s", in ? part : image);
	if (extents_write(in, size, out, &problem))
		return error_set(err, ERROR_HOST, "%s: %s", part, problem.text);
	return rename(part, path) ? error_system(err, "%s", path) : 0;
}

static int make_in(const char *folder, const struct maker *maker, uint64_t size,
		   const char *path, struct error *err)
{
	CLEANUP(cleanup_free) char *image = file_join(folder, "image");
	CLEANUP(cleanup_free) char *part = file_join(folder, "extents");
	CLEANUP(cleanup_fd) int fd = open(image, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0 || ftruncate(fd, (off_t)size))
		return error_system(err, "%s", image);
	if (run_maker(maker, image, err))
		return -1;
	return convert(image, size, part, path, err);
}

static int make_image(const char *cache_folder, const struct maker *maker, uint64_t size,
		      const char *path, struct error *err)
{
	CLEANUP(cleanup_free) char *prefix = file_join(cache_folder, MAKING);
	CLEANUP(cleanup_free) char *folder = NULL;
	struct error ignored;
	int result;

	if (file_make_folders(cache_folder, err) ||
	    file_make_temporary_folder(prefix, &folder, err))
		return -1;
	result = make_in(folder, maker, size, path, err);
	file_remove_tree(folder, &ignored);
	return result;
}

/* What the tool says of itself; nothing where it is not installed. */
static int add_version(const struct maker *maker, struct hash *hash, struct error *err)
{
	CLEANUP(cleanup_free) char *program = find_program(maker);
	CLEANUP(text_finish) struct text output = {0};
	const char *const arguments[] = {"sh", "-c",    "exec \"$@\" 2>&1",
					 "sh", program, maker->version_option,
					 NULL};
	struct process_options options = {
		.argv = arguments, .output = &output, .timeout_seconds = 60};
	struct process_result result;

	if (program && process_run(&options, &result, err))
		return -1;
	if (program && result.end != PROCESS_EXITED)
		return error_set(err, ERROR_HOST, "%s %s does not end", maker->program,
				 maker->version_option);
	hash_field_string(hash, "version", text_string(&output));
	return 0;
}

static int maker_key(const struct maker *maker, struct hash *hash, struct error *err)
{
	hash_field_string(hash, "filesystem", maker->filesystem);
	for (size_t i = 0; maker->arguments[i]; i++)
		hash_field_string(hash, "argument", maker->arguments[i]);
	return add_version(maker, hash, err);
}

int filesystem_image(const char *cache_folder, const char *filesystem, uint64_t size,
		     char **ret_path, struct error *err)
{
	const struct maker *maker = find_maker(filesystem);
	CLEANUP(cleanup_free) char *name = NULL;
	CLEANUP(cleanup_free) char *path = NULL;
	char key[HASH_HEX_SIZE];
	struct hash hash;

	if (!maker)
		return error_set(err, ERROR_USAGE, "no file system is called \"%s\"",
				 filesystem);
	if (size < maker->minimum || size % 4096)
		return error_set(err, ERROR_USAGE,
				 "%s needs a disk of at least %llu MiB, in whole pages",
				 filesystem, (unsigned long long)(maker->minimum / MIB));
	hash_init(&hash);
	if (maker_key(maker, &hash, err))
		return -1;
	hash_hex(&hash, key);
	name = memory_format("%s-%llu-%.16s", filesystem, (unsigned long long)size, key);
	path = file_join(cache_folder, name);
	if (!file_exists(path) && make_image(cache_folder, maker, size, path, err))
		return error_prefix(err, "%s image", filesystem);
	*ret_path = TAKE(path);
	return 0;
}

uint64_t filesystem_minimum(const char *filesystem)
{
	const struct maker *maker = find_maker(filesystem);

	return maker ? maker->minimum : 0;
}

void filesystem_sweep(const char *cache_folder)
{
	CLEANUP(text_list_finish) struct text_list names = {0};
	struct error unused;

	if (!file_exists(cache_folder) || file_list(cache_folder, &names, &unused))
		return;
	for (size_t i = 0; i < names.count; i++) {
		CLEANUP(cleanup_free)
		char *path = file_join(cache_folder, names.items[i]);

		if (!strncmp(names.items[i], MAKING, strlen(MAKING)))
			(void)file_remove_tree(path, &unused);
	}
}

int filesystem_identity(const char *filesystem, char key[HASH_HEX_SIZE],
			struct error *err)
{
	const struct maker *maker = find_maker(filesystem);
	struct hash hash;

	if (!maker)
		return error_set(err, ERROR_USAGE, "no file system is called \"%s\"",
				 filesystem);
	hash_init(&hash);
	if (maker_key(maker, &hash, err))
		return -1;
	hash_hex(&hash, key);
	return 0;
}
