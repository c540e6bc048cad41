/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/search_steps.h"

#include "base/cleanup.h"
#include "base/log.h"
#include "base/memory.h"
#include "store/search.h"

#include <string.h>

static const char *const purposes[] = {
	[SEARCH_FOR_ENDS] = "end",        [SEARCH_FOR_BASE] = "merge base",
	[SEARCH_FOR_CULPRIT] = "search",  [SEARCH_FOR_CONFIRMATION] = "confirm",
	[SEARCH_FOR_RECHECK] = "recheck",
};

const char *search_purpose_name(enum search_purpose purpose)
{
	return purposes[purpose];
}

enum search_outcome search_outcome_of(const char *outcome)
{
	if (!strcmp(outcome, "ok"))
		return SEARCH_MEASURED;
	return strcmp(outcome, "infrastructure") ? SEARCH_UNTESTABLE : SEARCH_LOST;
}

static struct search_run_step copy_step(const struct step_record *record)
{
	return (struct search_run_step){
		.outcome = memory_copy_string(record->outcome),
		.value = record->value_count ? record->values[0] : 0,
		.purpose = memory_copy_string(record->purpose),
		.detail =
			memory_copy_bytes(record->detail, strcspn(record->detail, "\n")),
	};
}

static void keep_step(struct search_run *run, uint32_t node,
		      const struct step_record *record)
{
	struct search_run_step step = copy_step(record);

	step.node = node;
	run->steps = memory_grow(run->steps, run->step_count, &run->step_capacity,
				 sizeof(*run->steps));
	run->steps[run->step_count++] = step;
}

static void keep_after(struct search_run *run, const struct step_record *record)
{
	struct search_after *after = &run->after;
	struct search_run_step step = copy_step(record);

	step.version = memory_copy_string(record->commit);
	after->steps = memory_grow(after->steps, after->step_count, &after->step_capacity,
				   sizeof(*after->steps));
	after->steps[after->step_count++] = step;
}

static struct step_record describe_trial(const struct trial *trial, const char *commit,
					 const char *purpose)
{
	return (struct step_record){
		.commit = commit,
		.outcome = trial->outcome,
		.detail = text_string(&trial->detail),
		.purpose = purpose,
		.values = &trial->value,
		.value_count = search_outcome_of(trial->outcome) == SEARCH_MEASURED,
		.built = trial->built,
		.build_seconds = trial->build_seconds,
		.seconds = trial->seconds,
		.started = trial->started,
		.boot = trial->boot,
	};
}

int search_steps_add(struct search_run *run, const struct search_step *step,
		     const struct trial *trial, struct error *err)
{
	struct step_record record = describe_trial(trial, run->graph.ids[step->node].hex,
						   search_purpose_name(step->purpose));

	if (store_add_step(run->request->store, run->id, &record, err))
		return -1;
	keep_step(run, step->node, &record);
	return 0;
}

int search_run_keep_after(struct search_run *run, const char *purpose,
			  const char *version, const struct trial *trial,
			  struct error *err)
{
	struct step_record record = describe_trial(trial, version, purpose);

	if (store_add_step(run->request->store, run->id, &record, err))
		return -1;
	keep_after(run, &record);
	return 0;
}

/* What was asked of a confirmed commit is no observation. */
static int is_after(const struct step_record *step)
{
	return !strcmp(step->purpose, "revert") || !strcmp(step->purpose, "head");
}

static int replay_step(struct search_run *run, const struct step_record *step,
		       struct error *err)
{
	struct search_observation seen = {
		.node = graph_find(&run->graph, step->commit),
		.outcome = search_outcome_of(step->outcome),
		.value = step->value_count ? step->values[0] : 0,
		.built = step->built,
		.build_seconds = step->build_seconds,
		.seconds = step->seconds,
	};
	size_t last = run->step_count;

	if (seen.node == UINT32_MAX)
		return error_set(err, ERROR_HOST,
				 "the stored search names %s, which is not in its range; "
				 "--again starts anew",
				 step->commit);
	/* A recheck begins with the commit that is doubted. */
	if (!strcmp(step->purpose, purposes[SEARCH_FOR_RECHECK]) && last &&
	    strcmp(run->steps[last - 1].purpose, step->purpose) != 0)
		search_doubt(run->search, seen.node);
	search_observe(run->search, &seen);
	keep_step(run, seen.node, step);
	return 0;
}

int search_steps_replay(struct search_run *run, struct error *err)
{
	CLEANUP(step_list_finish) struct step_list steps = {0};

	if (store_load_steps(run->request->store, run->id, &steps, err))
		return -1;
	for (size_t i = 0; i < steps.count; i++) {
		if (is_after(&steps.items[i]))
			keep_after(run, &steps.items[i]);
		else if (replay_step(run, &steps.items[i], err))
			return -1;
	}
	if (steps.count)
		log_info("resuming: %zu measurements are stored", steps.count);
	return 0;
}
