/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Real guests in real QEMU, but without a kernel: programs of a few instructions in a
 * multiboot image, which say something and then end in one of the ways a guest can.
 */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "vm/vm.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { LOAD_ADDRESS = 0x100000, CODE_OFFSET = 32, COM1 = 0x3f8, COM2 = 0x2f8 };

#define RESULT "record one\nrecord two\n"
#define PANIC "[    1.5] Kernel panic - not syncing: planned\n"

static char *folder;
static char *root;
static struct vm_host *host;

static void put_byte(struct text *code, unsigned byte)
{
	text_add_char(code, (char)byte);
}

static void put_word(struct text *code, uint32_t word)
{
	text_add_bytes(code, &word, sizeof(word));
}

/* mov $port, %dx; then for each byte: mov $byte, %al; out %al, (%dx) */
static void put_say(struct text *code, unsigned port, const char *words)
{
	text_add_bytes(code, "\x66\xba", 2);
	put_byte(code, port & 0xff);
	put_byte(code, port >> 8);
	for (; *words; words++) {
		put_byte(code, 0xb0);
		put_byte(code, (unsigned char)*words);
		put_byte(code, 0xee);
	}
}

/* The ways to end, as machine code; each falls into "cli; hlt" for ever. */
static const char power_off[] = "\x66\xba\x04\x06\x66\xb8\x00\x20\x66\xef";
static const char reset[] = "\x66\xba\xf9\x0c\xb0\x06\xee";
static const char hang[] = "";

#define MAKE_GUEST(name, console, results, end)                                          \
	make_guest(name, console, results, end, sizeof(end) - 1)

static void make_guest(const char *name, const char *console, const char *results,
		       const char *end, size_t end_size)
{
	CLEANUP(text_finish) struct text image = {0};
	CLEANUP(text_finish) struct text code = {0};
	CLEANUP(cleanup_free) char *path = file_join(folder, name);
	const uint32_t magic = 0x1badb002, flags = 1 << 16;
	struct error err;

	put_say(&code, COM1, console);
	put_say(&code, COM2, results);
	text_add_bytes(&code, end, end_size);
	text_add_bytes(&code, "\xfa\xf4\xeb\xfc", 4);
	put_word(&image, magic);
	put_word(&image, flags);
	put_word(&image, -(magic + flags));
	put_word(&image, LOAD_ADDRESS); /* of this header */
	put_word(&image, LOAD_ADDRESS); /* of the text */
	put_word(&image, (uint32_t)(LOAD_ADDRESS + CODE_OFFSET + code.size));
	put_word(&image, 0);
	put_word(&image, LOAD_ADDRESS + CODE_OFFSET);
	text_add_bytes(&image, code.data, code.size);
	assert_int_equal(file_write(path, image.data, image.size, &err), 0);
}

struct boot {
	struct vm *vm;
	char *name;
	char *kernel;
	char *console;
	char *results_path;
	struct text results;
	struct vm_status status;
};

static int boot_start(struct boot *boot, const char *kernel, struct error *err)
{
	static int count;
	struct vm_spec spec = {.memory_mib = 32};

	*boot = (struct boot){
		.name = memory_format("test-%d-%d", (int)getpid(), ++count),
		.kernel = file_join(folder, kernel),
		.console = memory_format("%s/console-%d", folder, count),
		.results_path = memory_format("%s/results-%d", folder, count),
	};
	spec.name = boot->name;
	spec.kernel = boot->kernel;
	spec.console_path = boot->console;
	spec.results_path = boot->results_path;
	return vm_start(host, &spec, &boot->vm, err);
}

static void boot_finish(struct boot *boot)
{
	vm_destroy(boot->vm);
	free(boot->name);
	free(boot->kernel);
	free(boot->console);
	free(boot->results_path);
	text_finish(&boot->results);
}

static void poll_once(struct boot *boot)
{
	struct error err;

	do {
		if (vm_poll(boot->vm, &boot->results, &boot->status, &err))
			fail_msg("%s", err.text);
	} while (boot->status.state != VM_RUNNING && boot->status.more);
}

/* Until it ends, or has said all that is wanted, or time is up. */
static void run(struct boot *boot, size_t wanted, double seconds)
{
	double end = process_now() + seconds;

	do {
		vm_host_wait(host, 10);
		poll_once(boot);
	} while (boot->status.state == VM_RUNNING && boot->results.size < wanted &&
		 process_now() < end);
}

static void start(struct boot *boot, const char *kernel)
{
	struct error err;

	if (boot_start(boot, kernel, &err))
		fail_msg("%s", err.text);
}

