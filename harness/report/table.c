/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/table.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { GAP = 2, LEAST_WIDTH = 4 };

void table_finish(struct table *table)
{
	free(table->caption);
	text_list_finish(&table->titles);
	text_list_finish(&table->cells);
	text_list_finish(&table->remarks);
	*table = (struct table){0};
}

void table_add_column(struct table *table, const char *title, int right)
{
	if (right && table->titles.count < 64)
		table->right |= 1ull << table->titles.count;
	text_list_add(&table->titles, title);
}

void table_add_cell(struct table *table, const char *cell)
{
	text_list_add(&table->cells, cell);
}

size_t table_rows(const struct table *table)
{
	size_t columns = table->titles.count;

	return columns ? (table->cells.count + columns - 1) / columns : 0;
}

const char *table_cell(const struct table *table, size_t row, size_t column)
{
	size_t index = row * table->titles.count + column;

	return index < table->cells.count ? table->cells.items[index] : "";
}

static int starts_character(char byte)
{
	return ((unsigned char)byte & 0xc0) != 0x80;
}

static size_t characters(const char *string)
{
	size_t count = 0;

	for (; *string; string++)
		count += (size_t)starts_character(*string);
	return count;
}

/* Bytes of the piece of at most width characters, ending where a line may break. */
static size_t fold(const char *string, size_t width)
{
	size_t count = 0, i, good = 0;

	for (i = 0; string[i]; i++) {
		count += (size_t)starts_character(string[i]);
		/* a blank at the very end of the line is not printed */
		if (string[i] == ' ' && count <= width + 1)
			good = i + 1;
		if (count > width)
			return good ? good : i;
		if (string[i] == ',')
			good = i + 1;
	}
	return i;
}

struct widths {
	size_t *items; /* of the columns */
	size_t *words; /* of the longest piece that should not be broken */
	size_t count;
};

/* The longest piece between places where a line may break. */
static size_t longest_word(const char *string)
{
	size_t longest = 0;

	while (*string) {
		size_t length = strcspn(string, " ,");
		size_t end = length + (string[length] != '\0');
		CLEANUP(cleanup_free) char *word = memory_copy_bytes(string, length);
		size_t width = characters(word);

		longest = width > longest ? width : longest;
		string += end;
	}
	return longest;
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static void measure(const struct table *table, struct widths *widths)
{
	for (size_t column = 0; column < widths->count; column++) {
		size_t widest = characters(table->titles.items[column]);
		size_t word = longest_word(table->titles.items[column]);

		for (size_t row = 0; row < table_rows(table); row++) {
			const char *cell = table_cell(table, row, column);

			widest = larger(widest, characters(cell));
			word = larger(word, longest_word(cell));
		}
		widths->items[column] = widest;
		widths->words[column] = word;
	}
}

static size_t line_width(const struct widths *widths)
{
	size_t sum = widths->count ? GAP * (widths->count - 1) : 0;

	for (size_t i = 0; i < widths->count; i++)
		sum += widths->items[i];
	return sum;
}

/* Takes from the widest column that has more than its least; 0 where none has. */
static int take_one(struct widths *widths, int break_words)
{
	size_t widest = widths->count;

	for (size_t i = 0; i < widths->count; i++) {
		size_t least = break_words ? LEAST_WIDTH : widths->words[i];

		if (widths->items[i] > least && widths->items[i] > LEAST_WIDTH &&
		    (widest == widths->count || widths->items[i] > widths->items[widest]))
			widest = i;
	}
	if (widest == widths->count)
		return 0;
	widths->items[widest]--;
	return 1;
}

static void shrink(struct widths *widths, size_t line)
{
	while (line_width(widths) > line && (take_one(widths, 0) || take_one(widths, 1)))
		;
}

static void pad(struct text *out, size_t count)
{
	while (count--)
		text_add_char(out, ' ');
}

static void end_line(struct text *out)
{
	while (out->size && out->data[out->size - 1] == ' ')
		out->data[--out->size] = '\0';
	text_add_char(out, '\n');
}

/* One line of a row; moves each cell's pointer on. Returns whether anything is left. */
static int print_line(const struct table *table, const struct widths *widths,
		      const char **cells, struct text *out)
{
	int more = 0;

	for (size_t i = 0; i < widths->count; i++) {
		size_t length = fold(cells[i], widths->items[i]);
		size_t shown =
			length && cells[i][length - 1] == ' ' ? length - 1 : length;
		CLEANUP(cleanup_free) char *piece = memory_copy_bytes(cells[i], shown);
		size_t used = characters(piece);
		size_t blank = widths->items[i] > used ? widths->items[i] - used : 0;
		int right = (int)(i < 64 ? table->right >> i & 1 : 0);

		pad(out, i ? GAP : 0);
		pad(out, right ? blank : 0);
		utf8_add_plain(out, piece, shown);
		pad(out, right ? 0 : blank);
		cells[i] += length;
		more |= *cells[i] != '\0';
	}
	end_line(out);
	return more;
}

static void print_row(const struct table *table, const struct widths *widths,
		      const char **cells, struct text *out)
{
	while (print_line(table, widths, cells, out))
		;
}

static void print_rule(const struct widths *widths, struct text *out)
{
	for (size_t i = 0; i < widths->count; i++) {
		pad(out, i ? GAP : 0);
		for (size_t j = 0; j < widths->items[i]; j++)
			text_add_char(out, '-');
	}
	text_add_char(out, '\n');
}

void table_print(const struct table *table, size_t width, struct text *out)
{
	size_t columns = table->titles.count;
	CLEANUP(cleanup_free) size_t *items = memory_new(columns, sizeof(*items));
	CLEANUP(cleanup_free) const char **cells = memory_new(columns, sizeof(*cells));
	CLEANUP(cleanup_free) size_t *words = memory_new(columns, sizeof(*words));
	struct widths widths = {items, words, columns};

	measure(table, &widths);
	shrink(&widths, width);
	for (size_t i = 0; i < columns; i++)
		cells[i] = table->titles.items[i];
	print_row(table, &widths, cells, out);
	print_rule(&widths, out);
	for (size_t row = 0; row < table_rows(table); row++) {
		for (size_t i = 0; i < columns; i++)
			cells[i] = table_cell(table, row, i);
		print_row(table, &widths, cells, out);
	}
}
