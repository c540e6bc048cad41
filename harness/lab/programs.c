/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lab/programs.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A loader's answer is some lines; a script's first line and an ELF header are short. */
enum { HEAD_SIZE = 4096, LOADER_SECONDS = 60 };

/* glibc's loader finds libraries of folders of its own through it. */
#define LOADER_CACHE "/etc/ld.so.cache"

void programs_finish(struct programs *programs)
{
	text_list_finish(&programs->sources);
	text_list_finish(&programs->targets);
}

/* Whether the place was free. */
static int add_file(struct programs *programs, const char *source, const char *target)
{
	if (text_list_contains(&programs->targets, target))
		return 0;
	text_list_add(&programs->sources, source);
	text_list_add(&programs->targets, target);
	return 1;
}

static int read_at(int fd, void *bytes, size_t size, uint64_t offset)
{
	return pread(fd, bytes, size, (off_t)offset) == (ssize_t)size ? 0 : -1;
}

/*
 * The path of the loader that an ELF program names; NULL: static, or no program for this
 * machine. The caller frees.
 */
static char *find_loader(int fd)
{
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	char path[256];

	if (read_at(fd, &header, sizeof(header), 0) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) ||
	    header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64)
		return NULL;
	for (unsigned i = 0; i < header.e_phnum; i++) {
		uint64_t at = header.e_phoff + (uint64_t)i * sizeof(segment);

		if (read_at(fd, &segment, sizeof(segment), at))
			return NULL;
		if (segment.p_type != PT_INTERP)
			continue;
		if (!segment.p_filesz || segment.p_filesz >= sizeof(path) ||
		    read_at(fd, path, segment.p_filesz, segment.p_offset))
			return NULL;
		return memory_copy_bytes(path, strnlen(path, segment.p_filesz));
	}
	return NULL;
}

/* The program behind "#!"; NULL: no script. The caller frees. */
static char *find_interpreter(int fd)
{
	char line[HEAD_SIZE];
	ssize_t length = pread(fd, line, sizeof(line) - 1, 0);
	char *path = line + 2;

	if (length < 3 || memcmp(line, "#!", 2))
		return NULL;
	line[length] = '\0';
	path += strspn(path, " \t");
	return *path == '/' ? memory_copy_bytes(path, strcspn(path, " \t\r\n")) : NULL;
}

/*
 * "\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x7f...)", "\t/lib64/ld.so (0x...)",
 * or
 * "\tlibx.so => not found".
 */
static int take_library(struct programs *programs, const char *program, char *line,
			struct error *err)
{
	char *arrow = strstr(line, " => "), *path = arrow ? arrow + 4 : line;

	path += strspn(path, " \t");
	if (arrow && !strncmp(path, "not found", strlen("not found"))) {
		*arrow = '\0';
		return error_set(err, ERROR_HOST,
				 "%s wants the library %s, which this host does not have",
				 program, line + strspn(line, " \t"));
	}
	path[strcspn(path, " ")] = '\0';
	if (*path == '/')
		add_file(programs, path, path);
	return 0;
}

static int take_libraries(struct programs *programs, const char *program,
			  const char *loader, struct error *err)
{
	const char *const argv[] = {loader, "--list", program, NULL};
	const char *const environment[] = {"LC_ALL=C", NULL};
	CLEANUP(text_finish) struct text output = {0};
	struct process_options options = {
		.argv = argv,
		.environment = environment,
		.output = &output,
		.timeout_seconds = LOADER_SECONDS,
	};
	struct process_result result;
	char *rest, *line;

	if (process_run(&options, &result, err))
		return -1;
	if (result.end != PROCESS_EXITED || result.code)
		return error_set(err, ERROR_HOST,
				 "%s --list %s fails: no program for this host", loader,
				 program);
	rest = output.data;
	while ((line = strsep(&rest, "\n")))
		if (take_library(programs, program, line, err))
			return -1;
	if (file_exists(LOADER_CACHE))
		add_file(programs, LOADER_CACHE, LOADER_CACHE);
	return 0;
}

/* The file and what it needs to run, scripts through their interpreter. */
static int add_program(struct programs *programs, const char *source, const char *target,
		       int depth, struct error *err)
{
	CLEANUP(cleanup_fd) int fd = open(source, O_RDONLY | O_CLOEXEC);
	CLEANUP(cleanup_free) char *loader = NULL;
	CLEANUP(cleanup_free) char *interpreter = NULL;

	if (fd < 0)
		return error_system(err, "%s", source);
	if (!add_file(programs, source, target))
		return 0;
	loader = find_loader(fd);
	if (loader) {
		add_file(programs, loader, loader);
		return take_libraries(programs, source, loader, err);
	}
	interpreter = find_interpreter(fd);
	/* The kernel follows scripts of scripts a few times only. */
	if (!interpreter || depth == 4)
		return 0;
	if (add_program(programs, interpreter, interpreter, depth + 1, err))
		return error_prefix(err, "script %s", source);
	return 0;
}

int programs_collect(const struct scenario *scenario, struct programs *programs,
		     struct error *err)
{
	for (size_t i = 0; i < scenario->files.count; i++) {
		CLEANUP(cleanup_free) char *source = scenario_file_source(scenario, i);
		CLEANUP(cleanup_free) char *target = scenario_file_target(scenario, i);

		if (add_program(programs, source, target, 0, err))
			return -1;
	}
	return 0;
}

int programs_pack(const struct programs *programs, struct image *image, struct error *err)
{
	for (size_t i = 0; i < programs->sources.count; i++)
		if (image_add_file(image, programs->targets.items[i] + 1, 0,
				   programs->sources.items[i], err))
			return -1;
	return 0;
}

int programs_hash(const struct programs *programs, char hex[HASH_HEX_SIZE],
		  struct error *err)
{
	struct hash hash;

	hash_init(&hash);
	for (size_t i = 0; i < programs->sources.count; i++)
		if (hash_field_file(&hash, programs->targets.items[i],
				    programs->sources.items[i], err))
			return -1;
	hash_hex(&hash, hex);
	return 0;
}
