/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stats/family.h"
#include "stats/verdict.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 12 };

#define LEVEL(number, array)                                                             \
	{                                                                                \
		.version = (number), .boots = (array),                                   \
		.count = sizeof(array) / sizeof(*(array))                                \
	}

static const char *const names[] = {"v1", "v2", "v3", "v4", "v5", "v6"};

static struct comparison judge(const struct level *a, const struct level *b,
			       enum better better, struct verdict_policy policy)
{
	struct ranks ranks = {0};
	struct question question = {
		.name = {"s", "c", "m", "ns", better},
		.a_version = "old",
		.b_version = "new",
		.a = a,
		.b = b,
		.policy = policy,
	};
	struct comparison c;

	comparison_measure(&question, &ranks, &c);
	comparisons_decide(&c, 1, 0.05);
	ranks_finish(&ranks);
	return c;
}

/* What each pair of sides must come to, by the statistical rule. */
static const struct {
	const char *what;
	double a[MOST], b[MOST];
	size_t m, n;
	enum better better;
	enum verdict verdict;
	unsigned reasons; /* that must be among those given */
} pairs[] = {
	{"clear loss",
	 {10, 10.1, 9.9, 10.2, 9.8},
	 {12, 12.1, 11.9, 12.2, 11.8},
	 5,
	 5,
	 BETTER_LOWER,
	 VERDICT_REGRESSION,
	 1u << REASON_SIGNIFICANT},
	{"the same is a gain where more is better",
	 {10, 10.1, 9.9, 10.2, 9.8},
	 {12, 12.1, 11.9, 12.2, 11.8},
	 5,
	 5,
	 BETTER_HIGHER,
	 VERDICT_IMPROVEMENT,
	 1u << REASON_SIGNIFICANT},
	{"one boot a side tells nothing, however far apart",
	 {1},
	 {50},
	 1,
	 1,
	 BETTER_LOWER,
	 VERDICT_INCONCLUSIVE,
	 1u << REASON_TOO_FEW_BOOTS},
	{"equal single boots are not the same yet",
	 {1},
	 {1},
	 1,
	 1,
	 BETTER_LOWER,
	 VERDICT_INCONCLUSIVE,
	 1u << REASON_TOO_FEW_BOOTS},
	{"three boots cannot be significant",
	 {1, 1.01, 0.99},
	 {2, 2.01, 1.99},
	 3,
	 3,
	 BETTER_LOWER,
	 VERDICT_INCONCLUSIVE,
	 1u << REASON_TOO_FEW_BOOTS},
	{"sure but small",
	 {100, 100.1, 99.9, 100.2, 99.8, 100},
	 {101, 101.1, 100.9, 101.2, 100.8, 101},
	 6,
	 6,
	 BETTER_LOWER,
	 VERDICT_SAME,
	 1u << REASON_EFFECT_BELOW_MINIMUM},
	{"wide and overlapping is not the same",
	 {80, 120, 95, 105, 100},
	 {85, 118, 97, 103, 99},
	 5,
	 5,
	 BETTER_LOWER,
	 VERDICT_INCONCLUSIVE,
	 1u << REASON_NOT_SEPARATED},
	{"constant counters",
	 {0, 0, 0, 0, 0},
	 {0, 0, 0, 0, 0},
	 5,
	 5,
	 BETTER_LOWER,
	 VERDICT_SAME,
	 0},
	{"from zero",
	 {0, 0, 0, 0, 0, 0},
	 {3, 4, 3, 5, 3, 4},
	 6,
	 6,
	 BETTER_LOWER,
	 VERDICT_REGRESSION,
	 1u << REASON_ZERO_BASELINE},
	{"from zero once is not enough",
	 {0, 0, 0, 0, 0},
	 {0, 0, 0, 4, 0},
	 5,
	 5,
	 BETTER_LOWER,
	 VERDICT_INCONCLUSIVE,
	 1u << REASON_NOT_SIGNIFICANT},
	{"to zero",
	 {7, 8, 7, 9, 7},
	 {0, 0, 0, 0, 0},
	 5,
	 5,
	 BETTER_LOWER,
	 VERDICT_IMPROVEMENT,
	 0},
	{"negative values: less is better",
	 {-10, -10.1, -9.9, -10.2, -9.8},
	 {-5, -5.1, -4.9, -5.2, -4.8},
	 5,
	 5,
	 BETTER_LOWER,
	 VERDICT_REGRESSION,
	 0},
	{"one wild boot a side is named",
	 {10, 10.1, 9.9, 10.2, 9.8, 10, 10.1, 90},
	 {12, 12.1, 11.9, 12.2, 11.8, 12, 12.1, 70},
	 8,
	 8,
	 BETTER_LOWER,
	 VERDICT_REGRESSION,
	 1u << REASON_OUTLIERS},
	{"two levels in time",
	 {50, 51, 50, 52, 51, 20, 21, 20, 21, 22},
	 {10, 11, 10, 11, 10},
	 10,
	 5,
	 BETTER_LOWER,
	 VERDICT_NOT_COMPARABLE,
	 1u << REASON_REFERENCE_MOVED},
	{"never judged",
	 {10, 10.1, 9.9, 10.2, 9.8},
	 {12, 12.1, 11.9, 12.2, 11.8},
	 5,
	 5,
	 BETTER_NONE,
	 VERDICT_INCONCLUSIVE,
	 0},
};

