/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/search_progress.h"

#include "base/cleanup.h"
#include "base/log.h"
#include "base/memory.h"
#include "store/search.h"

#include <stdio.h>
#include <string.h>

enum { MOST_KEPT = 10 };
/* Less is not worth a row. */
static const double LEAST_KEPT = 1e-3;

void search_progress_tell(struct search_run *run, const struct search_step *step,
			  const struct trial *trial)
{
	const struct search_run_step *last = &run->steps[run->step_count - 1];
	struct search_outlook outlook;
	char value[400];

	if (!strcmp(trial->outcome, "ok"))
		snprintf(value, sizeof(value), "%.6g", trial->value);
	else
		snprintf(value, sizeof(value), "%s%s%.300s", trial->outcome,
			 trial->detail.size ? ": " : "", last->detail);
	search_look_ahead(run->search, &outlook);
	log_info("%3u %.12s %-10s %s", search_boots(run->search),
		 run->graph.ids[step->node].hex, last->purpose, value);
	log_info("    likeliest %.12s (%.3f); about %.0f measurements, %.1f minutes to "
		 "come",
		 run->graph.ids[outlook.best].hex, outlook.best_probability,
		 outlook.boots, outlook.seconds / 60);
	log_detail("    %.1f bits are missing", outlook.bits);
}

/* The likeliest candidates, in their order; returns how many. */
static size_t find_likeliest(struct search_run *run, struct suspect_record *ret)
{
	CLEANUP(cleanup_free)
	double *mass = memory_new(run->graph.count, sizeof(*mass));
	CLEANUP(cleanup_free) unsigned char *kept = memory_new(run->graph.count, 1);
	size_t count = 0;

	search_posterior(run->search, mass);
	for (int n = 0; n < MOST_KEPT; n++) {
		size_t best = run->graph.count;

		for (size_t i = 0; i < run->graph.count; i++)
			if (!kept[i] && mass[i] >= LEAST_KEPT &&
			    (best == run->graph.count || mass[i] > mass[best]))
				best = i;
		if (best == run->graph.count)
			break;
		kept[best] = 1;
	}
	for (uint32_t i = 0; i < run->graph.count; i++)
		if (kept[i])
			ret[count++] = (struct suspect_record){
				.commit = run->graph.ids[i].hex,
				.probability = mass[i],
				.tested = search_values(run->search, i) > 0,
				.skipped = search_skipped(run->search, i),
			};
	return count;
}

int search_progress_store(struct search_run *run, struct error *err)
{
	struct suspect_record suspects[MOST_KEPT];
	struct search_outlook outlook;
	char result[400];
	struct search_event event = {.status = search_status_name(SEARCH_RUNNING),
				     .result = result,
				     .suspects = suspects};

	search_look_ahead(run->search, &outlook);
	snprintf(result, sizeof(result),
		 "{\"boots\":%u,\"builds\":%u,\"seconds\":%.3f,\"bits_left\":%.3f,"
		 "\"boots_left\":%.1f,\"seconds_left\":%.1f}",
		 search_boots(run->search), search_builds(run->search),
		 search_seconds(run->search), outlook.bits, outlook.boots,
		 outlook.seconds);
	event.suspect_count = find_likeliest(run, suspects);
	return store_add_search_event(run->request->store, run->id, &event, err);
}
