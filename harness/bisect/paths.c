/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bisect/paths.h"

#include <stddef.h>
#include <string.h>

#define LIKELY 4.0
#define NEUTRAL 1.0
#define UNLIKELY 0.25

const struct path_rule path_rule_other = {"", NEUTRAL, "elsewhere"};
const struct path_rule path_rule_nothing = {"", UNLIKELY, "nothing of its own"};

static const struct path_rule rules[] = {
	{"fs/", LIKELY, "file systems"},
	{"block/", LIKELY, "block layer"},
	{"io_uring/", LIKELY, "I/O rings"},
	{"mm/", LIKELY, "memory management"},
	{"lib/", LIKELY, "library"},
	{"kernel/sched/", LIKELY, "scheduler"},
	{"kernel/locking/", LIKELY, "locks"},
	{"kernel/time/", LIKELY, "timers"},
	{"kernel/irq/", LIKELY, "interrupts"},
	{"kernel/rcu/", LIKELY, "RCU"},
	{"kernel/workqueue", LIKELY, "work queues"},
	{"drivers/ata/", LIKELY, "ATA"},
	{"drivers/block/", LIKELY, "block drivers"},
	{"drivers/md/", LIKELY, "RAID and device mapper"},
	{"drivers/nvme/", LIKELY, "NVMe"},
	{"drivers/scsi/", LIKELY, "SCSI"},
	{"drivers/virtio/", LIKELY, "virtio"},
	{"include/linux/backing-dev", LIKELY, "block layer"},
	{"include/linux/bio", LIKELY, "block layer"},
	{"include/linux/blk", LIKELY, "block layer"},
	{"include/linux/buffer_head", LIKELY, "file systems"},
	{"include/linux/fs", LIKELY, "file systems"},
	{"include/linux/iomap", LIKELY, "file systems"},
	{"include/linux/jbd2", LIKELY, "file systems"},
	{"include/linux/mm", LIKELY, "memory management"},
	{"include/linux/page", LIKELY, "memory management"},
	{"include/linux/sched", LIKELY, "scheduler"},
	{"include/linux/writeback", LIKELY, "file systems"},
	{"include/scsi/", LIKELY, "SCSI"},
	{"arch/", UNLIKELY, "other architectures"},
	{"arch/Kconfig", NEUTRAL, "elsewhere"},
	{"arch/x86/", NEUTRAL, "x86"},
	{"Documentation/", UNLIKELY, "documentation"},
	{"LICENSES/", UNLIKELY, "documentation"},
	{"CREDITS", UNLIKELY, "documentation"},
	{"MAINTAINERS", UNLIKELY, "documentation"},
	{"*.md", UNLIKELY, "documentation"},
	{"*.rst", UNLIKELY, "documentation"},
	{"*.txt", UNLIKELY, "documentation"},
	{"*.gitignore", UNLIKELY, "no part of the kernel"},
	{"samples/", UNLIKELY, "no part of the kernel"},
	{"tools/", UNLIKELY, "no part of the kernel"},
	{"drivers/gpu/", UNLIKELY, "graphics"},
	{"drivers/media/", UNLIKELY, "media"},
	{"drivers/net/wireless/", UNLIKELY, "wireless"},
	{"net/wireless/", UNLIKELY, "wireless"},
	{"sound/", UNLIKELY, "sound"},
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
