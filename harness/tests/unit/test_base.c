/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/process.h"
#include "base/text.h"
#include "base/utf8.h"

#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static void error_is_cut_at_a_character(void **state)
{
	CLEANUP(text_finish) struct text text = {0};
	struct error err = {0};

	(void)state;
	for (int i = 0; i < ERROR_TEXT_SIZE; i++)
		text_add(&text, "\xc3\xa9");
	assert_int_equal(error_set(&err, ERROR_HOST, "x%s", text.data), -1);
	assert_true(strlen(err.text) < ERROR_TEXT_SIZE);
	assert_int_equal((unsigned char)err.text[strlen(err.text) - 1], 0xa9);
	error_set(&err, ERROR_USAGE, "cause");
	error_prefix(&err, "thing %d", 1);
	assert_string_equal(err.text, "thing 1: cause");
	assert_int_equal(err.kind, ERROR_USAGE);
}

static void numbers_are_read_strictly(void **state)
{
	static const char *const bad[] = {"",      " 1",    "1 ", "nan", "inf",  "0x10",
					  "1e999", "1.5.2", "-",  "e5",  "1abc", NULL};
	uint64_t size;
	double value;

	(void)state;
	for (int i = 0; bad[i]; i++)
		assert_int_equal(number_parse_double(bad[i], &value), -1);
	assert_int_equal(number_parse_double("-1.25e2", &value), 0);
	assert_true(fabs(value + 125) < 1e-12);
	assert_int_equal(number_parse_size("4k", &size), 0);
	assert_int_equal(size, 4096);
	assert_int_equal(number_parse_size("2MiB", &size), 0);
	assert_int_equal(size, 2097152);
	assert_int_equal(number_parse_size("99999999999G", &size), -1);
	assert_int_equal(number_parse_size("1x", &size), -1);
}

static void nearest_word_is_found(void **state)
{
	static const char *const words[] = {"compare", "bisect", "report", NULL};

	(void)state;
	assert_string_equal(text_nearest("bisct", words), "bisect");
	assert_null(text_nearest("xyzzy", words));
}

/* Escape, C1 CSI, right-to-left override, a stray byte; letters beyond ASCII stay. */
#define HOSTILE                                                                          \
	"a\033[2Jb\xc2\x9b"                                                              \
	"c\xe2\x80\xae"                                                                  \
	"d\x9b"                                                                          \
	"e\tf\n\xc3\xa9"
#define HARMLESS                                                                         \
	"a?[2Jb?c?d\xef\xbf\xbd"                                                         \
	"e?f?\xc3\xa9"

static void plain_text_steers_no_terminal(void **state)
{
	CLEANUP(text_finish) struct text text = {0};

	(void)state;
	utf8_add_plain_string(&text, HOSTILE);
	assert_string_equal(text_string(&text), HARMLESS);
}

static void messages_steer_no_terminal(void **state)
{
	CLEANUP(text_finish) struct text seen = {0};
	CLEANUP(cleanup_file) FILE *file = tmpfile();
	CLEANUP(cleanup_fd) int saved = dup(STDERR_FILENO);
	char bytes[200];

	(void)state;
	assert_non_null(file);
	fflush(stderr);
	dup2(fileno(file), STDERR_FILENO);
	log_error("guest says %s", HOSTILE);
	log_error("one of:\n  a\n  b\n");
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	rewind(file);
	text_add_bytes(&seen, bytes, fread(bytes, 1, sizeof(bytes), file));
	assert_string_equal(text_string(&seen),
			    "kregress: error: guest says a?[2Jb?c?d\xef\xbf\xbd"
			    "e?f\n\xc3\xa9\nkregress: error: one of:\n  a\n  b\n");
}

static void programs_end_in_time(void **state)
{
	CLEANUP(text_finish) struct text output = {0};
	const char *echo[] = {"sh", "-c", "echo hello; exit 3", NULL};
	const char *sleepy[] = {"sh", "-c", "sleep 60 & sleep 60", NULL};
	const char *none[] = {"no-such-program", NULL};
	struct process_options options = {.argv = echo, .output = &output};
	struct process_result result;
	struct error err = {0};

	(void)state;
	assert_int_equal(process_run(&options, &result, &err), 0);
	assert_int_equal(result.end, PROCESS_EXITED);
	assert_int_equal(result.code, 3);
	assert_string_equal(output.data, "hello\n");
	options = (struct process_options){.argv = sleepy, .timeout_seconds = 0.2};
	assert_int_equal(process_run(&options, &result, &err), 0);
	assert_int_equal(result.end, PROCESS_TIMED_OUT);
	options = (struct process_options){.argv = none};
	assert_int_equal(process_run(&options, &result, &err), -1);
	assert_non_null(strstr(err.text, "no-such-program"));
}

/* Whether all descendants ended, within five seconds; they come to us. */
static int all_ended(void)
{
	const struct timespec pause = {.tv_nsec = 10000000};

	for (int i = 0; i < 500; i++) {
		pid_t got = waitpid(-1, NULL, WNOHANG);

		if (got < 0)
			return 1;
		if (got == 0)
			nanosleep(&pause, NULL);
	}
	return 0;
}

