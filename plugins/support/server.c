/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/server.h"

#include <string.h>

#include "support/sockets.h"

#define TRIES 8
#define LOOK_MS 2	   /* between two looks at the kernel's table, in which nothing can be waited for */
#define LAST_WORDS_MS 1000 /* a server whose client is through ends by itself in less */

static int listens(struct server *server, unsigned port)
{
	return server->listens ? server->listens(server, port) : socket_has(server->process->pid, SOCKET_LISTEN, port);
}

/* 1: it listens; 0: it ended before; else what rs_error() returned */
static int wait_until_listening(struct server *server, unsigned port)
{
	int64_t pause = LOOK_MS;

	for (;;) {
		int seen = listens(server, port);

		if (seen > 0)
			return 1;
		if (seen < 0)
			return rs_error(server->ctx, RS_UNSUPPORTED,
					"this kernel does not tell who listens with rdma_cm: %s", strerror(-seen));
		if (process_wait(server->process, pause))
			return 0;
		if (rs_stopping(server->ctx))
			return rs_error(server->ctx, RS_FAILED, "%s was ended before it listened", server->tool);
		if (process_margin(server->ctx) < 200)
			return rs_error(server->ctx, RS_TIMED_OUT, "%s does not listen on port %u", server->tool, port);
		if (pause < 32)
			pause *= 2;
	}
}

static int early_end(struct server *server)
{
	int error = server->ended(server);

	return error ? error : rs_error(server->ctx, RS_FAILED, "%s ended before a client came", server->tool);
}

static int start_somewhere(struct server *server, unsigned *port)
{
	int state = 0;

	for (int i = 0; i < TRIES; i++) {
		int error;

		*port = socket_free_port();
		if (!*port)
			return rs_error(server->ctx, RS_FAILED, "this host has no TCP port left");
		error = server->start(server, *port);
		if (error)
			return error;
		state = wait_until_listening(server, *port);
		if (state > 0)
			return 0;
		process_evidence(server->ctx, server->process, server->tool);
		if (state < 0 || !server->worth_another(server))
			break;
		rs_note(server->ctx, "port %u was taken meanwhile: another one is tried", *port);
		if (i < TRIES - 1)
			process_free(server->process);
	}
	if (!state)
		state = early_end(server);
	process_free(server->process);
	return state;
}

/* Until it has ended, or has to */
static void attend(struct server *server)
{
	int stop = rs_stop_fd(server->ctx);

	while (!process_wait_or(server->process, stop, process_margin(server->ctx)) && !rs_stopping(server->ctx) &&
	       process_margin(server->ctx) > 200)
		;
	if (!server->process->ended && !process_wait(server->process, LAST_WORDS_MS))
		process_stop(server->process);
}

int server_run(struct server *server)
{
	unsigned port;
	int error = start_somewhere(server, &port);

	if (error)
		return error;
	rs_ready(server->ctx, port);
	attend(server);
	process_evidence(server->ctx, server->process, server->tool);
	if (!server->process->stopped)
		error = server->ended(server);
	process_free(server->process);
	return error;
}
