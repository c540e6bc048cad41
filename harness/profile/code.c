/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/code.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
	FIELD = 4,              /* bytes of an address in code */
	IMMEDIATES = 5,         /* bytes of a number may stand behind it, at most 4 */
	FUNCTION_MAX = 1 << 18, /* longer is no function: the last before a gap */
	PER_CPU_MAX = 1 << 22,  /* offsets of variables that each processor has */
};

/* One symbol's code. */
struct piece {
	const struct code_side *side;
	uint64_t address;
	const unsigned char *bytes;
	size_t size; /* up to the next symbol */
};

struct pieces {
	struct piece *items;
	size_t count, capacity;
};

static void finish_pieces(struct pieces *pieces)
{
	free(pieces->items);
}

static int compare_names(const void *a, const void *b, void *symbols)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const struct symbol *items = ((const struct symbols *)symbols)->items;
	int order = strcmp(items[x].name, items[y].name);

	return order ? order : (x > y) - (x < y);
}

void code_side_init(struct code_side *side, const struct code_image *image,
		    const struct symbols *symbols)
{
	*side = (struct code_side){
		.image = image,
		.symbols = symbols,
		.by_name = memory_new(symbols->count, sizeof(*side->by_name)),
	};
	for (uint32_t i = 0; i < symbols->count; i++)
		side->by_name[i] = i;
	qsort_r(side->by_name, symbols->count, sizeof(*side->by_name), compare_names,
		(void *)(uintptr_t)symbols);
}

void code_side_finish(struct code_side *side)
{
	free(side->by_name);
	*side = (struct code_side){0};
}

static const struct symbol *by_name(const struct code_side *side, size_t place)
{
	return &side->symbols->items[side->by_name[place]];
}

