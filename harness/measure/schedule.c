/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure/schedule.h"

#include "base/cleanup.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/process.h"
#include "measure/identity.h"
#include "measure/rows.h"
#include "measure/tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUILD_POLL_MICROSECONDS = 20000, TELL_SECONDS = 1 };

enum item_state { ITEM_WAITING, ITEM_RUNNING, ITEM_DONE };

/* A measurement and how far it is. */
struct item {
	struct measurement *measurement;
	enum item_state state;
	int placed; /* place is filled in, stored boots were looked up */
	struct rows_place place;
	struct tally tally;
	struct lab_boot *boot;
};

struct schedule {
	struct workbench *workbench;
	struct item *items;
	size_t count;
	struct subject *building; /* NULL: no build runs */
	struct subject_build build;
	double build_started;
	size_t done, running;
	unsigned parallel;
	double told; /* when others could last read how far it is */
};

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
}

static const char *label_of(const struct item *item)
{
	return item->measurement->subject->name;
}

static void finish_item(struct schedule *schedule, struct item *item,
			enum outcome outcome, const char *detail)
{
	item->state = ITEM_DONE;
	item->measurement->outcome = outcome;
	free(item->measurement->detail);
	item->measurement->detail = memory_copy_string(detail);
	schedule->done++;
}

/* --- kernels */

static int needs_build(const struct item *item)
{
	return item->state == ITEM_WAITING &&
	       item->measurement->subject->state == SUBJECT_UNBUILT;
}

static int begin_build(struct schedule *schedule, struct subject *subject,
		       struct error *err)
{
	if (subject_find_kernel(schedule->workbench, subject, err))
		return -1;
	if (subject->state != SUBJECT_UNBUILT)
		return 0;
	if (subject_start_build(schedule->workbench, subject, &schedule->build, err))
		return -1;
	schedule->building = subject;
	schedule->build_started = process_now();
	return 0;
}

static int start_next_build(struct schedule *schedule, struct error *err)
{
	for (size_t i = 0; i < schedule->count && !schedule->building; i++)
		if (needs_build(&schedule->items[i]) &&
		    begin_build(schedule, schedule->items[i].measurement->subject, err))
			return -1;
	return 0;
}

static void say_built(const struct subject *subject, double seconds)
{
	if (subject->state == SUBJECT_READY)
		log_info("%s: built in %.0f s", subject->name, seconds);
	else
		log_info("%s: does not build (%.0f s): %s", subject->name, seconds,
			 subject->detail);
}

static void spread_build_seconds(struct schedule *schedule, const struct subject *subject,
				 double seconds)
{
	for (size_t i = 0; i < schedule->count; i++)
		if (schedule->items[i].measurement->subject == subject)
			schedule->items[i].measurement->build_seconds = seconds;
}

/* A build beyond its time says nothing sure of the commit: remembered nowhere. */
static int build_error(struct schedule *schedule, struct error *err)
{
	struct subject *subject = schedule->building;

	schedule->building = NULL;
	build_destroy(TAKE(schedule->build.build));
	if (err->kind != ERROR_MEASUREMENT)
		return error_prefix(err, "%s", subject->name);
	subject_fail(subject, OUTCOME_BUILD_FAILED, err->text);
	log_info("%s: %s", subject->name, err->text);
	return 0;
}

static int poll_build(struct schedule *schedule, struct error *err)
{
	struct subject *subject = schedule->building;
	double seconds = process_now() - schedule->build_started;
	enum build_state state;
	struct kernel kernel = {0};

	if (!subject)
		return 0;
	if (build_poll(schedule->build.build, &state, &kernel, err))
		return build_error(schedule, err);
	if (state == BUILD_RUNNING)
		return 0;
	schedule->building = NULL;
	build_destroy(TAKE(schedule->build.build));
	if (subject_take_kernel(schedule->workbench, subject, &kernel, err))
		return -1;
	spread_build_seconds(schedule, subject, seconds);
	say_built(subject, seconds);
	return 0;
}

/* --- boots */

