/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Several processes, and those that die or find no space. */
#include "base/interrupt.h"
#include "store/schema_private.h"
#include "store_sql_private.h"

#include <sched.h>
#include <signal.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

/* Opens for itself and adds boots until it is stopped or has added enough. */
static void write_boots(const struct world *world, int boots)
{
	struct sample_record samples[200];
	struct world mine = *world;
	struct boot_record boot = world_boot(world);
	struct error err = {0};
	int64_t id;

	for (int i = 0; i < 200; i++)
		samples[i] = (struct sample_record){
			.case_label = memory_format("n=%d", i),
			.metric = "elapsed",
			.unit = "ns",
			.better = "lower",
			.value = i,
		};
	boot.samples = samples;
	boot.sample_count = 200;
	if (store_open(mine.path, STORE_READ_WRITE, &mine.store, &err) < 0)
		_exit(1);
	for (int i = 0; i < boots; i++)
		if (store_add_boot(mine.store, &boot, &id, &err) < 0)
			_exit(2);
	store_close(mine.store);
	_exit(0);
}

static void two_processes_write_at_once(void **state)
{
	struct world world;
	pid_t children[2];
	int status;

	(void)state;
	world_init(&world);
	store_close(TAKE(world.store));
	for (int i = 0; i < 2; i++) {
		children[i] = fork();
		if (!children[i])
			write_boots(&world, 20);
	}
	for (int i = 0; i < 2; i++) {
		waitpid(children[i], &status, 0);
		assert_int_equal(status, 0);
	}
	assert_int_equal(sql_ask(world.path, "SELECT count(*) FROM samples"),
			 2 * 20 * 200);
	world_finish(&world);
}

/* Both make the same new file at the same time. */
static void two_processes_create_at_once(void **state)
{
	struct world world;
	pid_t children[2];
	int status;

	(void)state;
	world_init(&world);
	store_close(TAKE(world.store));
	for (int round = 0; round < 10; round++) {
		CLEANUP(cleanup_free)
		char *path = memory_format("%s-%d", world.path, round);

		for (int i = 0; i < 2; i++) {
			children[i] = fork();
			if (!children[i]) {
				struct store *store = NULL;
				struct error err = {0};

				_exit(store_open(path, STORE_READ_WRITE, &store, &err) <
				      0);
			}
		}
		for (int i = 0; i < 2; i++) {
			waitpid(children[i], &status, 0);
			assert_int_equal(status, 0);
		}
		assert_int_equal(sql_ask(path, "PRAGMA user_version"), schema_version());
	}
	world_finish(&world);
}

/* Until the writer is at work, however slow the machine is: more boots than before. */
static void wait_for_boots(const char *path, long long before)
{
	for (int i = 0; i < 6000; i++) {
		if (sql_ask(path, "SELECT count(*) FROM boots") > before)
			return;
		usleep(10000);
	}
	fail_msg("nothing was written in a minute");
}

static void a_killed_writer_leaves_whole_boots(void **state)
{
	struct world world;
	long long boots = 0;

	(void)state;
	world_init(&world);
	store_close(TAKE(world.store));
	for (int round = 0; round < 12; round++) {
		pid_t child = fork();

		if (!child)
			write_boots(&world, 100000);
		wait_for_boots(world.path, boots);
		usleep((unsigned)(round * 7919));
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		boots = sql_ask(world.path, "SELECT count(*) FROM boots");
		assert_int_equal(
			sql_ask(world.path,
				"SELECT count(*) FROM boots b WHERE 200 <> (SELECT"
				" count(*) FROM samples WHERE boot = b.id)"),
			0);
	}
	assert_int_equal(sql_ask(world.path, "SELECT integrity_check = 'ok' FROM"
					     " pragma_integrity_check"),
			 1);
	world_finish(&world);
}

/* In a child: an interrupt is for ever. */
static int write_while_leaving(const char *path)
{
	struct store *store;
	struct error err = {0};

	interrupt_install();
	raise(SIGINT);
	return store_open(path, STORE_READ_WRITE, &store, &err) ||
	       store_begin(store, &err) != -1 || err.kind != ERROR_INTERRUPTED;
}

