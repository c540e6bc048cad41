/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "vm/decompress.h"
#include "vm/image.h"
#include "vm/modinfo.h"
#include "vm/modules.h"

#include <elf.h>
#include <lzma.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <cmocka.h>

static char *folder;

static int make_folder(void **state)
{
	struct error err;

	(void)state;
	return file_make_temporary_folder("/tmp/kregress-test-", &folder, &err);
}

static int remove_folder(void **state)
{
	struct error err;
	int failed = file_remove_tree(folder, &err);

	(void)state;
	free(folder);
	return failed;
}

/* One member of an archive, as the format describes it. */
struct member {
	unsigned fields[13];
	const char *name;
	const char *bytes;
};

static unsigned read_hex(const char *digits)
{
	char copy[9] = "";

	memcpy(copy, digits, 8);
	return (unsigned)strtoul(copy, NULL, 16);
}

/* The member at *at, which moves behind it. */
static struct member next_member(const struct text *archive, size_t *at)
{
	struct member member;
	const char *header = archive->data + *at;

	assert_true(*at + 110 <= archive->size);
	assert_memory_equal(header, "070701", 6);
	for (int i = 0; i < 13; i++)
		member.fields[i] = read_hex(header + 6 + 8 * i);
	member.name = header + 110;
	*at = (*at + 110 + member.fields[11] + 3) & ~(size_t)3;
	member.bytes = archive->data + *at;
	*at = (*at + member.fields[6] + 3) & ~(size_t)3;
	assert_true(*at <= archive->size);
	return member;
}

static void write_image(const struct image *image, const char *name, struct text *archive)
{
	CLEANUP(cleanup_free) char *path = file_join(folder, name);
	struct error err;

	assert_int_equal(image_write(image, path, &err), 0);
	assert_int_equal(file_read(path, 1 << 20, archive, &err), 0);
}

static void an_image_reads_back(void **state)
{
	struct image *image = image_create();
	CLEANUP(text_finish) struct text archive = {0};
	struct member member;
	struct error err;
	size_t at = 0;

	(void)state;
	assert_int_equal(image_add_bytes(image, "init", 0755, "#!x\n\n", 5, &err), 0);
	assert_int_equal(image_add_node(image, "dev/null", S_IFCHR | 0666, 1, 3, &err),
			 0);
	assert_int_equal(image_add_link(image, "a", "b/c", &err), 0);
	write_image(image, "one.cpio", &archive);
	member = next_member(&archive, &at);
	assert_string_equal(member.name, "a");
	assert_int_equal(member.fields[1], S_IFLNK | 0777);
	assert_memory_equal(member.bytes, "b/c", 3);
	member = next_member(&archive, &at);
	assert_string_equal(member.name, "dev");
	assert_int_equal(member.fields[1], S_IFDIR | 0755);
	member = next_member(&archive, &at);
	assert_string_equal(member.name, "dev/null");
	assert_int_equal(member.fields[1], S_IFCHR | 0666);
	assert_int_equal(member.fields[9], 1);
	assert_int_equal(member.fields[10], 3);
	member = next_member(&archive, &at);
	assert_string_equal(member.name, "init");
	assert_int_equal(member.fields[6], 5);
	assert_int_equal(member.fields[5], 0);
	assert_memory_equal(member.bytes, "#!x\n\n", 5);
	member = next_member(&archive, &at);
	assert_string_equal(member.name, "TRAILER!!!");
	assert_int_equal(at, archive.size);
	image_destroy(image);
}

static void order_and_time_do_not_show(void **state)
{
	static const char *const names[] = {"b/x", "b-c", "a", "b/y/z"};
	struct text archives[2] = {{0}};
	struct error err;

	(void)state;
	for (int turn = 0; turn < 2; turn++) {
		struct image *image = image_create();

		for (int i = 0; i < 4; i++)
			assert_int_equal(image_add_bytes(image, names[turn ? 3 - i : i],
							 0644, names[i], 0, &err),
					 0);
		write_image(image, "order.cpio", &archives[turn]);
		image_destroy(image);
	}
	assert_int_equal(archives[0].size, archives[1].size);
	assert_memory_equal(archives[0].data, archives[1].data, archives[0].size);
	text_finish(&archives[0]);
	text_finish(&archives[1]);
}

