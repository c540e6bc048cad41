/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kregress-blocks: counts how often each block of guest code is executed in each run of a
 * boot. QEMU loads it with "-plugin kregress-blocks.so,out=FILE".
 */
#include "guest/mark.h"
#include "plugin/run.h"
#include "profile/count_format.h"

#include <errno.h>
#include <stdarg.h>

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

static struct runs runs;

/* The kind of the mark that a block begins with; 0: none. */
static int find_mark(const struct qemu_plugin_tb *tb)
{
	static const unsigned char wanted[] = {MARK_BYTES};
	const struct qemu_plugin_insn *first = qemu_plugin_tb_get_insn(tb, 0);
	unsigned char bytes[MARK_SIZE];

	if (!first || qemu_plugin_insn_size(first) != MARK_SIZE)
		return 0;
	api_copy_instruction(first, bytes, sizeof(bytes));
	return memcmp(bytes, wanted, sizeof(wanted)) ? 0 : bytes[MARK_KIND];
}

static void reach_mark(unsigned vcpu, void *kind)
{
	(void)vcpu;
	runs_mark(&runs, (int)(uintptr_t)kind);
}

/* The kernel's memory may hold the same bytes by chance: marks are the agent's. */
static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	uint64_t address = qemu_plugin_tb_vaddr(tb);
	int kind = address < COUNT_KERNEL_BASE ? find_mark(tb) : 0;
	struct block *block;

	(void)id;
	if (kind) {
		qemu_plugin_register_vcpu_tb_exec_cb(
			tb, reach_mark, QEMU_PLUGIN_CB_NO_REGS, (void *)(uintptr_t)kind);
		return;
	}
	block = table_find(&runs.table, address, (uint32_t)qemu_plugin_tb_n_insns(tb));
	if (block)
		api_counter_attach(&block->counter, tb);
	else
		runs.failed = 1;
}

__attribute__((format(printf, 1, 2))) static int refuse(const char *format, ...)
{
	va_list arguments;

	fputs("kregress-blocks: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	return -1;
}

static int check_machine(const qemu_info_t *info)
{
	if (info->version.min > QEMU_PLUGIN_VERSION ||
	    info->version.cur < QEMU_PLUGIN_VERSION)
		return refuse("built for version %d of QEMU's plugin interface, but this "
			      "QEMU has %d to %d; build it beside this QEMU's "
			      "qemu-plugin.h",
			      QEMU_PLUGIN_VERSION, info->version.min, info->version.cur);
	if (strcmp(info->target_name, "x86_64"))
		return refuse("counts x86_64 guests, not %s", info->target_name);
	if (!info->system_emulation || info->system.max_vcpus != 1)
		return refuse("counts machines with one processor only");
	return 0;
}

static int open_file(int argc, char **argv)
{
	static const char name[] = "out=";
	FILE *file;

	if (argc != 1 || strncmp(argv[0], name, strlen(name)))
		return refuse("takes out=FILE and nothing else");
	file = fopen(argv[0] + strlen(name), "we");
	if (!file)
		return refuse("cannot write %s: %s", argv[0] + strlen(name),
			      strerror(errno));
	fwrite(COUNT_HEADER, COUNT_HEADER_SIZE, 1, file); /* run.c looks at errors */
	runs.file = file;
	return 0;
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info,
					   int argc, char **argv)
{
	if (check_machine(info) || open_file(argc, argv))
		return -1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
	return 0;
}
