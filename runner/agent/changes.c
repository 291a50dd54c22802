/* SPDX-License-Identifier: BSD-2-Clause */
/* A worker that changes its host, and one that takes a change back. */
#include <string.h>

#include "agent/observe.h"
#include "agent/wire.h"

static const char *misused(const struct rs_ctx *ctx, const char *state)
{
	if (ctx->role == ROLE_UNDO)
		return "while a change is taken back";
	if (!ctx->source->undo)
		return "by a source without undo()";
	if (!state || strlen(state) > RS_STATE_MAX)
		return "with a state that is too long, or none";
	return ctx->changes >= RS_CHANGES_MAX ? "too often" : NULL;
}

/*
 * What is in the pipe when this returns does not depend on this worker any more: its agent reads that to the end, when
 * the worker is dead or was ended for something else, too.
 */
int rs_changing(struct rs_ctx *ctx, const char *state)
{
	const char *mistake = misused(ctx, state);

	if (mistake) {
		ctx_bug(ctx, "rs_changing() %s", mistake);
		return -1;
	}
	ctx->changes++;
	wire_begin(&ctx->out, ctx->id, "undo");
	wire_string(&ctx->out, state);
	wire_end(&ctx->out);
	ctx_flush(ctx);
	return 0;
}

int ctx_undo(struct rs_ctx *ctx, const char *state)
{
	return ctx->source->undo(ctx, state);
}