static void bad_names_are_refused(void **state)
{
	static const char *const bad[] = {"",     "/a",     "a/",         "a//b",
					  "../a", "a/..",   "./a",        "a/.",
					  "init", "init/x", "TRAILER!!!", NULL};
	struct image *image = image_create();
	CLEANUP(cleanup_free) char *missing = file_join(folder, "missing");
	CLEANUP(cleanup_free) char *nowhere = file_join(folder, "no/where");
	struct error err;

	(void)state;
	assert_int_equal(image_add_base(image, &err), 0);
	assert_int_equal(image_add_bytes(image, "init", 0755, "", 0, &err), 0);
	for (size_t i = 0; bad[i]; i++) {
		err.kind = ERROR_NONE;
		assert_int_equal(image_add_bytes(image, bad[i], 0644, "", 0, &err), -1);
		assert_int_equal(err.kind, ERROR_USAGE);
	}
	assert_int_equal(image_add_folder(image, "dev", 0700, &err), 0);
	assert_int_equal(image_add_file(image, "f", 0, missing, &err), -1);
	assert_non_null(strstr(err.text, missing));
	assert_int_equal(image_add_file(image, "f", 0, "/dev/zero", &err), -1);
	assert_int_equal(image_write(image, nowhere, &err), -1);
	assert_int_equal(err.kind, ERROR_HOST);
	image_destroy(image);
}

/* An ELF file with a .modinfo section of these strings, NUL between them. */
static void make_module(struct text *object, const char *info, size_t size)
{
	static const char names[] = "\0.modinfo\0.shstrtab";
	Elf64_Ehdr header = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB},
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = 3,
		.e_shstrndx = 2,
		.e_shoff = sizeof(header),
	};
	Elf64_Shdr sections[3] = {
		{0},
		{.sh_name = 1,
		 .sh_type = SHT_PROGBITS,
		 .sh_offset = sizeof(header) + sizeof(sections),
		 .sh_size = size},
		{.sh_name = 10,
		 .sh_type = SHT_STRTAB,
		 .sh_offset = sizeof(header) + sizeof(sections) + size,
		 .sh_size = sizeof(names)},
	};

	text_clear(object);
	text_add_bytes(object, &header, sizeof(header));
	text_add_bytes(object, sections, sizeof(sections));
	text_add_bytes(object, info, size);
	text_add_bytes(object, names, sizeof(names));
}

static void put(const char *name, const void *bytes, size_t size)
{
	CLEANUP(cleanup_free) char *path = file_join(folder, name);
	CLEANUP(cleanup_free) char *above = memory_copy_string(path);
	struct error err;

	*strrchr(above, '/') = '\0';
	assert_int_equal(file_make_folders(above, &err), 0);
	assert_int_equal(file_write(path, bytes, size, &err), 0);
}

static void put_module(const char *name, const char *info, size_t size)
{
	CLEANUP(text_finish) struct text object = {0};

	make_module(&object, info, size);
	put(name, object.data, object.size);
}

#define PUT_MODULE(name, info) put_module(name, info, sizeof(info))

static void put_packed_modules(void)
{
	static const char info[] = "depends=low";
	CLEANUP(text_finish) struct text object = {0};
	uint8_t packed[4096];
	uLongf gzip_size;
	size_t size = 0;
	z_stream stream = {0};

	make_module(&object, info, sizeof(info));
	assert_int_equal(lzma_easy_buffer_encode(
				 6, LZMA_CHECK_CRC32, NULL, (const uint8_t *)object.data,
				 object.size, packed, &size, sizeof(packed)),
			 LZMA_OK);
	put("m/kernel/packed-xz.ko.xz", packed, size);
	size = ZSTD_compress(packed, sizeof(packed), object.data, object.size, 3);
	assert_false(ZSTD_isError(size));
	put("m/kernel/packed-zst.ko.zst", packed, size);
	assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY),
			 Z_OK);
	stream.next_in = (Bytef *)object.data;
	stream.avail_in = (uInt)object.size;
	stream.next_out = packed;
	stream.avail_out = sizeof(packed);
	assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
	gzip_size = stream.total_out;
	deflateEnd(&stream);
	put("m/kernel/packed-gz.ko.gz", packed, gzip_size);
}

static void make_tree(void)
{
	PUT_MODULE(
		"m/kernel/fs/top.ko",
		"license=GPL\0depends=mid,low\0softdep=pre: sum-alg inside post: late");
	PUT_MODULE("m/kernel/fs/mid.ko", "depends=low");
	PUT_MODULE("m/kernel/lib/low.ko", "depends=");
	PUT_MODULE("m/kernel/lib/late.ko", "depends=");
	PUT_MODULE("m/kernel/arch/x86/crypto/sum-fast.ko", "alias=sum-alg\0depends=");
	PUT_MODULE("m/kernel/crypto/sum_generic.ko", "alias=sum-alg\0depends=");
	PUT_MODULE("m/kernel/circle_a.ko", "depends=circle_b");
	PUT_MODULE("m/kernel/circle_b.ko", "depends=circle_a");
	PUT_MODULE("m/kernel/lost.ko", "depends=gone");
	put("m/kernel/broken.ko",
	    "\x7f"
	    "ELF",
	    4);
	put("m/modules.builtin", "kernel/fs/inside-it.ko\nkernel/inside.ko\n", 40);
	put_packed_modules();
}

