/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds of a tree that only looks like a kernel. */
#include "base/interrupt.h"
#include "base/lock.h"
#include "build/image_file.h"
#include "build/source_files.h"
#include "build_fixture.h"
#include <signal.h>
#include <sys/wait.h>

/* The script runs where the sources are; archives are left as the kernel leaves them. */
static void functions_have_their_files(void **state)
{
	struct world *world = *state;
	struct kernel kernel;

	trouble(world,
		"mkdir -p sub .kregress-build/sub\n"
		"echo 'int data; static __attribute__((used)) void helper(void) {}\n"
		"void start(void) {}' >a.c\n"
		"echo '.globl entry; .type entry,@function; entry: ret' >sub/b.S\n"
		"cc -c -O0 -o .kregress-build/a.o a.c\n"
		"cc -c -o .kregress-build/sub/b.o sub/b.S\n"
		"echo 'void gone(void) {}' | cc -x c -c -o .kregress-build/sub/c.o -\n"
		"cd .kregress-build && ar rcT vmlinux.a a.o sub/b.o sub/c.o");
	kernel = build(world, BUILD_DONE);
	assert_non_null(kernel.files);
	kernel_finish(&kernel);
	fixture_shell(world->fixture, "sort store/*/files >got");
	assert_true(fixture_holds(world->fixture, "got",
				  " entry\n gone\n helper\n start\na.c\nsub/b.S\n"
				  "sub/c.o\n"));
	/* Older trees have an archive in each folder. */
	trouble(world, "cd .kregress-build && mkdir -p lib && rm vmlinux.a &&\n"
		       "ar rcT sub/built-in.a sub/b.o && ar rc lib/lib.a a.o");
	world->request.tree_id = "old";
	kernel = build(world, BUILD_DONE);
	assert_non_null(kernel.files);
	kernel_finish(&kernel);
}

static void kernels_are_built_once(void **state)
{
	struct world *world = *state;
	struct kernel kernel = build(world, BUILD_DONE);

	assert_int_equal(kernel.format, KERNEL_ELF);
	assert_string_equal(kernel.release, "6.1.0-test");
	assert_string_equal(kernel.banner, "#1 SMP PREEMPT now");
	assert_int_equal(strlen(kernel.build_id), 40);
	assert_string_equal(kernel.origin, "v1");
	assert_non_null(kernel.system_map);
	assert_null(kernel.files);
	assert_non_null(kernel.log);
	assert_null(kernel.failure);
	kernel_finish(&kernel);
	kernel = build(world, BUILD_DONE);
	kernel_finish(&kernel);
	assert_true(fixture_holds(world->fixture, "tree/source/.kregress-build/runs",
				  "run\n"));
	/* Another tree with the same result has another key and the same image. */
	world->request.tree_id = "2222";
	kernel = build(world, BUILD_DONE);
	world->request.tree_id = "1111";
	fixture_shell(world->fixture, "cmp store/*/image; test $(ls store | wc -l) = 2");
	kernel_finish(&kernel);
}

static void kernels_without_entry_are_boot_images(void **state)
{
	struct world *world = *state;
	struct kernel kernel;
	struct error err = {0};

	assert_int_equal(config_add_setting(&world->config, "PVH=n", &err), 0);
	kernel = build(world, BUILD_DONE);
	assert_int_equal(kernel.format, KERNEL_BZIMAGE);
	assert_string_equal(kernel.release, "6.0.0-old");
	assert_string_equal(kernel.banner, "#7 SMP then");
	kernel_finish(&kernel);
}

/* A release that leads out of the store is none. */
static void hostile_releases_are_refused(void **state)
{
	static const char *const releases[] = {"../../../up", "-b", "6.1/x",
					       "6.1\\033[2J", "6.1.0-fine"};
	struct world *world = *state;
	enum { COUNT = sizeof(releases) / sizeof(*releases) };

	for (int i = 0; i < COUNT; i++) {
		CLEANUP(cleanup_free)
		char *script = memory_format(
			"(head -c 510 /dev/zero; printf '\\125\\252\\0\\0HdrS'; "
			"head -c 8 /dev/zero; printf '\\020\\002'; head -c 512 "
			"/dev/zero; printf -- '%s (u@h) #7 SMP then\\0'; head -c 512 "
			"/dev/zero) >hostile",
			releases[i]);
		CLEANUP(cleanup_free) char *path = NULL;
		CLEANUP(image_identity_finish) struct image_identity identity = {0};
		struct error err = {0};

		fixture_shell(world->fixture, script);
		path = fixture_path(world->fixture, "hostile");
		assert_int_equal(image_identify(path, &identity, &err),
				 i == COUNT - 1 ? 0 : -1);
	}
}

