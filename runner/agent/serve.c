/* SPDX-License-Identifier: BSD-2-Clause */
/* The two ends of a pair: what a worker knows of them, and what makes it a server. */
#include <inttypes.h>
#include <poll.h>
#include <time.h>

#include "agent/observe.h"
#include "agent/wire.h"
#include "agent/worker.h"

void ctx_pair(struct rs_ctx *ctx, const struct request *request)
{
	ctx->role = request->role;
	ctx->timeout_ms = request->timeout_ms;
	ctx->self = (struct rs_end){.host = request->self.host, .address = request->self.address};
	ctx->peer =
		(struct rs_end){.host = request->peer.host, .address = request->peer.address, .port = request->port};
}

int ctx_serve(struct rs_ctx *ctx, const void *params)
{
	int rc = ctx->source->serve(ctx, params);

	if (!rc && !ctx->error && !ctx->ready)
		ctx_bug(ctx, "serve() of %s returned without rs_ready()", ctx->source->name);
	return rc;
}

const struct rs_end *rs_self(const struct rs_ctx *ctx)
{
	return role_of_pair(ctx->role) ? &ctx->self : NULL;
}

const struct rs_end *rs_peer(const struct rs_ctx *ctx)
{
	return role_of_pair(ctx->role) ? &ctx->peer : NULL;
}

void rs_ready(struct rs_ctx *ctx, unsigned port)
{
	struct timespec now;

	if (ctx->role != ROLE_SERVER || ctx->ready || port < 1 || port > 65535) {
		ctx_bug(ctx, "rs_ready(%u) %s", port,
			ctx->role != ROLE_SERVER ? "by what is no server"
			: ctx->ready		 ? "for the second time"
						 : "with what is no port");
		return;
	}
	ctx->ready = true;
	ctx->self.port = port;
	clock_gettime(CLOCK_MONOTONIC, &now);
	ctx->deadline = now.tv_sec * 1000 + now.tv_nsec / 1000000 + ctx->timeout_ms + SERVER_MS;
	wire_begin(&ctx->out, ctx->id, "ready");
	buf_printf(&ctx->out, "%u", port);
	wire_end(&ctx->out);
	ctx_flush(ctx);
}

int rs_stop_fd(const struct rs_ctx *ctx)
{
	return ctx->role == ROLE_SERVER ? WORKER_STOP_FD : -1;
}

bool rs_stopping(const struct rs_ctx *ctx)
{
	struct pollfd stop = {.fd = rs_stop_fd(ctx), .events = POLLIN};

	return stop.fd >= 0 && poll(&stop, 1, 0) > 0;
}
