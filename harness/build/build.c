/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "build/build.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/lock.h"
#include "base/memory.h"
#include "build/failure.h"
#include "build/kernel_private.h"
#include "build/make.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Part of every key: raise it when the way of building changes what comes out. */
static const char recipe[] = "1";

enum { POLL_NANOSECONDS = 20000000, CONFIG_LIMIT = 16 << 20, NOT_YET = 1 };

struct build {
	const struct build_request *request;
	char key[HASH_HEX_SIZE];
	char *source, *output, *log, *wanted;
	const struct phase *phase;
	struct lock lock;
	struct process process;
	double started; /* of the first make */
	int has_elf, has_modules;
	struct stage stage;
	off_t log_seen;
	size_t log_lines;
	enum build_state state;
	struct kernel kernel;
};

/*
 * What happens one after the other. enter() starts a process or does its work at once
 * (0), or wants to be called again (NOT_YET); leave() looks at what the process made.
 * enter() may end the build by setting its state.
 */
struct phase {
	const char *name;
	int (*enter)(struct build *build, struct error *err);
	int (*leave)(struct build *build, struct error *err);
};

static const struct phase phases[];

void build_key(const struct build_request *request, char ret_key[HASH_HEX_SIZE])
{
	struct hash hash;

	hash_init(&hash);
	hash_field_string(&hash, "recipe", recipe);
	hash_field_string(&hash, "tree", request->tree_id);
	config_hash(request->config, &hash);
	hash_field_string(&hash, "toolchain", request->toolchain->identity);
	hash_hex(&hash, ret_key);
}

static int find_stored(struct build *build, struct error *err)
{
	int found;

	if (kernel_store_find(build->request->store, build->key, &build->kernel, &found,
			      err))
		return -1;
	if (found)
		build->state = build->kernel.failure ? BUILD_FAILED : BUILD_DONE;
	return 0;
}

int build_start(const struct build_request *request, struct build **ret_build,
		struct error *err)
{
	struct build *build = memory_new(1, sizeof(*build));

	build->request = request;
	build->lock = LOCK_NONE;
	build->source = file_join(request->tree, "source");
	build->output = file_join(build->source, MAKE_OUTPUT);
	build->log = file_join(request->tree, "build.log");
	build->wanted = file_join(build->output, "wanted.config");
	build->phase = phases;
	build_key(request, build->key);
	if (find_stored(build, err)) {
		build_destroy(build);
		return -1;
	}
	*ret_build = build;
	return 0;
}

void build_destroy(struct build *build)
{
	if (!build)
		return;
	process_stop(&build->process);
	stage_finish(&build->stage);
	lock_release(&build->lock);
	kernel_finish(&build->kernel);
	free(build->source);
	free(build->output);
	free(build->log);
	free(build->wanted);
	free(build);
}

static int run_make(struct build *build, const char *const *words, struct error *err)
{
	const struct build_request *request = build->request;
	struct make_call call = {
		.source = build->source,
		.log_path = build->log,
		.toolchain = request->toolchain,
		.ccache = request->toolchain->ccache ? request->ccache : NULL,
		.jobs = request->jobs,
	};

	return make_start(&call, words, &build->process, err);
}

static int take_lock(struct build *build, struct error *err)
{
	CLEANUP(cleanup_free) char *path = file_join(build->request->tree, "lock");
	CLEANUP(cleanup_free)
	char *purpose = memory_format("build of %s", build->request->origin);
	int taken;

	if (file_make_folders(build->request->tree, err) ||
	    lock_try(path, purpose, &build->lock, &taken, err))
		return -1;
	return taken ? 0 : NOT_YET;
}

static int refuse_foreign(const struct build *build, struct error *err)
{
	static const char *const parts[] = {"Makefile", "Kconfig", "arch/x86"};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		CLEANUP(cleanup_free) char *path = file_join(build->source, parts[i]);

		if (!file_exists(path))
			return error_set(
				err, ERROR_USAGE,
				"%s is no Linux kernel tree for x86: it has no %s",
				build->request->origin, parts[i]);
	}
	return 0;
}

static int prepare(struct build *build, struct error *err)
{
	const struct build_request *request = build->request;

	/* Whoever had the lock may have built the same. */
	if (find_stored(build, err) || build->state != BUILD_RUNNING)
		return build->state == BUILD_RUNNING ? -1 : 0;
	if (request->prepare && request->prepare(request->context, request->tree, err))
		return -1;
	if (refuse_foreign(build, err) || file_make_folders(build->output, err))
		return -1;
	if (unlink(build->log) && file_exists(build->log))
		return error_system(err, "cannot replace %s", build->log);
	build->started = process_now();
	return 0;
}

