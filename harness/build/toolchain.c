/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "build/toolchain.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/process.h"

#include <string.h>

static const char default_compiler[] = "gcc";

static const struct {
	const char *program, *package;
} needed[] = {
	{"make", "make"},   {"ld", "binutils"}, {"strip", "binutils"}, {"flex", "flex"},
	{"bison", "bison"}, {"bc", "bc"},       {"perl", "perl-base"}, {"lz4", "lz4"},
};

static void add_missing(struct text *missing, const char *what, const char *package)
{
	text_format(missing, "%s%s (package %s)", missing->size ? ", " : "", what,
		    package);
}

/* objtool, which x86 kernels build for themselves, needs it. */
static int add_missing_libelf(const char *compiler, struct text *missing,
			      struct error *err)
{
	const char *argv[] = {compiler, "-E", "-include", "gelf.h",    "-x",
			      "c",      "-",  "-o",       "/dev/null", NULL};
	struct process_options options = {
		.argv = argv, .log_path = "/dev/null", .timeout_seconds = 30};
	struct process_result result;

	if (process_run(&options, &result, err))
		return -1;
	if (result.end != PROCESS_EXITED || result.code)
		add_missing(missing, "gelf.h", "libelf-dev");
	return 0;
}

static int refuse_missing(const char *compiler, struct error *err)
{
	CLEANUP(text_finish) struct text missing = {0};
	int has_compiler = process_find(compiler);

	if (!has_compiler)
		add_missing(&missing, compiler, "gcc");
	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++)
		if (!process_find(needed[i].program))
			add_missing(&missing, needed[i].program, needed[i].package);
	if (has_compiler && add_missing_libelf(compiler, &missing, err))
		return -1;
	if (!missing.size)
		return 0;
	return error_set(err, ERROR_HOST, "to build kernels this host lacks %s",
			 missing.data);
}

/* The first line of "program --version". */
static int version_line(const char *program, char **ret_line, struct error *err)
{
	const char *argv[] = {program, "--version", NULL};
	static const char *const environment[] = {"LC_ALL=C", NULL};
	CLEANUP(text_finish) struct text output = {0};
	struct process_options options = {.argv = argv,
					  .environment = environment,
					  .output = &output,
					  .timeout_seconds = 30};
	struct process_result result;

	if (process_run(&options, &result, err))
		return -1;
	if (result.end != PROCESS_EXITED || result.code || !output.size)
		return error_set(err, ERROR_HOST, "%s --version does not work", program);
	*ret_line = memory_copy_bytes(output.data, strcspn(output.data, "\n"));
	return 0;
}

int toolchain_detect(const char *compiler, struct toolchain *ret_toolchain,
		     struct error *err)
{
	CLEANUP(cleanup_free) char *compiler_line = NULL;
	CLEANUP(cleanup_free) char *linker_line = NULL;

	if (!compiler)
		compiler = default_compiler;
	if (refuse_missing(compiler, err) ||
	    version_line(compiler, &compiler_line, err) ||
	    version_line("ld", &linker_line, err))
		return -1;
	*ret_toolchain = (struct toolchain){
		.compiler = memory_copy_string(compiler),
		.identity = memory_format("%s, %s", compiler_line, linker_line),
		.ccache = process_locate("ccache"),
	};
	return 0;
}

void toolchain_finish(struct toolchain *toolchain)
{
	free(toolchain->compiler);
	free(toolchain->identity);
	free(toolchain->ccache);
	*toolchain = (struct toolchain){0};
}
