/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of a boot beside its console log: they live as long as the boot does.
 */
#ifndef LAB_BOOT_FILES_H
#define LAB_BOOT_FILES_H

#define BOOT_INITRAMFS_SUFFIX ".initramfs"
#define BOOT_RESULTS_SUFFIX ".results"
#define BOOT_COUNTS_SUFFIX ".counts"

/*
 * Removes those that a killed program left in the folder of the boots. Only for one
 * that has the lab to itself. Console logs stay, and so does what is not a boot's.
 */
void boot_files_sweep(const char *folder);

#endif
