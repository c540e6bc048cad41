/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "bisect/grid.h"
#include "bisect/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void kinds_are_densities(void **state)
{
	double sums[NOISE_KINDS] = {0}, priors = 0;

	(void)state;
	for (double z = -4000; z < 4000; z += 0.02) {
		double densities[NOISE_KINDS];

		noise_densities(z, densities);
		for (int k = 0; k < NOISE_KINDS; k++)
			sums[k] += 0.02 * densities[k];
	}
	for (int k = 0; k < NOISE_KINDS; k++) {
		assert_true(fabs(sums[k] - 1) < 2e-3);
		assert_true(noise_kinds[k].up + noise_kinds[k].down == 1);
		priors += noise_kinds[k].prior;
	}
	assert_true(fabs(priors - 1) < 1e-12);
}

/* The same numbers, however they are scaled. */
static void assert_same(const struct grid *grid, const struct grid_cells *a,
			const struct grid_cells *b)
{
	for (size_t layer = 0; layer < grid_layers(grid); layer++) {
		size_t start = grid_start_of(grid, layer);
		double factor = exp(b->scale[layer] - a->scale[layer]);

		assert_true(isfinite(factor) && factor > 0);
		for (size_t i = 0; i < grid_width_of(grid, layer)->count; i++) {
			double wanted = factor * b->items[start + i];

			assert_true(fabs(a->items[start + i] - wanted) <= 1e-7 * wanted);
		}
	}
}

/* What is kept of a set and taken further is what one gets from the start. */
static void products_are_kept_truly(void **state)
{
	CLEANUP(grid_finish) struct grid kept = {0};
	CLEANUP(values_finish) struct values values = {0};
	const unsigned char sets[3][6] = {
		{0, 1, 0, 1, 1, 0}, {0, 1, 0, 0, 1, 0}, {0, 1, 1, 1, 1, 1}};
	struct dice dice = {5};

	(void)state;
	for (size_t i = 0; i < 60; i++) {
		size_t most = values.tests < 6 ? values.tests + 1 : 6;
		size_t test = i < 2 ? i : dice_below(&dice, most);
		double value = (test & 1 ? 103 : 100) + dice_normal(&dice);

		values_add(&values, test, value);
		if (i < 2 || i == 30)
			grid_lay(&kept, &values, 100, 103, 1);
		else
			grid_add(&kept, test, value);
		for (size_t s = 0; s < 3 && i % 7 != 6; s++) {
			CLEANUP(grid_finish) struct grid fresh = {0};
			const struct grid_product *a, *b;

			grid_lay(&fresh, &values, 100, 103, 1);
			a = grid_multiply(&kept, s, sets[s]);
			b = grid_multiply(&fresh, 0, sets[s]);
			assert_int_equal(a->values, values.count);
			assert_same(&kept, &a->with, &b->with);
			assert_same(&kept, &a->without, &b->without);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_are_densities),
		cmocka_unit_test(products_are_kept_truly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
