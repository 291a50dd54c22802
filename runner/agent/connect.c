/* SPDX-License-Identifier: BSD-2-Clause */
/* What all ways to a host have in common. */
#include "agent/connect.h"

const char *connect_path(const struct scenario_host *host)
{
	return host->way.path ? host->way.path : "rdmaspec";
}

void connect_program(const struct scenario_host *host, struct strings *argv)
{
	strings_add(argv, connect_path(host));
	strings_add(argv, "agent");
	if (!host->way.plugin_dir)
		return;
	strings_add(argv, "--plugin-dir");
	strings_add(argv, host->way.plugin_dir);
}

void connect_options(const struct scenario_host *host, struct strings *argv)
{
	for (const char *const *option = host->way.options; option && *option; option++)
		strings_add(argv, *option);
}
