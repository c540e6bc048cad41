/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/agent/setup.h"

#include "guest/agent/sysfs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

void setup_mounts(void)
{
	static const struct {
		const char *path, *type;
	} mounts[] = {
		{"/proc", "proc"}, {"/sys", "sysfs"}, {"/dev", "devtmpfs"},
		{"/tmp", "tmpfs"}, {"/mnt", NULL},
	};
	int null;

	for (size_t i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++) {
		mkdir(mounts[i].path, 0755);
		if (mounts[i].type)
			mount(mounts[i].type, mounts[i].path, mounts[i].type, 0, "");
	}
	null = open("/dev/null", O_RDWR);
	for (int fd = 0; null >= 0 && fd <= 2; fd++)
		if (fd != null)
			dup2(null, fd);
}

void setup_configfs(void)
{
	mount("configfs", "/sys/kernel/config", "configfs", 0, "");
}

/* Parameters that a module must have here, whatever the list says. */
static const char *forced_parameters(const char *path, const char *listed)
{
	static const struct {
		const char *part, *parameters;
	} forced[] = {
		{"/null_blk.ko", "nr_devices=0"},
	};

	for (size_t i = 0; i < sizeof(forced) / sizeof(forced[0]); i++)
		if (strstr(path, forced[i].part))
			return forced[i].parameters;
	return listed;
}

static int load_module(char *line, struct failure *failure)
{
	char *parameters = line, *path = strsep(&parameters, " ");
	int fd = open(path, O_RDONLY | O_CLOEXEC), failed;

	if (fd < 0)
		return failure_system(failure, "open", path, 0);
	failed = syscall(SYS_finit_module, fd,
			 forced_parameters(path, parameters ? parameters : ""), 0) &&
		 errno != EEXIST;
	if (failed)
		failure_system(failure, "finit_module", path, 0);
	close(fd);
	return failed ? -1 : 0;
}

int setup_modules(struct failure *failure)
{
	FILE *list = fopen("/modules.load", "re");
	char line[512];
	int result = 0;

	while (list && !result && fgets(line, sizeof(line), list)) {
		line[strcspn(line, "\n")] = '\0';
		if (*line)
			result = load_module(line, failure);
	}
	if (list)
		fclose(list);
	return result;
}

void setup_rest(void)
{
	sysfs_write("/proc/sys/kernel/randomize_va_space", "0");
	sysfs_write("/proc/sys/kernel/printk", "1");
	mlockall(MCL_CURRENT | MCL_FUTURE);
}

void setup_power_off(void)
{
	sync();
	reboot(RB_POWER_OFF);
	/* Without ACPI that only halts; QEMU runs with -no-reboot, so this ends it too.
	 */
	reboot(RB_AUTOBOOT);
	for (;;)
		pause();
}