/* Where those of that name begin in by_name. */
static size_t first_of(const struct code_side *side, const char *name)
{
	size_t low = 0, high = side->symbols->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(by_name(side, middle)->name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int is_at(const struct code_side *side, size_t place, const char *name)
{
	return place < side->symbols->count && !strcmp(by_name(side, place)->name, name);
}

int code_side_has(const struct code_side *side, const char *name)
{
	return is_at(side, first_of(side, name), name);
}

static void add_piece(const struct code_side *side, const struct symbol *symbol,
		      struct pieces *pieces)
{
	const struct symbols *symbols = side->symbols;
	int is_last = symbol + 1 == symbols->items + symbols->count;
	uint64_t size = is_last ? 0 : symbol[1].address - symbol->address;
	const unsigned char *bytes =
		size && size <= FUNCTION_MAX
			? code_image_at(side->image, symbol->address, size)
			: NULL;

	if (!bytes)
		return;
	pieces->items = memory_grow(pieces->items, pieces->count, &pieces->capacity,
				    sizeof(*pieces->items));
	pieces->items[pieces->count++] =
		(struct piece){side, symbol->address, bytes, (size_t)size};
}

/* In the order of their addresses. */
static void find_pieces(const struct code_side *side, const char *name, const char *file,
			struct pieces *pieces)
{
	for (size_t i = first_of(side, name); is_at(side, i, name); i++)
		if (!*file || !strcmp(by_name(side, i)->file, file))
			add_piece(side, by_name(side, i), pieces);
}

static int ends_with(const unsigned char *bytes, size_t size, const char *tail,
		     size_t length)
{
	return size >= length && !memcmp(bytes + size - length, tail, length);
}

/* Without what assemblers fill up with: int3, nops of all lengths, zeros. */
static size_t padless(const unsigned char *bytes, size_t size)
{
	static const struct {
		const char *bytes;
		size_t length;
	} tails[] = {
		{"\0", 1},           {"\xcc", 1},         {"\x90", 1},
		{"\x0f\x1f\x40", 3}, {"\x0f\x1f\x44", 3}, {"\x0f\x1f\x80", 3},
		{"\x0f\x1f\x84", 3}, {"\x0f\x1f", 2},     {"\x66", 1},
		{"\x2e", 1},
	};
	size_t i = 0, count = sizeof(tails) / sizeof(*tails);

	while (i < count)
		if (ends_with(bytes, size, tails[i].bytes, tails[i].length)) {
			size -= tails[i].length;
			i = 0;
		} else {
			i++;
		}
	return size;
}

static uint32_t field_at(const struct piece *piece, size_t at)
{
	const unsigned char *bytes = piece->bytes + at;

	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[3] << 24;
}

static uint64_t extend(uint32_t field)
{
	return (uint64_t)(int64_t)(int32_t)field;
}

/* In the kernel's image, but in no function. */
static int is_data(const struct piece *piece, const struct symbol *symbol,
		   uint64_t address)
{
	const struct code_image *image = piece->side->image;

	return address >= image->low && address < image->high &&
	       (!symbol || address - symbol->address > FUNCTION_MAX ||
		!strcmp(symbol->name, "_etext"));
}

/* Whether two addresses are the same place of the two kernels. */
static int same_place(const struct piece *a, uint64_t a_address, const struct piece *b,
		      uint64_t b_address)
{
	const struct symbol *x = symbols_find(a->side->symbols, a_address);
	const struct symbol *y = symbols_find(b->side->symbols, b_address);

	if (is_data(a, x, a_address) && is_data(b, y, b_address))
		return 1;
	return x && y && !strcmp(x->name, y->name) && x->is_part == y->is_part &&
	       a_address - x->address == b_address - y->address;
}

/* As the address itself, or counted from the end of the instruction. */
static int is_same_address(const struct piece *a, const struct piece *b, size_t at)
{
	uint64_t x = extend(field_at(a, at)), y = extend(field_at(b, at));

	if (same_place(a, x, b, y))
		return 1;
	for (size_t behind = 0; behind < IMMEDIATES; behind++) {
		uint64_t end = at + FIELD + behind;
		uint64_t x_place = a->address + end + x, y_place = b->address + end + y;

		if (same_place(a, x_place, b, y_place) ||
		    (x_place < PER_CPU_MAX && y_place < PER_CPU_MAX))
			return 1;
	}
	return 0;
}

static size_t common_size(const struct piece *a, const struct piece *b)
{
	size_t size;

	if (a->size == b->size)
		return a->size;
	size = padless(a->bytes, a->size);
	return size == padless(b->bytes, b->size) ? size : 0;
}

/*
 * Where a field begins does not show in the bytes: every place that can be reached from
 * the start, by equal bytes and by fields, is tried.
 */
static int is_same_code(const struct piece *a, const struct piece *b)
{
	size_t size = common_size(a, b);
	CLEANUP(cleanup_free) char *reached = memory_new(size + FIELD, 1);

	reached[0] = 1;
	for (size_t at = 0; at < size; at++) {
		if (!reached[at])
			continue;
		if (a->bytes[at] == b->bytes[at])
			reached[at + 1] = 1;
		if (at + FIELD <= size && memcmp(a->bytes + at, b->bytes + at, FIELD) &&
		    is_same_address(a, b, at))
			reached[at + FIELD] = 1;
	}
	return size && reached[size];
}

enum code_verdict code_compare(const struct code_side *a, const char *a_name,
			       const char *a_file, const struct code_side *b,
			       const char *b_name, const char *b_file)
{
	CLEANUP(finish_pieces) struct pieces x = {0};
	CLEANUP(finish_pieces) struct pieces y = {0};

	find_pieces(a, a_name, a_file, &x);
	find_pieces(b, b_name, b_file, &y);
	if (!x.count || !y.count)
		return CODE_UNKNOWN;
	if (x.count != y.count)
		return CODE_DIFFERS;
	for (size_t i = 0; i < x.count; i++)
		if (!is_same_code(&x.items[i], &y.items[i]))
			return CODE_DIFFERS;
	return CODE_SAME;
}
