/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arithmetic against an independent implementation, to 1e-9: figures of R 4.2.2.
 *   sides      wilcox.test(b, a, exact = TRUE, conf.int = TRUE); with ties, where R has
 *              no exact form, combn() over all assignments of the midranks
 *   normal     wilcox.test(b, a, exact = FALSE, correct = TRUE), 2 * pnorm(-z)
 *   critical   qwilcox()
 *   several    p.adjust()
 *   shares     binom.test(): p, and conf.int, which is Clopper and Pearson's
 *   steps      pbeta(ratio, freedom / 2, steps / 2, log.p = TRUE)
 */
#include "stats/multiple.h"
#include "stats/ranks.h"
#include "stats/shift.h"
#include "stats/summary.h"
#include "stats/tails.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST = 20 };

static void assert_figure(double value, double expected)
{
	double room = 1e-9 * fmax(1e-300, fabs(expected));

	if (!(fabs(value - expected) <= room))
		fail_msg("%.17g, expected %.17g", value, expected);
}

/* clang-format off */
static const struct {
	size_t m, n;
	double a[MOST], b[MOST];
	double u, p, shift, interval[2];
} sides[] = {
	{5, 5, {101.0514682, 94.4853069, 105.8760194, 103.8725137, 98.2660534},
	{101.5865479, 116.9379236, 96.6281964, 104.7973765, 99.9522768}, 15,
	0.69047619047619047, 1.6862234000000029, {-5.9237425999999971,
	15.886455400000003}},
	{8, 8, {104.752734, 107.1830201, 99.1903237, 102.6590565, 105.0192961, 99.9932643,
	96.4718233, 97.859065}, {105.4404505, 93.2989477, 106.2510998, 92.2346284,
	104.1629945, 106.1286858, 116.1468199, 106.620036}, 41, 0.38228438228438222,
	2.3243479999999934, {-4.5601173000000017, 8.3920348000000047}},
	{12, 12, {94.9030227, 100.480063, 100.0003018, 96.2596294, 101.8954201, 98.2456228,
	100.8641032, 105.1106104, 99.6029659, 98.0518247, 95.4810577, 95.621374},
	{99.8952686, 106.1503046, 101.8068727, 97.6494621, 112.0331224, 103.8372976,
	98.9099989, 107.1655068, 114.1924772, 106.150059, 94.9203351, 112.8298785}, 111,
	0.024184255642056156, 5.6308353999999952, {0.94276949999999715,
	10.905877400000008}},
	{5, 8, {100.3589515, 101.9537847, 94.948625, 92.2653506, 101.2334394}, {92.1729618,
	99.3733705, 100.8582333, 113.0652102, 106.0875468, 99.2215968, 111.7796112,
	113.2368425}, 27, 0.35431235431235431, 6.4329272499999917, {-2.0118425999999943,
	13.822196199999993}},
	{12, 7, {105.4450553, 103.3193934, 95.6292567, 98.3855535, 102.5066923,
	102.5175981, 99.5620931, 98.0667745, 100.6991857, 109.3022608, 105.079114,
	98.4875045}, {105.8737788, 112.4797859, 111.3992607, 104.2869829, 109.8088156,
	102.2273398, 101.4896438}, 68, 0.028340080971659919, 5.4870357499999969,
	{0.79045809999999506, 9.9730935999999986}},
	{3, 20, {102.0228178, 110.2764158, 92.1847724}, {106.5994076, 106.1533148,
	94.3406545, 102.7285375, 100.3572238, 103.9569552, 103.3330828, 94.7952381,
	102.7840667, 109.07775, 105.4662437, 103.355405, 105.3687632, 106.0676862,
	110.3820715, 113.5323266, 103.4647574, 112.8442851, 102.8160615, 98.743605}, 39,
	0.4573687182382834, 2.3618756999999988, {-7.2275796999999926, 13.183990800000004}},
	{20, 20, {94.8122853, 94.8242165, 105.1883604, 98.811931, 100.1598799, 103.0414729,
	93.3600738, 102.7817121, 96.8741373, 102.1281411, 97.1923182, 104.7186604,
	93.298649, 99.4144322, 91.8478403, 101.462598, 94.5281946, 101.9251354, 92.6891662,
	96.6430611}, {106.7804685, 110.9079632, 91.9356502, 109.3347492, 105.8359612,
	90.2580963, 103.0451237, 98.0477608, 114.755834, 109.2492831, 100.1117919,
	102.5918181, 102.1554819, 106.0946567, 107.7308798, 115.529107, 109.1910187,
	103.7406238, 104.4579456, 105.7459741}, 329, 0.00029190774946929131,
	7.1638750500000086, {3.6178330000000045, 10.441974799999997}},
	{5, 5, {6, 5, 6, 5, 2}, {3, 5, 3, 6, 4}, 9, 0.48412698412698413, NAN, {NAN, NAN}},
	{6, 8, {2, 2, 3, 6, 1, 3}, {5, 8, 2, 3, 4, 2, 8, 8}, 36, 0.12221112221112221, NAN,
	{NAN, NAN}},
	{8, 8, {4, 1, 4, 3, 3, 1, 6, 3}, {6, 5, 2, 4, 8, 5, 4, 3}, 47, 0.11748251748251748,
	NAN, {NAN, NAN}},
	{10, 10, {2, 1, 2, 6, 1, 1, 5, 3, 6, 6}, {2, 6, 5, 4, 2, 5, 3, 2, 2, 8}, 59,
	0.5122539998700989, NAN, {NAN, NAN}},
	{4, 14, {5, 5, 4, 3}, {3, 7, 3, 3, 6, 4, 8, 5, 6, 4, 5, 8, 2, 2}, 30.5,
	0.83790849673202616, NAN, {NAN, NAN}},
	{9, 12, {1, 2, 6, 1, 3, 6, 5, 1, 3}, {5, 7, 7, 3, 4, 8, 6, 6, 8, 6, 8, 4}, 92.5,
	0.0041302350899874119, NAN, {NAN, NAN}},
};