/* The parent of the program is killed; its children's children, too, must end. */
static void programs_die_with_us(void **state)
{
	const char *deep[] = {"sh", "-c",
			      "sh -c 'sh -c \"sleep 60; :\" & sleep 60; :'; :", NULL};
	struct process_options options = {.argv = deep, .guarded = 1};
	int ready[2];
	char byte;
	pid_t parent;

	(void)state;
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	assert_int_equal(pipe(ready), 0);
	parent = fork();
	if (parent == 0) {
		struct process process;
		struct error err;

		if (process_start(&options, &process, &err))
			_exit(1);
		usleep(200000);
		(void)!write(ready[1], "x", 1);
		pause();
		_exit(0);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	kill(parent, SIGKILL);
	assert_true(all_ended());
	close(ready[0]);
	close(ready[1]);
}

static void ends_by_signals_are_told(void **state)
{
	const char *argv[] = {"sh", "-c", "kill -ABRT $$", NULL};
	struct process_options options = {.argv = argv};
	struct process_result result;
	struct error err = {0};

	(void)state;
	assert_int_equal(process_run(&options, &result, &err), 0);
	assert_int_equal(result.end, PROCESS_SIGNALED);
	assert_int_equal(result.code, SIGABRT);
}

static void files_are_written_whole(void **state)
{
	CLEANUP(cleanup_free) char *folder = NULL;
	CLEANUP(cleanup_free) char *deep = NULL;
	CLEANUP(cleanup_free) char *path = NULL;
	CLEANUP(text_finish) struct text content = {0};
	CLEANUP(text_list_finish) struct text_list names = {0};
	struct error err = {0};

	(void)state;
	assert_int_equal(file_make_temporary_folder("/tmp/kregress-test-", &folder, &err),
			 0);
	deep = file_join(folder, "a/b");
	assert_int_equal(file_make_folders(deep, &err), 0);
	path = file_join(deep, "file");
	assert_int_equal(file_write(path, "abc", 3, &err), 0);
	assert_int_equal(file_read(path, 3, &content, &err), 0);
	assert_string_equal(content.data, "abc");
	assert_int_equal(file_read(path, 2, &content, &err), -1);
	assert_int_equal(file_list(deep, &names, &err), 0);
	assert_int_equal(names.count, 1);
	assert_int_equal(file_remove_tree(folder, &err), 0);
	assert_false(file_exists(folder));
}

/* As root a rename would put a file in the place of /dev/null. */
static void what_is_no_file_stays(void **state)
{
	CLEANUP(cleanup_free) char *folder = NULL;
	CLEANUP(cleanup_free) char *path = NULL;
	CLEANUP(cleanup_fd) int reader = -1;
	struct error err = {0};
	struct stat status;
	char got[4] = "";

	(void)state;
	assert_int_equal(file_make_temporary_folder("/tmp/kregress-test-", &folder, &err),
			 0);
	path = file_join(folder, "pipe");
	assert_int_equal(mkfifo(path, 0600), 0);
	reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	assert_true(reader >= 0);
	assert_int_equal(file_write(path, "abc", 3, &err), 0);
	assert_int_equal(read(reader, got, 3), 3);
	assert_string_equal(got, "abc");
	assert_int_equal(stat(path, &status), 0);
	assert_true(S_ISFIFO(status.st_mode));
	assert_int_equal(file_remove_tree(folder, &err), 0);
}

static void hash_fields_do_not_run_together(void **state)
{
	char first[HASH_HEX_SIZE], second[HASH_HEX_SIZE];
	struct hash hash;

	(void)state;
	hash_init(&hash);
	hash_field_string(&hash, "a", "bc");
	hash_hex(&hash, first);
	hash_init(&hash);
	hash_field_string(&hash, "ab", "c");
	hash_hex(&hash, second);
	assert_string_not_equal(first, second);
	assert_int_equal(strlen(first), 64);
}

/* 0: asked to end and alive, so often; else how it died. */
static int signalled(int number, unsigned pause_seconds)
{
	int status;
	pid_t child = fork();

	assert_true(child >= 0);
	if (!child) {
		interrupt_install();
		raise(number);
		sleep(pause_seconds);
		raise(number);
		_exit(interrupt_requested() ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

static void one_request_may_arrive_twice(void **state)
{
	(void)state;
	assert_int_equal(signalled(SIGTERM, 0), 0);
	assert_int_equal(signalled(SIGINT, 0), 0);
	assert_int_equal(signalled(SIGINT, 3), SIGINT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(error_is_cut_at_a_character),
		cmocka_unit_test(numbers_are_read_strictly),
		cmocka_unit_test(nearest_word_is_found),
		cmocka_unit_test(plain_text_steers_no_terminal),
		cmocka_unit_test(messages_steer_no_terminal),
		cmocka_unit_test(programs_end_in_time),
		cmocka_unit_test(programs_die_with_us),
		cmocka_unit_test(ends_by_signals_are_told),
		cmocka_unit_test(one_request_may_arrive_twice),
		cmocka_unit_test(files_are_written_whole),
		cmocka_unit_test(what_is_no_file_stays),
		cmocka_unit_test(hash_fields_do_not_run_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