static void pairs_are_judged(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		struct level a = {.boots = pairs[i].a, .count = pairs[i].m};
		struct level b = {.boots = pairs[i].b, .count = pairs[i].n};
		struct comparison c = judge(&a, &b, pairs[i].better, policy_statistical);
		char sentence[COMPARISON_SENTENCE_SIZE];

		if (c.verdict != pairs[i].verdict ||
		    (c.reasons & pairs[i].reasons) != pairs[i].reasons) {
			comparison_sentence(&c, sentence);
			fail_msg("%s: %s (reasons %x)", pairs[i].what, sentence,
				 c.reasons);
		}
		assert_int_equal(c.verdict == VERDICT_INCONCLUSIVE, c.boots_needed > 0);
		if (c.boots_needed)
			assert_true(c.boots_needed > pairs[i].m ||
				    c.boots_needed > pairs[i].n);
	}
}

/* A change of exactly the minimum counts, whatever its last binary digit is. */
static void minimum_is_included(void **state)
{
	static const double a[] = {1.1, 1.1, 1.1, 1.1, 1.1};
	static const double b[] = {1.1 * 1.03, 1.1 * 1.03, 1.1 * 1.03, 1.1 * 1.03,
				   1.1 * 1.03};
	struct level before = LEVEL(0, a), after = LEVEL(1, b);

	(void)state;
	assert_int_equal(judge(&before, &after, BETTER_LOWER, policy_statistical).verdict,
			 VERDICT_REGRESSION);
}

static void figures_are_right(void **state)
{
	static const double a[] = {10, 12, 11, 13, 14}, b[] = {21, 20, 23, 22, 24};
	struct level before = LEVEL(0, a), after = LEVEL(1, b);
	struct comparison c = judge(&before, &after, BETTER_LOWER, policy_statistical);
	char sentence[COMPARISON_SENTENCE_SIZE];

	(void)state;
	assert_true(c.a.median == 12 && c.a.min == 10 && c.a.max == 14);
	assert_true(fabs(c.change_percent - 1000 / 12.0) < 1e-12);
	assert_true(c.shift == 10 && c.superiority == 1);
	/* The third of 25 differences from either end: 7 and 13. */
	assert_true(c.shift_ci[0] == 7 && c.shift_ci[1] == 13);
	comparison_sentence(&c, sentence);
	assert_string_equal(sentence, "median +83.3 % (95 % 58.3 to 108.3), 5 against 5 "
				      "boots, p 0.0079, separated 1.00: regression");
	c = judge(&before, &after, BETTER_HIGHER, policy_statistical);
	assert_true(c.superiority == 0);
}

