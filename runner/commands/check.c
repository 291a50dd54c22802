/* SPDX-License-Identifier: BSD-2-Clause */
#include "commands/commands.h"

static int check_main(struct settings *settings)
{
	struct loaded loaded = {0};
	int status = load(&loaded, settings, true);

	for (size_t i = 0; !status && i < loaded.count; i++)
		printf("%s: ok, %zu step%s on %zu host%s\n", settings->arguments[i], loaded.scenarios[i].nsteps,
		       plural(loaded.scenarios[i].nsteps), loaded.scenarios[i].nhosts,
		       plural(loaded.scenarios[i].nhosts));
	loaded_free(&loaded);
	return flush_stdout(status);
}

const struct command command_check = {
	.name = "check",
	.arguments = "FILE...",
	.summary = "validate scenario files; nothing is touched",
	.about = "Reads the scenario files with all that they include and reports everything that is wrong with them, "
		 "each "
		 "as FILE:LINE:COLUMN. No host is contacted and nothing is observed.\n\n"
		 "The exit status is 0 when the files are valid, 3 when not.",
	.options = TAKES(OPTION_HELP) | TAKES(OPTION_SET) | TAKES(OPTION_PLUGIN_DIR),
	.main = check_main,
};
