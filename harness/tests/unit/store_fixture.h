/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A small world in a database of its own, for the tests of store/ and report/. */
#ifndef TESTS_STORE_FIXTURE_H
#define TESTS_STORE_FIXTURE_H

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "store/boots.h"
#include "store/sessions.h"
#include "store/subjects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct world {
	char *folder, *path;
	struct store *store;
	int64_t session, scenario, environment, kernel, version;
};

static const struct environment_field world_fields[] = {
	{"lab", "virtual"},
	{"qemu", "7.2.0"},
	{"device", "ssd"},
};

/* A kernel with one version of that name. */
static inline int64_t world_add_version(struct world *world, const char *text,
					const char *commit, int64_t *ret_kernel)
{
	CLEANUP(cleanup_free) char *key = memory_format("key of %s", text);
	const struct kernel_record kernel = {
		.key = key, .kind = "git", .release = "6.1.0"};
	struct version_record version = {.text = text, .commit = commit};
	struct error err = {0};
	int64_t id;

	assert_int_equal(store_add_kernel(world->store, &kernel, &version.kernel, &err),
			 0);
	assert_int_equal(store_add_version(world->store, &version, &id, &err), 0);
	*ret_kernel = version.kernel;
	return id;
}

static inline void world_init(struct world *world)
{
	const struct session_record session = {
		.command = "kregress run v1..v2", .lab = "virtual", .program = "0.1"};
	struct error err = {0};

	*world = (struct world){0};
	assert_int_equal(
		file_make_temporary_folder("/tmp/kregress-test-", &world->folder, &err),
		0);
	world->path = file_join(world->folder, STORE_FILE_NAME);
	assert_int_equal(store_open(world->path, STORE_READ_WRITE, &world->store, &err),
			 0);
	assert_int_equal(store_add_session(world->store, &session, &world->session, &err),
			 0);
	assert_int_equal(store_add_scenario(world->store, "digest", "fsync-loop",
					    "name: fsync-loop\n", &world->scenario, &err),
			 0);
	assert_int_equal(store_add_environment(world->store, "virtual", world_fields, 3,
					       &world->environment, &err),
			 0);
	world->version = world_add_version(world, "v1", NULL, &world->kernel);
}

static inline void world_finish(struct world *world)
{
	struct error err = {0};

	store_close(world->store);
	file_remove_tree(world->folder, &err);
	free(world->folder);
	free(world->path);
}

/* What a boot of the world's kernel needs besides its numbers. */
static inline struct boot_record world_boot(const struct world *world)
{
	return (struct boot_record){
		.session = world->session,
		.kernel = world->kernel,
		.scenario = world->scenario,
		.environment = world->environment,
		.version = world->version,
		.outcome = "ok",
		.console_path = "logs/1.console",
		.guest_release = "6.1.0",
		.seconds = 2.5,
	};
}

static inline void world_add_boot(struct world *world, struct boot_record boot)
{
	struct error err = {0};
	int64_t id;

	if (store_add_boot(world->store, &boot, &id, &err) < 0)
		fail_msg("%s", err.text);
}

#endif