static void one_boot_decides_exactly(void **state)
{
	static const double a[] = {1000}, more[] = {1006}, little[] = {1004};
	static const double twice[] = {1006, 1006}, apart[] = {1006, 1007};
	static const double zero[] = {0};
	struct level base = LEVEL(0, a), level = LEVEL(1, more);
	struct level nothing = LEVEL(0, zero);
	struct comparison c = judge(&base, &level, BETTER_LOWER, policy_exact);
	char sentence[COMPARISON_SENTENCE_SIZE];

	(void)state;
	assert_int_equal(c.verdict, VERDICT_REGRESSION);
	assert_true(comparison_has(&c, REASON_EXACT) && isnan(c.p) && isnan(c.q));
	comparison_sentence(&c, sentence);
	assert_string_equal(sentence,
			    "median +0.6 %, 1 against 1 boot, exact: regression");
	assert_int_equal(judge(&base, &level, BETTER_HIGHER, policy_exact).verdict,
			 VERDICT_IMPROVEMENT);
	assert_int_equal(judge(&nothing, &level, BETTER_LOWER, policy_exact).verdict,
			 VERDICT_REGRESSION);
	level = (struct level)LEVEL(1, little);
	assert_int_equal(judge(&base, &level, BETTER_LOWER, policy_exact).verdict,
			 VERDICT_SAME);
	level = (struct level)LEVEL(1, twice);
	assert_int_equal(judge(&base, &level, BETTER_LOWER, policy_exact).verdict,
			 VERDICT_REGRESSION);
	level = (struct level)LEVEL(1, apart);
	c = judge(&base, &level, BETTER_LOWER, policy_exact);
	assert_int_equal(c.verdict, VERDICT_INCONCLUSIVE);
	assert_true(comparison_has(&c, REASON_IDENTITY_FAILED));
	assert_false(comparison_has(&c, REASON_EXACT));
	level = (struct level)LEVEL(1, twice);
	level.identity_failed = 1;
	c = judge(&base, &level, BETTER_LOWER, policy_exact);
	assert_true(comparison_has(&c, REASON_IDENTITY_FAILED));
}

/* A drift of some ns is none, whatever its percentage, and from zero too. */
static void an_absolute_minimum_holds_for_both_rules(void **state)
{
	static const double zero[] = {0, 0, 0, 0, 0}, one[] = {3};
	static const double little[] = {4, 5, 6, 5, 4}, much[] = {80, 82, 84, 82, 80};
	struct verdict_policy exact = policy_exact, statistical = policy_statistical;
	struct level a = LEVEL(0, zero), b = LEVEL(1, little), c = LEVEL(2, one);
	struct comparison judged;
	char sentence[COMPARISON_SENTENCE_SIZE];

	(void)state;
	exact.minimum_change = statistical.minimum_change = 10;
	assert_int_equal(judge(&a, &b, BETTER_LOWER, statistical).verdict, VERDICT_SAME);
	judged = judge(&a, &c, BETTER_LOWER, exact);
	assert_int_equal(judged.verdict, VERDICT_SAME);
	comparison_sentence(&judged, sentence);
	assert_non_null(strstr(sentence, "same within 10 ns"));
	b = (struct level)LEVEL(1, much);
	assert_int_equal(judge(&a, &b, BETTER_LOWER, statistical).verdict,
			 VERDICT_REGRESSION);
	c.boots = much;
	judged = judge(&a, &c, BETTER_LOWER, exact);
	assert_int_equal(judged.verdict, VERDICT_REGRESSION);
	comparison_sentence(&judged, sentence);
	assert_non_null(strstr(sentence, "median 0 became 80 ns, "));
	assert_int_equal(judge(&c, &a, BETTER_LOWER, exact).verdict, VERDICT_IMPROVEMENT);
}

static void unlike_environments_are_not_compared(void **state)
{
	static const double a[] = {10, 10, 10, 10, 10}, b[] = {20, 20, 20, 20, 20};
	struct level before = LEVEL(0, a), after = LEVEL(1, b);
	struct ranks ranks = {0};
	struct question question = {
		.name = {"s", "c", "m", "ns", BETTER_LOWER},
		.a_version = "old",
		.b_version = "new",
		.a = &before,
		.b = &after,
		.policy = policy_statistical,
		.difference = "qemu: 7.2 became 8.0",
	};
	char sentence[COMPARISON_SENTENCE_SIZE];
	struct comparison c;

	(void)state;
	comparison_measure(&question, &ranks, &c);
	comparisons_decide(&c, 1, 0.05);
	assert_int_equal(c.verdict, VERDICT_NOT_COMPARABLE);
	assert_true(isnan(c.p) && isnan(c.q));
	comparison_sentence(&c, sentence);
	assert_non_null(strstr(sentence, "qemu: 7.2 became 8.0"));
	question.allow_difference = 1;
	comparison_measure(&question, &ranks, &c);
	comparisons_decide(&c, 1, 0.05);
	assert_int_equal(c.verdict, VERDICT_REGRESSION);
	assert_true(comparison_has(&c, REASON_ENVIRONMENT_DIFFERS));
	question.difference = NULL;
	question.allow_difference = 0;
	before.environment = "k1";
	after.environment = "k2";
	comparison_measure(&question, &ranks, &c);
	assert_int_equal(c.verdict, VERDICT_NOT_COMPARABLE);
	question.b = NULL;
	comparison_measure(&question, &ranks, &c);
	assert_true(comparison_has(&c, REASON_ONE_SIDED_METRIC));
	comparison_sentence(&c, sentence);
	ranks_finish(&ranks);
}

