/* SPDX-License-Identifier: BSD-2-Clause */
/* Which command; nothing else. */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "commands/commands.h"

const struct command *const commands[] = {
	&command_run,	 &command_judge,
	&command_diff,	 &command_survey,
	&command_check,	 &command_plan,
	&command_probes, &command_describe,
	&command_schema, &command_observe,
	&command_agent,	 &command_worker,
	&command_manual, NULL,
};

static const struct command *find(const char *name)
{
	const char *names[16];
	const char *close;
	size_t count = 0;

	for (const struct command *const *c = commands; *c; c++) {
		if (!strcmp((*c)->name, name))
			return *c;
		if (!(*c)->internal)
			names[count++] = (*c)->name;
	}
	close = suggest(name, names, count);
	if (close)
		complain("unknown command '%s'; did you mean '%s'?", name, close);
	else
		complain("unknown command '%s'; see 'rdmaspec --help'", name);
	return NULL;
}

/* A standard stream that was closed must not become the first file that is opened. Writes to it fail, and are noticed.
 */
static void open_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open(fd == STDOUT_FILENO ? "/dev/full" : "/dev/null", O_RDWR) < 0)
			_exit(EXIT_UNJUDGED);
}

int main(int argc, char **argv)
{
	const struct command *command;
	struct settings settings = {0};
	int status;

	open_standard_streams();
	/* A reader that went away, or a file that may not grow, is a write that fails, not the end of a run with
	 * reports to write. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	if (argc < 2) {
		commands_usage(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		commands_usage(stdout);
		return flush_stdout(0);
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		printf("rdmaspec %s (plugin ABI %d)\n", VERSION, RS_ABI);
		return flush_stdout(0);
	}
	command = find(argv[1]);
	if (!command)
		return EXIT_USAGE;
	status = options_parse(command, argc - 1, argv + 1, &settings);
	if (!status && settings.help) {
		command_usage(stdout, command);
		status = flush_stdout(0);
	} else if (!status) {
		status = command->main(&settings);
	}
	settings_free(&settings);
	return status;
}
