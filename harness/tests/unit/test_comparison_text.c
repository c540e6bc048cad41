/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/comparison_text.h"

#include "base/cleanup.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static char labels[6][8];

static struct comparison row(int number, double change, enum verdict verdict,
			     enum comparison_role role)
{
	snprintf(labels[number], sizeof(labels[number]), "case%d", number);
	return (struct comparison){
		.name = {"fsync-loop", labels[number], "elapsed", "ns", BETTER_LOWER},
		.role = role,
		.a_version = "v1",
		.b_version = "v2",
		.change_percent = change,
		.verdict = verdict,
		.p = NAN,
		.q = NAN,
		.superiority = NAN,
		.ci_percent = {NAN, NAN},
		.reasons = 1u << REASON_EXACT,
		.a = {.boots = 1, .median = 1},
		.b = {.boots = 1, .median = 1 + change / 100},
	};
}

static void changes_are_grouped_and_ordered(void **state)
{
	CLEANUP(text_finish) struct text out = {0};
	const struct comparison list[] = {
		row(0, 1, VERDICT_REGRESSION, ROLE_NEIGHBOUR),
		row(1, 9, VERDICT_REGRESSION, ROLE_NEIGHBOUR),
		row(2, 5, VERDICT_REGRESSION, ROLE_NEIGHBOUR),
		row(3, 7, VERDICT_REGRESSION, ROLE_NEIGHBOUR),
		row(4, 0, VERDICT_SAME, ROLE_NEIGHBOUR),
		row(5, 8, VERDICT_REGRESSION, ROLE_BASELINE),
	};
	const char *text;

	(void)state;
	comparison_text_add(list, 6, 0, &out);
	text = text_string(&out);
	assert_non_null(strstr(text, "regression  fsync-loop  v1 -> v2\n"));
	assert_true(strstr(text, "case1") < strstr(text, "case3"));
	assert_true(strstr(text, "case3") < strstr(text, "case2"));
	assert_null(strstr(text, "case0"));
	assert_null(strstr(text, "case4"));
	assert_null(strstr(text, "case5"));
	assert_non_null(strstr(text, "and 1 more, down to 1.0 %"));
	assert_non_null(strstr(text, "6 comparisons: 1 the same, 5 regressed"));
}

static void nothing_is_said_to_be_nothing(void **state)
{
	CLEANUP(text_finish) struct text out = {0};

	(void)state;
	comparison_text_add(NULL, 0, 0, &out);
	assert_string_equal(text_string(&out),
			    "0 comparisons: nothing to compare; \"kregress report\" "
			    "shows what was measured\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(changes_are_grouped_and_ordered),
		cmocka_unit_test(nothing_is_said_to_be_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
