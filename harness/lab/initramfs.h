/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The job and the initramfs of one boot: agent, job, file-system images, modules and the
 * user's own programs. The same request gives the same bytes.
 */
#ifndef LAB_INITRAMFS_H
#define LAB_INITRAMFS_H

#include "lab/kind.h"

/* Writes the initramfs to path. */
int initramfs_write(const struct lab *lab, const struct lab_request *request,
		    const char *path, struct error *err);

#endif
