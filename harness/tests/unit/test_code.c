/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code of two kernels: what moved is the same, what was changed is not. */
#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/code.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define BASE 0xffffffff81000000u

enum { IMAGE_SIZE = 0x4000, HEADERS = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) };

/* A kernel: one segment of bytes at BASE, and where its functions are. */
struct kernel {
	unsigned char file[HEADERS + IMAGE_SIZE];
	struct text map;
	struct code_image image;
	struct symbols symbols;
	struct code_side side;
};

static void put_function(struct kernel *kernel, const char *name, uint64_t at,
			 const void *code, size_t size)
{
	text_format(&kernel->map, "%llx T %s\n", (unsigned long long)(BASE + at), name);
	memcpy(kernel->file + HEADERS + at, code, size);
}

static void put_headers(struct kernel *kernel)
{
	const Elf64_Ehdr header = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB},
		.e_phoff = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 1,
	};
	const Elf64_Phdr segment = {.p_type = PT_LOAD,
				    .p_offset = HEADERS,
				    .p_vaddr = BASE,
				    .p_filesz = IMAGE_SIZE,
				    .p_memsz = IMAGE_SIZE};

	memcpy(kernel->file, &header, sizeof(header));
	memcpy(kernel->file + sizeof(header), &segment, sizeof(segment));
}

static void finish_kernel(struct kernel **kernel)
{
	code_side_finish(&(*kernel)->side);
	symbols_finish(&(*kernel)->symbols);
	text_finish(&(*kernel)->map);
	free(*kernel);
}

/* The function under test at `at`, with some room, and others that it may call. */
static struct kernel *make_roomy_kernel(uint64_t at, const void *code, size_t size,
					uint64_t callee, uint64_t room)
{
	struct kernel *kernel = memory_new(1, sizeof(*kernel));
	struct error err;

	put_headers(kernel);
	put_function(kernel, "subject", at, code, size);
	put_function(kernel, "before", 0, "\xc3", 1);
	put_function(kernel, "behind", at + room, "\xc3", 1);
	put_function(kernel, "callee", callee, "\xc3", 1);
	put_function(kernel, "other", callee + 0x20, "\xc3", 1);
	put_function(kernel, "_etext", 0x3000, "", 0);
	symbols_add(&kernel->symbols, text_string(&kernel->map), kernel->map.size);
	symbols_settle(&kernel->symbols, NULL, 0);
	if (code_image_read(kernel->file, sizeof(kernel->file), &kernel->image, &err))
		fail_msg("%s", err.text);
	code_side_init(&kernel->side, &kernel->image, &kernel->symbols);
	return kernel;
}

static struct kernel *make_kernel(uint64_t at, const void *code, size_t size,
				  uint64_t callee)
{
	return make_roomy_kernel(at, code, size, callee, 0x40);
}

/* Puts a number of four bytes into code. */
static void set(unsigned char *code, size_t at, uint64_t number)
{
	for (int i = 0; i < 4; i++)
		code[at + (size_t)i] = (unsigned char)(number >> 8 * i);
}

enum { A_AT = 0x100, B_AT = 0x500, A_CALLEE = 0x1000, B_CALLEE = 0x2100 };

static void compare(const unsigned char *a_code, const unsigned char *b_code, size_t size,
		    enum code_verdict wanted)
{
	CLEANUP(finish_kernel)
	struct kernel *a = make_kernel(A_AT, a_code, size, A_CALLEE);
	CLEANUP(finish_kernel)
	struct kernel *b = make_kernel(B_AT, b_code, size, B_CALLEE);

	assert_int_equal(code_compare(&a->side, "subject", "", &b->side, "subject", ""),
			 wanted);
}

static void moved_code_is_the_same(void **state)
{
	/* push; call callee; cmpl $5, data(%rip); movabs $data, %rax; ret */
	unsigned char a[] =
		"\x53\xe8....\x83\x3d....\x05\x48\xb8....\xff\xff\xff\xff\xc3";
	unsigned char b[sizeof(a)];

	(void)state;
	memcpy(b, a, sizeof(a));
	set(a, 2, A_CALLEE - (A_AT + 6));
	set(b, 2, B_CALLEE - (B_AT + 6));
	set(a, 8, 0x3100 - (A_AT + 13));
	set(b, 8, 0x3200 - (B_AT + 13));
	set(a, 15, BASE + 0x3400);
	set(b, 15, BASE + 0x3510);
	compare(a, b, sizeof(a) - 1, CODE_SAME);
}

/* Variables of a processor are offsets from gs, counted from the instruction as well. */
static void variables_of_a_processor_move(void **state)
{
	unsigned char a[] = "\x65\x48\x8b\x05....\xc3", b[sizeof(a)];

	(void)state;
	memcpy(b, a, sizeof(a));
	set(a, 4, 0x1fac0 - (BASE + A_AT + 8));
	set(b, 4, 0x1fb00 - (BASE + B_AT + 8));
	compare(a, b, sizeof(a) - 1, CODE_SAME);
}

