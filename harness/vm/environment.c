/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vm/environment.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

void environment_set(struct environment *environment, const char *name, const char *value)
{
	int at = environment->count++;

	assert(at < ENVIRONMENT_SIZE);
	environment->names[at] = name;
	environment->old[at] = memory_copy_string(getenv(name));
	setenv(name, value, 1);
}

void environment_restore(struct environment *environment)
{
	while (environment->count > 0) {
		int at = --environment->count;

		if (environment->old[at])
			setenv(environment->names[at], environment->old[at], 1);
		else
			unsetenv(environment->names[at]);
		free(environment->old[at]);
	}
}
