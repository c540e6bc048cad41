/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * QEMU's plugin interface as far as the counter needs it. Where QEMU's own header is
 * installed, the plugin is built for that version of the interface; else for version 1
 * (QEMU 6.0 to 8.2), whose functions are declared here. What changed between versions is
 * behind the functions at the end.
 */
#ifndef PLUGIN_API_H
#define PLUGIN_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if !defined(KREGRESS_OWN_PLUGIN_API) && __has_include(<qemu-plugin.h>)
#include <qemu-plugin.h>
#else
#define QEMU_PLUGIN_VERSION 1
#define QEMU_PLUGIN_EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
typedef struct qemu_info_t {
	const char *target_name;
	struct {
		int min, cur;
	} version;
	bool system_emulation;
	union {
		struct {
			int smp_vcpus, max_vcpus;
		} system;
	};
} qemu_info_t;

struct qemu_plugin_tb;
struct qemu_plugin_insn;

enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };

typedef void (*qemu_plugin_vcpu_tb_trans_cb_t)(qemu_plugin_id_t id,
					       struct qemu_plugin_tb *tb);
typedef void (*qemu_plugin_vcpu_udata_cb_t)(unsigned vcpu, void *data);

extern QEMU_PLUGIN_EXPORT int qemu_plugin_version;
QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info,
					   int argc, char **argv);

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
					   qemu_plugin_vcpu_tb_trans_cb_t callback);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb,
					  qemu_plugin_vcpu_udata_cb_t callback,
					  enum qemu_plugin_cb_flags flags, void *data);
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *tb,
					      enum qemu_plugin_op operation, void *target,
					      uint64_t number);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb,
						 size_t index);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
#endif

/* Copies the first bytes of an instruction that is at least that long. */
static inline void api_copy_instruction(const struct qemu_plugin_insn *insn, void *bytes,
					size_t size)
{
#if QEMU_PLUGIN_VERSION >= 3
	qemu_plugin_insn_data(insn, bytes, size);
#else
	memcpy(bytes, qemu_plugin_insn_data(insn), size);
#endif
}

/* A number that translated code counts up by itself. Do not move. */
struct api_counter {
#if QEMU_PLUGIN_VERSION >= 2
	qemu_plugin_u64 entry;
#else
	uint64_t value;
#endif
};

static inline void api_counter_init(struct api_counter *counter)
{
#if QEMU_PLUGIN_VERSION >= 2
	counter->entry =
		qemu_plugin_scoreboard_u64(qemu_plugin_scoreboard_new(sizeof(uint64_t)));
#else
	counter->value = 0;
#endif
}

/* From now on counts how often the block is entered. */
static inline void api_counter_attach(struct api_counter *counter,
				      struct qemu_plugin_tb *tb)
{
#if QEMU_PLUGIN_VERSION >= 2
	qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(tb, QEMU_PLUGIN_INLINE_ADD_U64,
							  counter->entry, 1);
#else
	qemu_plugin_register_vcpu_tb_exec_inline(tb, QEMU_PLUGIN_INLINE_ADD_U64,
						 &counter->value, 1);
#endif
}

/* The count since it was last taken; it begins again at 0. */
static inline uint64_t api_counter_take(struct api_counter *counter)
{
	uint64_t count;

#if QEMU_PLUGIN_VERSION >= 2
	count = qemu_plugin_u64_get(counter->entry, 0);
	qemu_plugin_u64_set(counter->entry, 0, 0);
#else
	count = counter->value;
	counter->value = 0;
#endif
	return count;
}

#endif