/* The first look cannot settle one of a hundred metrics; the row says what would. */
static void many_metrics_need_more_boots(void **state)
{
	static const double a[] = {10, 10.1, 9.9, 10.2, 9.8},
			    b[] = {20, 20.1, 19.9, 20.2, 19.8};
	static const double c[] = {10.05, 10.15, 9.95, 10.25, 9.85};
	struct level before = LEVEL(0, a), after = LEVEL(1, b), like = LEVEL(1, c);
	struct comparison list[100];

	(void)state;
	for (int i = 0; i < 100; i++)
		list[i] = judge(&before, i ? &like : &after, BETTER_LOWER,
				policy_statistical);
	for (int i = 0; i < 100; i++)
		list[i].reasons = 0;
	comparisons_decide(list, 100, 0.05);
	assert_int_equal(list[0].verdict, VERDICT_INCONCLUSIVE);
	assert_true(list[0].q > 0.05 && list[0].q >= list[0].p);
	assert_int_equal(list[0].boots_needed, 8);
}

/* Five steps of 2 %, of which none counts, are a loss of 10 %. */
static void creep_is_reported_as_gradual(void **state)
{
	static double boots[6][8];
	struct level levels[6];
	struct series series = {{"s", "c", "m", "ns", BETTER_LOWER}, levels, 6};
	struct measurements all = {names, 6, &series, 1};
	struct comparisons list = {0};
	int gradual = 0, neighbours = 0;

	(void)state;
	for (int v = 0; v < 6; v++) {
		for (int i = 0; i < 8; i++)
			boots[v][i] = 100 + 2 * v + 0.1 * ((3 * i) % 8);
		levels[v] = (struct level){
			.version = (size_t)v, .boots = boots[v], .count = 8};
	}
	compare_all(&all, &policy_statistical, &list);
	comparisons_settle(&list);
	/* Five neighbours, four baselines: the second version has only its neighbour. */
	assert_int_equal(list.count, 9);
	for (size_t i = 0; i < list.count; i++) {
		const struct comparison *c = &list.items[i];

		if (c->role == ROLE_NEIGHBOUR) {
			neighbours++;
			assert_int_equal(c->verdict, VERDICT_SAME);
			continue;
		}
		assert_int_equal(c->role, ROLE_BASELINE);
		assert_string_equal(c->a_version, "v1");
		gradual += c->verdict == VERDICT_REGRESSION &&
			   comparison_has(c, REASON_GRADUAL);
	}
	assert_int_equal(neighbours, 5);
	assert_int_equal(gradual, 4);
	assert_true(comparisons_regressed(&list));
	comparisons_finish(&list);
	compare_pair(&all, 0, 5, &policy_statistical, &list);
	comparisons_settle(&list);
	assert_int_equal(list.count, 1);
	assert_true(comparison_has(&list.items[0], REASON_GRADUAL));
	comparisons_finish(&list);
}

/* What the user compares with takes the place of the best, from there on. */
static void named_baseline_is_compared_with(void **state)
{
	static const double best[] = {90, 90.1, 89.9, 90, 90.2};
	static const double named[] = {100, 100.1, 99.9, 100, 100.2};
	static const double last[] = {100, 100.2, 99.9, 100.1, 100};
	struct level levels[] = {LEVEL(0, best), LEVEL(1, named), LEVEL(2, named),
				 LEVEL(3, last)};
	struct series series = {{"s", "c", "m", "ns", BETTER_LOWER}, levels, 4};
	struct measurements all = {names, 4, &series, 1, .baseline = "v2"};
	struct comparisons list = {0};

	(void)state;
	compare_all(&all, &policy_statistical, &list);
	comparisons_settle(&list);
	/* Three neighbours; v3 has v2 as neighbour, so only v4 is compared with it. */
	assert_int_equal(list.count, 4);
	assert_int_equal(list.items[3].role, ROLE_BASELINE);
	assert_string_equal(list.items[3].a_version, "v2");
	assert_string_equal(list.items[3].b_version, "v4");
	assert_int_equal(list.items[3].verdict, VERDICT_SAME);
	comparisons_finish(&list);
}