static char *closure(const char *const *names, struct error *err)
{
	CLEANUP(text_list_finish) struct text_list paths = {0};
	CLEANUP(text_finish) struct text result = {0};
	CLEANUP(cleanup_free) char *modules = file_join(folder, "m");

	if (modules_closure(modules, names, &paths, err))
		return NULL;
	for (size_t i = 0; i < paths.count; i++) {
		CLEANUP(cleanup_free) char *name = modules_file_name(paths.items[i]);

		assert_int_equal(paths.items[i][0], '/');
		text_format(&result, "%s ", name);
	}
	text_add(&result, "");
	return text_take(&result);
}

struct wish {
	const char *names[4];
	const char *result; /* NULL: an error that names .names[3] */
};

static void modules_come_in_load_order(void **state)
{
	static const struct wish wishes[] = {
		{{"low"}, "low.ko "},
		{{"top"}, "sum_generic.ko low.ko mid.ko top.ko "},
		{{"mid", "low", "mid"}, "low.ko mid.ko "},
		{{"inside_it", "?nothing", "?late"}, "late.ko "},
		{{"sum-fast"}, "sum_fast.ko "},
		{{"circle-a"}, "circle_b.ko circle_a.ko "},
		{{"packed_xz", "packed_zst", "packed_gz"},
		 "low.ko packed_xz.ko packed_zst.ko packed_gz.ko "},
		{{"nothing", NULL, NULL, "nothing"}, NULL},
		{{"lost", NULL, NULL, "needed by lost"}, NULL},
		{{"broken", NULL, NULL, "broken.ko"}, NULL},
	};

	(void)state;
	make_tree();
	for (size_t i = 0; i < sizeof(wishes) / sizeof(*wishes); i++) {
		const char *names[4] = {wishes[i].names[0], wishes[i].names[1],
					wishes[i].names[2], NULL};
		struct error err = {0};
		CLEANUP(cleanup_free) char *result = closure(names, &err);

		if (wishes[i].result) {
			assert_non_null(result);
			assert_string_equal(result, wishes[i].result);
			continue;
		}
		assert_null(result);
		assert_int_equal(err.kind, ERROR_HOST);
		assert_non_null(strstr(err.text, wishes[i].names[3]));
	}
}

/* Every cut and every changed byte of a module gives values or an error, no crash. */
static void damaged_modules_do_no_harm(void **state)
{
	static const char info[] = "depends=a\0license=GPL";
	CLEANUP(text_finish) struct text object = {0};
	struct error err;

	(void)state;
	make_module(&object, info, sizeof(info));
	for (size_t size = 0; size <= object.size; size++) {
		CLEANUP(cleanup_free) char *copy = memory_copy_bytes(object.data, size);
		CLEANUP(text_list_finish) struct text_list values = {0};
		struct text cut = {.data = copy, .size = size};

		modinfo_values(&cut, "m", "depends", &values, &err);
	}
	for (size_t at = 0; at < object.size; at++) {
		CLEANUP(text_list_finish) struct text_list values = {0};
		char byte = object.data[at];

		object.data[at] = (char)0xff;
		modinfo_values(&object, "m", "depends", &values, &err);
		object.data[at] = byte;
	}
}

static void cut_archives_are_told(void **state)
{
	static const char *const names[] = {"m/kernel/packed-xz.ko.xz",
					    "m/kernel/packed-zst.ko.zst",
					    "m/kernel/packed-gz.ko.gz"};

	(void)state;
	for (int i = 0; i < 3; i++) {
		CLEANUP(cleanup_free) char *path = file_join(folder, names[i]);
		CLEANUP(text_finish) struct text packed = {0};
		CLEANUP(text_finish) struct text plain = {0};
		struct error err = {0};

		assert_int_equal(file_read(path, 1 << 20, &packed, &err), 0);
		packed.size -= 9;
		assert_int_equal(decompress(&packed, names[i], &plain, &err), -1);
		assert_int_equal(err.kind, ERROR_HOST);
		assert_non_null(strstr(err.text, names[i]));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_image_reads_back),
		cmocka_unit_test(order_and_time_do_not_show),
		cmocka_unit_test(bad_names_are_refused),
		cmocka_unit_test(modules_come_in_load_order),
		cmocka_unit_test(damaged_modules_do_no_harm),
		cmocka_unit_test(cut_archives_are_told),
	};

	return cmocka_run_group_tests_name("vm image", tests, make_folder, remove_folder);
}
