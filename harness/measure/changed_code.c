/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure/changed_code.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "measure/symbols.h"
#include "profile/code.h"

#include <string.h>

enum { IMAGE_LIMIT = 1 << 30 };

/* All that one kernel's code is read by. */
struct kernel_code {
	struct text bytes;
	struct code_image image;
	struct symbols symbols;
	struct code_side side;
};

static void finish_code(struct kernel_code *code)
{
	code_side_finish(&code->side);
	symbols_finish(&code->symbols);
	text_finish(&code->bytes);
}

static int load_code(const struct kernel *kernel, struct kernel_code *code,
		     struct error *err)
{
	if (file_read(kernel->image, IMAGE_LIMIT, &code->bytes, err) ||
	    code_image_read(text_string(&code->bytes), code->bytes.size, &code->image,
			    err) ||
	    symbols_of_kernel(kernel, NULL, &code->symbols, err))
		return -1;
	code_side_init(&code->side, &code->image, &code->symbols);
	return 0;
}

static int can_load(const struct kernel *kernel)
{
	return kernel->format == KERNEL_ELF && kernel->system_map;
}

/* What is only on one side was written or removed, unless it was merely not executed. */
static int differs(const struct code_side *a, const struct code_side *b,
		   const struct difference_row *row)
{
	const char *before = row->before ? row->before : row->name;
	enum code_verdict verdict =
		code_compare(a, before, row->file, b, row->name, row->file);

	if (row->state == DIFFERENCE_NEW && !code_side_has(a, row->name))
		return code_side_has(b, row->name);
	if (row->state == DIFFERENCE_GONE && !code_side_has(b, row->name))
		return code_side_has(a, row->name);
	if (verdict == CODE_UNKNOWN) /* its file was renamed, or one side has no files */
		verdict = code_compare(a, before, "", b, row->name, "");
	return verdict == CODE_DIFFERS;
}

int changed_code_mark(const struct kernel *a, const struct kernel *b,
		      struct difference *difference, struct error *err)
{
	CLEANUP(finish_code) struct kernel_code old = {0};
	CLEANUP(finish_code) struct kernel_code new = {0};

	if (!can_load(a) || !can_load(b) || !strcmp(a->key, b->key))
		return 0;
	if (load_code(a, &old, err) || load_code(b, &new, err))
		return -1;
	for (size_t i = 0; i < difference->count; i++) {
		struct difference_row *row = &difference->rows[i];

		if (row->kind == PROFILE_FUNCTION)
			row->code_differs = differs(&old.side, &new.side, row);
	}
	return 0;
}