/* One of many may be printed as a regression and still start no search of its own. */
static void searches_need_more_than_printing(void **state)
{
	static const double a[] = {1, 2, 3, 4, 5}, b[] = {11, 12, 13, 14, 15};
	static const double c[] = {1.5, 2.5, 3.5, 4.5, 1.2};
	struct level before = LEVEL(0, a), after = LEVEL(1, b), like = LEVEL(1, c);
	struct comparison list[20];

	(void)state;
	for (int i = 0; i < 20; i++) {
		list[i] = judge(&before, i < 10 ? &after : &like, BETTER_LOWER,
				policy_statistical);
		assert_int_equal(list[i].starts_search, i < 10);
		list[i].reasons = 0;
	}
	comparisons_decide(list, 20, 0.05);
	for (int i = 0; i < 20; i++) {
		assert_int_equal(list[i].verdict == VERDICT_REGRESSION, i < 10);
		assert_false(list[i].starts_search);
	}
}

/* The first look of the plan asks for more than a look of fixed size does. */
static void level_is_that_of_the_look(void **state)
{
	static const double a[] = {1, 2, 3, 4, 5}, b[] = {11, 12, 13, 14, 4.5};
	struct verdict_policy plan = policy_statistical;
	struct level before = LEVEL(0, a), after = LEVEL(1, b);
	struct comparison c = judge(&before, &after, BETTER_LOWER, policy_statistical);

	(void)state;
	assert_true(c.p > 0.01 && c.p < 0.05);
	assert_int_equal(c.verdict, VERDICT_REGRESSION);
	plan.sequential = 1;
	c = judge(&before, &after, BETTER_LOWER, plan);
	assert_int_equal(c.verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(c.boots_needed, 12);
}

/* One lucky boot among noisy ones makes no baseline. */
static void baseline_is_not_luck(void **state)
{
	static const double steady[] = {100, 101, 99, 100, 102};
	static const double lucky[] = {60, 104, 98, 101, 103};
	static const double last[] = {100, 101, 99, 102, 100};
	struct level levels[] = {LEVEL(0, steady), LEVEL(1, lucky), LEVEL(2, last)};
	struct series series = {{"s", "c", "m", "ns", BETTER_LOWER}, levels, 3};
	struct measurements all = {names, 3, &series, 1};
	struct comparisons list = {0};

	(void)state;
	compare_all(&all, &policy_statistical, &list);
	comparisons_settle(&list);
	assert_int_equal(list.count, 3);
	assert_string_equal(list.items[2].a_version, "v1");
	assert_false(comparisons_regressed(&list));
	comparisons_finish(&list);
}

static void names_go_both_ways(void **state)
{
	(void)state;
	for (int i = 0; i < VERDICT_COUNT; i++)
		assert_int_equal(verdict_parse(verdict_name(i)), i);
	assert_int_equal(verdict_parse("slow"), -1);
	for (int i = 0; i < REASON_COUNT; i++)
		assert_non_null(reason_name(i));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_are_judged),
		cmocka_unit_test(minimum_is_included),
		cmocka_unit_test(figures_are_right),
		cmocka_unit_test(one_boot_decides_exactly),
		cmocka_unit_test(an_absolute_minimum_holds_for_both_rules),
		cmocka_unit_test(unlike_environments_are_not_compared),
		cmocka_unit_test(many_metrics_need_more_boots),
		cmocka_unit_test(creep_is_reported_as_gradual),
		cmocka_unit_test(named_baseline_is_compared_with),
		cmocka_unit_test(searches_need_more_than_printing),
		cmocka_unit_test(level_is_that_of_the_look),
		cmocka_unit_test(baseline_is_not_luck),
		cmocka_unit_test(names_go_both_ways),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
