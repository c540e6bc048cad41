/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/profile.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const char *const kind_names[PROFILE_KINDS] = {
	[PROFILE_FUNCTION] = "",
	[PROFILE_USER] = "[user]",
	[PROFILE_IDLE] = "[idle]",
	[PROFILE_UNKNOWN] = "[unknown]",
};

/* The idle loop of the kernels that we know; a name that ends with '*' is a beginning. */
static const char *const idle_names[] = {
	"do_idle",           "default_idle",
	"default_idle_call", "arch_cpu_idle",
	"cpu_idle_poll",     "cpuidle_*",
	"menu_select",       "menu_reflect",
	"teo_select",        "teo_reflect",
	"haltpoll_*",        "default_enter_idle",
	"native_halt",       "mwait_idle*",
	"native_safe_halt",  "pv_native_safe_halt",
	"acpi_safe_halt",    "acpi_idle_*",
	"tick_nohz_idle_*",  "tick_nohz_get_sleep_length",
	"ct_idle_*",         "rcu_idle_*",
	"intel_idle*",       "poll_idle",
	"amd_e400_idle",     "x86_idle",
	"arch_cpu_idle_*",   "cpu_startup_entry",
};

const char *profile_kind_name(enum profile_kind kind)
{
	return kind_names[kind];
}

enum profile_kind profile_kind_of(const char *name)
{
	for (int kind = PROFILE_FUNCTION + 1; kind < PROFILE_KINDS; kind++)
		if (!strcmp(kind_names[kind], name))
			return (enum profile_kind)kind;
	return PROFILE_FUNCTION;
}

static int is_idle(const char *name)
{
	for (size_t i = 0; i < sizeof(idle_names) / sizeof(*idle_names); i++) {
		const char *star = strchr(idle_names[i], '*');

		if (star ? !strncmp(idle_names[i], name, (size_t)(star - idle_names[i]))
			 : !strcmp(idle_names[i], name))
			return 1;
	}
	return 0;
}

void profile_finish(struct profile *profile)
{
	text_list_finish(&profile->strings);
	free(profile->rows);
	*profile = (struct profile){0};
}

void profile_add_row(struct profile *profile, const char *name, const char *file,
		     uint64_t instructions, uint64_t calls)
{
	profile->rows = memory_grow(profile->rows, profile->count, &profile->capacity,
				    sizeof(*profile->rows));
	profile->rows[profile->count++] = (struct profile_row){
		.name = text_list_keep(&profile->strings, name),
		.file = text_list_keep(&profile->strings, file),
		.instructions = instructions,
		.calls = calls,
	};
}

/* What the blocks of one symbol come to. */
static void add_symbol(struct profile *profile, const struct symbol *symbol,
		       uint64_t instructions, uint64_t calls)
{
	if (!symbol)
		profile_add_row(profile, kind_names[PROFILE_UNKNOWN], "", instructions,
				0);
	else if (is_idle(symbol->name))
		profile_add_row(profile, kind_names[PROFILE_IDLE], "", instructions, 0);
	else
		profile_add_row(profile, symbol->name, symbol->file, instructions,
				symbol->is_part ? 0 : calls);
}

/* Blocks ascend as symbols do: those of one function follow each other. */
void profile_add_run(struct profile *profile, const struct counted_run *run,
		     const struct symbols *symbols)
{
	const struct symbol *current = NULL;
	uint64_t instructions = 0, calls = 0;

	for (size_t i = 0; i < run->count; i++) {
		const struct counted_block *block = &run->blocks[i];
		const struct symbol *symbol = symbols_find(symbols, block->address);

		if (symbol != current && instructions) {
			add_symbol(profile, current, instructions, calls);
			instructions = calls = 0;
		}
		current = symbol;
		instructions += block->executions * block->instructions;
		if (symbol && symbol->address == block->address)
			calls += block->executions;
	}
	if (instructions)
		add_symbol(profile, current, instructions, calls);
	if (run->user)
		profile_add_row(profile, kind_names[PROFILE_USER], "", run->user, 0);
	profile->outside += run->outside;
	profile->runs++;
}

static int compare(const void *a, const void *b)
{
	const struct profile_row *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : strcmp(x->file, y->file);
}

void profile_settle(struct profile *profile)
{
	size_t kept = 0;

	if (profile->count)
		qsort(profile->rows, profile->count, sizeof(*profile->rows), compare);
	for (size_t i = 0; i < profile->count; i++) {
		struct profile_row *row = &profile->rows[i];

		if (kept && !compare(row, &profile->rows[kept - 1])) {
			profile->rows[kept - 1].instructions += row->instructions;
			profile->rows[kept - 1].calls += row->calls;
		} else {
			profile->rows[kept++] = *row;
		}
	}
	profile->count = kept;
}

double profile_operations(const struct profile *profile)
{
	if (profile->facts.operations > 0)
		return profile->facts.operations;
	return profile->runs ? (double)profile->runs : 1;
}

uint64_t profile_executed(const struct profile *profile)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < profile->count; i++)
		sum += profile->rows[i].instructions;
	return sum;
}

uint64_t profile_executed_by(const struct profile *profile, enum profile_kind kind)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < profile->count; i++)
		if (profile_kind_of(profile->rows[i].name) == kind)
			sum += profile->rows[i].instructions;
	return sum;
}
