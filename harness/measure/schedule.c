/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure/schedule_private.h"

#include "base/cleanup.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/process.h"
#include "measure/identity.h"
#include "measure/profiles.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUILD_POLL_MICROSECONDS = 20000, TELL_SECONDS = 1 };

void measurement_finish(struct measurement *measurement)
{
	free(measurement->detail);
	boot_list_finish(&measurement->found);
}

static void finish_schedule(struct schedule *schedule)
{
	build_destroy(schedule->build.build);
	for (size_t i = 0; i < schedule->count; i++)
		lab_boot_destroy(schedule->items[i].boot);
	free(schedule->items);
	free(schedule->order);
}

static const char *label_of(const struct item *item)
{
	return item->measurement->subject->name;
}

void schedule_finish_item(struct schedule *schedule, struct item *item,
			  enum outcome outcome, const char *detail)
{
	struct measurement *measurement = item->measurement;

	item->state = ITEM_DONE;
	schedule->done++;
	/* What a boot left out stays true at the end. */
	if (outcome == OUTCOME_OK && measurement->outcome == OUTCOME_PARTIAL)
		return;
	measurement->outcome = outcome;
	free(measurement->detail);
	measurement->detail = memory_copy_string(detail);
}

/* What is there counts all the same. */
void schedule_leave_out(struct schedule *schedule, struct item *item)
{
	const struct budget *budget = &schedule->workbench->budget;
	CLEANUP(cleanup_free) char *why = NULL;

	if (item->measurement->found.count) {
		schedule_finish_item(schedule, item, OUTCOME_OK, NULL);
		return;
	}
	why = budget->max_boots && budget->boots + budget->reserved >= budget->max_boots
		      ? memory_format("left out: the budget of %u boots is spent",
				      budget->max_boots)
		      : memory_format("left out: the budget of %.0f minutes is spent",
				      budget->max_seconds / 60);
	schedule_finish_item(schedule, item, OUTCOME_SKIPPED, why);
}

int schedule_is_spent(const struct schedule *schedule)
{
	return budget_is_spent(&schedule->workbench->budget, process_now());
}

/* --- boots */

/* In the virtual lab boots that disagree ask for one more, until most agree. */
static int enough(const struct schedule *schedule, const struct item *item)
{
	const struct boot_list *found = &item->measurement->found;

	if (!tally_is_full(&item->tally))
		return 0;
	return !schedule->exact || item->measurement->count_blocks ||
	       found->count >= IDENTITY_BOOTS_MAX || identity_holds(found);
}

static int start_boot(struct schedule *schedule, struct item *item, struct error *err)
{
	struct workbench *workbench = schedule->workbench;
	struct lab_request request = {
		.kernel = &item->measurement->subject->kernel,
		.scenario = item->measurement->scenario,
		.count_blocks = item->measurement->count_blocks,
	};
	char name[48];

	snprintf(name, sizeof(name), "kregress-%lld-%d-%u", (long long)workbench->session,
		 (int)getpid(), ++workbench->boots);
	request.name = name;
	if (lab_start(workbench->lab, &request, &item->boot, err))
		return error_prefix(err, "%s, %s", label_of(item),
				    item->measurement->scenario->name);
	item->state = ITEM_RUNNING;
	schedule->running++;
	workbench->budget.boots++;
	return 0;
}

static int advance_item(struct schedule *schedule, struct item *item, struct error *err)
{
	struct subject *subject = item->measurement->subject;

	if (subject->state == SUBJECT_FAILED) {
		schedule_finish_item(schedule, item, subject->outcome, subject->detail);
		return 0;
	}
	if (!item->placed && schedule_place_item(schedule, item, err))
		return -1;
	if (!enough(schedule, item) && schedule_is_spent(schedule)) {
		schedule_leave_out(schedule, item);
		return 0;
	}
	if (!enough(schedule, item))
		return start_boot(schedule, item, err);
	if (!item->measurement->made)
		log_detail("%s, %s: result is known", label_of(item),
			   item->measurement->scenario->name);
	schedule_finish_item(schedule, item, OUTCOME_OK, NULL);
	return 0;
}

