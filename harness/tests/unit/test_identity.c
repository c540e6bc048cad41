/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure/identity.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct sample_record samples[3][2] = {
	{{"", "elapsed", "ns", "lower", 1}, {"", "flushes", "count", "lower", 7}},
	{{"", "elapsed", "ns", "lower", 2}, {"", "flushes", "count", "lower", 7}},
	{{"", "elapsed", "ns", "lower", 3}, {"", "flushes", "count", "lower", 7}},
};

/* A list of boots with the samples of these kinds. */
static struct boot_list boots_of(struct boot_record *records, const int *kinds,
				 size_t count)
{
	for (size_t i = 0; i < count; i++)
		records[i] = (struct boot_record){.samples = samples[kinds[i]],
						  .sample_count = 2};
	return (struct boot_list){.items = records, .count = count};
}

static void most_boots_decide(void **state)
{
	struct boot_record records[5];
	struct boot_list list = boots_of(records, (int[]){0, 0, 1}, 3);
	size_t odd;

	(void)state;
	assert_int_equal(identity_agreeing(&list, &odd), 2);
	assert_int_equal(odd, 2);
	assert_true(identity_holds(&list));
	list = boots_of(records, (int[]){1, 0, 0}, 3);
	assert_int_equal(identity_agreeing(&list, &odd), 2);
	assert_int_equal(odd, 0);
	list = boots_of(records, (int[]){0, 0, 0}, 3);
	assert_int_equal(identity_agreeing(&list, &odd), 3);
	assert_int_equal(odd, 3);
}

static void no_majority_is_no_identity(void **state)
{
	struct boot_record records[5];
	struct boot_list list = boots_of(records, (int[]){0, 1}, 2);

	(void)state;
	assert_false(identity_holds(&list));
	list = boots_of(records, (int[]){0, 1, 2}, 3);
	assert_false(identity_holds(&list));
	list = boots_of(records, (int[]){0, 0, 1, 1}, 4);
	assert_false(identity_holds(&list));
	list = boots_of(records, (int[]){0}, 1);
	assert_true(identity_holds(&list));
	list.count = 0;
	assert_true(identity_holds(&list));
}

static void the_mode_is_the_most_common_value(void **state)
{
	const double values[] = {3, 1, 3, 2, 3};
	size_t occurs;

	(void)state;
	assert_true(identity_mode(values, 5, &occurs) == 3);
	assert_int_equal(occurs, 3);
	assert_true(identity_mode(values + 1, 1, &occurs) == 1);
	assert_int_equal(occurs, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(most_boots_decide),
		cmocka_unit_test(no_majority_is_no_identity),
		cmocka_unit_test(the_mode_is_the_most_common_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
