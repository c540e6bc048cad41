/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernels, one after the other: declared in schedule_private.h. */
#include "measure/schedule_private.h"

#include "base/cleanup.h"
#include "base/log.h"
#include "base/process.h"

static int needs_build(const struct item *item)
{
	return item->state == ITEM_WAITING &&
	       item->measurement->subject->state == SUBJECT_UNBUILT;
}

/* A kernel that comes too late is not made. */
static void leave_out(struct schedule *schedule, const struct subject *subject)
{
	for (size_t i = 0; i < schedule->count; i++)
		if (schedule->items[i].measurement->subject == subject &&
		    needs_build(&schedule->items[i]))
			schedule_leave_out(schedule, &schedule->items[i]);
}

static int begin_build(struct schedule *schedule, struct subject *subject,
		       struct error *err)
{
	if (subject_find_kernel(schedule->workbench, subject, err))
		return -1;
	if (subject->state != SUBJECT_UNBUILT)
		return 0;
	if (schedule_is_spent(schedule)) {
		leave_out(schedule, subject);
		return 0;
	}
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
		return -1;
	subject_fail(subject, OUTCOME_BUILD_FAILED, err->text);
	log_info("%s", err->text);
	return 0;
}

static void stop_late_build(struct schedule *schedule)
{
	if (!schedule->building || !schedule_is_spent(schedule))
		return;
	schedule->building = NULL;
	build_destroy(TAKE(schedule->build.build));
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

int schedule_build(struct schedule *schedule, struct error *err)
{
	stop_late_build(schedule);
	return start_next_build(schedule, err) || poll_build(schedule, err) ? -1 : 0;
}

int schedule_any_unbuilt(const struct schedule *schedule)
{
	for (size_t i = 0; i < schedule->count; i++)
		if (needs_build(&schedule->items[i]))
			return 1;
	return 0;
}