static void fill_order(struct schedule *schedule)
{
	for (size_t i = 0; i < schedule->count; i++) {
		const struct item *item = &schedule->items[i];
		size_t group = 0;

		while (schedule->items[group].measurement->scenario !=
		       item->measurement->scenario)
			group++;
		schedule->order[i] = (struct sampling_item){
			.group = group,
			.made = (unsigned)item->measurement->found.count,
			.wanted = UINT_MAX, /* advance_item() knows when it is enough */
			.busy = item->state != ITEM_WAITING,
		};
	}
}

/* How many boots there are must be known before it is said who comes next. */
static int place_all(struct schedule *schedule, struct error *err)
{
	for (size_t i = 0; i < schedule->count; i++) {
		struct item *item = &schedule->items[i];

		if (!item->placed && item->state == ITEM_WAITING &&
		    item->measurement->subject->state == SUBJECT_READY &&
		    schedule_place_item(schedule, item, err))
			return -1;
	}
	return 0;
}

/* One after the other by the order of blocks; nothing else disturbs the host. */
static int start_in_blocks(struct schedule *schedule, struct error *err)
{
	size_t next;

	if (schedule_any_unbuilt(schedule))
		return 0;
	if (place_all(schedule, err))
		return -1;
	while (schedule->running < schedule->parallel) {
		fill_order(schedule);
		next = sampling_next(schedule->order, schedule->count,
				     schedule->workbench->seed);
		if (next == schedule->count)
			return 0;
		if (advance_item(schedule, &schedule->items[next], err))
			return -1;
	}
	return 0;
}

static int start_at_once(struct schedule *schedule, struct error *err)
{
	for (size_t i = 0; i < schedule->count; i++) {
		struct item *item = &schedule->items[i];

		if (schedule->running >= schedule->parallel)
			return 0;
		if (item->state == ITEM_WAITING &&
		    item->measurement->subject->state != SUBJECT_UNBUILT &&
		    advance_item(schedule, item, err))
			return -1;
	}
	return 0;
}

/* A boot that was to count blocks goes in with its profiles or not at all. */
static int add_boot(struct schedule *schedule, struct item *item, int64_t *ret_id,
		    struct error *err)
{
	struct workbench *workbench = schedule->workbench;
	const struct measurement *measurement = item->measurement;
	const struct evidence *evidence = lab_boot_evidence(item->boot);

	if (rows_add_boot(workbench, measurement->subject, &item->place,
			  measurement->purpose, evidence, ret_id, err))
		return -1;
	if (!measurement->count_blocks || !outcome_is_good(evidence->outcome))
		return 0;
	return profiles_add(workbench, &measurement->subject->kernel,
			    measurement->scenario, item->boot, *ret_id, err);
}

static int keep_boot(struct schedule *schedule, struct item *item,
		     const struct evidence *evidence, struct error *err)
{
	struct measurement *measurement = item->measurement;
	struct store *store = schedule->workbench->store;
	int64_t id;

	if (store_begin(store, err))
		return -1;
	if (add_boot(schedule, item, &id, err)) {
		store_rollback(store);
		return -1;
	}
	if (store_commit(store, err))
		return -1;
	measurement->made++;
	measurement->boot_seconds += evidence->seconds;
	if (!outcome_is_good(evidence->outcome))
		return 0;
	if (evidence->outcome == OUTCOME_PARTIAL)
		schedule_note_partial(measurement, evidence->detail);
	return store_load_boot(store, id, &measurement->found, err);
}

/* The last boot of a measurement counts as progress, those before it do not. */
static void say_booted(const struct schedule *schedule, const struct item *item,
		       const struct evidence *evidence, int last)
{
	char progress[64];

	if (last)
		snprintf(progress, sizeof(progress), "%zu of %zu", schedule->done + 1,
			 schedule->count);
	else
		snprintf(progress, sizeof(progress), "another boot follows");
	log_info("%s, %s: %s in %.1f s (%s)%s%s", label_of(item),
		 item->measurement->scenario->name, outcome_name(evidence->outcome),
		 evidence->seconds, progress, evidence->detail ? ": " : "",
		 evidence->detail ? evidence->detail : "");
}