static const double normal_a[] = {7, 17, 8, 32, 19, 17, 30, 6, 20, 6, 25, 33, 2, 20, 40, 15, 14, 6, 40, 36, 8,
	29, 29, 4, 40, 16, 11, 27, 36, 21, 19, 21, 15, 19, 8, 11, 24, 13, 13, 26, 35, 21,
	16, 10, 32, 26, 5, 3, 16, 8, 32, 24, 15, 31, 26, 7, 25, 27, 36, 6};
static const double normal_b[] = {44, 40, 22, 46, 35, 42, 24, 25, 17, 25, 43, 24, 26, 42, 32, 11, 32, 42, 37,
	37, 11, 24, 38, 37, 46, 9, 37, 41, 10, 24, 9, 45, 24, 41, 41, 18, 41, 45, 22, 15,
	44, 44, 46, 42, 32, 19, 12, 16, 33, 9, 9, 19, 15, 10, 29, 34, 40, 35, 21, 32, 34,
	9, 37, 46, 11, 29, 19, 25, 27, 10};

static const struct {
	size_t m, n;
	double tail;
	size_t critical;
} criticals[] = {
	{5, 5, 0.005, 1},
	{5, 5, 0.025, 3},
	{8, 8, 0.005, 8},
	{8, 8, 0.025, 14},
	{12, 12, 0.005, 28},
	{12, 12, 0.025, 38},
	{20, 20, 0.005, 106},
	{20, 20, 0.025, 128},
	{7, 15, 0.005, 17},
	{7, 15, 0.025, 25},
	{50, 50, 0.005, 878},
	{50, 50, 0.025, 966},
};

static const double p[] = {0.024, 0.0004, 0.93, 0.0133, 0.0021, 0.5, 0.0391, 0.0021, 0.21, 0.05};
static const double q[] = {0.048000000000000001, 0.0040000000000000001, 0.93000000000000005, 0.033250000000000002, 0.0070000000000000001, 0.55555555555555558, 0.065166666666666678, 0.0070000000000000001, 0.26250000000000001, 0.071428571428571438};
static const double holm[] = {0.14400000000000002, 0.0040000000000000001, 1, 0.093099999999999988, 0.0189, 1, 0.19550000000000001, 0.0189, 0.63, 0.20000000000000001};

static const struct {
	double z, p;
} tails[] = {
	{0, 1},
	{0.1, 0.92034432544594202},
	{0.5, 0.61707507745197387},
	{1, 0.31731050786291409},
	{1.96, 0.049995790296440856},
	{2.5758, 0.010000847475557363},
	{4, 6.3342483666239849e-05},
	{6, 1.9731752900753962e-09},
	{8, 1.244192114854357e-15},
	{12, 3.5529642241553581e-33},
	{20, 5.5072482372124675e-89},
};

static const struct {
	unsigned k, n;
	double p;
} signs[] = {
	{0, 1, 1},
	{1, 10, 0.021484375000000014},
	{5, 10, 1},
	{3, 20, 0.0025768280029296901},
	{15, 20, 0.041389465332031285},
	{40, 100, 0.056887933640980867},
	{2, 50, 2.2666313270747176e-12},
	{380, 1000, 3.1032459083426232e-14},
};

