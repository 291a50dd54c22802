/* SPDX-License-Identifier: BSD-2-Clause */
/* perftest's argument list */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "support/argv.h"
#include "support/link.h"
#include "support/perf_internal.h"

static void add_integer(struct argv *argv, const char *option, const int64_t *value)
{
	if (!value)
		return;
	argv_add(argv, "%s", option);
	argv_add(argv, "%lld", (long long)*value);
}

static void add_switch(struct argv *argv, const char *option, bool on)
{
	if (on)
		argv_add(argv, "%s", option);
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

static void add_amount(struct argv *argv, const struct perf_params *params)
{
	if (params->size)
		argv_add(argv, "-s"), argv_add(argv, "%.0f", *params->size);
	add_switch(argv, "-a", params->all_sizes);
	add_integer(argv, "-n", params->iterations);
	if (params->duration)
		argv_add(argv, "-D"), argv_add(argv, "%.0f", *params->duration);
}

static void add_connection(struct argv *argv, const struct perf_params *params, int gid_index)
{
	if (params->transport) /* RC is what perftest takes by itself */
		argv_add(argv, "-c"), argv_add(argv, "%s", perf_transports[params->transport]);
	if (gid_index >= 0)
		argv_add(argv, "-x"), argv_add(argv, "%d", gid_index);
	add_switch(argv, "-R", params->rdma_cm);
	if (params->mtu)
		argv_add(argv, "-m"), argv_add(argv, "%s", link_mtus[*params->mtu]);
	add_integer(argv, "-S", params->service_level);
	if (params->traffic_class && params->rdma_cm)
		add_integer(argv, "-T", params->traffic_class);
	else if (params->traffic_class)
		argv_add(argv, "--tclass=%lld", (long long)*params->traffic_class);
	if (params->retry_count)
		argv_add(argv, "--retry_count=%lld", (long long)*params->retry_count);
	add_integer(argv, "-u", params->qp_timeout);
}

const char *const *perf_argv(struct perf_run *run, unsigned port, const char *peer)
{
	const struct perf_params *params = run->params;
	struct argv argv = {.ctx = run->ctx};

	argv_add(&argv, "%s", run->path);
	argv_add(&argv, "-d"), argv_add(&argv, "%s", params->device);
	argv_add(&argv, "-i"), argv_add(&argv, "%lld", (long long)params->port);
	argv_add(&argv, "-p"), argv_add(&argv, "%u", port);
	add_amount(&argv, params);
	add_connection(&argv, params, run->gid_index);
	if (params->queue_pairs > 1)
		add_integer(&argv, "-q", &params->queue_pairs);
	add_integer(&argv, "-t", params->tx_depth);
	add_integer(&argv, "-r", params->rx_depth);
	add_integer(&argv, "-I", params->inline_size);
	add_switch(&argv, "-b", params->bidirectional);
	add_switch(&argv, "-F", params->ignore_cpu_freq);
	add_switch(&argv, params->rdma_cm ? "--ipv6" : "--ipv6-addr", is_ipv6(run, peer));
	add_switch(&argv, "--report_gbits", run->measure == PERF_BANDWIDTH);
	for (unsigned i = 0; i < params->narguments; i++)
		argv_add(&argv, "%s", params->arguments[i]);
	if (peer)
		argv_add(&argv, "%s", peer);
	return argv.words;
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
	return check_arguments(run);
}
