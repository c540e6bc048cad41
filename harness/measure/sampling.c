/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure/sampling.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "stats/random.h"
#include "stats/sequential.h"

/* A number of chance that belongs to this place and no other. */
static uint64_t rank(uint64_t seed, uint64_t round, uint64_t number, int is_group)
{
	struct random random;

	random_init(&random, seed);
	seed = random_bits(&random) ^ (2 * round + (uint64_t)is_group);
	random_init(&random, seed);
	seed = random_bits(&random) ^ number;
	random_init(&random, seed);
	return random_bits(&random);
}

static int is_candidate(const struct sampling_item *item)
{
	return !item->busy && item->made < item->wanted;
}

/* The round comes first, then the block, then the place in it. */
static int comes_before(const struct sampling_item *items, size_t a, size_t b,
			uint64_t seed)
{
	const struct sampling_item *left = &items[a], *right = &items[b];

	if (left->made != right->made)
		return left->made < right->made;
	if (left->group != right->group)
		return rank(seed, left->made, left->group, 1) <
		       rank(seed, left->made, right->group, 1);
	return rank(seed, left->made, a, 0) < rank(seed, left->made, b, 0);
}

size_t sampling_next(const struct sampling_item *items, size_t count, uint64_t seed)
{
	size_t next = count;

	for (size_t i = 0; i < count; i++)
		if (is_candidate(&items[i]) &&
		    (next == count || comes_before(items, i, next, seed)))
			next = i;
	return next;
}

static int look(const struct sampling_ops *ops, void *state, const unsigned *wanted,
		unsigned char *undecided, struct error *err)
{
	return ops->measure(state, wanted, err) || ops->judge(state, undecided, err);
}

/* Who goes on to the look after so many boots; 0: nobody. */
static int choose(const unsigned char *undecided, const unsigned *fixed, size_t count,
		  size_t boots, unsigned *wanted)
{
	const struct look *next = sequential_next(boots);
	int any = 0;

	for (size_t i = 0; next && i < count; i++) {
		wanted[i] = undecided[i] && !fixed[i] ? (unsigned)next->boots : 0;
		any |= wanted[i] != 0;
	}
	return any;
}

static int run_looks(const struct sampling_ops *ops, void *state, size_t count,
		     const unsigned *fixed, struct error *err)
{
	CLEANUP(cleanup_free) unsigned *wanted = memory_new(count, sizeof(*wanted));
	unsigned boots = (unsigned)sequential_plan[0].boots;

	for (size_t i = 0; i < count; i++)
		wanted[i] = fixed[i] ? fixed[i] : boots;
	for (;;) {
		CLEANUP(cleanup_free) unsigned char *undecided = memory_new(count, 1);

		if (look(ops, state, wanted, undecided, err))
			return -1;
		if (ops->is_spent(state) ||
		    !choose(undecided, fixed, count, boots, wanted))
			return 0;
		boots = (unsigned)sequential_next(boots)->boots;
	}
}

int sampling_run(const struct sampling_ops *ops, void *state, size_t count,
		 const unsigned *fixed, struct error *err)
{
	return ops->reference(state, err) || run_looks(ops, state, count, fixed, err) ||
			       ops->reference(state, err)
		       ? -1
		       : 0;
}
