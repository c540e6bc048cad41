/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files and folders. Errors name the path and the cause.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/error.h"
#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

/* "a/b"; an absolute name stays as it is. The caller frees. */
char *file_join(const char *folder, const char *name);

/* Whether anything of that name exists (links are followed). */
int file_exists(const char *path);

/* Whole content, at most limit bytes (more is an error); text is cleared first. */
int file_read(const char *path, size_t limit, struct text *text, struct error *err);

/*
 * All or nothing: written beside the target, synced, renamed. Full disks leave the old
 * content and no litter. What is there and no file (/dev/null, a pipe) is written to as
 * it is; a block device is refused.
 */
int file_write(const char *path, const void *bytes, size_t length, struct error *err);

/* All bytes to a descriptor, however often write() takes it; name is for messages. */
int file_write_fd(int fd, const void *bytes, size_t length, const char *name,
		  struct error *err);

/* Copies content and permission bits, all or nothing like file_write(). */
int file_copy(const char *from, const char *to, struct error *err);

/* mkdir -p. */
int file_make_folders(const char *path, struct error *err);

/* rm -rf without following links; what is not there is no error. */
int file_remove_tree(const char *path, struct error *err);

/* What the files of a tree take on disk, without following links. */
int file_tree_size(const char *path, uint64_t *ret_bytes, struct error *err);

/* Names in a folder without "." and "..", sorted bytewise. */
int file_list(const char *folder, struct text_list *names, struct error *err);

/* Free bytes for unprivileged writers on the file system of path. */
int file_free_space(const char *path, uint64_t *ret_bytes, struct error *err);

/* A fresh folder "prefixXXXXXX"; the caller frees the name and removes the folder. */
int file_make_temporary_folder(const char *prefix, char **ret_path, struct error *err);

#endif
