/* SPDX-License-Identifier: BSD-2-Clause */
#include "commands/commands.h"

static int plan_main(struct settings *settings)
{
	struct loaded loaded = {0};
	int status = load(&loaded, settings, true);

	if (!status)
		plan_print(&loaded.plan, stdout);
	loaded_free(&loaded);
	return flush_stdout(status);
}

const struct command command_plan = {
	.name = "plan",
	.arguments = "FILE...",
	.summary = "print what a run would do; nothing is touched",
	.about = "Expands hosts, repeats and filters, and prints the observations that a run would make, which steps "
		 "share "
		 "them, and which steps wait for which. No host is contacted and nothing is observed.",
	.options = TAKES(OPTION_HELP) | TAKES(OPTION_SET) | TAKES(OPTION_TAGS) | TAKES(OPTION_SKIP_TAGS) |
		   TAKES(OPTION_STEP) | TAKES(OPTION_PLUGIN_DIR),
	.main = plan_main,
};
