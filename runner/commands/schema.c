/* SPDX-License-Identifier: BSD-2-Clause */
#include "commands/commands.h"

static int schema_main(struct settings *settings)
{
	struct registry *registry = registry_new(settings->plugin_dir);
	struct diags diags = {0};
	json_t *schema;
	int status;

	registry_load_all(registry, &diags);
	diags_print(&diags, stderr);
	status = diags.errors ? EXIT_UNJUDGED : 0;
	schema = schema_json(registry);
	json_dumpf(schema, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(schema);
	diags_free(&diags);
	registry_free(registry);
	return flush_stdout(status);
}

const struct command command_schema = {
	.name = "schema",
	.arguments = "",
	.summary = "print the JSON Schema of scenarios, for editors",
	.about = "Prints the JSON Schema (2020-12) of scenario files over all plugins that are installed. Editors that "
		 "speak "
		 "yaml-language-server take it: put \"# yaml-language-server: $schema=FILE\" on top of a scenario.",
	.options = TAKES(OPTION_HELP) | TAKES(OPTION_PLUGIN_DIR),
	.main = schema_main,
};