/* What a guest did is answered by its console, if anything does. */
static void finish_with_boot(struct schedule *schedule, struct item *item,
			     const struct evidence *evidence)
{
	CLEANUP(cleanup_free)
	char *detail = memory_format("%s (console: %s)",
				     evidence->detail ? evidence->detail : "",
				     evidence->console_path);

	schedule_finish_item(schedule, item, evidence->outcome, detail);
}

static int take_boot(struct schedule *schedule, struct item *item, struct error *err)
{
	const struct evidence *evidence = lab_boot_evidence(item->boot);
	int failed = keep_boot(schedule, item, evidence, err);
	int over = !failed && tally_take(&item->tally, evidence->outcome);

	say_booted(schedule, item, evidence, over || enough(schedule, item));
	item->state = ITEM_WAITING;
	schedule->running--;
	if (over)
		finish_with_boot(schedule, item, evidence);
	lab_boot_destroy(TAKE(item->boot));
	return failed;
}

static int poll_boots(struct schedule *schedule, struct error *err)
{
	for (size_t i = 0; i < schedule->count; i++) {
		struct item *item = &schedule->items[i];

		if (item->boot && lab_poll(item->boot) && take_boot(schedule, item, err))
			return -1;
	}
	return 0;
}

/* --- the loop */

static void show_status(struct schedule *schedule)
{
	char build[200] = "";
	char line[280];

	if (schedule->building)
		snprintf(build, sizeof(build), "; building %.80s (%s, %zu lines, %.0f s)",
			 schedule->building->name, build_phase(schedule->build.build),
			 build_progress(schedule->build.build),
			 process_now() - schedule->build_started);
	snprintf(line, sizeof(line), "%zu of %zu measured, %zu booted%s", schedule->done,
		 schedule->count, schedule->running, build);
	log_status("%s", line);
	if (process_now() < schedule->told + TELL_SECONDS)
		return;
	schedule->told = process_now();
	turn_tell(&schedule->workbench->turn, line);
}

static int step(struct schedule *schedule, struct error *err)
{
	if (interrupt_check(err) || schedule_build(schedule, err) ||
	    (schedule->exact ? start_at_once(schedule, err)
			     : start_in_blocks(schedule, err)) ||
	    poll_boots(schedule, err))
		return -1;
	show_status(schedule);
	if (schedule->workbench->lab && schedule->running)
		lab_wait(schedule->workbench->lab);
	else if (schedule->building)
		usleep(BUILD_POLL_MICROSECONDS);
	return 0;
}

/* Before anything is built: what cannot be measured shall not cost an hour first. */
static int check_scenarios(const struct workbench *workbench,
			   const struct measurement *list, size_t count,
			   struct error *err)
{
	for (size_t i = 0; i < count; i++) {
		size_t first = 0;

		while (list[first].scenario != list[i].scenario)
			first++;
		if (first == i && lab_check(workbench->lab, list[i].scenario, err))
			return -1;
	}
	return 0;
}

int measure_all(struct workbench *workbench, struct measurement *list, size_t count,
		struct error *err)
{
	CLEANUP(finish_schedule)
	struct schedule schedule = {
		.workbench = workbench,
		.items = memory_new(count, sizeof(*schedule.items)),
		.count = count,
		.exact = workbench->lab_kind == CONFIG_VIRTUAL,
		.order = memory_new(count, sizeof(*schedule.order)),
	};

	if (workbench_open_lab(workbench, err) ||
	    check_scenarios(workbench, list, count, err))
		return -1;
	schedule.parallel = lab_parallel(workbench->lab);
	for (size_t i = 0; i < count; i++)
		schedule.items[i].measurement = &list[i];
	while (schedule.done < count)
		if (step(&schedule, err))
			return -1;
	log_status(NULL);
	return 0;
}
