/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "commands/commands.h"

static int manual_main(struct settings *settings)
{
	if (!settings->narguments)
		commands_manual(stdout, NULL);
	for (size_t i = 0; i < settings->narguments; i++)
		for (const struct command *const *c = commands; *c; c++)
			if (!strcmp((*c)->name, settings->arguments[i]))
				commands_manual(stdout, *c);
	return flush_stdout(0);
}

const struct command command_manual = {
	.name = "manual",
	.arguments = "[COMMAND]",
	.summary = "print a man page",
	.about = "Prints the man page of the program, or of one command, in roff. The build uses it.",
	.options = TAKES(OPTION_HELP),
	.internal = true,
	.main = manual_main,
};