static void a_power_off_is_clean(void **state)
{
	struct boot boot;

	(void)state;
	start(&boot, "off");
	run(&boot, SIZE_MAX, 60);
	assert_int_equal(boot.status.state, VM_POWERED_OFF);
	assert_string_equal(text_string(&boot.results), RESULT);
	assert_int_equal(boot.status.result_bytes, strlen(RESULT));
	assert_string_equal(boot.status.trouble, "");
	assert_string_equal(boot.status.last_line, "fine");
	assert_true(boot.status.first_result >= 0);
	boot_finish(&boot);
}

static void a_panic_is_a_reset_with_words(void **state)
{
	struct boot boot;

	(void)state;
	start(&boot, "panic");
	run(&boot, SIZE_MAX, 60);
	assert_int_equal(boot.status.state, VM_RESET);
	assert_true(boot.status.panicked);
	assert_non_null(strstr(boot.status.trouble, "not syncing: planned"));
	boot_finish(&boot);
}

static void a_hanging_guest_is_stopped_at_once(void **state)
{
	struct boot boot;
	double before;

	(void)state;
	start(&boot, "hang");
	run(&boot, strlen(RESULT), 60);
	assert_int_equal(boot.status.state, VM_RUNNING);
	before = process_now();
	vm_stop(boot.vm);
	assert_true(process_now() - before < 1);
	poll_once(&boot);
	assert_int_equal(boot.status.state, VM_KILLED);
	assert_int_equal(boot.status.qemu_signal, SIGKILL);
	assert_string_equal(text_string(&boot.results), RESULT);
	boot_finish(&boot);
}

static pid_t qemu_of(const char *name)
{
	CLEANUP(cleanup_free)
	char *path = memory_format("%s/run/qemu/%s.pid", root, name);
	CLEANUP(text_finish) struct text text = {0};
	struct error err;

	assert_int_equal(file_read(path, 64, &text, &err), 0);
	return (pid_t)strtol(text_string(&text), NULL, 10);
}

static void a_killed_qemu_is_a_lost_guest(void **state)
{
	struct boot boot;

	(void)state;
	start(&boot, "hang");
	run(&boot, 1, 60);
	kill(qemu_of(boot.name), SIGKILL);
	run(&boot, SIZE_MAX, 60);
	assert_int_equal(boot.status.state, VM_LOST);
	assert_true(file_exists(vm_qemu_log(boot.vm)));
	boot_finish(&boot);
}

static void one_loop_drives_several(void **state)
{
	static const char *const kernels[] = {"off", "hang", "panic", "off"};
	static const enum vm_state ends[] = {VM_POWERED_OFF, VM_RUNNING, VM_RESET,
					     VM_POWERED_OFF};
	struct boot boots[4];

	(void)state;
	for (int i = 0; i < 4; i++)
		start(&boots[i], kernels[i]);
	for (int i = 0; i < 4; i++) {
		run(&boots[i], i == 1 ? strlen(RESULT) : SIZE_MAX, 60);
		assert_int_equal(boots[i].status.state, ends[i]);
		assert_string_equal(text_string(&boots[i].results), RESULT);
	}
	for (int i = 0; i < 4; i++)
		boot_finish(&boots[i]);
}

static void a_wrong_kernel_is_told(void **state)
{
	struct error err = {0};
	struct boot boot;

	(void)state;
	assert_int_equal(boot_start(&boot, "missing", &err), -1);
	assert_int_equal(err.kind, ERROR_HOST);
	assert_non_null(strstr(err.text, "missing"));
	boot_finish(&boot);
	a_power_off_is_clean(state);
}

/* This program again, as another controller; its exit code, or minus its signal. */
static int run_other(const char *role, const char *with_root)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		execl("/proc/self/exe", "vm_guests", role, folder, with_root, NULL);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static int open_host(const char *path, struct error *err)
{
	struct vm_host_options options = {.root = path};

	return vm_host_open(&options, &host, err);
}

/* The roles of that other controller. */

static int refused_by_lock(void)
{
	CLEANUP(cleanup_free) char *holder = memory_format("process %d", (int)getppid());
	struct error err = {0};

	return open_host(root, &err) == -1 && err.kind == ERROR_HOST &&
			       strstr(err.text, holder)
		       ? 0
		       : 1;
}

static int die_with_guest(void)
{
	struct error err = {0};
	struct boot boot;
	CLEANUP(cleanup_free) char *pid_path = file_join(folder, "left-pid");
	CLEANUP(cleanup_free) char *pid = NULL;

	if (open_host(root, &err) || boot_start(&boot, "hang", &err))
		return 1;
	pid = memory_format("%d", (int)qemu_of(boot.name));
	if (file_write(pid_path, pid, strlen(pid), &err))
		return 1;
	raise(SIGKILL);
	return 1;
}

