/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure/tally.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void stored_boots_count_unless_fresh_ones_are_asked_for(void **state)
{
	struct tally tally = {.found = 1};

	(void)state;
	assert_true(tally_is_full(&tally));
	tally.wanted = 2;
	assert_false(tally_is_full(&tally));
	assert_false(tally_take(&tally, OUTCOME_PARTIAL));
	assert_true(tally_is_full(&tally));
}

/* A confirmation must not be answered by the stored boot after the new one was lost. */
static void a_lost_boot_is_not_a_fresh_one(void **state)
{
	struct tally tally = {.fresh = 1, .found = 1};

	(void)state;
	assert_false(tally_is_full(&tally));
	assert_false(tally_take(&tally, OUTCOME_INFRASTRUCTURE));
	assert_false(tally_is_full(&tally));
	assert_false(tally_take(&tally, OUTCOME_OK));
	assert_true(tally_is_full(&tally));
}

static void each_boot_has_its_own_attempts(void **state)
{
	struct tally tally = {.wanted = 5};

	(void)state;
	for (int i = 0; i < 4; i++)
		assert_false(tally_take(&tally, OUTCOME_OK));
	for (int i = 1; i < TALLY_ATTEMPTS; i++)
		assert_false(tally_take(&tally, OUTCOME_INFRASTRUCTURE));
	assert_true(tally_take(&tally, OUTCOME_INFRASTRUCTURE));
}

static void what_a_guest_does_is_an_answer(void **state)
{
	struct tally tally = {.wanted = 5};

	(void)state;
	assert_true(tally_take(&tally, OUTCOME_PANIC));
	assert_true(tally_take(&tally, OUTCOME_WORKLOAD_FAILED));
	assert_int_equal(tally.found, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stored_boots_count_unless_fresh_ones_are_asked_for),
		cmocka_unit_test(a_lost_boot_is_not_a_fresh_one),
		cmocka_unit_test(each_boot_has_its_own_attempts),
		cmocka_unit_test(what_a_guest_does_is_an_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
