/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "build/build.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "build/build_private.h"
#include "build/make.h"

#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Part of every key: raise it when the way of building changes what comes out. */
static const char recipe[] = "1";

enum { POLL_NANOSECONDS = 20000000, TIDY_SECONDS = 1 };

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

int build_find_stored(struct build *build, struct error *err)
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
	build->running = file_join(request->tree, "running");
	build->wanted = file_join(build->output, "wanted.config");
	build->phase = build_phases;
	build_key(request, build->key);
	if (build_find_stored(build, err)) {
		build_destroy(build);
		return -1;
	}
	*ret_build = build;
	return 0;
}

/* Within its first second of grace make ends tidily: it removes what is half made. */
static void stop(struct build *build)
{
	double before = process_now();
	int running = build->process.pid != 0;

	process_stop(&build->process);
	if (running && process_now() - before < TIDY_SECONDS)
		unlink(build->running);
	stage_finish(&build->stage);
	lock_release(&build->lock);
}

void build_destroy(struct build *build)
{
	if (!build)
		return;
	stop(build);
	kernel_finish(&build->kernel);
	free(build->source);
	free(build->output);
	free(build->log);
	free(build->running);
	free(build->wanted);
	free(build);
}

static int check_time(const struct build *build, struct error *err)
{
	double limit = build->request->timeout_seconds;

	if (limit <= 0 || process_now() - build->started <= limit)
		return 0;
	return error_set(err, ERROR_MEASUREMENT, "it took longer than %.0f s (log: %s)",
			 limit, build->log);
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
	if (result.end == PROCESS_EXITED)
		unlink(build->running);
	else
		return error_set(err, ERROR_HOST,
				 "make was killed by signal %d (log: %s)", result.code,
				 build->log);
	if (result.code)
		return build_store_failure(build, err);
	if (build->phase->leave(build, err))
		return -1;
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

static int name_error(const struct build *build, struct error *err)
{
	if (err->kind == ERROR_INTERRUPTED)
		return -1;
	return error_prefix(err, "build of %s", build->request->origin);
}

int build_poll(struct build *build, enum build_state *ret_state,
	       struct kernel *ret_kernel, struct error *err)
{
	if (build->state == BUILD_RUNNING && step(build, err)) {
		stop(build);
		return name_error(build, err);
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