static void compile_errors_are_remembered(void **state)
{
	struct world *world = *state;
	struct kernel kernel;

	trouble(world, "echo fine; echo 'fs/x.c:3:1: error: first'\n"
		       "echo 'fs/y.c:3:1: error: second'; exit 1");
	kernel = build(world, BUILD_FAILED);
	assert_string_equal(kernel.failure, "fs/x.c:3:1: error: first");
	assert_null(kernel.image);
	assert_non_null(kernel.log);
	kernel_finish(&kernel);
	/* Even when the tree is well now: the key says it has not changed. */
	trouble(world, "exit 0");
	kernel = build(world, BUILD_FAILED);
	kernel_finish(&kernel);
}

static void troubles_of_the_host_are_not_remembered(void **state)
{
	struct world *world = *state;
	struct kernel kernel;

	trouble(world, "echo 'x.c:1:1: error: what follows from it'\n"
		       "echo 'as: cannot write: No space left on device'; exit 1");
	refused(world, ERROR_HOST, "No space left");
	trouble(world, "exit 0");
	kernel = build(world, BUILD_DONE);
	kernel_finish(&kernel);
}

static void time_and_tree_have_limits(void **state)
{
	struct world *world = *state;

	trouble(world, "sleep 60");
	world->request.timeout_seconds = 1;
	refused(world, ERROR_MEASUREMENT, "longer than 1 s");
	world->request.timeout_seconds = 0;
	fixture_shell(world->fixture, "rm tree/source/Kconfig");
	refused(world, ERROR_USAGE, "no Linux kernel tree");
	fixture_shell(world->fixture,
		      "test -z \"$(ls -A store 2>/dev/null)\"; test ! -e tree/running");
}

static void unmet_configuration_is_named(void **state)
{
	struct world *world = *state;
	struct error err = {0};

	assert_int_equal(config_add_setting(&world->config, "GONE=y", &err), 0);
	refused(world, ERROR_MEASUREMENT, "GONE=n (asked for y)");
}

/* In a child: an interrupt is for ever. */
static void interrupts_end_builds(void **state)
{
	struct world *world = *state;
	struct kernel kernel;
	enum build_state end;
	struct error err = {0};
	int status;
	pid_t child;

	trouble(world, "echo $$ >../pid; sleep 60");
	child = fork();
	if (child == 0) {
		interrupt_install();
		if (build_run(&world->request, &end, &kernel, &err) == -1 &&
		    err.kind == ERROR_INTERRUPTED)
			_exit(42);
		_exit(1);
	}
	fixture_shell(world->fixture, "until [ -s tree/pid ]; do sleep 0.05; done");
	kill(child, SIGINT);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 42);
	/* Gone, or dead and not yet reaped by whoever inherited it. */
	fixture_shell(world->fixture, "status=/proc/$(cat tree/pid)/status\n"
				      "[ ! -e $status ] || grep -q 'State:.Z' $status");
}

static int count_calls(void *context, const char *tree, struct error *err)
{
	(void)tree;
	(void)err;
	++*(int *)context;
	return 0;
}

static void one_build_uses_a_tree(void **state)
{
	struct world *world = *state;
	CLEANUP(cleanup_free) char *path = fixture_path(world->fixture, "tree/lock");
	CLEANUP(lock_release) struct lock lock = LOCK_NONE;
	struct build *job = NULL;
	struct kernel kernel;
	enum build_state end = BUILD_RUNNING;
	struct error err = {0};
	int taken = 0, calls = 0;

	world->request.prepare = count_calls;
	world->request.context = &calls;
	assert_int_equal(lock_try(path, "test", &lock, &taken, &err), 0);
	assert_true(taken);
	assert_int_equal(build_start(&world->request, &job, &err), 0);
	for (int i = 0; i < 5; i++)
		assert_int_equal(build_poll(job, &end, &kernel, &err), 0);
	assert_int_equal(end, BUILD_RUNNING);
	assert_string_equal(build_phase(job), "waiting for the build tree");
	assert_int_equal(calls, 0);
	lock_release(&lock);
	while (end == BUILD_RUNNING)
		assert_int_equal(build_poll(job, &end, &kernel, &err), 0);
	assert_int_equal(calls, 1);
	assert_int_equal(end, BUILD_DONE);
	assert_true(build_progress(job) > 0);
	kernel_finish(&kernel);
	build_destroy(job);
}

