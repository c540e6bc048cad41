/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/search_run.h"

#include "base/cleanup.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/process.h"
#include "cli/search_after.h"
#include "cli/search_progress.h"
#include "cli/search_steps.h"
#include "measure/rows.h"
#include "store/search.h"

#include <stdlib.h>
#include <string.h>

static void finish_steps(struct search_run_step *steps, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(steps[i].version);
		free(steps[i].outcome);
		free(steps[i].purpose);
		free(steps[i].detail);
	}
	free(steps);
}

void search_run_finish(struct search_run *run)
{
	search_destroy(run->search);
	finish_steps(run->steps, run->step_count);
	finish_steps(run->after.steps, run->after.step_count);
	free(run->after.doubt);
	free(run->prior);
	path_hints_finish(&run->hints);
	graph_finish(&run->graph);
	*run = (struct search_run){0};
}

static int apply_marks(struct search_run *run, struct error *err)
{
	const struct search_marks *marks = run->request->marks;

	if (!marks)
		return 0;
	run->prior = memory_new(run->graph.count, sizeof(*run->prior));
	run->options.prior = run->prior;
	return search_marks_weigh(marks, run->request->repository, &run->graph,
				  run->prior, err);
}

static void apply_skips(struct search_run *run)
{
	const struct search_marks *marks = run->request->marks;

	for (size_t i = 0; marks && i < marks->count; i++) {
		uint32_t node = graph_find(&run->graph, marks->items[i].commit.hex);

		if (marks->items[i].mark == SEARCH_MARK_SKIP && node != UINT32_MAX)
			search_leave_out(run->search, node);
	}
}

static void make_key(const struct search_request *request, char key[HASH_HEX_SIZE])
{
	struct hash hash;

	hash_init(&hash);
	hash_field_string(&hash, "kind", request->measurer.ops->kind);
	hash_field_string(&hash, "identity", request->identity);
	hash_field_string(&hash, "model", request->options.model->name);
	hash_field_string(&hash, "good", request->good.hex);
	hash_field_string(&hash, "bad", request->bad.hex);
	hash_field_string(&hash, "first-parent", request->first_parent ? "yes" : "no");
	hash_hex(&hash, key);
}

static int find_row(struct search_run *run, struct error *err)
{
	const struct search_request *request = run->request;
	char key[HASH_HEX_SIZE];
	struct search_record record = {
		.session = request->session,
		.key = key,
		.kind = request->measurer.ops->kind,
		.parameters = request->identity,
	};

	make_key(request, key);
	if (!request->again && store_find_search(request->store, key, &run->id, err))
		return -1;
	return run->id ? 0 : store_add_search(request->store, &record, &run->id, err);
}

static void use_hints(struct search_run *run)
{
	if (!run->request->hints)
		return;
	path_hints_init(&run->hints, run->request->repository, &run->graph);
	run->options.hint = path_hints_ask;
	run->options.hint_state = &run->hints;
}

static int start(struct search_run *run, struct error *err)
{
	const struct search_request *request = run->request;

	if (graph_load(request->repository, &request->good, &request->bad,
		       request->first_parent, &run->graph, err))
		return -1;
	if (apply_marks(run, err) || find_row(run, err))
		return -1;
	use_hints(run);
	run->search = search_create(&run->graph, &run->options);
	path_hints_tell(&run->hints);
	apply_skips(run);
	return search_steps_replay(run, err);
}

static void give_up(struct search_run *run, const struct search_step *step,
		    const struct trial *trial)
{
	run->hopeless = 1;
	run->end = (struct search_step){.status = SEARCH_ABORTED, .node = step->node};
	snprintf(run->end.reason, sizeof(run->end.reason),
		 "the %s cannot be run, tried twice: %.400s",
		 run->request->measurer.ops->kind, text_string(&trial->detail));
}

/* One measurement; *hopeless counts those in a row that say the measurer is broken. */
static int measure(struct search_run *run, const struct search_step *step, int *hopeless,
		   struct error *err)
{
	const struct measurer *measurer = &run->request->measurer;
	const char *commit = run->graph.ids[step->node].hex;
	CLEANUP(trial_finish) struct trial trial = {0};
	struct search_observation seen;

	log_status("measuring %.12s (%s)", commit, search_purpose_name(step->purpose));
	if (interrupt_check(err) ||
	    measurer->ops->measure(measurer->state, commit,
				   step->purpose >= SEARCH_FOR_CONFIRMATION, &trial, err))
		return -1;
	if (search_steps_add(run, step, &trial, err))
		return -1;
	seen = (struct search_observation){
		.node = step->node,
		.outcome = search_outcome_of(trial.outcome),
		.value = trial.value,
		.built = trial.built,
		.build_seconds = trial.build_seconds,
		.seconds = trial.seconds,
	};
	search_observe(run->search, &seen);
	if (run->request->budget)
		run->request->budget->boots++;
	search_progress_tell(run, step, &trial);
	path_hints_tell(&run->hints);
	if (search_progress_store(run, err))
		return -1;
	*hopeless = trial.hopeless ? *hopeless + 1 : 0;
	if (*hopeless > 1)
		give_up(run, step, &trial);
	return 0;
}

