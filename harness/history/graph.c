/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "history/graph.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <string.h>

enum { BLOCK_WORDS = 4, BLOCK_BITS = BLOCK_WORDS * 64 };

static const uint32_t NONE = UINT32_MAX;

void graph_finish(struct graph *graph)
{
	free(graph->ids);
	free(graph->parent_start);
	free(graph->parents);
	free(graph->bases);
	*graph = (struct graph){0};
}

void graph_make_line(size_t count, struct graph *ret_graph)
{
	struct graph graph = {.count = count, .total = count + 1};

	graph.parent_start = memory_new(count + 1, sizeof(*graph.parent_start));
	graph.parents = memory_new(count, sizeof(*graph.parents));
	for (size_t i = 0; i < count; i++) {
		graph.parent_start[i + 1] = (uint32_t)i + 1;
		graph.parents[i] = (uint32_t)(i ? i - 1 : count);
	}
	graph.good = (uint32_t)count;
	graph.bad = (uint32_t)count - 1;
	*ret_graph = graph;
}

uint32_t graph_find(const struct graph *graph, const char *hex)
{
	for (size_t i = 0; i < graph->total; i++)
		if (!strcmp(graph->ids[i].hex, hex))
			return (uint32_t)i;
	return NONE;
}

void graph_mark_ancestors(const struct graph *graph, uint32_t node, unsigned char *marks)
{
	/* Parents come first, so one sweep downwards reaches them all. */
	memset(marks, 0, graph->count);
	marks[node] = 1;
	for (uint32_t i = node + 1; i-- > 0;) {
		const uint32_t *parents = graph_parents(graph, i);

		for (size_t k = 0; marks[i] && k < graph_parent_count(graph, i); k++)
			if (parents[k] < graph->count)
				marks[parents[k]] = 1;
	}
}

/*
 * Sums over sets of ancestors. Only merges need a set; everything else adds its own
 * weight to its one parent's sum. Sets are bit rows over the commits, worked off 256
 * commits at a time; rows exist for merges and for the nodes where a merge or a fork
 * takes hold. A commit in between belongs to the next row above it.
 */
struct rows {
	size_t count;
	uint32_t *node;  /* of row */
	uint32_t *below; /* rows that row takes in: below[start[r]] .. */
	uint32_t *start;
	uint32_t
		*owner; /* count of graph: the row that holds the commit's bit, or NONE */
	unsigned char *is_merge; /* of row */
};

static void rows_finish(struct rows *rows)
{
	free(rows->node);
	free(rows->below);
	free(rows->start);
	free(rows->owner);
	free(rows->is_merge);
}

static size_t inner_parents(const struct graph *graph, uint32_t node, uint32_t *ret_first)
{
	const uint32_t *parents = graph_parents(graph, node);
	size_t inner = 0;

	*ret_first = NONE;
	for (size_t k = 0; k < graph_parent_count(graph, node); k++)
		if (parents[k] < graph->count && inner++ == 0)
			*ret_first = parents[k];
	return inner;
}

/* Which nodes have a row: 2 for merges, 1 for others, 0 for none. */
static unsigned char *choose_rows(const struct graph *graph)
{
	unsigned char *kind = memory_new(graph->count, 1);
	CLEANUP(cleanup_free) unsigned char *children = memory_new(graph->count, 1);

	for (uint32_t i = 0; i < graph->count; i++) {
		const uint32_t *parents = graph_parents(graph, i);
		uint32_t first;
		size_t inner = inner_parents(graph, i, &first);

		if (inner > 1)
			kind[i] = 2;
		for (size_t k = 0; k < graph_parent_count(graph, i); k++) {
			uint32_t parent = parents[k];

			if (parent >= graph->count)
				continue;
			if (children[parent] < 2)
				children[parent]++;
			if (!kind[parent] && (inner > 1 || children[parent] > 1))
				kind[parent] = 1;
		}
	}
	return kind;
}

/* The row at or below a node: where its bits up to there are. */
static void add_below(struct rows *rows, size_t *capacity, size_t *used, uint32_t row)
{
	if (row == NONE)
		return;
	rows->below = memory_grow(rows->below, *used, capacity, sizeof(*rows->below));
	rows->below[(*used)++] = row;
}

