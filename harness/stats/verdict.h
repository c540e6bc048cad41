/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verdict on two versions in one metric, with its figures and its reasons.
 *
 * Two steps, since one comparison must know how many others are printed beside it:
 *
 *	for each pair:  comparison_measure(&question, workspace, &list[i]);
 *	comparisons_decide(list, count, 0.05);
 *
 * stats/family.h asks the usual questions of whole measurements and does both steps.
 *
 * Statistical rule (disk lab, imports): a regression or an improvement must be
 * significant (Benjamini-Hochberg q at most alpha), large enough (median and
 * Hodges-Lehmann shift both at least the minimum effect) and separated (probability of
 * superiority at least 0.85). "same" must be shown: the 95 % interval of the shift lies
 * inside the minimum effect. All else is inconclusive and says how many boots it needs.
 *
 * Exact rule (virtual lab): numbers repeat to the last digit, so one boot a side decides:
 * a change of the minimum effect or more is real, a smaller one is "same". Where boots of
 * one side differ, identity has failed and the statistical rule is used, marked.
 *
 * Figures that cannot be computed are NAN ("null" in JSON); none is ever infinite.
 */
#ifndef STATS_VERDICT_H
#define STATS_VERDICT_H

#include "stats/ranks.h"
#include "stats/series.h"

#include <stddef.h>

enum verdict {
	VERDICT_SAME,
	VERDICT_REGRESSION,
	VERDICT_IMPROVEMENT,
	VERDICT_INCONCLUSIVE,
	VERDICT_NOT_COMPARABLE,
	VERDICT_COUNT
};

enum comparison_role { ROLE_PAIR, ROLE_NEIGHBOUR, ROLE_BASELINE, ROLE_COUNT };

/* Bit numbers in comparison.reasons. */
enum reason {
	REASON_SIGNIFICANT,
	REASON_NOT_SIGNIFICANT,
	REASON_TOO_FEW_BOOTS,
	REASON_EFFECT_BELOW_MINIMUM,
	REASON_NOT_SEPARATED,
	REASON_ZERO_BASELINE,
	REASON_ONE_SIDED_METRIC,
	REASON_OUTLIERS,
	REASON_GRADUAL,
	REASON_ENVIRONMENT_DIFFERS,
	REASON_REFERENCE_MOVED,
	REASON_EXACT,
	REASON_IDENTITY_FAILED,
	REASON_COUNT
};

enum verdict_rule { RULE_STATISTICAL, RULE_EXACT };

struct verdict_policy {
	enum verdict_rule rule;
	double minimum_effect; /* fraction: 0.03 is 3 % */
	double separation;     /* least probability of superiority */
	/* Boots came by the plan of stats/sequential.h: the level is that of the look. */
	int sequential;
	double minimum_change; /* besides the effect, in the unit of the metric; 0: any */
};

extern const struct verdict_policy policy_statistical; /* 3 %, 0.85 */
extern const struct verdict_policy policy_sequential;  /* the same, by the plan */
extern const struct verdict_policy policy_exact;       /* 0.5 % */

struct question {
	struct series_name name;
	enum comparison_role role;
	const char *a_version;
	const char *b_version;
	const struct level *a; /* NULL: the metric was not measured there */
	const struct level *b;
	struct verdict_policy policy;
	/*
	 * What differs in the environment, field by field ("qemu: 7.2 became 8.0"); NULL
	 * where nothing does. The keys of the levels are compared as well.
	 */
	const char *difference;
	int allow_difference; /* the user wants it compared all the same: marked only */
	size_t candidates;    /* a is the best of so many (role baseline); 0 is 1 */
};

/* boots 0: no data, and the numbers are NAN. */
struct side_summary {
	size_t boots;
	double median;
	double min;
	double max;
	size_t outliers;          /* boots far from the others of their side */
	const char *outlier_name; /* the farthest: its name, or NULL and its number */
	size_t outlier_number;    /* from 1 */
	double outlier_value;
};

struct comparison {
	struct series_name name;
	enum comparison_role role;
	const char *a_version;
	const char *b_version;
	struct verdict_policy policy;
	struct side_summary a;
	struct side_summary b;
	double change_percent; /* (b - a) / a of the medians */
	double ci_percent[2];  /* of b - a over a's median, low to high; both or none NAN
				*/
	double p;              /* exact two-sided Mann-Whitney */
	double q;              /* Benjamini-Hochberg over the list, never below p */
	double holm;           /* Holm over the list */
	double superiority;    /* a boot of b is worse than one of a; ties half */
	double shift;          /* Hodges-Lehmann, in the unit of the metric */
	double shift_ci[2];    /* its 95 % interval; NAN where boots are too few */
	size_t boots_needed;   /* a side, where undecided; 0: none */
	size_t candidates;
	enum verdict verdict;
	int starts_search; /* a regression that is sure by Holm too: searched unasked */
	unsigned reasons;  /* bits: 1u << REASON_... */
	const char *difference;    /* see question; borrowed */
	const char *a_environment; /* keys where they differ, else NULL; borrowed */
	const char *b_environment;
};

/*
 * Everything but q, verdict and reasons that depend on them. ranks: see ranks.h; one
 * for many calls keeps the tables.
 */
void comparison_measure(const struct question *question, struct ranks *ranks,
			struct comparison *ret_comparison);

/*
 * q over all of the list, then every verdict. alpha is 0.05 for a fixed-size look;
 * comparisons whose policy is sequential have the level of their look instead.
 */
void comparisons_decide(struct comparison *list, size_t count, double alpha);

/* The smallest change that counts, in the unit of the metric. */
double comparison_room(const struct comparison *comparison);

int comparison_has(const struct comparison *comparison, enum reason reason);
void comparison_add_reason(struct comparison *comparison, enum reason reason);

/* The words of the contract: "not-comparable", "effect-below-minimum", "neighbour". */
const char *verdict_name(enum verdict verdict);
const char *reason_name(enum reason reason);
const char *role_name(enum comparison_role role);
/* -1 where there is no such word. */
int verdict_parse(const char *name);

enum { COMPARISON_SENTENCE_SIZE = 768 };

/*
 * One English sentence for people, without the names of versions and metric: "median
 * +7.2 % (95 % 5.1 to 9.0), 8 against 8 boots, p 0.0002, separated 0.97: regression".
 * Cut at a character where it does not fit.
 */
void comparison_sentence(const struct comparison *comparison,
			 char sentence[COMPARISON_SENTENCE_SIZE]);

#endif
