/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure/symbols.h"

#include "base/cleanup.h"
#include "base/file.h"

enum { SYMBOLS_LIMIT = 256 << 20 };

/* Nothing where the kernel has no such file. */
static int read_if_there(const char *path, struct text *text, struct error *err)
{
	return path ? file_read(path, SYMBOLS_LIMIT, text, err) : 0;
}

int symbols_of_kernel(const struct kernel *kernel, const struct text *running,
		      struct symbols *ret_symbols, struct error *err)
{
	CLEANUP(text_finish) struct text map = {0};
	CLEANUP(text_finish) struct text files = {0};
	struct symbols symbols = {0};

	if (read_if_there(kernel->system_map, &map, err) ||
	    read_if_there(kernel->files, &files, err))
		return -1;
	symbols_add(&symbols, text_string(&map), map.size);
	if (running)
		symbols_add(&symbols, text_string(running), running->size);
	symbols_settle(&symbols, text_string(&files), files.size);
	*ret_symbols = symbols;
	return 0;
}
