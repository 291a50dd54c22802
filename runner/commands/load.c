/* SPDX-License-Identifier: BSD-2-Clause */
/* What every command that takes scenario files begins with. */
#include "base/cleanup.h"
#include "commands/commands.h"

int flush_stdout(int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	complain("cannot write to standard output: %m");
	return status ? status : EXIT_UNJUDGED;
}

int load(struct loaded *loaded, const struct settings *settings, bool plan)
{
	struct diags diags = {0};

	if (!settings->narguments) {
		complain("no scenario file was named");
		return EXIT_USAGE;
	}
	for (size_t i = 0; i < settings->narguments; i++) {
		if (!*settings->arguments[i]) {
			complain("the name of a scenario file is empty");
			return EXIT_USAGE;
		}
	}
	loaded->registry = registry_new(settings->plugin_dir);
	loaded->count = settings->narguments;
	loaded->scenarios = xcalloc(loaded->count, sizeof(*loaded->scenarios));
	loaded->list = xcalloc(loaded->count, sizeof(*loaded->list));
	for (size_t i = 0; i < loaded->count; i++) {
		loaded->list[i] = &loaded->scenarios[i];
		scenario_load(&loaded->scenarios[i], settings->arguments[i], &settings->set, loaded->registry, &diags);
	}
	if (plan && !diags.errors) {
		loaded->planned = true;
		plan_build(&loaded->plan, loaded->list, loaded->count, &settings->filter, &diags);
	}
	diags_print(&diags, stderr);
	if (diags.errors) {
		diags_free(&diags);
		return EXIT_INVALID;
	}
	diags_free(&diags);
	return 0;
}

void loaded_free(struct loaded *loaded)
{
	if (loaded->planned)
		plan_free(&loaded->plan);
	for (size_t i = 0; i < loaded->count; i++)
		scenario_free(&loaded->scenarios[i]);
	free(loaded->scenarios);
	free(loaded->list);
	recording_free(loaded->baseline);
	registry_free(loaded->registry);
}