/* In the virtual lab boots that disagree ask for one more, until most agree. */
static int enough(const struct schedule *schedule, const struct item *item)
{
	const struct boot_list *found = &item->measurement->found;

	if (!tally_is_full(&item->tally))
		return 0;
	return schedule->workbench->lab_kind != CONFIG_VIRTUAL ||
	       found->count >= IDENTITY_BOOTS_MAX || identity_holds(found);
}

/* Where results belong, and those that are there already. */
static int place_item(struct schedule *schedule, struct item *item, struct error *err)
{
	struct measurement *measurement = item->measurement;

	item->placed = 1;
	if (rows_add_place(schedule->workbench, measurement->subject,
			   measurement->scenario, &item->place, err))
		return -1;
	measurement->environment = item->place.environment;
	item->tally =
		(struct tally){.wanted = measurement->boots, .fresh = measurement->fresh};
	if (schedule->workbench->lab_kind != CONFIG_VIRTUAL)
		return 0;
	if (rows_find_boots(schedule->workbench, measurement->subject, &item->place,
			    &measurement->found, err))
		return -1;
	item->tally.found = measurement->found.count;
	return 0;
}

static int start_boot(struct schedule *schedule, struct item *item, struct error *err)
{
	struct workbench *workbench = schedule->workbench;
	struct lab_request request = {
		.kernel = &item->measurement->subject->kernel,
		.scenario = item->measurement->scenario,
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
	return 0;
}

static int advance_item(struct schedule *schedule, struct item *item, struct error *err)
{
	struct subject *subject = item->measurement->subject;

	if (subject->state == SUBJECT_FAILED) {
		finish_item(schedule, item, subject->outcome, subject->detail);
		return 0;
	}
	if (!item->placed && place_item(schedule, item, err))
		return -1;
	if (!enough(schedule, item))
		return start_boot(schedule, item, err);
	if (!item->measurement->made)
		log_detail("%s, %s: result is known", label_of(item),
			   item->measurement->scenario->name);
	finish_item(schedule, item, OUTCOME_OK, NULL);
	return 0;
}

static int start_boots(struct schedule *schedule, struct error *err)
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

static int keep_boot(struct schedule *schedule, struct item *item,
		     const struct evidence *evidence, struct error *err)
{
	struct measurement *measurement = item->measurement;
	int64_t id;

	if (rows_add_boot(schedule->workbench, measurement->subject, &item->place,
			  measurement->purpose, evidence, &id, err))
		return -1;
	measurement->made++;
	measurement->boot_seconds += evidence->seconds;
	if (evidence->outcome != OUTCOME_OK)
		return 0;
	return store_load_boot(schedule->workbench->store, id, &measurement->found, err);
}

static void say_booted(const struct schedule *schedule, const struct item *item,
		       const struct evidence *evidence)
{
	log_info("%s, %s: %s in %.1f s (%zu of %zu)%s%s", label_of(item),
		 item->measurement->scenario->name, outcome_name(evidence->outcome),
		 evidence->seconds, schedule->done + 1, schedule->count,
		 evidence->detail ? ": " : "", evidence->detail ? evidence->detail : "");
}

static int take_boot(struct schedule *schedule, struct item *item, struct error *err)
{
	const struct evidence *evidence = lab_boot_evidence(item->boot);
	int failed = keep_boot(schedule, item, evidence, err);

	say_booted(schedule, item, evidence);
	item->state = ITEM_WAITING;
	schedule->running--;
	if (!failed && tally_take(&item->tally, evidence->outcome))
		finish_item(schedule, item, evidence->outcome, evidence->detail);
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
	if (interrupt_check(err) || start_next_build(schedule, err) ||
	    poll_build(schedule, err) || start_boots(schedule, err) ||
	    poll_boots(schedule, err))
		return -1;
	show_status(schedule);
	if (schedule->workbench->lab && schedule->running)
		lab_wait(schedule->workbench->lab);
	else if (schedule->building)
		usleep(BUILD_POLL_MICROSECONDS);
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
	};

	if (workbench_open_lab(workbench, err))
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