static void an_interrupt_does_not_wait_a_minute_for_a_writer(void **state)
{
	struct world world;
	sqlite3 *writer;
	int status;
	pid_t child;

	(void)state;
	world_init(&world);
	assert_int_equal(sqlite3_open(world.path, &writer), SQLITE_OK);
	assert_int_equal(sqlite3_exec(writer, "BEGIN IMMEDIATE", NULL, NULL, NULL),
			 SQLITE_OK);
	child = fork();
	if (child == 0) {
		alarm(20);
		_exit(write_while_leaving(world.path));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	sqlite3_close(writer);
	world_finish(&world);
}

static void a_long_reader_loses_nothing(void **state)
{
	CLEANUP(cleanup_store) struct store *reader = NULL;
	CLEANUP(session_list_finish) struct session_list list = {0};
	struct world world;
	struct error err = {0};
	int64_t id;

	(void)state;
	world_init(&world);
	assert_int_equal(store_open(world.path, STORE_READ_ONLY, &reader, &err), 0);
	assert_int_equal(store_begin_read(reader, &err), 0);
	assert_int_equal(store_load_sessions(reader, &list, &err), 0);
	for (int i = 0; i < 50; i++)
		assert_int_equal(
			store_add_session(world.store,
					  &(struct session_record){.command = "run"}, &id,
					  &err),
			0);
	assert_int_equal(store_load_sessions(reader, &list, &err), 0);
	assert_int_equal(list.count, 2); /* one, read twice: nothing moved */
	assert_int_equal(store_commit(reader, &err), 0);
	session_list_finish(&list);
	assert_int_equal(store_load_sessions(reader, &list, &err), 0);
	assert_int_equal(list.count, 51);
	world_finish(&world);
}

/* In a tiny file system: boots go in until the disk is full, then one more fails. */
static int fill_disk(const char *folder)
{
	CLEANUP(cleanup_free) char *path = file_join(folder, STORE_FILE_NAME);
	struct world world = {.path = path};
	struct boot_record boot;
	struct error err = {0};
	double points[2000];
	const struct series_record series = {"", "windows", "ns", 1, points, 2000};
	int64_t id;
	int boots = 0;

	for (int i = 0; i < 2000; i++)
		points[i] = 1.0 / (i + 3);
	if (store_open(path, STORE_READ_WRITE, &world.store, &err) < 0)
		return 10;
	store_add_session(world.store, &(struct session_record){.command = "x"},
			  &world.session, &err);
	store_add_scenario(world.store, "d", "s", "", &world.scenario, &err);
	store_add_environment(world.store, "virtual", world_fields, 3, &world.environment,
			      &err);
	store_add_kernel(world.store, &(struct kernel_record){.key = "k"}, &world.kernel,
			 &err);
	boot = world_boot(&world);
	boot.version = 0;
	boot.series = &series;
	boot.series_count = 1;
	while (boots < 1000 && !store_add_boot(world.store, &boot, &id, &err))
		boots++;
	if (boots < 3 || boots == 1000)
		return 11;
	if (!strstr(err.text, "full"))
		return 12;
	store_close(world.store);
	if (sql_ask(path, "SELECT count(*) FROM series") != boots)
		return 13;
	return 0;
}

static void a_full_disk_loses_nothing(void **state)
{
	CLEANUP(cleanup_free) char *folder = NULL;
	struct error err = {0};
	int status;
	pid_t child;

	(void)state;
	assert_int_equal(file_make_temporary_folder("/tmp/kregress-full-", &folder, &err),
			 0);
	child = fork();
	if (!child) {
		if (unshare(CLONE_NEWNS) ||
		    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
		    mount("tmpfs", folder, "tmpfs", 0, "size=1500k"))
			_exit(77);
		_exit(fill_disk(folder));
	}
	waitpid(child, &status, 0);
	file_remove_tree(folder, &err);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip(); /* only root may mount */
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_processes_write_at_once),
		cmocka_unit_test(two_processes_create_at_once),
		cmocka_unit_test(a_killed_writer_leaves_whole_boots),
		cmocka_unit_test(an_interrupt_does_not_wait_a_minute_for_a_writer),
		cmocka_unit_test(a_long_reader_loses_nothing),
		cmocka_unit_test(a_full_disk_loses_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
