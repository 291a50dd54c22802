/* SPDX-License-Identifier: BSD-2-Clause */
#include "commands/commands.h"

static int probes_main(struct settings *settings)
{
	struct registry *registry = registry_new(settings->plugin_dir);
	const struct rs_plugin *const *plugins;
	struct diags diags = {0};
	size_t count;
	int status;

	registry_load_all(registry, &diags);
	diags_print(&diags, stderr);
	status = diags.errors ? EXIT_UNJUDGED : 0;
	plugins = registry_plugins(registry, &count);
	for (size_t i = 0; i < count; i++)
		for (size_t s = 0; s < plugins[i]->nsources; s++)
			for (size_t p = 0; p < plugins[i]->sources[s].nprobes; p++)
				printf("%-20s %s\n", plugins[i]->sources[s].probes[p].name,
				       plugins[i]->sources[s].probes[p].summary);
	diags_free(&diags);
	registry_free(registry);
	return flush_stdout(status);
}

const struct command command_probes = {
	.name = "probes",
	.arguments = "",
	.summary = "list what can be observed",
	.about = "Lists the probes of all plugins, a line each. 'rdmaspec describe PROBE' says more of one.",
	.options = TAKES(OPTION_HELP) | TAKES(OPTION_PLUGIN_DIR),
	.main = probes_main,
};
