/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a killed program leaves behind, and what must stay. */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "lab/boot_files.h"
#include "vm/leftovers.h"

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

static char *folder;

static int make_folder(void **state)
{
	struct error err = {0};

	(void)state;
	return file_make_temporary_folder("/tmp/kregress-test-", &folder, &err);
}

static int remove_folder(void **state)
{
	struct error err = {0};
	int code = file_remove_tree(folder, &err);

	(void)state;
	free(folder);
	return code;
}

static void touch(const char *name, const char *content)
{
	CLEANUP(cleanup_free) char *path = file_join(folder, name);
	struct error err = {0};

	assert_int_equal(file_write(path, content, strlen(content), &err), 0);
}

static int is_there(const char *name)
{
	CLEANUP(cleanup_free) char *path = file_join(folder, name);

	return file_exists(path);
}

/* A process that waits, with the argument that libvirt gives a QEMU it asks. */
static pid_t start_probe(const char *pid_file)
{
	pid_t pid = fork();

	if (pid == 0) {
		execlp("sh", "sh", "-c", "read x", "-pidfile", pid_file, NULL);
		_exit(127);
	}
	assert_true(pid > 0);
	return pid;
}

static pid_t make_probe(const char *name, const char *argument)
{
	CLEANUP(cleanup_free) char *path = memory_format("%s/lib/qemu/%s", folder, name);
	CLEANUP(cleanup_free) char *file = memory_format("lib/qemu/%s/qmp.pid", name);
	struct error err = {0};
	char line[24];
	pid_t pid;

	assert_int_equal(file_make_folders(path, &err), 0);
	pid = start_probe(argument);
	snprintf(line, sizeof(line), "%d\n", (int)pid);
	touch(file, line);
	return pid;
}

static void an_idle_probe_is_ended_and_no_other(void **state)
{
	int input[2];
	pid_t probe, other;
	int status;

	(void)state;
	assert_int_equal(pipe(input), 0);
	assert_int_equal(dup2(input[0], STDIN_FILENO), STDIN_FILENO);
	probe = make_probe("qmp-A1", "/alias/lib/qemu/qmp-A1/qmp.pid");
	other = make_probe("qmp-B2", "/alias/lib/qemu/qmp-C3/qmp.pid");
	usleep(100000); /* both have their arguments */
	assert_int_equal(leftovers_end_in_root(folder), 0);
	assert_int_equal(waitpid(probe, &status, 0), probe);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	assert_int_equal(waitpid(other, &status, WNOHANG), 0);
	assert_false(is_there("lib/qemu/qmp-A1"));
	kill(other, SIGKILL);
	waitpid(other, &status, 0);
	close(input[0]);
	close(input[1]);
}

static void files_of_dead_boots_are_removed(void **state)
{
	(void)state;
	touch("kregress-1-2-3.initramfs", "x");
	touch("kregress-1-2-3.results", "x");
	touch("kregress-1-2-3.counts", "x");
	touch("kregress-1-2-3.console.log", "x");
	touch("notes", "x");
	boot_files_sweep(folder);
	assert_false(is_there("kregress-1-2-3.initramfs"));
	assert_false(is_there("kregress-1-2-3.results"));
	assert_false(is_there("kregress-1-2-3.counts"));
	assert_true(is_there("kregress-1-2-3.console.log"));
	assert_true(is_there("notes"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(an_idle_probe_is_ended_and_no_other,
						make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(files_of_dead_boots_are_removed,
						make_folder, remove_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
