/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tree that only looks like a kernel (a Makefile and a piece of assembler), and builds
 * of it.
 */
#ifndef TESTS_UNIT_BUILD_FIXTURE_H
#define TESTS_UNIT_BUILD_FIXTURE_H

#include "base/memory.h"
#include "build/build.h"
#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

static inline int set_up(void **state)
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

static inline int tear_down(void **state)
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

static inline struct kernel build(struct world *world, enum build_state expected)
{
	struct kernel kernel = {0};
	enum build_state state = BUILD_RUNNING;
	struct error err = {0};

	if (build_run(&world->request, &state, &kernel, &err))
		fail_msg("%s", err.text);
	assert_int_equal(state, expected);
	return kernel;
}

static inline void refused(struct world *world, enum error_kind kind, const char *part)
{
	struct kernel kernel;
	enum build_state state;
	struct error err = {0};

	assert_int_equal(build_run(&world->request, &state, &kernel, &err), -1);
	if (err.kind != kind || !strstr(err.text, part))
		fail_msg("kind %d, \"%s\" lacks \"%s\"", err.kind, err.text, part);
}

static inline void trouble(struct world *world, const char *script)
{
	CLEANUP(cleanup_free)
	char *lines =
		memory_format("cat >tree/source/trouble <<'END'\n%s\nEND\n", script);

	fixture_shell(world->fixture, lines);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

#endif
