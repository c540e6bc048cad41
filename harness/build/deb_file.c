/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "build/deb_file.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 65536, CONTROL_LIMIT = 1 << 20, SMALLEST_MAP = 4096 };

/* A .deb is an "ar" with control.tar.* and data.tar.*; the inner one reads the outer. */
struct deb {
	const char *path;
	struct archive *outer;
	struct archive *inner;
	char buffer[BLOCK];
};

static int archive_failure(const struct deb *deb, struct archive *reader,
			   struct error *err)
{
	const char *cause = archive_error_string(reader);

	return error_set(err, ERROR_USAGE, "%s: not a readable Debian package: %s",
			 deb->path, cause ? cause : "unknown cause");
}

static void deb_close(struct deb **deb)
{
	if (!*deb)
		return;
	archive_read_free((*deb)->inner);
	archive_read_free((*deb)->outer);
	free(*deb);
}

static la_ssize_t read_outer(struct archive *reader, void *context, const void **ret_data)
{
	struct deb *deb = context;
	la_ssize_t got = archive_read_data(deb->outer, deb->buffer, sizeof(deb->buffer));

	if (got < 0)
		archive_set_error(reader, archive_errno(deb->outer), "%s",
				  archive_error_string(deb->outer));
	*ret_data = deb->buffer;
	return got;
}

/* Opens the member whose name starts with prefix ("data.tar") as an archive. */
static int deb_open(const char *path, const char *prefix, struct deb **ret_deb,
		    struct error *err)
{
	CLEANUP(deb_close) struct deb *deb = memory_new(1, sizeof(*deb));
	struct archive_entry *entry;
	int code;

	deb->path = path;
	deb->outer = archive_read_new();
	deb->inner = archive_read_new();
	archive_read_support_format_ar(deb->outer);
	archive_read_support_format_tar(deb->inner);
	archive_read_support_filter_all(deb->inner);
	if (archive_read_open_filename(deb->outer, path, BLOCK))
		return archive_failure(deb, deb->outer, err);
	while ((code = archive_read_next_header(deb->outer, &entry)) == ARCHIVE_OK) {
		const char *name = archive_entry_pathname(entry);

		if (!name || strncmp(name, prefix, strlen(prefix)))
			continue;
		if (archive_read_open(deb->inner, deb, NULL, read_outer, NULL))
			return archive_failure(deb, deb->inner, err);
		*ret_deb = TAKE(deb);
		return 0;
	}
	if (code != ARCHIVE_EOF)
		return archive_failure(deb, deb->outer, err);
	return error_set(err, ERROR_USAGE, "%s: not a Debian package: no %s in it", path,
			 prefix);
}

/* "./boot/x" and "/boot/x" to "boot/x"; NULL for names that lead elsewhere. */
static const char *plain_name(const char *name)
{
	const char *part;

	if (!name)
		return NULL;
	name += strspn(name, "./");
	for (part = name; *part; part += strcspn(part, "/"), part += *part == '/')
		if (!strncmp(part, "..", 2) && (part[2] == '/' || !part[2]))
			return NULL;
	return *name ? name : NULL;
}

/* Where a file of the package goes; the longest prefix that fits is used. */
static const struct rule {
	const char *prefix, *target;
	int whole; /* the target is a file; else the rest of the name is added */
} rules[] = {
	{"boot/vmlinuz-", "image", 1},
	{"boot/config-", "config", 1},
	{"boot/System.map-", "System.map", 1},
	{"lib/modules/", "modules/lib/modules/", 0},
	{"usr/lib/modules/", "modules/lib/modules/", 0},
};

static char *target_of(const char *name, const char *folder)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		size_t length = strlen(rules[i].prefix);

		if (!strncmp(name, rules[i].prefix, length))
			return memory_format("%s/%s%s", folder, rules[i].target,
					     rules[i].whole ? "" : name + length);
	}
	return NULL;
}

static int write_member(struct deb *deb, const char *target, struct error *err)
{
	CLEANUP(cleanup_free) char *folder = memory_copy_string(target);
	CLEANUP(cleanup_fd) int fd = -1;
	char buffer[BLOCK];
	la_ssize_t got;

	*strrchr(folder, '/') = '\0';
	if (file_make_folders(folder, err))
		return -1;
	fd = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		return error_system(err, "cannot write %s", target);
	while ((got = archive_read_data(deb->inner, buffer, sizeof(buffer))) > 0)
		if (file_write_fd(fd, buffer, (size_t)got, target, err))
			return -1;
	return got < 0 ? archive_failure(deb, deb->inner, err) : 0;
}

static int is_wanted(struct archive_entry *entry, const char *name)
{
	/* Debian ships a stub that says where the map went. */
	return archive_entry_filetype(entry) == AE_IFREG && name &&
	       !(strstr(name, "System.map") && archive_entry_size(entry) < SMALLEST_MAP);
}

int deb_unpack_kernel(const char *path, const char *folder, struct error *err)
{
	CLEANUP(deb_close) struct deb *deb = NULL;
	struct archive_entry *entry;
	int code;

	if (deb_open(path, "data.tar", &deb, err))
		return -1;
	while ((code = archive_read_next_header(deb->inner, &entry)) == ARCHIVE_OK) {
		const char *name = plain_name(archive_entry_pathname(entry));
		CLEANUP(cleanup_free)
		char *target = is_wanted(entry, name) ? target_of(name, folder) : NULL;

		if (target && write_member(deb, target, err))
			return -1;
	}
	return code == ARCHIVE_EOF ? 0 : archive_failure(deb, deb->inner, err);
}

static int read_control(const char *path, struct text *ret_control, struct error *err)
{
	CLEANUP(deb_close) struct deb *deb = NULL;
	struct archive_entry *entry;
	char buffer[4096];
	la_ssize_t got = 0;

	if (deb_open(path, "control.tar", &deb, err))
		return -1;
	while (archive_read_next_header(deb->inner, &entry) == ARCHIVE_OK) {
		const char *name = plain_name(archive_entry_pathname(entry));

		if (!name || strcmp(name, "control"))
			continue;
		while (ret_control->size < CONTROL_LIMIT &&
		       (got = archive_read_data(deb->inner, buffer, sizeof(buffer))) > 0)
			text_add_bytes(ret_control, buffer, (size_t)got);
		return got < 0 ? archive_failure(deb, deb->inner, err) : 0;
	}
	return error_set(err, ERROR_USAGE, "%s: not a Debian package: no control file",
			 path);
}

int deb_kernel_dependency(const char *path, char **ret_name, struct error *err)
{
	static const char mark[] = "linux-image-";
	CLEANUP(text_finish) struct text control = {0};
	char *rest, *line;

	*ret_name = NULL;
	if (read_control(path, &control, err))
		return -1;
	for (rest = control.data; (line = strsep(&rest, "\n"));) {
		const char *name = strstr(line, mark);

		/* A package with a kernel depends on tools, not on another kernel. */
		if (strncmp(line, "Depends:", 8) || !name)
			continue;
		*ret_name = memory_copy_bytes(name, strspn(name, "abcdefghijklmnopqrstu"
								 "vwxyz0123456789.+-"));
		return 0;
	}
	return 0;
}
