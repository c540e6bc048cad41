/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

size_t terminal_columns(void)
{
	struct winsize size;

	return isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size)
		       ? size.ws_col
		       : 0;
}
