/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the program's data lies: scenarios/, vm-images/ and the guest agent. Beside a
 * program that was built in its source folder, else where "make install" puts it.
 */
#ifndef CLI_DATA_H
#define CLI_DATA_H

/* The path of a file or folder of the data; the caller frees. */
char *data_path(const char *name);

#endif
