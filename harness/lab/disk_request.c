/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lab/disk_request.h"

struct disk_request disk_request_of(const struct config_disk *disk)
{
	static const enum disk_attach attachments[] = {
		[CONFIG_ATTACH_BLOCK] = DISK_BLOCK,
		[CONFIG_ATTACH_FILE] = DISK_FILE,
		[CONFIG_ATTACH_PCI] = DISK_PCI,
	};

	return (struct disk_request){
		.name = disk->name,
		.device = disk->device,
		.attach = attachments[disk->attach],
		.serial = disk->serial,
		.allow_destroy = disk->allow_destroy,
	};
}
