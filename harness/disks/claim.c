/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "disks/safety.h"

#include "base/cleanup.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int require(const struct disk_roots *roots, const struct disk_request *request,
		   int held, struct error *err)
{
	struct disk_verdict verdict;

	if (disk_judge(roots, request, held, &verdict, err))
		return -1;
	if (verdict.kind == ERROR_NONE)
		return 0;
	return error_set(err, verdict.kind, "disk %s: %s", request->name, verdict.text);
}

/* The name must still lead to what is held: it is by the name that QEMU opens it. */
static int is_named(const char *path, int fd)
{
	struct stat by_name, held;

	return !stat(path, &by_name) && !fstat(fd, &held) &&
	       by_name.st_rdev == held.st_rdev && by_name.st_ino == held.st_ino;
}

static int hold(const struct disk_request *request, struct disk_claim *claim,
		struct error *err)
{
	int flags = request->attach == DISK_BLOCK ? O_EXCL : 0;
	const char *why = NULL;

	claim->fd = open(request->device, O_RDWR | O_CLOEXEC | flags);
	if (claim->fd < 0)
		return error_system(err, "disk %s: %s cannot be held exclusively",
				    request->name, request->device);
	if (!is_named(request->device, claim->fd))
		why = "became another one while it was opened";
	else if (request->attach == DISK_FILE && flock(claim->fd, LOCK_EX | LOCK_NB))
		why = "is locked by another process";
	return !why ? 0
		    : error_set(err, ERROR_HOST, "disk %s: %s %s", request->name,
				request->device, why);
}

int disk_claim_take(const struct disk_roots *roots, const struct disk_request *request,
		    struct disk_claim *claim, struct error *err)
{
	CLEANUP(disk_claim_release) struct disk_claim held = DISK_CLAIM_NONE;

	if (require(roots, request, 0, err))
		return -1;
	if (request->attach != DISK_PCI &&
	    (hold(request, &held, err) || require(roots, request, 1, err)))
		return -1;
	*claim = held;
	held = DISK_CLAIM_NONE;
	return 0;
}

void disk_claim_release(struct disk_claim *claim)
{
	if (claim->fd >= 0)
		close(claim->fd);
	*claim = DISK_CLAIM_NONE;
}
