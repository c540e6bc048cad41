/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plugin before a QEMU that only pretends, and what is read of its count files. */
#include "guest/mark.h"
#include "plugin/api.h"
#include "profile/count_format.h"
#include "profile/counts.h"
#include "tests/unit/fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* --- a QEMU of our own: blocks that the test says, executed when it says so */

struct qemu_plugin_insn {
	unsigned char bytes[MARK_SIZE];
	size_t size;
};

struct qemu_plugin_tb {
	uint64_t address;
	size_t instructions;
	struct qemu_plugin_insn first;
	uint64_t *counter;
	qemu_plugin_vcpu_udata_cb_t callback;
	void *data;
};

static qemu_plugin_vcpu_tb_trans_cb_t translate;

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
					   qemu_plugin_vcpu_tb_trans_cb_t callback)
{
	(void)id;
	translate = callback;
}

void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb,
					  qemu_plugin_vcpu_udata_cb_t callback,
					  enum qemu_plugin_cb_flags flags, void *data)
{
	(void)flags;
	tb->callback = callback;
	tb->data = data;
}

void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *tb,
					      enum qemu_plugin_op operation, void *target,
					      uint64_t number)
{
	(void)operation;
	assert_int_equal(number, 1);
	tb->counter = target;
}

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb)
{
	return tb->instructions;
}

uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb)
{
	return tb->address;
}

struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb,
						 size_t index)
{
	return index ? NULL : (struct qemu_plugin_insn *)(uintptr_t)&tb->first;
}

const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn)
{
	return insn->bytes;
}

size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn)
{
	return insn->size;
}

static void execute(uint64_t address, size_t instructions, unsigned times)
{
	struct qemu_plugin_tb tb = {
		.address = address, .instructions = instructions, .first.size = 1};

	translate(0, &tb);
	assert_null(tb.callback);
	*tb.counter += times;
}

static void mark(int kind)
{
	struct qemu_plugin_tb tb = {
		.address = 0x401000,
		.instructions = 2,
		.first = {{MARK_BYTES, (unsigned char)kind}, MARK_SIZE}};

	translate(0, &tb);
	assert_null(tb.counter);
	tb.callback(0, tb.data);
}

/* --- */

enum { KERNEL = 0x1000 };
#define IN_KERNEL(offset) (COUNT_KERNEL_BASE + KERNEL + (offset))

static const qemu_info_t machine = {
	.target_name = "x86_64",
	.version = {1, 1},
	.system_emulation = true,
	.system = {1, 1},
};

static struct fixture *fixture;

/* All runs so far: the plugin is there for the whole program. */
static void read_counts(struct counts *ret_counts)
{
	CLEANUP(cleanup_free) char *path = fixture_path(fixture, "counts");
	CLEANUP(text_finish) struct text bytes = {0};
	struct error err;

	assert_int_equal(file_read(path, 1 << 20, &bytes, &err), 0);
	assert_int_equal(counts_read(bytes.data, bytes.size, ret_counts, &err), 0);
}

static void test_runs_come_back(void **state)
{
	CLEANUP(counts_finish) struct counts counts = {0};
	const struct counted_run *run;

	(void)state;
	execute(IN_KERNEL(0), 10, 5); /* boot */
	mark(MARK_BEGIN);
	execute(IN_KERNEL(0x20), 3, 1000000);
	execute(IN_KERNEL(0), 10, 1);
	execute(IN_KERNEL(0), 4, 2); /* translated again, cut */
	execute(0x400000, 7, 3);
	mark(MARK_PAUSE);
	execute(IN_KERNEL(0), 10, 100);
	mark(MARK_CONTINUE);
	execute(IN_KERNEL(0), 10, 1);
	mark(MARK_END);
	execute(IN_KERNEL(0x40), 1, 1);
	mark(MARK_BEGIN);
	mark(MARK_END);
	read_counts(&counts);
	assert_int_equal(counts.count, 2);
	run = &counts.runs[0];
	assert_int_equal(run->outside, 50 + 1000);
	assert_int_equal(run->user, 21);
	assert_int_equal(run->kernel, 3000000 + 20 + 8);
	assert_int_equal(run->count, 3);
	assert_int_equal(run->blocks[0].address, IN_KERNEL(0));
	assert_int_equal(run->blocks[0].instructions, 4);
	assert_int_equal(run->blocks[0].executions, 2);
	assert_int_equal(run->blocks[1].instructions, 10);
	assert_int_equal(run->blocks[1].executions, 2);
	assert_int_equal(run->blocks[2].address, IN_KERNEL(0x20));
	assert_int_equal(run->blocks[2].executions, 1000000);
	assert_int_equal(counts.runs[1].outside, 1);
	assert_int_equal(counts.runs[1].count, 0);
}

/* A run that fails ends without its mark; stray marks change nothing. */
static void test_marks_out_of_order(void **state)
{
	CLEANUP(counts_finish) struct counts counts = {0};

	(void)state;
	mark(MARK_END);
	mark(MARK_CONTINUE);
	mark('?');
	mark(MARK_BEGIN);
	execute(IN_KERNEL(0), 10, 7);
	mark(MARK_BEGIN);
	execute(IN_KERNEL(0), 10, 1);
	mark(MARK_PAUSE);
	execute(IN_KERNEL(0), 10, 2);
	mark(MARK_PAUSE);
	mark(MARK_END);
	mark(MARK_END);
	read_counts(&counts);
	assert_int_equal(counts.count, 3);
	assert_int_equal(counts.runs[2].kernel, 10);
}