static int boot_in_root(void)
{
	struct error err = {0};
	struct boot boot;
	int good;

	if (open_host(root, &err) || boot_start(&boot, "off", &err)) {
		print_error("%s\n", err.text);
		return 1;
	}
	run(&boot, SIZE_MAX, 60);
	good = boot.status.state == VM_POWERED_OFF;
	boot_finish(&boot);
	vm_host_close(host);
	return good ? 0 : 1;
}

static const struct {
	const char *name;
	int (*play)(void);
} roles[] = {
	{"refused", refused_by_lock}, {"die", die_with_guest}, {"boot", boot_in_root}};

static int play(char **argv)
{
	folder = argv[2];
	root = argv[3];
	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++)
		if (!strcmp(argv[1], roles[i].name))
			return roles[i].play();
	return 2;
}

static void a_root_serves_one_controller(void **state)
{
	(void)state;
	assert_int_equal(run_other("refused", root), 0);
}

static void a_long_and_odd_root_works(void **state)
{
	CLEANUP(cleanup_free)
	char *odd = memory_format("%s/a b&c=%%d'[x]/%0100d", folder, 0);

	(void)state;
	assert_int_equal(run_other("boot", odd), 0);
}

static int file_count(const char *name)
{
	CLEANUP(cleanup_free) char *path = file_join(root, name);
	CLEANUP(text_list_finish) struct text_list names = {0};
	struct error err;
	int count = 0;

	assert_int_equal(file_list(path, &names, &err), 0);
	for (size_t i = 0; i < names.count; i++)
		count += !strncmp(names.items[i], "test-", 5) ||
			 !strncmp(names.items[i], "domain-", 7);
	return count;
}

static int make_world(void **state)
{
	struct error err;

	(void)state;
	if (file_make_temporary_folder("/tmp/kregress-test-", &folder, &err))
		return -1;
	root = file_join(folder, "root");
	MAKE_GUEST("off", "boot\nfine\n", RESULT, power_off);
	MAKE_GUEST("panic", PANIC, RESULT, reset);
	MAKE_GUEST("hang", "boot\n", RESULT, hang);
	return 0;
}

static pid_t read_left_pid(void)
{
	CLEANUP(cleanup_free) char *path = file_join(folder, "left-pid");
	CLEANUP(text_finish) struct text text = {0};
	struct error err;

	assert_int_equal(file_read(path, 64, &text, &err), 0);
	return (pid_t)strtol(text_string(&text), NULL, 10);
}

/* First of all tests: it opens the host that the others use. */
static void a_dead_controllers_guest_is_ended(void **state)
{
	struct error err = {0};
	pid_t left;

	(void)state;
	assert_int_equal(run_other("die", root), -SIGKILL);
	left = read_left_pid();
	assert_int_equal(kill(left, 0), 0);
	if (open_host(root, &err))
		fail_msg("%s", err.text);
	assert_int_equal(vm_host_facts(host)->leftovers, 1);
	/* Whoever adopted it may not have reaped it yet. */
	for (int i = 0; i < 500 && kill(left, 0) == 0; i++)
		usleep(10000);
	assert_int_equal(kill(left, 0), -1);
}

/* Last of all tests. */
static void nothing_is_left_behind(void **state)
{
	(void)state;
	vm_host_close(host);
	assert_int_equal(file_count("run/qemu"), 0);
	assert_int_equal(file_count("lib/qemu"), 0);
	assert_int_equal(file_count("log/qemu"), 0);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static int remove_world(void **state)
{
	struct error err;

	(void)state;
	return file_remove_tree(folder, &err);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_dead_controllers_guest_is_ended),
		cmocka_unit_test(a_power_off_is_clean),
		cmocka_unit_test(a_panic_is_a_reset_with_words),
		cmocka_unit_test(a_hanging_guest_is_stopped_at_once),
		cmocka_unit_test(a_killed_qemu_is_a_lost_guest),
		cmocka_unit_test(one_loop_drives_several),
		cmocka_unit_test(a_wrong_kernel_is_told),
		cmocka_unit_test(a_root_serves_one_controller),
		cmocka_unit_test(a_long_and_odd_root_works),
		cmocka_unit_test(nothing_is_left_behind),
	};

	if (argc == 4)
		return play(argv);
	return cmocka_run_group_tests_name("vm guests", tests, make_world, remove_world);
}
