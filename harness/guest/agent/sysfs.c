/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/agent/sysfs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int sysfs_read(const char *path, char *out, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length;
	int error;

	if (fd < 0)
		return -1;
	length = read(fd, out, size - 1);
	error = errno;
	close(fd);
	errno = error;
	if (length < 0)
		return -1;
	out[length] = '\0';
	out[strcspn(out, "\n")] = '\0';
	return 0;
}

uint64_t sysfs_read_number(const char *path)
{
	char text[64];

	return sysfs_read(path, text, sizeof(text)) ? 0 : strtoull(text, NULL, 10);
}

int sysfs_write(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t length;
	int error;

	if (fd < 0)
		return -1;
	length = write(fd, value, strlen(value));
	error = errno;
	close(fd);
	errno = error;
	return length < 0 ? -1 : 0;
}
