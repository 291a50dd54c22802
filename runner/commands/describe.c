/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "base/cleanup.h"
#include "commands/commands.h"

static int describe_plugin(struct registry *registry, const char *name)
{
	const struct rs_plugin *const *plugins;
	struct diags diags = {0};
	size_t count;

	if (!strcmp(name, "scenario")) { /* what all probes have in common */
		schema_reference_scenario(stdout);
		return 0;
	}
	registry_load_all(registry, &diags);
	diags_free(&diags);
	plugins = registry_plugins(registry, &count);
	for (size_t i = 0; i < count; i++) {
		if (strcmp(plugins[i]->name, name) != 0)
			continue;
		schema_reference(stdout, plugins[i]);
		return 0;
	}
	complain("there is no plugin '%s'", name);
	return EXIT_USAGE;
}

static int describe_probe(struct registry *registry, const char *name)
{
	const struct rs_source *source;
	AUTO_FREE char *why = NULL;
	const struct rs_probe *probe = registry_probe(registry, name, &source, &why);

	if (!probe) {
		complain("%s", why);
		return EXIT_USAGE;
	}
	schema_describe(stdout, source, probe);
	return 0;
}

static int describe_main(struct settings *settings)
{
	struct registry *registry;
	int status = 0;

	if (!settings->narguments) {
		complain("no probe was named; 'rdmaspec probes' lists them");
		return EXIT_USAGE;
	}
	registry = registry_new(settings->plugin_dir);
	for (size_t i = 0; !status && i < settings->narguments; i++)
		status = settings->markdown ? describe_plugin(registry, settings->arguments[i])
					    : describe_probe(registry, settings->arguments[i]);
	registry_free(registry);
	return flush_stdout(status);
}

const struct command command_describe = {
	.name = "describe",
	.arguments = "PROBE...",
	.summary = "say what a probe takes and what it observes",
	.about =
		"Prints a probe's parameters and facts with their types, units and exact meaning, and an example step. "
		"With --markdown, the argument is a plugin, or 'scenario', and a whole page of the reference is "
		"printed.",
	.options = TAKES(OPTION_HELP) | TAKES(OPTION_PLUGIN_DIR) | TAKES(OPTION_MARKDOWN),
	.main = describe_main,
};