/* The finished configuration goes beside .config: an equal one must keep its age. */
static int start_config(struct build *build, struct error *err)
{
	/* Both are looked for in make's O=. */
	static const char *const words[] = {"KCONFIG_CONFIG=resolved.config",
					    "KCONFIG_ALLCONFIG=wanted.config",
					    "allnoconfig", NULL};
	CLEANUP(text_finish) struct text fragment = {0};

	config_write(build->request->config, &fragment);
	if (file_write(build->wanted, text_string(&fragment), fragment.size, err))
		return -1;
	return run_make(build, words, err);
}

static int same_content(const char *a, const char *b)
{
	CLEANUP(text_finish) struct text first = {0};
	CLEANUP(text_finish) struct text second = {0};
	struct error ignored;

	return file_exists(b) && file_read(a, CONFIG_LIMIT, &first, &ignored) == 0 &&
	       file_read(b, CONFIG_LIMIT, &second, &ignored) == 0 &&
	       first.size == second.size &&
	       !memcmp(text_string(&first), text_string(&second), first.size);
}

static int is_set(const char *config, const char *symbol, int *ret_set, struct error *err)
{
	CLEANUP(cleanup_free) char *value = NULL;

	if (config_lookup(config, symbol, &value, err))
		return -1;
	*ret_set = !strcmp(value, "y");
	return 0;
}

static int check_config(struct build *build, struct error *err)
{
	CLEANUP(cleanup_free) char *made = file_join(build->output, "resolved.config");
	CLEANUP(cleanup_free) char *used = file_join(build->output, ".config");

	if (config_verify(build->request->config, made, err) ||
	    is_set(made, "PVH", &build->has_elf, err) ||
	    is_set(made, "MODULES", &build->has_modules, err))
		return -1;
	return same_content(made, used) ? 0 : file_copy(made, used, err);
}

static int start_make(struct build *build, struct error *err)
{
	const char *words[] = {build->has_elf ? "vmlinux" : "bzImage",
			       build->has_modules ? "modules" : NULL, NULL};

	return run_make(build, words, err);
}

static int start_modules(struct build *build, struct error *err)
{
	CLEANUP(cleanup_free) char *words_path = NULL;
	const char *words[] = {NULL, "INSTALL_MOD_STRIP=1", "modules_install", NULL};

	if (stage_begin(build->request->store, &build->stage, err))
		return -1;
	if (!build->has_modules)
		return 0;
	words_path = memory_format("INSTALL_MOD_PATH=%s/modules", build->stage.folder);
	words[0] = words_path;
	return run_make(build, words, err);
}

static int stage_file(struct build *build, const char *from, const char *to,
		      struct error *err)
{
	CLEANUP(cleanup_free) char *source = file_join(build->output, from);
	CLEANUP(cleanup_free) char *target = file_join(build->stage.folder, to);

	return file_copy(source, target, err);
}

/* Symbols are in System.map; without them an image is half as large. */
static int stage_elf(struct build *build, struct error *err)
{
	CLEANUP(cleanup_free) char *from = file_join(build->output, "vmlinux");
	CLEANUP(cleanup_free) char *to = file_join(build->stage.folder, "image");
	const char *argv[] = {"strip", "-s", "-o", to, from, NULL};
	struct process_options options = {
		.argv = argv, .log_path = build->log, .timeout_seconds = 120};
	struct process_result result;

	if (process_run(&options, &result, err))
		return -1;
	if (result.end == PROCESS_INTERRUPTED)
		return interrupt_check(err);
	if (result.end != PROCESS_EXITED || result.code)
		return error_set(err, ERROR_HOST, "cannot write %s: strip failed, see %s",
				 to, build->log);
	return 0;
}

static int stage_log(struct build *build, struct error *err)
{
	return stage_file(build, "../../build.log", "build.log", err);
}

static int commit(struct build *build, const char *failure, struct error *err)
{
	const struct build_request *request = build->request;
	struct kernel facts = {
		.origin = (char *)(uintptr_t)request->origin,
		.toolchain = request->toolchain->identity,
		.failure = (char *)(uintptr_t)failure,
		.build_seconds = process_now() - build->started,
	};

	memcpy(facts.key, build->key, sizeof(facts.key));
	if (stage_commit(&build->stage, &facts, &build->kernel, err))
		return -1;
	build->state = build->kernel.failure ? BUILD_FAILED : BUILD_DONE;
	return 0;
}

