/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vm/root.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "vm/domain.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/un.h>
#include <unistd.h>

/* Of libvirt's longest socket: ROOT/lib/qemu/domain-NUMBER-NAME/monitor.sock. */
enum { SOCKET_TAIL = sizeof("/lib/qemu/domain-1000000-/monitor.sock") + 20 };

#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./"

/*
 * No daemon, no security driver, no cgroups: one user's process. QEMU writes the
 * guest's output into files by itself, so that it does not need us to live.
 */
static const char configuration[] = "stdio_handler = \"file\"\n"
				    "security_driver = \"none\"\n"
				    "security_default_confined = 0\n"
				    "dynamic_ownership = 0\n"
				    "remember_owner = 0\n"
				    "cgroup_controllers = []\n"
				    "namespaces = []\n"
				    "max_core = 0\n";

/* Root's QEMU stays root: it must open the files and disks that we name. */
static const char privileged[] = "user = \"+0\"\ngroup = \"+0\"\n";

static int held_elsewhere(int fd, const char *root, struct error *err)
{
	char holder[32] = "";
	ssize_t got = pread(fd, holder, sizeof(holder) - 1, 0);

	holder[got > 0 ? got : 0] = '\0';
	holder[strcspn(holder, "\n")] = '\0';
	return error_set(err, ERROR_HOST,
			 "%s is in use by another kregress (process %s): wait for it, or "
			 "use another results folder",
			 root, holder[0] ? holder : "unknown");
}

static int lock_root(const char *root, int *ret_fd, struct error *err)
{
	CLEANUP(cleanup_free) char *path = file_join(root, "lock");
	CLEANUP(cleanup_fd) int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	char line[32];
	int length = snprintf(line, sizeof(line), "%d\n", (int)getpid());

	if (fd < 0)
		return error_system(err, "cannot write %s", path);
	if (flock(fd, LOCK_EX | LOCK_NB))
		return errno == EWOULDBLOCK ? held_elsewhere(fd, root, err)
					    : error_system(err, "cannot lock %s", path);
	/* Only for the other's message: without it the lock still holds. */
	if (ftruncate(fd, 0) || file_write_fd(fd, line, (size_t)length, path, err))
		return -1;
	*ret_fd = fd;
	fd = -1;
	return 0;
}

int root_open(const char *path, char **ret_root, int *ret_lock_fd, struct error *err)
{
	CLEANUP(cleanup_free) char *root = NULL;

	if (file_make_folders(path, err))
		return -1;
	root = realpath(path, NULL);
	if (!root)
		return error_system(err, "cannot resolve %s", path);
	if (lock_root(root, ret_lock_fd, err))
		return -1;
	*ret_root = TAKE(root);
	return 0;
}

static int write_configuration(const char *root, struct error *err)
{
	CLEANUP(cleanup_free) char *folder = file_join(root, "etc");
	CLEANUP(cleanup_free) char *path = file_join(folder, "qemu.conf");
	CLEANUP(text_finish) struct text text = {0};

	text_add(&text, configuration);
	if (geteuid() == 0)
		text_add(&text, privileged);
	if (file_make_folders(folder, err))
		return -1;
	return file_write(path, text.data, text.size, err);
}

static int is_usable(const char *root)
{
	struct sockaddr_un address;

	return strspn(root, PLAIN) == strlen(root) &&
	       strlen(root) + SOCKET_TAIL < sizeof(address.sun_path);
}

#define ALIAS_FOLDER "/tmp/kregress-"
#define ALIAS_NAME "vm"

/* What a killed program used for this root, which no one else has now. */
static void remove_alias(const char *root, const char *alias)
{
	CLEANUP(cleanup_free) char *target = realpath(alias, NULL);
	CLEANUP(cleanup_free) char *folder = NULL;

	if (!target || strcmp(target, root) || unlink(alias))
		return;
	folder = memory_copy_bytes(alias, strlen(alias) - strlen("/" ALIAS_NAME));
	rmdir(folder);
}

static void remove_aliases(const char *root)
{
	glob_t found = {0};

	if (glob(ALIAS_FOLDER "*/" ALIAS_NAME, GLOB_NOSORT, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++)
			remove_alias(root, found.gl_pathv[i]);
	globfree(&found);
}

static int make_alias(const char *root, char **ret_alias, char **ret_folder,
		      struct error *err)
{
	CLEANUP(cleanup_free) char *folder = NULL;
	CLEANUP(cleanup_free) char *alias = NULL;

	remove_aliases(root);
	if (file_make_temporary_folder(ALIAS_FOLDER, &folder, err))
		return -1;
	alias = file_join(folder, ALIAS_NAME);
	if (symlink(root, alias)) {
		error_system(err, "cannot create %s", alias);
		rmdir(folder);
		return -1;
	}
	*ret_alias = TAKE(alias);
	*ret_folder = TAKE(folder);
	return 0;
}

int root_prepare(const char *root, char **ret_alias, char **ret_folder, struct error *err)
{
	if (write_configuration(root, err))
		return -1;
	if (!is_usable(root))
		return make_alias(root, ret_alias, ret_folder, err);
	*ret_alias = memory_copy_string(root);
	*ret_folder = NULL;
	return 0;
}

void root_close(const char *alias, const char *folder, int lock_fd)
{
	if (folder) {
		unlink(alias);
		rmdir(folder);
	}
	if (lock_fd >= 0)
		close(lock_fd);
}
