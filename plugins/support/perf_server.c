/* SPDX-License-Identifier: BSD-2-Clause */
/* The server's end: what is perftest's own of it */
#include <string.h>

#include "support/perf_internal.h"
#include "support/perftest.h"
#include "support/server.h"
#include "support/sockets.h"

static int start(struct server *server, unsigned port)
{
	return perf_start(server->user, port, NULL);
}

static int listens_with_cm(struct server *server, unsigned port)
{
	return socket_cm_listens(server->ctx, server->process->pid, port);
}

/* Taken by somebody between the look for a free one and now; rdma_cm's bind fails now and then too */
static bool is_worth_another(const struct server *server)
{
	const struct process_text *err = &server->process->out[PROCESS_STDERR];
	struct perftest_failure failure;

	perf_cause(server->user, &failure);
	return failure.cause == PERFTEST_PORT_TAKEN || (err->data && strstr(err->data, "rdma_bind_addr"));
}

static int ended(struct server *server)
{
	return server->process->signal || server->process->status ? perf_failed(server->user) : 0;
}

int perf_serve(struct rs_ctx *ctx, const struct perf_params *params, enum perf_kind kind, enum perf_measure measure)
{
	struct perf_run run = {.ctx = ctx, .params = params, .kind = kind, .measure = measure};
	struct server server = {.ctx = ctx,
				.tool = run.tool,
				.process = &run.process,
				.user = &run,
				.start = start,
				.listens = params->rdma_cm ? listens_with_cm : NULL,
				.worth_another = is_worth_another,
				.ended = ended};
	int error = perf_prepare(&run);

	if (!error)
		error = perf_check_ipv6(&run, NULL);
	return error ? error : server_run(&server);
}
