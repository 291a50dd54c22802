/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: parameters of host.command */
#pragma once

#include <rdmaspec/plugin.h>

/** struct command_metric - as a scenario writes it; @unit, @from may be NULL */
struct command_metric {
	const char *name;
	const char *pattern;
	const char *unit;
};

struct command_params {
	const char *const *argv;
	unsigned argc;
	const struct command_metric *metrics;
	unsigned nmetrics;
};
