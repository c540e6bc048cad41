/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vm/account.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "vm/mounts.h"

#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#define ACCOUNT "libvirt-qemu"

enum { LIST_LIMIT = 64 << 20 };

/* 65534 is nobody: an account without rights. */
static const char user_line[] =
	ACCOUNT ":x:65534:65534::/nonexistent:/usr/sbin/nologin\n";
static const char group_line[] = ACCOUNT ":x:65534:\n";

static int cover_with_line(const char *path, const char *folder, const char *name,
			   const char *line, struct error *err)
{
	CLEANUP(cleanup_free) char *cover = file_join(folder, name);
	CLEANUP(text_finish) struct text list = {0};

	if (file_read(path, LIST_LIMIT, &list, err))
		return -1;
	if (list.size && list.data[list.size - 1] != '\n')
		text_add_char(&list, '\n');
	text_add(&list, line);
	if (file_write(cover, list.data, list.size, err))
		return -1;
	return mounts_cover(path, cover, err);
}

int account_provide(const char *folder, struct error *err)
{
	if (geteuid() != 0)
		return 0;
	if ((!getpwnam(ACCOUNT) &&
	     cover_with_line("/etc/passwd", folder, "passwd", user_line, err)) ||
	    (!getgrnam(ACCOUNT) &&
	     cover_with_line("/etc/group", folder, "group", group_line, err)))
		return error_prefix(
			err, "libvirt needs the user " ACCOUNT " when root runs it: "
			     "\"useradd --system --user-group " ACCOUNT "\" makes it, "
			     "or run as another user");
	return 0;
}
