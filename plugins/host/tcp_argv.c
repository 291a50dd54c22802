/* SPDX-License-Identifier: BSD-2-Clause */
/* iperf3's argument list */
#include <string.h>

#include "host/tcp.h"
#include "support/argv.h"

static void add_switch(struct argv *argv, const char *option, bool on)
{
	if (on)
		argv_add(argv, "%s", option);
}

static void add_integer(struct argv *argv, const char *option, const int64_t *value)
{
	if (value)
		argv_add(argv, "%s", option), argv_add(argv, "%lld", (long long)*value);
}

static void add_number(struct argv *argv, const char *option, const double *value, double times)
{
	if (value)
		argv_add(argv, "%s", option), argv_add(argv, "%.0f", *value * times);
}

static void add_text(struct argv *argv, const char *option, const char *value)
{
	if (value)
		argv_add(argv, "%s", option), argv_add(argv, "%s", value);
}

/* What the client tells its server of by itself */
static void add_measurement(struct argv *argv, const struct tcp_params *params)
{
	add_number(argv, "-t", &params->duration, 1);
	if (params->omit > 0)
		add_number(argv, "-O", &params->omit, 1);
	if (params->streams > 1)
		add_integer(argv, "-P", &params->streams);
	add_switch(argv, "-R", params->reverse);
	add_switch(argv, "--bidir", params->bidirectional);
	add_integer(argv, "-M", params->mss);
	add_number(argv, "-w", params->window, 1);
	add_number(argv, "-l", params->length, 1);
	add_number(argv, "-b", params->bitrate, 1e9);
	add_text(argv, "-C", params->congestion);
	add_integer(argv, "-S", params->traffic_class);
	add_switch(argv, "-N", params->no_delay);
	add_switch(argv, "-Z", params->zero_copy);
}

const char *const *tcp_argv(struct rs_ctx *ctx, const struct tcp_params *params, const char *path, unsigned port,
			    const char *peer)
{
	struct argv argv = {.ctx = ctx};

	argv_add(&argv, "%s", path);
	if (peer)
		add_text(&argv, "-c", peer);
	else
		argv_add(&argv, "-s"), argv_add(&argv, "-1");
	argv_add(&argv, "-p"), argv_add(&argv, "%u", port);
	argv_add(&argv, "-J");
	add_text(&argv, "-B", params->bind);
	if (params->ipv6)
		argv_add(&argv, *params->ipv6 ? "-6" : "-4");
	if (peer)
		add_measurement(&argv, params);
	for (unsigned i = 0; peer && i < params->narguments; i++)
		argv_add(&argv, "%s", params->arguments[i]);
	for (unsigned i = 0; !peer && i < params->nserver_arguments; i++)
		argv_add(&argv, "%s", params->server_arguments[i]);
	return argv.words;
}

/* What would take the run out of the probe's hands, change what its output is, or write files */
static const char *const refused[] = {"--server",  "--client", "--port", "--json",  "--json-stream", "--one-off",
				      "--daemon",  "--udp",    "--sctp", "--file",  "--pidfile",     "--logfile",
				      "--version", "--help",   "--time", "--bytes", "--blockcount",  "--parallel",
				      "--reverse", "--bidir",  "--omit", "--bind",  "--debug",	     NULL};
#define REFUSED_LETTERS "scpJ1DuFIvhtnkPROBd"
#define SWITCH_LETTERS "46VNZ" /* that take no value, so that another option may follow in the same word */

/* iperf3 takes the beginning of a long option for the whole */
static bool is_refused_word(const char *argument)
{
	size_t length = strcspn(argument, "=");

	for (size_t i = 0; refused[i]; i++)
		if (length > 2 && !strncmp(refused[i], argument, length))
			return true;
	return false;
}

static bool is_refused(const char *argument)
{
	if (!strncmp(argument, "--", 2))
		return is_refused_word(argument);
	if (*argument++ != '-')
		return false;
	while (*argument && strchr(SWITCH_LETTERS, *argument))
		argument++;
	return *argument && strchr(REFUSED_LETTERS, *argument);
}

static int check_list(struct rs_ctx *ctx, const char *key, const char *const *words, unsigned count)
{
	bool option = false;

	for (unsigned i = 0; i < count; i++) {
		if (is_refused(words[i]))
			return rs_error(ctx, RS_FAILED,
					"%s: %s cannot be given: it is this probe's own, or a parameter of it", key,
					words[i]);
		if (words[i][0] != '-' && !option)
			return rs_error(ctx, RS_FAILED, "%s: \"%s\" belongs to no option", key, words[i]);
		option = words[i][0] == '-';
	}
	return 0;
}

int tcp_check(struct rs_ctx *ctx, const struct tcp_params *params)
{
	int error = check_list(ctx, "arguments", params->arguments, params->narguments);

	return error ? error : check_list(ctx, "server_arguments", params->server_arguments, params->nserver_arguments);
}
