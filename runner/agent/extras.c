/* SPDX-License-Identifier: BSD-2-Clause */
/* What goes with a table: notes, evidence, errors; and where the worker is. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "agent/observe.h"
#include "agent/wire.h"
#include "base/cleanup.h"
#include "judge/table.h"

#define TEXT_MAX (64 * 1024)
#define EVIDENCE_NAMES 256
#define NOTES_MAX 1000 /* kept; a sweep may have something to say of each of thousands of nodes */

static void send_formatted(struct rs_ctx *ctx, const char *kind, const char *format, va_list args)
{
	AUTO_BUF struct buf text = {0};

	buf_vprintf(&text, format, args);
	wire_begin(&ctx->out, ctx->id, kind);
	wire_text(&ctx->out, text.data, wire_chunk(text.data, text.length, TEXT_MAX));
	wire_end(&ctx->out);
	/* At once: should the worker die later, it is known what it had said. */
	ctx_flush(ctx);
}

void rs_note(struct rs_ctx *ctx, const char *format, ...)
{
	va_list args;

	if (++ctx->notes > NOTES_MAX + 1)
		return;
	if (ctx->notes > NOTES_MAX)
		format = "further notes were left out";
	va_start(args, format);
	send_formatted(ctx, "note", format, args);
	va_end(args);
}

void rs_incomplete(struct rs_ctx *ctx, const char *format, ...)
{
	va_list args;

	if (!(ctx->source->flags & RS_PARTIAL)) {
		ctx_bug(ctx, "rs_incomplete() by %s, which is not marked RS_PARTIAL", ctx->source->name);
		return;
	}
	va_start(args, format);
	send_formatted(ctx, "incomplete", format, args);
	va_end(args);
}

int rs_error(struct rs_ctx *ctx, enum rs_reason reason, const char *format, ...)
{
	struct buf text = {0};
	va_list args;

	if (reason < RS_FAILED || reason > RS_INVALID) {
		ctx_bug(ctx, "rs_error() with reason %d", (int)reason);
		return -RS_FAILED;
	}
	/* The first is the cause, what follows its consequence. */
	if (!ctx->error) {
		va_start(args, format);
		buf_vprintf(&text, format, args);
		va_end(args);
		ctx->error = buf_take(&text);
		ctx->reason = reason;
	}
	return -(int)reason;
}

static struct evidence_kept *find_evidence(struct rs_ctx *ctx, const char *name)
{
	struct evidence_kept *evidence;

	for (size_t i = 0; i < ctx->nevidence; i++)
		if (!strcmp(ctx->evidence[i].name, name))
			return &ctx->evidence[i];
	if (ctx->nevidence == EVIDENCE_NAMES) {
		ctx_bug(ctx, "rs_evidence() under more than %d names", EVIDENCE_NAMES);
		return NULL;
	}
	ctx->evidence = xrealloc(ctx->evidence, ctx->nevidence + 1, sizeof(*evidence));
	evidence = &ctx->evidence[ctx->nevidence++];
	*evidence = (struct evidence_kept){.name = xstrdup(name)};
	return evidence;
}

/* In chunks. @left_out: bytes between what was sent before and this. */
static void send_evidence(struct rs_ctx *ctx, const char *name, const char *data, size_t length, uint64_t left_out)
{
	while (length) {
		size_t chunk = wire_chunk(data, length, WIRE_BATCH);

		wire_begin(&ctx->out, ctx->id, "evidence");
		buf_putc(&ctx->out, '[');
		wire_string(&ctx->out, name);
		buf_putc(&ctx->out, ',');
		wire_text(&ctx->out, data, chunk);
		if (left_out)
			buf_printf(&ctx->out, ",%" PRIu64, left_out);
		buf_putc(&ctx->out, ']');
		wire_end(&ctx->out);
		ctx_flush(ctx);
		left_out = 0;
		data += chunk;
		length -= chunk;
	}
}

/* The last EVIDENCE_KEPT bytes, in a ring. */
static void keep_tail(struct evidence_kept *evidence, const char *data, size_t length)
{
	struct buf *ring = &evidence->tail;

	if (length > EVIDENCE_KEPT) {
		data += length - EVIDENCE_KEPT;
		length = EVIDENCE_KEPT;
	}
	while (length) {
		size_t room =
			ring->length < EVIDENCE_KEPT ? EVIDENCE_KEPT - ring->length : EVIDENCE_KEPT - evidence->oldest;
		size_t chunk = length < room ? length : room;

		if (ring->length < EVIDENCE_KEPT) {
			buf_add(ring, data, chunk);
		} else {
			memcpy(ring->data + evidence->oldest, data, chunk);
			evidence->oldest = (evidence->oldest + chunk) % EVIDENCE_KEPT;
		}
		data += chunk;
		length -= chunk;
	}
}

void rs_evidence(struct rs_ctx *ctx, const char *name, const void *data, size_t length)
{
	struct evidence_kept *evidence;
	size_t head;

	if (!name || !*name || strlen(name) > 255 || (!data && length)) {
		ctx_bug(ctx, "rs_evidence() without a name or without data");
		return;
	}
	evidence = find_evidence(ctx, name);
	if (!evidence)
		return;
	head = evidence->total < EVIDENCE_KEPT ? EVIDENCE_KEPT - (size_t)evidence->total : 0;
	if (head > length)
		head = length;
	send_evidence(ctx, name, data, head, 0);
	evidence->total += length;
	keep_tail(evidence, (const char *)data + head, length - head);
}

void evidence_end(struct rs_ctx *ctx)
{
	for (size_t i = 0; i < ctx->nevidence; i++) {
		struct evidence_kept *evidence = &ctx->evidence[i];
		struct buf *ring = &evidence->tail;
		uint64_t left_out;
		AUTO_BUF struct buf tail = {0};

		if (!ring->length)
			continue;
		left_out = evidence->total - EVIDENCE_KEPT - ring->length;
		buf_add(&tail, ring->data + evidence->oldest, ring->length - evidence->oldest);
		buf_add(&tail, ring->data, evidence->oldest);
		send_evidence(ctx, evidence->name, tail.data, tail.length, left_out);
	}
}

const char *rs_sysfs(const struct rs_ctx *ctx)
{
	return ctx->sysfs_root ? ctx->sysfs_root : "/sys";
}

bool rs_recorded(const struct rs_ctx *ctx)
{
	return ctx->sysfs_root != NULL;
}

int64_t rs_time_left(const struct rs_ctx *ctx)
{
	struct timespec now;
	int64_t left;

	clock_gettime(CLOCK_MONOTONIC, &now);
	left = ctx->deadline - (now.tv_sec * 1000 + now.tv_nsec / 1000000);
	return left > 0 ? left : 0;
}

void *rs_alloc(struct rs_ctx *ctx, size_t size)
{
	return arena_alloc(&ctx->arena, size);
}
