/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/setup.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/data.h"
#include "report/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AGENT_NAME "kregress-agent"
#define BLOCKS_NAME "kregress-blocks.so"

/* Installed beside the data, else where make left it. */
static char *find_built(const char *data, const char *name)
{
	CLEANUP(cleanup_free) char *installed = file_join(data, name);

	return file_exists(installed) ? TAKE(installed)
				      : memory_format("%s/build/%s", data, name);
}

char *setup_find_blocks(const char *data)
{
	return find_built(data, BLOCKS_NAME);
}

int setup_find_agent(const char *data, char **ret_agent, struct error *err)
{
	CLEANUP(cleanup_free) char *path = find_built(data, AGENT_NAME);

	if (file_exists(path)) {
		*ret_agent = TAKE(path);
		return 0;
	}
	return error_set(err, ERROR_HOST, "no guest agent %s in %s; run \"make\"",
			 AGENT_NAME, data);
}

char *setup_command_line(int argc, char **argv)
{
	struct text text = {0};

	for (int i = 0; i < argc; i++) {
		text_add(&text, i ? " " : "");
		if (i)
			format_shell_word(&text, argv[i]);
		else
			text_add(&text, argv[i]);
	}
	return text_take(&text);
}

static int open_workbench(const struct context *context,
			  const struct setup_options *options, struct setup *setup,
			  struct error *err)
{
	struct workbench_options bench = {
		.config_path = context->config_path,
		.tree = options->tree,
		.results = context->results,
		.connect = context->connect,
		.lab = context->lab,
		.without_store = options->without_store,
	};

	setup->data = data_path(".");
	if (setup_find_agent(setup->data, &setup->agent, err))
		return -1;
	setup->blocks = setup_find_blocks(setup->data);
	setup->command = setup_command_line(options->argc, options->argv);
	bench.data = setup->data;
	bench.agent = setup->agent;
	bench.blocks = setup->blocks;
	bench.command = setup->command;
	return workbench_open(&bench, &setup->workbench, err);
}

int setup_open(const struct context *context, const struct setup_options *options,
	       struct setup *ret_setup, struct error *err)
{
	*ret_setup = (struct setup){0};
	if (open_workbench(context, options, ret_setup, err)) {
		setup_finish(ret_setup);
		return -1;
	}
	return 0;
}

void setup_finish(struct setup *setup)
{
	workbench_close(&setup->workbench);
	free(setup->data);
	free(setup->agent);
	free(setup->blocks);
	free(setup->command);
	*setup = (struct setup){0};
}
