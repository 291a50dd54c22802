/* SPDX-License-Identifier: BSD-2-Clause */
/* host.tcp_bandwidth: iperf3 at both ends; the client's JSON is the table */
#include <errno.h>
#include <string.h>

#include "host/host.h"
#include "host/tcp.h"
#include "support/place.h"
#include "support/server.h"
#include "support/sockets.h"

#define TOOL "iperf3"

struct tcp_run {
	struct rs_ctx *ctx;
	const struct tcp_params *params;
	char path[256];
	struct process process;
};

static int prepare(struct tcp_run *run)
{
	const struct place place = {.cpus = run->params->cpus, .numa_node = run->params->numa_node};
	int error = 0;

	if (rs_recorded(run->ctx))
		return rs_error(run->ctx, RS_UNSUPPORTED, "a recorded tree has no performance: it needs a live host");
	error = tcp_check(run->ctx, run->params);
	if (error)
		return error;
	if (!process_find(TOOL, run->path, sizeof(run->path)))
		return rs_error(run->ctx, RS_UNSUPPORTED, "this host has no " TOOL ": the package is " TOOL);
	return place_here(run->ctx, &place);
}

static int start(struct tcp_run *run, unsigned port, const char *peer)
{
	const char *const *argv = tcp_argv(run->ctx, run->params, run->path, port, peer);
	int error = process_start(&run->process, argv);

	process_tell(run->ctx, argv);
	if (error)
		return rs_error(run->ctx, error == -EACCES ? RS_DENIED : RS_FAILED, "cannot start %s: %s", run->path,
				strerror(-error));
	return 0;
}

/* The error of one that ended by a signal or with a status that is not 0; 0 for any other */
static int failure(struct tcp_run *run)
{
	const struct process *process = &run->process;
	char said[TCP_TEXT];

	if (!process->signal && !process->status)
		return 0;
	tcp_said(process, said);
	if (process->signal)
		return rs_error(run->ctx, RS_FAILED, TOOL " was ended by signal %d (%s)%s%s", process->signal,
				strsignal(process->signal), *said ? ": " : "", said);
	if (!*said)
		return rs_error(run->ctx, RS_FAILED, TOOL " ended without a word, with exit status %d",
				process->status);
	return rs_error(run->ctx, RS_FAILED, TOOL ": %s", said);
}

/* ---- The client ---- */

static int deadline(struct tcp_run *run)
{
	const struct rs_end *peer = rs_peer(run->ctx);

	if (socket_has(run->process.pid, SOCKET_ESTABLISHED, peer->port))
		return rs_error(run->ctx, RS_TIMED_OUT,
				TOOL " did not end in time: it is connected to %s port %u and had no result yet; data "
				     "that does not come through, or a timeout too short for what is measured",
				peer->address, peer->port);
	return rs_error(run->ctx, RS_TIMED_OUT,
			TOOL " did not end in time, and is not connected to %s port %u: nothing answers there",
			peer->address, peer->port);
}

int host_tcp_bandwidth_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted)
{
	struct tcp_run run = {.ctx = ctx, .params = params};
	const struct rs_end *peer = rs_peer(ctx);
	int error = prepare(&run);

	(void)wanted;
	if (!error)
		error = start(&run, peer->port, peer->address);
	if (error)
		return error;
	if (process_wait(&run.process, process_margin(ctx))) {
		error = failure(&run);
		if (!error)
			error = tcp_rows(ctx, params, &run.process);
	} else {
		error = deadline(&run);
		process_stop(&run.process);
	}
	process_evidence(ctx, &run.process, TOOL);
	process_free(&run.process);
	return error;
}

/* ---- The server ---- */

static int serve_at(struct server *server, unsigned port)
{
	return start(server->user, port, NULL);
}

static bool is_port_taken(const struct server *server)
{
	char said[TCP_TEXT];

	return strstr(tcp_said(server->process, said), "Address already in use");
}

/* It ends with status 0 whether its client was content or not: what went wrong is in its JSON */
static int serve_ended(struct server *server)
{
	struct tcp_run *run = server->user;
	char said[TCP_TEXT];
	int error = failure(run);

	if (error)
		return error;
	return tcp_error(server->process, said) ? rs_error(run->ctx, RS_FAILED, TOOL ": %s", said) : 0;
}

int host_tcp_bandwidth_serve(struct rs_ctx *ctx, const void *params)
{
	struct tcp_run run = {.ctx = ctx, .params = params};
	struct server server = {.ctx = ctx,
				.tool = TOOL,
				.process = &run.process,
				.user = &run,
				.start = serve_at,
				.worth_another = is_port_taken,
				.ended = serve_ended};
	int error = prepare(&run);

	return error ? error : server_run(&server);
}
