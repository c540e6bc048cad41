/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/agent/serial.h"

#include "guest/agent/sysfs.h"

#include <dirent.h>
#include <fcntl.h>
#include <scsi/sg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { PAGE_SIZE = 255, PAGE_HEADER = 4, TEXT_SIZE = 256 };

/* Serials are padded with blanks, in front or behind. */
static void trim(char *text)
{
	size_t start = strspn(text, " "), length = strlen(text + start);

	memmove(text, text + start, length + 1);
	while (length && text[length - 1] == ' ')
		text[--length] = '\0';
}

static int from_attribute(const char *device, char out[TEXT_SIZE])
{
	static const char *const names[] = {"serial", "device/serial"};
	char path[512];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "/sys/block/%s/%s", device, names[i]);
		if (!sysfs_read(path, out, TEXT_SIZE))
			return 0;
	}
	return -1;
}

/* SCSI and ATA: the unit serial number page of INQUIRY. */
static int from_inquiry(const char *device, char out[TEXT_SIZE])
{
	unsigned char command[6] = {0x12, 1, 0x80, 0, PAGE_SIZE, 0};
	unsigned char page[PAGE_SIZE] = {0}, sense[32];
	struct sg_io_hdr request = {
		.interface_id = 'S',
		.dxfer_direction = SG_DXFER_FROM_DEV,
		.cmd_len = sizeof(command),
		.cmdp = command,
		.dxfer_len = sizeof(page),
		.dxferp = page,
		.mx_sb_len = sizeof(sense),
		.sbp = sense,
		.timeout = 5000,
	};
	size_t length;
	char path[512];
	int fd, failed;

	snprintf(path, sizeof(path), "/dev/%s", device);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -1;
	failed = ioctl(fd, SG_IO, &request);
	close(fd);
	if (failed || request.status || page[1] != 0x80)
		return -1;
	length = page[3] < PAGE_SIZE - PAGE_HEADER ? page[3] : PAGE_SIZE - PAGE_HEADER;
	memcpy(out, page + PAGE_HEADER, length);
	out[length] = '\0';
	return 0;
}

static int has_serial(const char *device, const char *serial)
{
	char found[TEXT_SIZE];

	if (from_attribute(device, found) && from_inquiry(device, found))
		return 0;
	trim(found);
	return !strcmp(found, serial);
}

unsigned serial_find(const char *serial, char *ret_device, size_t size)
{
	DIR *folder = opendir("/sys/block");
	const struct dirent *entry;
	unsigned found = 0;

	while (folder && (entry = readdir(folder))) {
		if (entry->d_name[0] == '.' || strlen(entry->d_name) >= size ||
		    !has_serial(entry->d_name, serial))
			continue;
		found++;
		strcpy(ret_device, entry->d_name);
	}
	if (folder)
		closedir(folder);
	return found;
}
