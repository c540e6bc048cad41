/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/lock.h"
#include "base/memory.h"
#include "measure/turn.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

struct place {
	char *folder, *path;
};

static int setup(void **state)
{
	struct place *place = memory_new(1, sizeof(*place));
	struct error err;

	if (file_make_temporary_folder("/tmp/kregress-test-", &place->folder, &err))
		return -1;
	place->path = file_join(place->folder, "lock");
	setenv("KREGRESS_LOCK", place->path, 1);
	unsetenv("KREGRESS_TURN");
	*state = place;
	return 0;
}

static int teardown(void **state)
{
	struct place *place = *state;
	struct error err;

	file_remove_tree(place->folder, &err);
	free(place->folder);
	free(place->path);
	free(place);
	unsetenv("KREGRESS_NOW");
	return 0;
}

/* A child that has taken the turn and waits to be killed. */
static pid_t start_holder(enum lock_mode mode, const char *command)
{
	struct turn turn = {0};
	struct error err;
	int ready[2];
	char byte;
	pid_t child;

	assert_int_equal(pipe(ready), 0);
	child = fork();
	if (!child) {
		if (turn_take(&turn, mode, command, 0, &err) ||
		    write(ready[1], "x", 1) != 1)
			_exit(1);
		pause();
		_exit(0);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return child;
}

static void kill_holder(pid_t child)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static void the_holder_is_named(void **state)
{
	struct turn turn = {0};
	struct error err;
	char pid[32];
	pid_t child;

	(void)state;
	setenv("KREGRESS_NOW", "1800000000", 1);
	child = start_holder(LOCK_ALONE, "kregress run v6.1");
	assert_int_equal(turn_take(&turn, LOCK_ALONE, "kregress nightly", 0, &err), -1);
	assert_int_equal(err.kind, ERROR_HOST);
	snprintf(pid, sizeof(pid), "process %ld ", (long)child);
	assert_non_null(strstr(err.text, pid));
	assert_non_null(strstr(err.text, "(kregress run v6.1)"));
	assert_non_null(strstr(err.text, "since 2027-01-15T08:00:00Z"));
	assert_false(turn.taken);
	kill_holder(child);
}

static void a_dead_holder_holds_nothing(void **state)
{
	struct turn turn = {0};
	struct error err;

	(void)state;
	kill_holder(start_holder(LOCK_ALONE, "kregress run v6.1"));
	assert_int_equal(turn_take(&turn, LOCK_ALONE, "kregress nightly", 0, &err), 0);
	turn_end(&turn);
}

/* What a file says that nobody holds means nothing, whatever it says. */
static void a_stale_or_hostile_file_is_no_obstacle(void **state)
{
	const struct place *place = *state;
	static const char hostile[] = "\033[2J\n99999999999999999999\n-5\nx\ny\n\n\n";
	struct lock_holder holder;
	struct turn turn = {0};
	struct error err;

	assert_int_equal(file_write(place->path, hostile, sizeof(hostile), &err), 0);
	assert_int_equal(lock_look(place->path, &holder, &err), 0);
	assert_false(holder.held);
	assert_int_equal(holder.pid, 0);
	assert_string_equal(holder.purpose, "?[2J");
	assert_int_equal(turn_take(&turn, LOCK_ALONE, "kregress run", 0, &err), 0);
	turn_end(&turn);
}

static void searches_with_commands_run_side_by_side(void **state)
{
	struct turn first = {0}, second = {0};
	struct error err;
	pid_t child = start_holder(LOCK_BESIDE, "kregress bisect --command x");

	(void)state;
	assert_int_equal(turn_take(&first, LOCK_BESIDE, "kregress bisect", 0, &err), 0);
	turn_end(&first);
	assert_int_equal(turn_take(&second, LOCK_ALONE, "kregress run", 0, &err), -1);
	assert_non_null(strstr(err.text, "kregress bisect"));
	kill_holder(child);
}

static void a_child_measures_in_the_turn_of_its_parent(void **state)
{
	struct turn turn = {0};
	struct error err;
	int status;
	pid_t child;

	(void)state;
	assert_int_equal(turn_take(&turn, LOCK_BESIDE, "kregress bisect", 0, &err), 0);
	child = fork();
	if (!child) {
		struct turn inner = {0};

		_exit(turn_take(&inner, LOCK_ALONE, "kregress run", 0, &err) ? 1 : 0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	turn_end(&turn);
	assert_null(getenv("KREGRESS_TURN"));
}

static void progress_can_be_read(void **state)
{
	const struct place *place = *state;
	struct lock_holder holder;
	struct turn turn = {0};
	struct error err;

	assert_int_equal(turn_take(&turn, LOCK_ALONE, "kregress\nrun", 0, &err), 0);
	turn_tell(&turn, "1 of 2 measured, and much more of it than later");
	turn_tell(&turn, "2 of 2 measured");
	assert_int_equal(lock_look(place->path, &holder, &err), 0);
	assert_true(holder.held);
	assert_int_equal(holder.pid, getpid());
	assert_string_equal(holder.purpose, "kregress?run");
	assert_string_equal(holder.progress, "2 of 2 measured");
	turn_end(&turn);
	assert_int_equal(lock_look(place->path, &holder, &err), 0);
	assert_false(holder.held);
}

static void the_clock_can_be_fixed(void **state)
{
	CLEANUP(text_finish) struct text text = {0};
	struct error err;

	(void)state;
	assert_int_equal(clock_check(&err), 0);
	setenv("KREGRESS_NOW", "86400", 1);
	assert_int_equal(clock_check(&err), 0);
	assert_int_equal(clock_now(), 86400);
	clock_format(&text, clock_now());
	assert_string_equal(text.data, "1970-01-02T00:00:00Z");
	setenv("KREGRESS_NOW", "tomorrow", 1);
	assert_int_equal(clock_check(&err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_true(clock_now() > 86400);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_holder_is_named),
		TEST(a_dead_holder_holds_nothing),
		TEST(a_stale_or_hostile_file_is_no_obstacle),
		TEST(searches_with_commands_run_side_by_side),
		TEST(a_child_measures_in_the_turn_of_its_parent),
		TEST(progress_can_be_read),
		TEST(the_clock_can_be_fixed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
