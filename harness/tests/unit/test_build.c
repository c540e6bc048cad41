/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds of a tree that only looks like a kernel: a Makefile and a piece of assembler. */
#include "base/interrupt.h"
#include "base/lock.h"
#include "base/memory.h"
#include "build/build.h"
#include "build/image_file.h"
#include "build/package.h"
#include "build/version.h"
#include "fixture.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

static const char fake_tree[] =
	"mkdir -p tree/source/arch/x86; cd tree/source; touch Kconfig; cat >Makefile "
	"<<'END'\n"
	"allnoconfig:\n"
	"\techo run >>$(O)/runs\n"
	"\tgrep -v GONE $(O)/$(KCONFIG_ALLCONFIG) >$(O)/$(KCONFIG_CONFIG)\n"
	"vmlinux:\n"
	"\t$(CC) -nostdlib -static -Wl,--build-id=sha1 -o $(O)/vmlinux start.S\n"
	"\tnm $(O)/vmlinux >$(O)/System.map\n"
	"\t[ ! -e trouble ] || sh trouble\n"
	"bzImage:\n"
	"\tmkdir -p $(O)/arch/x86/boot; touch $(O)/System.map\n"
	"\t(head -c 510 /dev/zero; printf '\\125\\252\\0\\0HdrS'; head -c 8 /dev/zero; "
	"\\\n"
	"\t printf '\\020\\002'; head -c 512 /dev/zero; \\\n"
	"\t printf '6.0.0-old (u@h) #7 SMP then\\0'; head -c 512 /dev/zero) \\\n"
	"\t >$(O)/arch/x86/boot/bzImage\n"
	"END\n"
	"cat >start.S <<'END'\n"
	".section .note.Xen, \"a\", @note\n"
	".long 4, 8, 18\n"
	".asciz \"Xen\"\n"
	".quad _start\n"
	".section .rodata\n"
	".ascii \"Linux version 6.1.0-test (u@h) (cc 12) #1 SMP PREEMPT now\\n\"\n"
	".text\n"
	".globl _start\n"
	"_start: ret\n"
	"END\n";

struct world {
	struct fixture *fixture;
	char *store, *tree;
	struct config_request config;
	struct toolchain toolchain;
	struct build_request request;
};

