/* SPDX-License-Identifier: BSD-2-Clause */
/* OpenSSH's client: one connection a host for the whole run. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "agent/connect.h"
#include "base/cleanup.h"

static void add_option(struct strings *argv, const char *option)
{
	strings_add(argv, "-o");
	strings_add(argv, option);
}

static bool is_plain(const char *word)
{
	for (; *word; word++)
		if (!isalnum((unsigned char)*word) && !strchr("_./-+:,@%", *word))
			return false;
	return true;
}

/* sshd hands the words to the user's login shell as one line: each is quoted for it. */
static void add_quoted(struct strings *argv, const char *word)
{
	AUTO_BUF struct buf quoted = {0};

	if (is_plain(word)) {
		strings_add(argv, word);
		return;
	}
	buf_putc(&quoted, '\'');
	for (; *word; word++)
		if (*word == '\'')
			buf_puts(&quoted, "'\\''");
		else
			buf_putc(&quoted, *word);
	buf_putc(&quoted, '\'');
	strings_add(argv, quoted.data);
}

/* Of an option that is given twice ssh takes the first: what must be comes ahead of the scenario's own, the rest
 * behind. */
void connect_ssh(const struct scenario_host *host, int64_t timeout_ms, struct strings *argv)
{
	AUTO_STRINGS struct strings program = {0};
	AUTO_FREE char *timeout = xasprintf("ConnectTimeout=%" PRId64, (timeout_ms + 999) / 1000);

	strings_add(argv, "ssh");
	strings_add(argv, "-T"); /* no terminal: it would change what goes through */
	strings_add(argv, "-x");
	/* Nobody is there to answer a question: a host key that is not known is refused, and no password is asked for.
	 */
	add_option(argv, "BatchMode=yes");
	/* A master in the background would outlive the run; one that is there already is used. */
	add_option(argv, "ControlMaster=no");
	if (host->way.user) {
		strings_add(argv, "-l");
		strings_add(argv, host->way.user);
	}
	if (host->way.port) {
		AUTO_FREE char *port = xasprintf("%u", host->way.port);

		strings_add(argv, "-p");
		strings_add(argv, port);
	}
	connect_options(host, argv);
	add_option(argv, timeout);
	/* A host that is gone is noticed within a minute, also while nothing is asked of it. */
	add_option(argv, "ServerAliveInterval=15");
	add_option(argv, "ServerAliveCountMax=3");
	add_option(argv, "LogLevel=ERROR");
	strings_add(argv, "--");
	strings_add(argv, host->connect_to);
	connect_program(host, &program);
	for (size_t i = 0; i < program.count; i++)
		add_quoted(argv, program.items[i]);
}