static void changed_code_is_told(void **state)
{
	/* call; mov $number, %eax; sub $frame, %rsp (as a long number); ret */
	unsigned char a[] = "\xe8....\xb8....\x48\x8b\x85....\xc3";
	unsigned char b[sizeof(a)], c[sizeof(a)];

	(void)state;
	set(a, 1, A_CALLEE - (A_AT + 5));
	set(a, 6, 64);
	set(a, 13, (uint64_t)-136);
	memcpy(b, a, sizeof(a));
	set(b, 1, B_CALLEE - (B_AT + 5));
	compare(a, b, sizeof(a) - 1, CODE_SAME);
	memcpy(c, b, sizeof(b)); /* another number */
	set(c, 6, 128);
	compare(a, c, sizeof(a) - 1, CODE_DIFFERS);
	memcpy(c, b, sizeof(b)); /* another frame */
	set(c, 13, (uint64_t)-144);
	compare(a, c, sizeof(a) - 1, CODE_DIFFERS);
	memcpy(c, b, sizeof(b)); /* calls another function */
	set(c, 1, B_CALLEE + 0x20 - (B_AT + 5));
	compare(a, c, sizeof(a) - 1, CODE_DIFFERS);
	memcpy(c, b, sizeof(b)); /* another operation */
	c[11] = 0x89;
	compare(a, c, sizeof(a) - 1, CODE_DIFFERS);
}

/* The next function begins elsewhere, filled up by other nops. */
static void padding_is_no_code(void **state)
{
	static const char nops[] = "\x90\xc3\x66\x2e\x0f\x1f\x84\x00\x00\x00\x00\x00";
	CLEANUP(finish_kernel)
	struct kernel *a = make_kernel(0x100, "\x90\xc3\x0f\x1f\x40\x00", 6, A_CALLEE);
	CLEANUP(finish_kernel)
	struct kernel *b =
		make_roomy_kernel(0x110, nops, sizeof(nops) - 1, A_CALLEE, 0x50);
	CLEANUP(finish_kernel)
	struct kernel *c = make_roomy_kernel(0x120, "\x90\x90\xc3", 3, A_CALLEE, 0x50);

	(void)state;
	assert_int_equal(code_compare(&a->side, "subject", "", &b->side, "subject", ""),
			 CODE_SAME);
	assert_int_equal(code_compare(&a->side, "subject", "", &c->side, "subject", ""),
			 CODE_DIFFERS);
}

static void names_must_be_there(void **state)
{
	CLEANUP(finish_kernel)
	struct kernel *a = make_kernel(0x100, "\xc3", 1, A_CALLEE);

	(void)state;
	assert_true(code_side_has(&a->side, "subject"));
	assert_false(code_side_has(&a->side, "subjects"));
	assert_int_equal(code_compare(&a->side, "gone", "", &a->side, "subject", ""),
			 CODE_UNKNOWN);
	assert_int_equal(
		code_compare(&a->side, "subject", "x.c", &a->side, "subject", ""),
		CODE_UNKNOWN);
	assert_null(code_image_at(&a->image, BASE - 1, 1));
	assert_null(code_image_at(&a->image, BASE + IMAGE_SIZE, 1));
	assert_null(code_image_at(&a->image, BASE, UINT64_MAX));
	assert_non_null(code_image_at(&a->image, BASE, IMAGE_SIZE));
}

static void damaged_images_are_refused(void **state)
{
	CLEANUP(finish_kernel)
	struct kernel *kernel = make_kernel(0x100, "\xc3", 1, A_CALLEE);
	struct code_image image;
	struct error err;
	uint32_t random = 3;

	(void)state;
	for (size_t length = 0; length < sizeof(kernel->file); length += 13)
		assert_int_equal(code_image_read(kernel->file, length, &image, &err), -1);
	for (int i = 0; i < 200000; i++) {
		unsigned char *byte;
		unsigned char before;

		random = random * 1664525 + 1013904223;
		byte = &kernel->file[(random >> 8) % HEADERS];
		before = *byte;
		*byte = (unsigned char)(random >> 24);
		if (!code_image_read(kernel->file, sizeof(kernel->file), &image, &err)) {
			const unsigned char *code = code_image_at(&image, BASE, 16);

			assert_true(!code ||
				    (code >= kernel->file &&
				     code + 16 <= kernel->file + sizeof(kernel->file)));
		}
		*byte = before;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moved_code_is_the_same),
		cmocka_unit_test(variables_of_a_processor_move),
		cmocka_unit_test(changed_code_is_told),
		cmocka_unit_test(padding_is_no_code),
		cmocka_unit_test(names_must_be_there),
		cmocka_unit_test(damaged_images_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
