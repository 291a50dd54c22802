/* SPDX-License-Identifier: BSD-2-Clause */
/* The server's end: a port that is free, a tool that listens there, until its client is through */
#include <errno.h>
#include <string.h>

#include "support/perf_internal.h"
#include "support/perftest.h"
#include "support/sockets.h"

#define TRIES 8
#define LOOK_MS 2	   /* between two looks at the kernel's table, in which nothing can be waited for */
#define LAST_WORDS_MS 1000 /* a server whose client is through ends by itself in less */

/* 1: it listens; 0: it ended before; else what rs_error() returned */
static int wait_until_listening(struct perf_run *run, unsigned port)
{
	int64_t pause = LOOK_MS;

	for (;;) {
		pid_t pid = run->process.pid;
		int listens = run->params->rdma_cm ? socket_cm_listens(run->ctx, pid, port)
						   : socket_has(pid, SOCKET_LISTEN, port);

		if (listens > 0)
			return 1;
		if (listens < 0)
			return rs_error(run->ctx, RS_UNSUPPORTED,
					"this kernel does not tell who listens with rdma_cm: %s", strerror(-listens));
		if (process_wait(&run->process, pause))
			return 0;
		if (rs_stopping(run->ctx))
			return rs_error(run->ctx, RS_FAILED, "%s was ended before it listened", run->tool);
		if (process_margin(run->ctx) < 200)
			return rs_error(run->ctx, RS_TIMED_OUT, "%s does not listen on port %u", run->tool, port);
		if (pause < 32)
			pause *= 2;
	}
}

/* Taken by somebody between the look for a free one and now; rdma_cm's bind fails now and then too */
static bool is_worth_another(const struct perf_run *run)
{
	const struct process_text *err = &run->process.out[PROCESS_STDERR];
	struct perftest_failure failure;

	perf_cause(run, &failure);
	return failure.cause == PERFTEST_PORT_TAKEN || (err->data && strstr(err->data, "rdma_bind_addr"));
}

static int start_somewhere(struct perf_run *run, unsigned *port)
{
	int state = 0;

	for (int i = 0; i < TRIES; i++) {
		int error;

		*port = socket_free_port();
		if (!*port)
			return rs_error(run->ctx, RS_FAILED, "this host has no TCP port left");
		error = perf_start(run, *port, NULL);
		if (error)
			return error;
		state = wait_until_listening(run, *port);
		if (state > 0)
			return 0;
		process_evidence(run->ctx, &run->process, run->tool);
		if (state < 0 || !is_worth_another(run))
			break;
		rs_note(run->ctx, "port %u was taken meanwhile: another one is tried", *port);
		if (i < TRIES - 1)
			process_free(&run->process);
	}
	if (!state)
		state = run->process.status || run->process.signal
				? perf_failed(run)
				: rs_error(run->ctx, RS_FAILED, "%s ended before a client came", run->tool);
	process_free(&run->process);
	return state;
}

/* Until it has ended, or has to */
static void attend(struct perf_run *run)
{
	int stop = rs_stop_fd(run->ctx);

	while (!process_wait_or(&run->process, stop, process_margin(run->ctx)) && !rs_stopping(run->ctx) &&
	       process_margin(run->ctx) > 200)
		;
	if (!run->process.ended && !process_wait(&run->process, LAST_WORDS_MS))
		process_stop(&run->process);
}

int perf_serve(struct rs_ctx *ctx, const struct perf_params *params, enum perf_kind kind, enum perf_measure measure)
{
	struct perf_run run = {.ctx = ctx, .params = params, .kind = kind, .measure = measure};
	unsigned port;
	int error = perf_prepare(&run);

	if (!error)
		error = perf_check_ipv6(&run, NULL);
	if (!error)
		error = start_somewhere(&run, &port);
	if (error)
		return error;
	rs_ready(ctx, port);
	attend(&run);
	process_evidence(ctx, &run.process, run.tool);
	if (!run.process.stopped && (run.process.signal || run.process.status))
		error = perf_failed(&run);
	process_free(&run.process);
	return error;
}
