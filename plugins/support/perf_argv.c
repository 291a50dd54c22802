/* SPDX-License-Identifier: BSD-2-Clause */
/* perftest's argument list */
#include <arpa/inet.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "support/link.h"
#include "support/perf_internal.h"

struct list {
	struct rs_ctx *ctx;
	const char **argv;
	size_t count;
};

__attribute__((format(printf, 2, 3))) static void add(struct list *list, const char *format, ...)
{
	va_list arguments;
	char *text;
	int length;

	va_start(arguments, format);
	length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	text = rs_alloc(list->ctx, (size_t)length + 1);
	va_start(arguments, format);
	vsnprintf(text, (size_t)length + 1, format, arguments);
	va_end(arguments);
	list->argv[list->count++] = text;
}

static void add_integer(struct list *list, const char *option, const int64_t *value)
{
	if (!value)
		return;
	add(list, "%s", option);
	add(list, "%lld", (long long)*value);
}

static void add_switch(struct list *list, const char *option, bool on)
{
	if (on)
		add(list, "%s", option);
}

/* Older versions resolve IPv4 only, whatever --ipv6 says, which is of GIDs */
static bool has_ipv6_option(const struct perf_run *run)
{
	const char *const argv[] = {run->path, "--help", NULL};
	struct process help;
	bool has;

	if (process_start(&help, argv))
		return false;
	process_wait(&help, 5000);
	has = help.out[PROCESS_STDOUT].data && strstr(help.out[PROCESS_STDOUT].data, "--ipv6-addr");
	process_free(&help);
	return has;
}

static bool is_ipv6(const struct perf_run *run, const char *peer)
{
	uint8_t address[16];

	if (run->params->ipv6)
		return *run->params->ipv6;
	/* Both ends decide by the server's address, so that they decide alike */
	return inet_pton(AF_INET6, peer ? peer : rs_self(run->ctx)->address, address) == 1;
}

int perf_check_ipv6(struct perf_run *run, const char *peer)
{
	if (run->params->rdma_cm || !is_ipv6(run, peer) || has_ipv6_option(run))
		return 0;
	return rs_error(run->ctx, RS_UNSUPPORTED,
			"this host's perftest connects over IPv4 only: %s has no --ipv6-addr; give the hosts IPv4 "
			"addresses, or connect by rdma_cm",
			run->tool);
}

static void add_amount(struct list *list, const struct perf_params *params)
{
	if (params->size)
		add(list, "-s"), add(list, "%.0f", *params->size);
	add_switch(list, "-a", params->all_sizes);
	add_integer(list, "-n", params->iterations);
	if (params->duration)
		add(list, "-D"), add(list, "%.0f", *params->duration);
}

static void add_connection(struct list *list, const struct perf_params *params, int gid_index)
{
	if (params->transport) /* RC is what perftest takes by itself */
		add(list, "-c"), add(list, "%s", perf_transports[params->transport]);
	if (gid_index >= 0)
		add(list, "-x"), add(list, "%d", gid_index);
	add_switch(list, "-R", params->rdma_cm);
	if (params->mtu)
		add(list, "-m"), add(list, "%s", link_mtus[*params->mtu]);
	add_integer(list, "-S", params->service_level);
	if (params->traffic_class && params->rdma_cm)
		add_integer(list, "-T", params->traffic_class);
	else if (params->traffic_class)
		add(list, "--tclass=%lld", (long long)*params->traffic_class);
	if (params->retry_count)
		add(list, "--retry_count=%lld", (long long)*params->retry_count);
	add_integer(list, "-u", params->qp_timeout);
}

const char *const *perf_argv(struct perf_run *run, unsigned port, const char *peer)
{
	const struct perf_params *params = run->params;
	struct list list = {.ctx = run->ctx};

	list.argv = rs_alloc(run->ctx, (PERF_ARGUMENTS + params->narguments) * sizeof(*list.argv));
	add(&list, "%s", run->path);
	add(&list, "-d"), add(&list, "%s", params->device);
	add(&list, "-i"), add(&list, "%lld", (long long)params->port);
	add(&list, "-p"), add(&list, "%u", port);
	add_amount(&list, params);
	add_connection(&list, params, run->gid_index);
	if (params->queue_pairs > 1)
		add_integer(&list, "-q", &params->queue_pairs);
	add_integer(&list, "-t", params->tx_depth);
	add_integer(&list, "-r", params->rx_depth);
	add_integer(&list, "-I", params->inline_size);
	add_switch(&list, "-b", params->bidirectional);
	add_switch(&list, "-F", params->ignore_cpu_freq);
	add_switch(&list, params->rdma_cm ? "--ipv6" : "--ipv6-addr", is_ipv6(run, peer));
	add_switch(&list, "--report_gbits", run->measure == PERF_BANDWIDTH);
	for (unsigned i = 0; i < params->narguments; i++)
		add(&list, "%s", params->arguments[i]);
	if (peer)
		add(&list, "%s", peer);
	return list.argv;
}

/* What would take the run out of the probe's hands, or write files */
static const char *const refused[] = {
	"-p",	     "--port",		 "-d",	       "--ib-dev",	  "-h",	    "--help", "-V",
	"--version", "--run_infinitely", "--out_json", "--out_json_file", "--mmap", NULL};

static const char *refused_argument(const char *argument)
{
	for (size_t i = 0; refused[i]; i++) {
		size_t length = strlen(refused[i]);
		bool is_long = refused[i][1] == '-';

		if (!strncmp(argument, refused[i], length) &&
		    (!argument[length] || !is_long || argument[length] == '='))
			return refused[i];
	}
	return NULL;
}

static int check_arguments(struct perf_run *run)
{
	const struct perf_params *params = run->params;
	bool option = false;

	for (unsigned i = 0; i < params->narguments; i++) {
		const char *argument = params->arguments[i], *found = refused_argument(argument);

		if (found)
			return rs_error(run->ctx, RS_FAILED, "arguments: %s cannot be given: it is this probe's own",
					found);
		/* perftest takes a word that belongs to no option for the name of a server */
		if (argument[0] != '-' && !option)
			return rs_error(run->ctx, RS_FAILED, "arguments: \"%s\" belongs to no option", argument);
		option = argument[0] == '-';
	}
	return 0;
}

int perf_check(struct perf_run *run)
{
	const struct perf_params *params = run->params;

	if (params->verb == PERF_ATOMIC && (params->size || params->all_sizes))
		return rs_error(run->ctx, RS_FAILED, "atomic operations are always of 8 bytes: no size can be given");
	if (params->duration && params->all_sizes)
		return rs_error(run->ctx, RS_FAILED, "perftest has no duration for all sizes: give iterations");
	if (params->rx_depth && params->verb != PERF_SEND)
		return rs_error(run->ctx, RS_FAILED, "rx_depth is of verb send: the others receive nothing");
	if (params->retry_count && !params->rdma_cm)
		return rs_error(run->ctx, RS_FAILED, "perftest has retry_count with rdma_cm only");
	if (params->duration && *params->duration * 1000 > (double)process_margin(run->ctx))
		return rs_error(run->ctx, RS_FAILED,
				"a duration of %.0f s is longer than what the step's timeout leaves: give a timeout",
				*params->duration);
	return check_arguments(run);
}