static int store(struct build *build, struct error *err)
{
	if (build->has_elf ? stage_elf(build, err)
			   : stage_file(build, "arch/x86/boot/bzImage", "image", err))
		return -1;
	if (stage_file(build, "System.map", "System.map", err) ||
	    stage_file(build, ".config", "config", err) || stage_log(build, err))
		return -1;
	return commit(build, NULL, err);
}

/* make ended with an error: a property of the version, unless the host is to blame. */
static int store_failure(struct build *build, struct error *err)
{
	struct failure failure;
	int result = -1;

	if (failure_read(build->log, &failure, err))
		return -1;
	if (failure.host)
		error_set(err, ERROR_HOST, "build of %s: %s (log: %s)",
			  build->request->origin, failure.line, build->log);
	else if ((build->stage.folder ||
		  stage_begin(build->request->store, &build->stage, err) == 0) &&
		 stage_log(build, err) == 0)
		result = commit(build, failure.line, err);
	free(failure.line);
	return result;
}

static int nothing(struct build *build, struct error *err)
{
	(void)build;
	(void)err;
	return 0;
}

static const struct phase phases[] = {
	{"waiting for the build tree", take_lock, nothing},
	{"checkout", prepare, nothing},
	{"configuration", start_config, check_config},
	{"make", start_make, nothing},
	{"modules", start_modules, nothing},
	{"storing", store, nothing},
	{NULL, NULL, NULL},
};

static int check_time(const struct build *build, struct error *err)
{
	double limit = build->request->timeout_seconds;

	if (limit <= 0 || process_now() - build->started <= limit)
		return 0;
	return error_set(err, ERROR_MEASUREMENT,
			 "build of %s took longer than %.0f s (log: %s)",
			 build->request->origin, limit, build->log);
}

/* Looks after the process of the current phase; goes on when it has ended well. */
static int poll_process(struct build *build, struct error *err)
{
	struct process_result result;

	if (interrupt_check(err) || check_time(build, err))
		return -1;
	process_poll(&build->process, &result);
	if (result.end == PROCESS_RUNNING)
		return 0;
	if (result.end == PROCESS_SIGNALED)
		return error_set(err, ERROR_HOST,
				 "build of %s: make was killed by signal %d",
				 build->request->origin, result.code);
	if (result.code)
		return store_failure(build, err);
	if (build->phase->leave(build, err))
		return error_prefix(err, "%s", build->request->origin);
	build->phase++;
	return 0;
}

static int step(struct build *build, struct error *err)
{
	int code;

	if (build->process.pid)
		return poll_process(build, err);
	if (interrupt_check(err))
		return -1;
	code = build->phase->enter(build, err);
	/* Work that was done at once has nothing to wait for. */
	if (code == 0 && !build->process.pid)
		build->phase++;
	return code < 0 ? -1 : 0;
}

int build_poll(struct build *build, enum build_state *ret_state,
	       struct kernel *ret_kernel, struct error *err)
{
	if (build->state == BUILD_RUNNING && step(build, err)) {
		process_stop(&build->process);
		stage_finish(&build->stage);
		lock_release(&build->lock);
		return -1;
	}
	*ret_state = build->state;
	if (build->state == BUILD_RUNNING)
		return 0;
	lock_release(&build->lock);
	*ret_kernel = build->kernel;
	build->kernel = (struct kernel){0};
	return 0;
}

const char *build_phase(const struct build *build)
{
	return build->phase->name ? build->phase->name : "done";
}

size_t build_progress(struct build *build)
{
	CLEANUP(cleanup_fd) int fd = open(build->log, O_RDONLY | O_CLOEXEC);
	char buffer[65536];
	ssize_t got;

	while (fd >= 0 &&
	       (got = pread(fd, buffer, sizeof(buffer), build->log_seen)) > 0) {
		for (ssize_t i = 0; i < got; i++)
			build->log_lines += buffer[i] == '\n';
		build->log_seen += got;
	}
	return build->log_lines;
}

int build_run(const struct build_request *request, enum build_state *ret_state,
	      struct kernel *ret_kernel, struct error *err)
{
	static const struct timespec pause = {.tv_nsec = POLL_NANOSECONDS};
	struct build *build;
	int result;

	if (build_start(request, &build, err))
		return -1;
	while ((result = build_poll(build, ret_state, ret_kernel, err)) == 0 &&
	       *ret_state == BUILD_RUNNING)
		nanosleep(&pause, NULL);
	build_destroy(build);
	return result;
}
