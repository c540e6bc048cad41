/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel configuration that is asked for: fragments over the kernel's tinyconfig.
 *
 * A fragment is lines "CONFIG_SYMBOL=value" or "# CONFIG_SYMBOL is not set". After a
 * comment line that starts with "# optional:", the symbols up to the next empty line may
 * be missing in a kernel (older, newer); every other one must come out as asked. Later
 * requests for a symbol replace earlier ones.
 */
#ifndef BUILD_CONFIG_H
#define BUILD_CONFIG_H

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"

struct config_symbol {
	char *name;  /* without CONFIG_ */
	char *value; /* "y", "n", a number, a quoted string */
	int optional;
};

struct config_request {
	struct config_symbol *symbols;
	size_t count;
	size_t capacity;
};

/* Adds a fragment file; errors name file and line. */
int config_add_fragment(struct config_request *request, const char *path,
			struct error *err);
/* Adds "SYMBOL=VALUE" (CONFIG_ in front is taken too); it is not optional. */
int config_add_setting(struct config_request *request, const char *setting,
		       struct error *err);
void config_request_finish(struct config_request *request);
/* A copy of its own; *ret_copy is overwritten. */
void config_request_copy(const struct config_request *request,
			 struct config_request *ret_copy);

/* The request as a fragment that kconfig reads. */
void config_write(const struct config_request *request, struct text *ret_text);
/* As a field of a key; order of requests does not matter where results are the same. */
void config_hash(const struct config_request *request, struct hash *hash);

/*
 * Compares a finished .config with the request; ERROR_MEASUREMENT that names what came
 * out otherwise, with both values.
 */
int config_verify(const struct config_request *request, const char *path,
		  struct error *err);

/* *ret_value as in a .config file, "n" where unset or absent. The caller frees. */
int config_lookup(const char *path, const char *symbol, char **ret_value,
		  struct error *err);

#endif
