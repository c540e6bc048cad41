/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "build/build_private.h"
#include "build/failure.h"
#include "build/make.h"
#include "build/repair.h"
#include "build/source_files.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CONFIG_LIMIT = 16 << 20 };

static int run_make(struct build *build, const char *const *words, struct error *err)
{
	const struct build_request *request = build->request;
	struct make_call call = {
		.source = build->source,
		.log_path = build->log,
		.toolchain = request->toolchain,
		.ccache = request->ccache,
		.jobs = request->jobs,
		/* Compilers that outlive us and make still write into the tree. */
		.lock_fd = build->lock.fd,
	};

	if (file_write(build->running, "", 0, err))
		return -1;
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
			return error_set(err, ERROR_USAGE,
					 "no Linux kernel tree for x86: it has no %s",
					 parts[i]);
	}
	return 0;
}

static int prepare(struct build *build, struct error *err)
{
	const struct build_request *request = build->request;

	/* Whoever had the lock may have built the same. */
	if (build_find_stored(build, err) || build->state != BUILD_RUNNING)
		return build->state == BUILD_RUNNING ? -1 : 0;
	if (request->prepare && request->prepare(request->context, request->tree, err))
		return -1;
	if (refuse_foreign(build, err) || file_make_folders(build->output, err) ||
	    repair_output(build->output, build->running, err))
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
	if (result.end != PROCESS_EXITED || result.code)
		return error_set(err, ERROR_HOST, "cannot write %s: strip failed, see %s",
				 to, build->log);
	return 0;
}

static int stage_files(struct build *build, struct error *err)
{
	CLEANUP(cleanup_free) char *path = file_join(build->stage.folder, "files");

	return source_files_write(build->output, build->source, path, err);
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
	    stage_files(build, err) || stage_file(build, ".config", "config", err) ||
	    stage_log(build, err))
		return -1;
	return commit(build, NULL, err);
}

/* make ended with an error: a property of the version, unless the host is to blame. */
int build_store_failure(struct build *build, struct error *err)
{
	struct failure failure;
	int result = -1;

	if (failure_read(build->log, &failure, err))
		return -1;
	if (failure.host)
		error_set(err, ERROR_HOST, "%s (log: %s)", failure.line, build->log);
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

const struct phase build_phases[] = {
	{"waiting for the build tree", take_lock, nothing},
	{"checkout", prepare, nothing},
	{"configuration", start_config, check_config},
	{"make", start_make, nothing},
	{"modules", start_modules, nothing},
	{"storing", store, nothing},
	{NULL, NULL, NULL},
};
