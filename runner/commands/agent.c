/* SPDX-License-Identifier: BSD-2-Clause */
/* The two processes that a run starts by itself. */
#include "agent/link.h"
#include "commands/commands.h"

static struct agent_options agent_options(const struct settings *settings)
{
	return (struct agent_options){.plugin_dir = settings->plugin_dir, .sysfs_root = settings->run.sysfs_root};
}

static int run_agent(struct settings *settings)
{
	struct agent_options options = agent_options(settings);

	return agent_main(&options);
}

static int run_worker(struct settings *settings)
{
	struct agent_options options = agent_options(settings);

	return worker_main(&options);
}

const struct command command_agent = {
	.name = "agent",
	.arguments = "",
	.summary = "observe on behalf of a run, over standard input and output",
	.about = "What a run starts on each of its hosts: takes requests on standard input, answers on standard "
		 "output, and "
		 "ends when its input does. Not for use by hand.",
	.options = TAKES(OPTION_HELP) | TAKES(OPTION_PLUGIN_DIR) | TAKES(OPTION_SYSFS_ROOT),
	.main = run_agent,
};

const struct command command_worker = {
	.name = "worker",
	.arguments = "",
	.summary = "make one observation on behalf of an agent",
	.about = "What an agent starts for an observation that needs an environment of its own. Not for use by hand.",
	.options = TAKES(OPTION_HELP) | TAKES(OPTION_PLUGIN_DIR) | TAKES(OPTION_SYSFS_ROOT),
	.internal = true,
	.main = run_worker,
};