/* The kernel may hold a mark's bytes by chance. */
static void test_kernel_makes_no_marks(void **state)
{
	struct qemu_plugin_tb tb = {.address = IN_KERNEL(0),
				    .instructions = 1,
				    .first = {{MARK_BYTES, MARK_BEGIN}, MARK_SIZE}};

	(void)state;
	translate(0, &tb);
	assert_null(tb.callback);
	assert_non_null(tb.counter);
}

static void test_many_blocks(void **state)
{
	CLEANUP(counts_finish) struct counts counts = {0};

	(void)state;
	mark(MARK_BEGIN);
	for (uint64_t i = 0; i < 50000; i++)
		execute(IN_KERNEL(i * 7919 % 50000), 1, 1);
	mark(MARK_END);
	read_counts(&counts);
	assert_int_equal(counts.count, 4);
	assert_int_equal(counts.runs[3].count, 50000);
	assert_int_equal(counts.runs[3].blocks[49999].address, IN_KERNEL(49999));
}

static void test_refused_machines(void **state)
{
	qemu_info_t other;
	char bad_path[] = "out=/nonexistent/counts", unknown[] = "in=x";
	char *nowhere[] = {bad_path}, *nothing[] = {unknown};

	(void)state;
	other = machine;
	other.target_name = "aarch64";
	assert_int_equal(qemu_plugin_install(1, &other, 1, nowhere), -1);
	other = machine;
	other.version.min = 2;
	other.version.cur = 5;
	assert_int_equal(qemu_plugin_install(1, &other, 1, nowhere), -1);
	other = machine;
	other.system.max_vcpus = 2;
	assert_int_equal(qemu_plugin_install(1, &other, 1, nowhere), -1);
	assert_int_equal(qemu_plugin_install(1, &machine, 1, nowhere), -1);
	assert_int_equal(qemu_plugin_install(1, &machine, 1, nothing), -1);
	assert_int_equal(qemu_plugin_install(1, &machine, 0, nothing), -1);
}

/* --- count files that nobody should believe */

#define REFUSED(text, bytes) refused(text, COUNT_HEADER bytes, 7 + sizeof(bytes))

static void refused(const char *text, const char *bytes, size_t length)
{
	struct counts counts = {0};
	struct error err;

	assert_int_equal(counts_read(bytes, length, &counts, &err), -1);
	assert_int_equal(err.kind, ERROR_MEASUREMENT);
	if (!strstr(err.text, text))
		fail_msg("\"%s\" instead of \"%s\"", err.text, text);
	assert_null(counts.runs);
}

static void test_bad_files(void **state)
{
	(void)state;
	refused("no count file", "KRBLK", 5);
	refused("no count file", "KRBLK\0\0\2", 8);
	REFUSED("cut", "\0");
	REFUSED("cut", "\0\0\x85");
	REFUSED("more than 64 bits", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02");
	REFUSED("more than 64 bits", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x81\0");
	REFUSED("more blocks than", "\0\0\0\x7f\1\1\1");
	REFUSED("do not add up", "\0\0\5\1\1\1\1");
	REFUSED("do not add up", "\0\0\1\0");
	REFUSED("not executed", "\0\0\0\1\1\1\0");
	REFUSED("too many instructions", "\0\0\0\1\1\0\1");
	REFUSED("too many instructions", "\0\0\0\1\1\x80\x80\2\1");
	REFUSED("out of order", "\0\0\2\2\1\1\1\0\1\1");
	REFUSED("beyond the last", "\0\0\1\1\xff\xff\xff\xff\xff\xff\xff\xff\xff\1\1\1");
	REFUSED("can be counted", "\0\0\0\1\0\2\xff\xff\xff\xff\xff\xff\xff\xff\xff\1");
	REFUSED("can be counted", "\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\1\1\0");
}

/* Whatever bytes come, they are read or refused. */
static void test_random_files(void **state)
{
	unsigned char bytes[64] = COUNT_HEADER;
	uint32_t random = 1;

	(void)state;
	for (int i = 0; i < 100000; i++) {
		struct counts counts = {0};
		struct error err;

		for (size_t at = COUNT_HEADER_SIZE; at < sizeof(bytes); at++) {
			random = random * 1664525 + 1013904223;
			bytes[at] = (random >> 24) & (random & 0x100 ? 0x83 : 0xff);
		}
		if (!counts_read(bytes, COUNT_HEADER_SIZE + random % 56, &counts, &err))
			counts_finish(&counts);
	}
}

static int set_up(void **state)
{
	CLEANUP(cleanup_free) char *path = NULL;
	char *argv[] = {NULL};
	int failed;

	(void)state;
	fixture = fixture_create();
	path = fixture_path(fixture, "counts");
	argv[0] = memory_format("out=%s", path);
	failed = qemu_plugin_install(1, &machine, 1, argv);
	free(argv[0]);
	return failed;
}

static int tear_down(void **state)
{
	(void)state;
	fixture_destroy(fixture);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runs_come_back),
		cmocka_unit_test(test_marks_out_of_order),
		cmocka_unit_test(test_kernel_makes_no_marks),
		cmocka_unit_test(test_many_blocks),
		cmocka_unit_test(test_refused_machines),
		cmocka_unit_test(test_bad_files),
		cmocka_unit_test(test_random_files),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