static int store_end(struct search_run *run, struct error *err)
{
	CLEANUP(cleanup_free) char *json = search_run_json(run);
	CLEANUP(cleanup_free)
	double *mass = memory_new(run->graph.count, sizeof(*mass));
	CLEANUP(cleanup_free)
	struct suspect_record *suspects = memory_new(run->graph.count, sizeof(*suspects));
	struct search_event event = {
		.status = search_status_name(run->end.status),
		.culprit = run->end.status == SEARCH_CONFIRMED
				   ? run->graph.ids[run->end.node].hex
				   : NULL,
		.result = json,
		.suspects = suspects,
	};

	if (event.culprit &&
	    rows_add_commit(run->request->store, run->request->repository,
			    &run->graph.ids[run->end.node], err))
		return -1;
	search_posterior(run->search, mass);
	for (uint32_t i = 0; i < run->graph.count; i++)
		if (mass[i] >= 1e-6)
			suspects[event.suspect_count++] = (struct suspect_record){
				.commit = run->graph.ids[i].hex,
				.probability = mass[i],
				.tested = search_values(run->search, i) > 0,
				.skipped = search_skipped(run->search, i),
			};
	return store_add_search_event(run->request->store, run->id, &event, err);
}

/* A finished search asked again; not one that was killed before its end was stored. */
static int end_is_stored(const struct search_run *run, int *ret_stored, struct error *err)
{
	CLEANUP(search_list_finish) struct search_list list = {0};

	if (store_load_searches(run->request->store, run->id, &list, err))
		return -1;
	*ret_stored = list.count &&
		      !strcmp(list.items[0].status, search_status_name(run->end.status));
	return 0;
}

static int is_spent(const struct search_run *run)
{
	const struct budget *budget = run->request->budget;

	return budget && budget_is_spent(budget, process_now());
}

static int run_steps(struct search_run *run, struct error *err)
{
	int hopeless = 0;

	for (;;) {
		search_next(run->search, &run->end);
		if (run->end.status != SEARCH_RUNNING)
			return 0;
		struct search_step step = run->end;

		run->is_paused = is_spent(run);
		if (run->is_paused)
			return 0;
		if (measure(run, &step, &hopeless, err))
			return -1;
		if (run->hopeless)
			return 0;
	}
}

/* A culprit that hardly can be one is measured once more before it is believed. */
static int doubt(struct search_run *run, int *ret_doubted, struct error *err)
{
	*ret_doubted = 0;
	free(TAKE(run->after.doubt));
	if (run->end.status != SEARCH_CONFIRMED)
		return 0;
	if (search_find_doubt(run, run->end.node, &run->after.doubt, err))
		return -1;
	if (!run->after.doubt || search_is_doubted(run->search, run->end.node))
		return 0;
	log_info("%.12s is an unlikely culprit, %s: measured once more",
		 run->graph.ids[run->end.node].hex, run->after.doubt);
	search_doubt(run->search, run->end.node);
	*ret_doubted = 1;
	return 0;
}

/* The answer stands, whatever comes of the questions after it. */
static int ask_after(struct search_run *run, struct error *err)
{
	if (run->end.status != SEARCH_CONFIRMED || !search_ask_after(run, err))
		return 0;
	if (err->kind == ERROR_INTERRUPTED)
		return -1;
	log_warning("the confirmed commit could not be questioned further: %s",
		    err->text);
	return 0;
}

static int run_loop(struct search_run *run, struct error *err)
{
	size_t known = run->step_count + run->after.step_count;
	int stored = 0, doubted;

	run->stored_steps = known;
	do
		if (run_steps(run, err) || doubt(run, &doubted, err))
			return -1;
	while (doubted);
	if (ask_after(run, err))
		return -1;
	log_status(NULL);
	if (run->is_paused) /* what is known is stored as its progress */
		return 0;
	if (known == run->step_count + run->after.step_count &&
	    end_is_stored(run, &stored, err))
		return -1;
	return stored ? 0 : store_end(run, err);
}

int search_run(const struct search_request *request, struct search_run *ret_run,
	       struct error *err)
{
	*ret_run = (struct search_run){.request = request, .options = request->options};
	if (start(ret_run, err) || run_loop(ret_run, err) || interrupt_check(err)) {
		search_run_finish(ret_run);
		return -1;
	}
	return 0;
}

int search_run_exit_code(const struct search_run *run)
{
	static const int codes[] = {
		[SEARCH_WHY_NONE] = 5,          [SEARCH_WHY_CONFIRMED] = 0,
		[SEARCH_WHY_SAME_ENDS] = 5,     [SEARCH_WHY_SMALL_EFFECT] = 5,
		[SEARCH_WHY_END_FAILS] = 4,     [SEARCH_WHY_WRONG_DIRECTION] = 5,
		[SEARCH_WHY_FIX_IN_GOOD] = 5,   [SEARCH_WHY_GOOD_IS_WRONG] = 5,
		[SEARCH_WHY_SKIPS] = 5,         [SEARCH_WHY_BUDGET] = 5,
		[SEARCH_WHY_NOT_REPEATABLE] = 4};

	return run->hopeless ? 3 : codes[run->end.why];
}