/* The compilers of a killed process die with it; the next build must not meet them. */
static void nothing_of_a_killed_build_goes_on(void **state)
{
	struct world *world = *state;
	struct kernel kernel;
	enum build_state end;
	struct error err = {0};
	pid_t child;

	trouble(world, "sh -c 'echo x >../begun; sleep 0.5; touch ../late'; :");
	child = fork();
	if (child == 0) {
		build_run(&world->request, &end, &kernel, &err);
		_exit(1);
	}
	fixture_shell(world->fixture, "until [ -s tree/begun ]; do sleep 0.05; done");
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
	fixture_shell(world->fixture, "rm tree/source/trouble; test -e tree/running");
	kernel = build(world, BUILD_DONE);
	kernel_finish(&kernel);
	fixture_shell(world->fixture,
		      "sleep 0.7; test ! -e tree/late; test ! -e tree/running");
}

/* Only what the killed make may have been writing goes. */
static void output_of_a_killed_make_is_repaired(void **state)
{
	struct world *world = *state;
	struct kernel kernel;

	fixture_shell(
		world->fixture,
		"mkdir tree/source/.kregress-build; cd tree/source/.kregress-build\n"
		"touch -d '2001-01-01 10:00' old.o; touch -d '2001-01-01 10:09:30' "
		"cut.o\n"
		"touch -d '2001-01-01 10:10' last.o; touch ../../running\n");
	kernel = build(world, BUILD_DONE);
	kernel_finish(&kernel);
	fixture_shell(world->fixture,
		      "cd tree; test ! -e running; cd source/.kregress-build\n"
		      "test -e old.o; test ! -e cut.o; test ! -e last.o");
}

static void damaged_entries_are_built_again(void **state)
{
	struct world *world = *state;
	struct kernel kernel = build(world, BUILD_DONE);
	struct kernel *list;
	struct error err = {0};
	size_t count;

	kernel_finish(&kernel);
	fixture_shell(world->fixture, "sed -i '/^end/d' store/*/info");
	kernel = build(world, BUILD_DONE);
	assert_int_equal(kernel_store_list(world->store, &list, &count, &err), 0);
	assert_int_equal(count, 1);
	assert_string_equal(list[0].image_digest, kernel.image_digest);
	assert_int_equal(kernel_store_remove(world->store, kernel.key, &err), 0);
	assert_int_equal(kernel_store_remove(world->store, "../tree", &err), -1);
	kernel_finish(&list[0]);
	free(list);
	kernel_finish(&kernel);
}

/* Neither in what comes out nor in the commands that make compares. */
static void ccache_does_not_show(void **state)
{
	struct world *world = *state;
	struct kernel without = build(world, BUILD_DONE), with;
	CLEANUP(cleanup_free) char *folder = fixture_path(world->fixture, "ccache");
	struct error err = {0};

	if (!world->toolchain.ccache) {
		kernel_finish(&without);
		skip();
	}
	assert_int_equal(kernel_store_remove(world->store, without.key, &err), 0);
	world->request.ccache = folder;
	with = build(world, BUILD_DONE);
	assert_string_equal(with.key, without.key);
	assert_string_equal(with.image_digest, without.image_digest);
	fixture_shell(world->fixture, "test -L ccache/bin/gcc; "
				      "! grep ccache store/*/build.log");
	kernel_finish(&with);
	kernel_finish(&without);
}

static void missing_programs_are_named(void **state)
{
	struct world *world = *state;
	CLEANUP(cleanup_free) char *old = memory_copy_string(getenv("PATH"));
	CLEANUP(cleanup_free) char *few = fixture_path(world->fixture, "few");
	struct toolchain toolchain;
	struct error err = {0};

	fixture_shell(world->fixture,
		      "mkdir few; for p in gcc make ld strip bison bc perl; "
		      "do ln -s $(command -v $p) few/$p; done");
	setenv("PATH", few, 1);
	assert_int_equal(toolchain_detect(NULL, &toolchain, &err), -1);
	assert_int_equal(err.kind, ERROR_HOST);
	assert_non_null(strstr(err.text, "flex (package flex)"));
	assert_null(strstr(err.text, "bison"));
	assert_int_equal(toolchain_detect("gcc-99", &toolchain, &err), -1);
	assert_non_null(strstr(err.text, "gcc-99 (package gcc)"));
	setenv("PATH", old, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(functions_have_their_files),
		TEST(kernels_are_built_once),
		TEST(kernels_without_entry_are_boot_images),
		TEST(hostile_releases_are_refused),
		TEST(compile_errors_are_remembered),
		TEST(troubles_of_the_host_are_not_remembered),
		TEST(time_and_tree_have_limits),
		TEST(unmet_configuration_is_named),
		TEST(interrupts_end_builds),
		TEST(one_build_uses_a_tree),
		TEST(nothing_of_a_killed_build_goes_on),
		TEST(output_of_a_killed_make_is_repaired),
		TEST(damaged_entries_are_built_again),
		TEST(ccache_does_not_show),
		TEST(missing_programs_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
