/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/results.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"

char *results_choose(const struct context *context, const struct config *config)
{
	if (context->results)
		return memory_copy_string(context->results);
	return config_path(config, config->results ? config->results : "results");
}

int results_folder(const struct context *context, char **ret_folder, struct error *err)
{
	CLEANUP(config_finish) struct config config = {0};

	if (!context->results && config_load(context->config_path, &config, err) < 0)
		return -1;
	*ret_folder = results_choose(context, &config);
	return 0;
}

int results_open(const char *folder, struct store **ret_store, struct error *err)
{
	return results_open_mode(folder, STORE_READ_ONLY, ret_store, err);
}

int results_open_mode(const char *folder, enum store_mode mode, struct store **ret_store,
		      struct error *err)
{
	CLEANUP(cleanup_free) char *path = file_join(folder, STORE_FILE_NAME);

	return store_open(path, file_exists(path) ? mode : STORE_READ_ONLY, ret_store,
			  err);
}