static int set_up(void **state)
{
	struct world *world = memory_new(1, sizeof(*world));
	struct error err = {0};

	world->fixture = fixture_create();
	fixture_shell(world->fixture, fake_tree);
	world->store = fixture_path(world->fixture, "store");
	world->tree = fixture_path(world->fixture, "tree");
	*state = world;
	if (config_add_setting(&world->config, "PVH=y", &err) ||
	    toolchain_detect(NULL, &world->toolchain, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return -1;
	}
	world->request = (struct build_request){.store = world->store,
						.tree = world->tree,
						.tree_id = "1111",
						.origin = "v1",
						.config = &world->config,
						.toolchain = &world->toolchain};
	return 0;
}

static int tear_down(void **state)
{
	struct world *world = *state;

	config_request_finish(&world->config);
	toolchain_finish(&world->toolchain);
	free(world->store);
	free(world->tree);
	fixture_destroy(world->fixture);
	free(world);
	return 0;
}

static struct kernel build(struct world *world, enum build_state expected)
{
	struct kernel kernel = {0};
	enum build_state state = BUILD_RUNNING;
	struct error err = {0};

	if (build_run(&world->request, &state, &kernel, &err))
		fail_msg("%s", err.text);
	assert_int_equal(state, expected);
	return kernel;
}

static void refused(struct world *world, enum error_kind kind, const char *part)
{
	struct kernel kernel;
	enum build_state state;
	struct error err = {0};

	assert_int_equal(build_run(&world->request, &state, &kernel, &err), -1);
	if (err.kind != kind || !strstr(err.text, part))
		fail_msg("kind %d, \"%s\" lacks \"%s\"", err.kind, err.text, part);
}

static void trouble(struct world *world, const char *script)
{
	CLEANUP(cleanup_free)
	char *lines =
		memory_format("cat >tree/source/trouble <<'END'\n%s\nEND\n", script);

	fixture_shell(world->fixture, lines);
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

static void packages_and_images_enter_the_store(void **state)
{
	static const char lines[] =
		"mkdir -p p/boot p/lib/modules/6.1.0-test/kernel; cp store/*/image "
		"p/boot/vmlinuz-6.1.0-test\n"
		"echo x >p/boot/config-6.1.0-test; echo stub "
		">p/boot/System.map-6.1.0-test\n"
		"echo m >p/lib/modules/6.1.0-test/kernel/a.ko\n"
		": >p/lib/modules/6.1.0-test/modules.dep; echo out >evil; mkdir c\n"
		"echo 'Package: x' >c/control; tar czf control.tar.gz -C c ./control\n"
		"tar cJf data.tar.xz -P --transform "
		"'s,^evil,lib/modules/../../../../evil2,' "
		"-C p boot lib -C .. evil\n"
		"echo 2.0 >debian-binary; ar rc k.deb debian-binary control.tar.gz "
		"data.tar.xz 2>/dev/null\n"
		"head -c 3000 k.deb >cut.deb; echo no >text.deb; ar rc none.deb "
		"debian-binary\n";
	struct world *world = *state;
	struct kernel built = build(world, BUILD_DONE), kernel = {0};
	CLEANUP(cleanup_free) char *deb = fixture_path(world->fixture, "k.deb");
	CLEANUP(cleanup_free) char *modules = fixture_path(world->fixture, "p");
	struct error err = {0};

	fixture_shell(world->fixture, lines);
	if (package_kernel(world->store, "", deb, &kernel, &err))
		fail_msg("%s", err.text);
	assert_string_equal(kernel.release, "6.1.0-test");
	assert_non_null(kernel.modules);
	assert_non_null(kernel.config);
	assert_null(kernel.system_map);
	kernel_finish(&kernel);
	fixture_shell(world->fixture,
		      "test ! -e evil2; test -z \"$(find store -name evil2)\"");
	if (image_kernel(world->store, built.image, modules, &kernel, &err))
		fail_msg("%s", err.text);
	assert_non_null(kernel.modules);
	assert_string_equal(kernel.image_digest, built.image_digest);
	kernel_finish(&kernel);
	kernel_finish(&built);
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

/* The content of the modules counts, their folder does not. */
static void images_are_known_by_their_modules(void **state)
{
	struct world *world = *state;
	struct kernel built = build(world, BUILD_DONE), kernel = {0};
	static const char *const folders[] = {"a", "b", "c"};
	char keys[3][HASH_HEX_SIZE];
	struct error err = {0};

	fixture_shell(world->fixture,
		      "for f in a b c; do mkdir -p $f/lib/modules/6.1.0-test\n"
		      "cd $f/lib/modules/6.1.0-test; : >modules.dep\n"
		      "echo m >a.ko; cd ../../../..; done\n"
		      "echo n >c/lib/modules/6.1.0-test/a.ko");
	for (int i = 0; i < 3; i++) {
		CLEANUP(cleanup_free)
		char *folder = fixture_path(world->fixture, folders[i]);

		if (image_kernel(world->store, built.image, folder, &kernel, &err))
			fail_msg("%s", err.text);
		memcpy(keys[i], kernel.key, sizeof(keys[i]));
		kernel_finish(&kernel);
	}
	assert_string_equal(keys[0], keys[1]);
	assert_string_not_equal(keys[0], keys[2]);
	kernel_finish(&built);
}

static void bad_packages_are_refused(void **state)
{
	static const char *const names[] = {"cut.deb", "text.deb", "none.deb",
					    "nowhere.deb"};
	struct world *world = *state;

	fixture_shell(
		world->fixture,
		"echo 2.0 >debian-binary; ar rc none.deb debian-binary 2>/dev/null\n"
		"echo no >text.deb; (cat none.deb; head -c 60 none.deb) >cut.deb\n");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		CLEANUP(cleanup_free) char *path = fixture_path(world->fixture, names[i]);
		struct kernel kernel;
		struct error err = {0};

		assert_int_equal(package_kernel(world->store, "", path, &kernel, &err),
				 -1);
		assert_int_equal(err.kind, ERROR_USAGE);
		assert_non_null(strstr(err.text, names[i]));
	}
}

/* Whatever the bytes are: an answer, and nothing read outside (the sanitizers tell). */
static void damaged_images_are_survived(void **state)
{
	struct world *world = *state;
	struct kernel built = build(world, BUILD_DONE);
	CLEANUP(cleanup_free) char *path = fixture_path(world->fixture, "damaged");
	CLEANUP(text_finish) struct text good = {0};
	struct error err = {0};
	unsigned seed = 1;

	assert_int_equal(file_read(built.image, 1 << 20, &good, &err), 0);
	for (int i = 0; i < 300; i++) {
		CLEANUP(cleanup_free)
		char *bytes = memory_copy_bytes(good.data, good.size);
		size_t size = i % 3 ? good.size : (size_t)rand_r(&seed) % good.size;
		struct kernel kernel = {0};
		FILE *file = fopen(path, "w");

		for (int n = 0; n < 8; n++)
			bytes[(size_t)rand_r(&seed) % (n < 6 ? 400 : good.size)] =
				(char)rand_r(&seed);
		assert_non_null(file);
		fwrite(bytes, 1, size, file);
		fclose(file);
		if (image_kernel(world->store, path, NULL, &kernel, &err) == 0)
			assert_non_null(kernel.release);
		kernel_finish(&kernel);
	}
	kernel_finish(&built);
}

static void versions_are_taken_apart(void **state)
{
	struct version version;
	struct error err = {0};

	(void)state;
	assert_int_equal(version_parse("v6.1-rc1~3+revert:abc+patch:../a+b.patch+config:"
				       "CONFIG_HZ=250",
				       &version, &err),
			 0);
	assert_int_equal(version.kind, VERSION_REVISION);
	assert_string_equal(version.name, "v6.1-rc1~3");
	assert_int_equal(version.edit_count, 3);
	assert_string_equal(version.edits[1].value, "../a+b.patch");
	assert_int_equal(version.edits[2].kind, EDIT_CONFIG);
	version_finish(&version);
	assert_int_equal(version_parse("image:/boot/x+y,modules=/m", &version, &err), 0);
	assert_string_equal(version.name, "/boot/x+y");
	assert_string_equal(version.modules, "/m");
	version_finish(&version);
	assert_int_equal(version_parse("deb:linux-image-amd64", &version, &err), 0);
	assert_int_equal(version.kind, VERSION_PACKAGE);
	version_finish(&version);
}

static void bad_versions_are_refused(void **state)
{
	static const struct {
		const char *text, *part;
	} cases[] = {{"v1+rever:x", "did you mean \"revert\""},
		     {"v1+zzzzzz:x", "unknown edit"},
		     {"v1+revert:", "empty"},
		     {"v1+config:FOO", "SYMBOL=VALUE"},
		     {"v1+config:A B=y", "SYMBOL=VALUE"},
		     {"deb:", "nothing is named"},
		     {"image:", "nothing is named"},
		     {"image:x,modules=", "modules folder is empty"},
		     {"", "nothing is named"},
		     {"+revert:x", "nothing is named"}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct version version;
		struct error err = {0};

		assert_int_equal(version_parse(cases[i].text, &version, &err), -1);
		assert_int_equal(err.kind, ERROR_USAGE);
		if (!strstr(err.text, cases[i].part))
			fail_msg("\"%s\" lacks \"%s\"", err.text, cases[i].part);
	}
}

static void fragments_are_read_and_proved(void **state)
{
	struct world *world = *state;
	CLEANUP(config_request_finish) struct config_request request = {0};
	CLEANUP(text_finish) struct text text = {0};
	CLEANUP(cleanup_free) char *fragment = fixture_path(world->fixture, "fragment");
	CLEANUP(cleanup_free) char *bad = fixture_path(world->fixture, "bad");
	CLEANUP(cleanup_free) char *result = fixture_path(world->fixture, "result");
	struct error err = {0};

	fixture_shell(
		world->fixture,
		"printf '# words\\nCONFIG_A=y\\n\\n# optional: newer ones\\nCONFIG_B=y\\n"
		"\\nCONFIG_C=\"text\"\\r\\n# CONFIG_D is not set\\nCONFIG_A=5\\n' "
		">fragment\n"
		"printf 'CONFIG_A=y\\nCONFG_B=y\\n' >bad\n"
		"printf 'CONFIG_A=5\\nCONFIG_C=\"text\"\\n' >result\n");
	assert_int_equal(config_add_fragment(&request, fragment, &err), 0);
	config_write(&request, &text);
	assert_string_equal(text.data, "CONFIG_A=5\nCONFIG_B=y\nCONFIG_C=\"text\"\n"
				       "# CONFIG_D is not set\n");
	assert_int_equal(config_verify(&request, result, &err), 0);
	assert_int_equal(config_add_setting(&request, "D=y", &err), 0);
	assert_int_equal(config_verify(&request, result, &err), -1);
	assert_non_null(strstr(err.text, "D=n (asked for y)"));
	assert_null(strstr(err.text, "B="));
	assert_int_equal(config_add_fragment(&request, bad, &err), -1);
	assert_non_null(strstr(err.text, "bad:2:"));
}

/* The real one is what users get: it must at least be readable. */
static void our_fragments_are_readable(void **state)
{
	CLEANUP(config_request_finish) struct config_request request = {0};
	struct error err = {0};

	(void)state;
	if (config_add_fragment(&request, "vm-images/kernel.config", &err) ||
	    config_add_fragment(&request, "vm-images/xfs.config", &err))
		fail_msg("%s", err.text);
	assert_true(request.count > 50);
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

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

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
		TEST(packages_and_images_enter_the_store),
		TEST(images_are_known_by_their_modules),
		TEST(ccache_does_not_show),
		TEST(bad_packages_are_refused),
		TEST(damaged_images_are_survived),
		TEST(fragments_are_read_and_proved),
		TEST(missing_programs_are_named),
		cmocka_unit_test(versions_are_taken_apart),
		cmocka_unit_test(bad_versions_are_refused),
		cmocka_unit_test(our_fragments_are_readable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
