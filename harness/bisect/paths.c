/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bisect/paths.h"

#include <stddef.h>
#include <string.h>

#define LIKELY 4.0
#define NEUTRAL 1.0
#define UNLIKELY 0.25

const struct path_rule path_rule_other = {"", NEUTRAL, "elsewhere", 0};
const struct path_rule path_rule_nothing = {"", UNLIKELY, "nothing of its own", 0};

static const struct path_rule rules[] = {
	{"fs/", LIKELY, "file systems", 0},
	{"block/", LIKELY, "block layer", 0},
	{"io_uring/", LIKELY, "I/O rings", 0},
	{"mm/", LIKELY, "memory management", 0},
	{"lib/", LIKELY, "library", 0},
	{"kernel/sched/", LIKELY, "scheduler", 0},
	{"kernel/locking/", LIKELY, "locks", 0},
	{"kernel/time/", LIKELY, "timers", 0},
	{"kernel/irq/", LIKELY, "interrupts", 0},
	{"kernel/rcu/", LIKELY, "RCU", 0},
	{"kernel/workqueue", LIKELY, "work queues", 0},
	{"drivers/ata/", LIKELY, "ATA", 0},
	{"drivers/block/", LIKELY, "block drivers", 0},
	{"drivers/md/", LIKELY, "RAID and device mapper", 0},
	{"drivers/nvme/", LIKELY, "NVMe", 0},
	{"drivers/scsi/", LIKELY, "SCSI", 0},
	{"drivers/virtio/", LIKELY, "virtio", 0},
	{"include/linux/backing-dev", LIKELY, "block layer", 0},
	{"include/linux/bio", LIKELY, "block layer", 0},
	{"include/linux/blk", LIKELY, "block layer", 0},
	{"include/linux/buffer_head", LIKELY, "file systems", 0},
	{"include/linux/fs", LIKELY, "file systems", 0},
	{"include/linux/iomap", LIKELY, "file systems", 0},
	{"include/linux/jbd2", LIKELY, "file systems", 0},
	{"include/linux/mm", LIKELY, "memory management", 0},
	{"include/linux/page", LIKELY, "memory management", 0},
	{"include/linux/sched", LIKELY, "scheduler", 0},
	{"include/linux/writeback", LIKELY, "file systems", 0},
	{"include/scsi/", LIKELY, "SCSI", 0},
	{"arch/", UNLIKELY, "other architectures", 0},
	{"arch/Kconfig", NEUTRAL, "elsewhere", 0},
	{"arch/x86/", NEUTRAL, "x86", 0},
	{"Documentation/", UNLIKELY, "documentation", 1},
	{"LICENSES/", UNLIKELY, "documentation", 1},
	{"CREDITS", UNLIKELY, "documentation", 1},
	{"MAINTAINERS", UNLIKELY, "documentation", 1},
	{"*.md", UNLIKELY, "documentation", 1},
	{"*.rst", UNLIKELY, "documentation", 1},
	{"*.txt", UNLIKELY, "documentation", 1},
	{"*.gitignore", UNLIKELY, "no part of the kernel", 1},
	{"samples/", UNLIKELY, "no part of the kernel", 1},
	{"tools/", UNLIKELY, "no part of the kernel", 1},
	{"drivers/gpu/", UNLIKELY, "graphics", 0},
	{"drivers/media/", UNLIKELY, "media", 0},
	{"drivers/net/wireless/", UNLIKELY, "wireless", 0},
	{"net/wireless/", UNLIKELY, "wireless", 0},
	{"sound/", UNLIKELY, "sound", 0},
};

static int fits(const struct path_rule *rule, const char *path)
{
	size_t length = strlen(path), suffix = strlen(rule->pattern + 1);

	if (rule->pattern[0] != '*')
		return !strncmp(path, rule->pattern, strlen(rule->pattern));
	return length >= suffix && !strcmp(path + length - suffix, rule->pattern + 1);
}

const struct path_rule *path_find_rule(const char *path)
{
	const struct path_rule *best = &path_rule_other;

	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (fits(&rules[i], path) &&
		    strlen(rules[i].pattern) > strlen(best->pattern))
			best = &rules[i];
	return best;
}