static void rows_make(struct rows *rows, const struct graph *graph)
{
	CLEANUP(cleanup_free) unsigned char *kind = choose_rows(graph);
	CLEANUP(cleanup_free) uint32_t *at = memory_new(graph->count, sizeof(*at));
	size_t capacity = 0, used = 0;

	rows->node = memory_new(graph->count, sizeof(*rows->node));
	rows->start = memory_new(graph->count + 1, sizeof(*rows->start));
	rows->owner = memory_new(graph->count, sizeof(*rows->owner));
	rows->is_merge = memory_new(graph->count, 1);
	for (uint32_t i = 0; i < graph->count; i++) {
		const uint32_t *parents = graph_parents(graph, i);
		uint32_t first;

		inner_parents(graph, i, &first);
		at[i] = first == NONE ? NONE : at[first];
		if (!kind[i])
			continue;
		for (size_t k = 0; k < graph_parent_count(graph, i); k++)
			if (parents[k] < graph->count)
				add_below(rows, &capacity, &used, at[parents[k]]);
		rows->node[rows->count] = i;
		rows->is_merge[rows->count] = kind[i] == 2;
		at[i] = (uint32_t)rows->count++;
		rows->start[rows->count] = (uint32_t)used;
	}
	/* Down again: a commit without a row belongs to the row of its only child. */
	memset(rows->owner, 0xff, graph->count * sizeof(*rows->owner));
	for (uint32_t i = (uint32_t)graph->count; i-- > 0;) {
		uint32_t first;

		if (kind[i])
			rows->owner[i] = at[i];
		inner_parents(graph, i, &first);
		if (first != NONE && !kind[first])
			rows->owner[first] = rows->owner[i];
	}
}

/* Sums of the weights of all 256 subsets of eight commits, for each eight of a block. */
static void make_tables(double (*tables)[256], const double *weights)
{
	for (size_t t = 0; t < BLOCK_BITS / 8; t++) {
		tables[t][0] = 0;
		for (size_t bit = 0; bit < 8; bit++)
			for (size_t low = 0; low < (size_t)1 << bit; low++)
				tables[t][((size_t)1 << bit) + low] =
					tables[t][low] + weights[t * 8 + bit];
	}
}

static double sum_bits(double (*tables)[256], const uint64_t *bits)
{
	double sum = 0;

	for (size_t word = 0; word < BLOCK_WORDS; word++)
		for (uint64_t rest = bits[word], t = word * 8; rest; rest >>= 8, t++)
			sum += tables[t][rest & 255];
	return sum;
}

/* One block of up to 256 commits, each with its row and weight, spread over all rows. */
static void sum_block(const struct rows *rows, uint64_t (*bits)[BLOCK_WORDS],
		      const uint32_t *owners, const double *weights, double *sums)
{
	double tables[BLOCK_BITS / 8][256];
	size_t first = rows->count;

	make_tables(tables, weights);
	for (size_t i = 0; i < BLOCK_BITS; i++)
		if (owners[i] != NONE && owners[i] < first)
			first = owners[i];
	memset(bits + first, 0, (rows->count - first) * sizeof(*bits));
	for (size_t i = 0; i < BLOCK_BITS; i++)
		if (owners[i] != NONE)
			bits[owners[i]][i / 64] |= (uint64_t)1 << (i % 64);
	for (size_t row = first; row < rows->count; row++) {
		for (uint32_t k = rows->start[row]; k < rows->start[row + 1]; k++)
			if (rows->below[k] >= first)
				for (size_t word = 0; word < BLOCK_WORDS; word++)
					bits[row][word] |= bits[rows->below[k]][word];
		if (rows->is_merge[row])
			sums[row] += sum_bits(tables, bits[row]);
	}
}

static void sum_rows(const struct graph *graph, const struct rows *rows,
		     const double *weights, double *sums)
{
	CLEANUP(cleanup_free)
	uint64_t(*bits)[BLOCK_WORDS] = memory_new(rows->count + 1, sizeof(*bits));
	uint32_t owners[BLOCK_BITS];
	double block[BLOCK_BITS];
	size_t filled = 0;

	for (uint32_t i = 0; i < graph->count; i++) {
		if (rows->owner[i] != NONE && weights[i] > 0) {
			owners[filled] = rows->owner[i];
			block[filled++] = weights[i];
		}
		if (filled < BLOCK_BITS && (i + 1 < graph->count || !filled))
			continue;
		for (; filled < BLOCK_BITS; filled++) {
			owners[filled] = NONE;
			block[filled] = 0;
		}
		sum_block(rows, bits, owners, block, sums);
		filled = 0;
	}
}

void graph_sum_ancestors(const struct graph *graph, const double *weights,
			 double *ret_mass)
{
	CLEANUP(rows_finish) struct rows rows = {0};
	CLEANUP(cleanup_free) double *sums = NULL;
	size_t row = 0;

	rows_make(&rows, graph);
	sums = memory_new(rows.count + 1, sizeof(*sums));
	sum_rows(graph, &rows, weights, sums);
	for (uint32_t i = 0; i < graph->count; i++) {
		uint32_t first;

		while (row < rows.count && rows.node[row] < i)
			row++;
		inner_parents(graph, i, &first);
		if (row < rows.count && rows.node[row] == i && rows.is_merge[row])
			ret_mass[i] = sums[row];
		else
			ret_mass[i] = weights[i] + (first == NONE ? 0 : ret_mass[first]);
	}
}
