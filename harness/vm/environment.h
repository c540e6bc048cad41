/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Environment variables that libvirt shall see while it starts, and only it: they are
 * put back before we start other programs. Not for a process with busy threads.
 */
#ifndef VM_ENVIRONMENT_H
#define VM_ENVIRONMENT_H

enum { ENVIRONMENT_SIZE = 8 };

/* Starts from {0}. */
struct environment {
	const char *names[ENVIRONMENT_SIZE]; /* borrowed */
	char *old[ENVIRONMENT_SIZE];         /* NULL: was not set */
	int count;
};

/* Sets it until environment_restore(). */
void environment_set(struct environment *environment, const char *name,
		     const char *value);
void environment_restore(struct environment *environment);

#endif
