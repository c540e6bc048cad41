/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What "kregress calibrate" found, for people and as JSON.
 */
#ifndef REPORT_CALIBRATION_H
#define REPORT_CALIBRATION_H

#include "base/text.h"
#include "stats/noise.h"

#include <stddef.h>
#include <stdint.h>

/* One metric of a case; all strings are borrowed. */
struct calibrated {
	struct series_name name;
	double minimum_percent; /* effect that counts, the floor left aside */
	int exact;              /* identity counts, and noise is not filled in */
	struct noise noise;
	struct noise_identity identity;
};

struct calibration {
	const char *version, *lab;
	uint64_t seed;
	struct calibrated *items; /* those of a scenario stand together */
	size_t count, capacity;
	size_t boots, odd_boots; /* exact lab: boots that strayed in any metric */
};

void calibration_finish(struct calibration *calibration);

/* What a later judgement takes as the least change, in percent; 0: nothing is known. */
double calibrated_floor(const struct calibrated *item);

void calibration_text(const struct calibration *calibration, struct text *out);

/*
 * {"version","lab","seed","boots","false_alarms":{"alarms","trials","interval_percent"},
 * "series":[{"scenario","case","metric","unit","better","boots","median",
 * "spread_percent","floor_percent","minimum_effect_percent","finds":[{"boots",
 * "percent"}],"false_alarms":{..}}]}; of an exact lab with "odd_boots" and, in each
 * series, "agreeing" instead of "false_alarms". Percentages are null where there is none.
 */
void calibration_json(const struct calibration *calibration, struct text *out);

#endif