static const struct {
	unsigned k, n;
	double interval[2];
} shares[] = {
	{0, 1, {0, 0.97499999999999998}},
	{0, 10, {0, 0.30849710781876083}},
	{0, 80, {0, 0.045064035067692298}},
	{3, 80, {0.0078011872657166963, 0.10570198501650863}},
	{1, 10, {0.0025285785444617865, 0.44501611702819543}},
	{10, 10, {0.69150289218123917, 1}},
	{4, 100, {0.011004493986188206, 0.099257156712659889}},
	{50, 1000, {0.037335397604661771, 0.065390487915493622}},
	{7, 2000, {0.0014083038325025414, 0.0071979617146580299}},
};

static const struct {
	double ratio, freedom, steps, log_p;
} steps[] = {
	{0.3, 9, 2, -5.4178776194667124},
	{0.7, 20, 1, -4.7887920042600287},
	{0.05, 40, 2, -59.914645471079815},
	{0.9, 100, 1, -6.7219814941905414},
	{0.98, 200, 2, -2.0202707317519466},
	{0.5, 3, 1, -1.7054527144371994},
	{0.999, 50, 1, -0.19372092605512692},
	{1e-06, 30, 1, -209.16737973636384},
};
/* clang-format on */

static void sides_are_as_in_r(void **state)
{
	struct ranks ranks = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(sides) / sizeof(*sides); i++) {
		size_t m = sides[i].m, n = sides[i].n;
		struct ranks_result result =
			ranks_test(&ranks, sides[i].a, m, sides[i].b, n);
		size_t critical = ranks_critical(&ranks, m, n, 0.025);
		double a[MOST], b[MOST];
		struct shift shift;

		assert_int_equal(result.method, RANKS_EXACT);
		assert_figure(result.u, sides[i].u);
		assert_figure(result.p, sides[i].p);
		if (isnan(sides[i].shift))
			continue;
		for (size_t k = 0; k < m; k++)
			a[k] = sides[i].a[k];
		for (size_t k = 0; k < n; k++)
			b[k] = sides[i].b[k];
		summary_sort(a, m);
		summary_sort(b, n);
		shift = shift_estimate(a, m, b, n, critical);
		assert_figure(shift.median, sides[i].shift);
		assert_figure(shift.low, sides[i].interval[0]);
		assert_figure(shift.high, sides[i].interval[1]);
	}
	ranks_finish(&ranks);
}

static void normal_form_is_as_in_r(void **state)
{
	struct ranks ranks = {0};
	struct ranks_result result =
		ranks_test(&ranks, normal_a, sizeof(normal_a) / sizeof(*normal_a),
			   normal_b, sizeof(normal_b) / sizeof(*normal_b));

	(void)state;
	assert_int_equal(result.method, RANKS_NORMAL);
	assert_figure(result.u, 2982);
	assert_figure(result.p, 3.8060397543097093e-05);
	for (size_t i = 0; i < sizeof(tails) / sizeof(*tails); i++)
		assert_figure(ranks_normal_p(tails[i].z), tails[i].p);
	ranks_finish(&ranks);
}

static void critical_values_are_as_in_r(void **state)
{
	struct ranks ranks = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(criticals) / sizeof(*criticals); i++)
		assert_int_equal(ranks_critical(&ranks, criticals[i].m, criticals[i].n,
						criticals[i].tail),
				 criticals[i].critical);
	ranks_finish(&ranks);
}

static void corrections_are_as_in_r(void **state)
{
	enum { COUNT = sizeof(p) / sizeof(*p) };
	double result[COUNT];

	(void)state;
	multiple_benjamini_hochberg(p, COUNT, result);
	for (int i = 0; i < COUNT; i++)
		assert_figure(result[i], q[i]);
	multiple_holm(p, COUNT, result);
	for (int i = 0; i < COUNT; i++)
		assert_figure(result[i], holm[i]);
}

static void shares_are_as_in_r(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		assert_figure(tails_sign(signs[i].k, signs[i].n), signs[i].p);
	for (size_t i = 0; i < sizeof(shares) / sizeof(*shares); i++) {
		struct share_interval found =
			tails_share_interval(shares[i].k, shares[i].n, 0.95);

		assert_figure(found.low, shares[i].interval[0]);
		assert_figure(found.high, shares[i].interval[1]);
	}
}

static void steps_are_as_in_r(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		assert_figure(
			tails_log_steps(steps[i].ratio, steps[i].freedom, steps[i].steps),
			steps[i].log_p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sides_are_as_in_r),
		cmocka_unit_test(normal_form_is_as_in_r),
		cmocka_unit_test(critical_values_are_as_in_r),
		cmocka_unit_test(corrections_are_as_in_r),
		cmocka_unit_test(shares_are_as_in_r),
		cmocka_unit_test(steps_are_as_in_r),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
