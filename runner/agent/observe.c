/* SPDX-License-Identifier: BSD-2-Clause */
#include "agent/observe.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "agent/answer.h"
#include "agent/children.h"
#include "agent/wire.h"
#include "base/cleanup.h"
#include "schema/schema.h"

#define TEXT_MAX (64 * 1024) /* of a note or an error */

void ctx_flush(struct rs_ctx *ctx)
{
	size_t sent = 0;

	while (sent < ctx->out.length) {
		ssize_t n = write(ctx->fd, ctx->out.data + sent, ctx->out.length - sent);

		if (n < 0 && errno != EINTR)
			_exit(EXIT_FAILURE);
		sent += n > 0 ? (size_t)n : 0;
	}
	buf_clear(&ctx->out);
}

/* One message that holds one text. */
static void send_text(struct rs_ctx *ctx, const char *kind, const char *text)
{
	size_t length = strlen(text);

	wire_begin(&ctx->out, ctx->id, kind);
	wire_text(&ctx->out, text, length < TEXT_MAX ? length : TEXT_MAX);
	wire_end(&ctx->out);
}

void ctx_bug(struct rs_ctx *ctx, const char *format, ...)
{
	struct buf text = {0};
	va_list args;

	if (ctx->bug)
		return;
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	ctx->bug = buf_take(&text);
}

/* Which of the source's probes are wanted; -EINVAL: one that it does not have. */
static int find_wanted(struct rs_ctx *ctx, const struct request *request)
{
	for (size_t i = 0; i < request->wanted.count; i++) {
		size_t probe = 0;

		while (probe < ctx->source->nprobes &&
		       strcmp(ctx->source->probes[probe].name, request->wanted.items[i]))
			probe++;
		if (probe == ctx->source->nprobes || probe >= PROBES_MAX) {
			AUTO_FREE char *text = xasprintf("the plugin's %s has no probe '%s'", ctx->source->name,
							 request->wanted.items[i]);

			send_text(ctx, "failed", text);
			return -EINVAL;
		}
		ctx->wanted |= UINT32_C(1) << probe;
	}
	return 0;
}

static void send_tables(struct rs_ctx *ctx)
{
	for (size_t i = 0; i < ctx->source->nprobes && i < PROBES_MAX; i++) {
		const struct rs_probe *probe = &ctx->source->probes[i];
		unsigned columns = 0;

		if (!(ctx->wanted & UINT32_C(1) << i))
			continue;
		wire_begin(&ctx->out, ctx->id, "table");
		buf_puts(&ctx->out, "{\"probe\":");
		wire_string(&ctx->out, probe->name);
		buf_puts(&ctx->out, ",\"facts\":[");
		for (; probe->facts[columns].name && columns < FACTS_MAX; columns++) {
			if (columns)
				buf_putc(&ctx->out, ',');
			wire_string(&ctx->out, probe->facts[columns].name);
		}
		buf_puts(&ctx->out, "]}");
		wire_end(&ctx->out);
		ctx->columns[i] = columns;
	}
}

static void send_begin(struct rs_ctx *ctx, const struct rs_plugin *plugin)
{
	wire_begin(&ctx->out, ctx->id, "begin");
	buf_puts(&ctx->out, "{\"plugin\":");
	wire_string(&ctx->out, plugin->name);
	buf_puts(&ctx->out, ",\"version\":");
	wire_string(&ctx->out, plugin->version);
	buf_putc(&ctx->out, '}');
	wire_end(&ctx->out);
}

static void send_end(struct rs_ctx *ctx)
{
	bool any = false;

	wire_begin(&ctx->out, ctx->id, "end");
	buf_putc(&ctx->out, '{');
	for (size_t i = 0; i < ctx->source->nprobes && i < PROBES_MAX; i++) {
		if (!(ctx->wanted & UINT32_C(1) << i))
			continue;
		if (any)
			buf_putc(&ctx->out, ',');
		wire_string(&ctx->out, ctx->source->probes[i].name);
		buf_printf(&ctx->out, ":%" PRIu64, ctx->counts[i]);
		any = true;
	}
	buf_putc(&ctx->out, '}');
	wire_end(&ctx->out);
}

static void send_error(struct rs_ctx *ctx)
{
	wire_begin(&ctx->out, ctx->id, "error");
	buf_putc(&ctx->out, '[');
	wire_string(&ctx->out, reason_names[ctx->reason - RS_FAILED]);
	buf_putc(&ctx->out, ',');
	wire_text(&ctx->out, ctx->error, strnlen(ctx->error, TEXT_MAX));
	buf_putc(&ctx->out, ']');
	wire_end(&ctx->out);
}

/*
 * What observe() started and did not wait for. The worker is a subreaper: whoever was left by its parent is its child
 * now, so that no child means that nothing is left. The agent ends them; here they are only named.
 */
static char *left_behind(void)
{
	struct pids pids = {0};
	struct buf text = {0};
	size_t count = 0;

	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	if (waitpid(-1, NULL, WNOHANG) < 0)
		return NULL;
	children_of(getpid(), &pids);
	for (; count < pids.count && count < 5; count++) {
		char name[32];

		process_name(pids.items[count], name, sizeof(name));
		buf_printf(&text, "%s%s (%d)", count ? ", " : "", name, (int)pids.items[count]);
	}
	if (count < pids.count)
		buf_puts(&text, ", ...");
	pids_free(&pids);
	return buf_take(&text);
}

static void conclude(struct rs_ctx *ctx, int rc)
{
	AUTO_FREE char *left = left_behind();

	if (!ctx->bug && rc && !ctx->error)
		ctx_bug(ctx, "%s() of %s returned %d without rs_error()",
			ctx->role == ROLE_SERVER ? "serve"
			: ctx->role == ROLE_UNDO ? "undo"
						 : "observe",
			ctx->source->name, rc);
	if (ctx->bug) {
		AUTO_FREE char *text = xasprintf("a bug of the plugin: %s", ctx->bug);

		send_text(ctx, "failed", text);
	} else if (left) {
		AUTO_FREE char *text = xasprintf("the plugin left processes behind: %s", left);

		send_text(ctx, "failed", text);
	} else if (ctx->error) {
		send_error(ctx);
	} else {
		send_end(ctx);
	}
}

static void run(struct rs_ctx *ctx, const struct request *request)
{
	struct schema_bound bound = {0};
	struct diag diag = {0};
	int rc;

	if (schema_bind(ctx->source, request->params.length ? request->params.data : "{}", &bound, &diag) < 0) {
		AUTO_FREE char *text = xasprintf("the parameters of %s: %s", ctx->source->name,
						 diag.text ? diag.text : "not understood");

		send_text(ctx, "failed", text);
		diag_free(&diag);
		return;
	}
	rc = ctx->role == ROLE_SERVER ? ctx_serve(ctx, bound.params)
				      : ctx->source->observe(ctx, bound.params, ctx->wanted);
	rows_end(ctx);
	evidence_end(ctx);
	conclude(ctx, rc);
	schema_unbind(&bound);
}

static void undo(struct rs_ctx *ctx, const struct request *request)
{
	int rc = ctx_undo(ctx, request->state);

	rows_end(ctx);
	evidence_end(ctx);
	conclude(ctx, rc);
}

static void free_ctx(struct rs_ctx *ctx)
{
	for (size_t i = 0; i < FACTS_MAX; i++)
		buf_free(&ctx->cells[i].json);
	for (size_t i = 0; i < ctx->nevidence; i++) {
		free(ctx->evidence[i].name);
		buf_free(&ctx->evidence[i].tail);
	}
	free(ctx->evidence);
	buf_free(&ctx->out);
	buf_free(&ctx->rows);
	arena_free(&ctx->arena);
	free(ctx->error);
	free(ctx->bug);
}

int observe(const struct request *request, const struct observe_options *options)
{
	struct rs_ctx ctx = {.id = request->id,
			     .fd = options->fd,
			     .deadline = options->deadline,
			     .sysfs_root = options->sysfs_root,
			     .probe = -1};
	AUTO_FREE char *why = NULL;

	ctx.source = registry_source(options->registry, request->source, &why);
	ctx_pair(&ctx, request);
	if (!ctx.source) {
		send_text(&ctx, "failed", why);
	} else if (ctx.role == ROLE_UNDO && !ctx.source->undo) {
		send_text(&ctx, "failed", "the plugin does not take back what it changes");
	} else if ((ctx.source->scope == RS_PAIR) != role_of_pair(ctx.role)) {
		send_text(&ctx, "failed",
			  ctx.role == ROLE_ALONE ? "the plugin observes that between two hosts"
						 : "the plugin does not observe that between two hosts");
	} else if (find_wanted(&ctx, request) == 0) {
		send_begin(&ctx, registry_plugin_of(options->registry, ctx.source));
		send_tables(&ctx);
		(ctx.role == ROLE_UNDO ? undo : run)(&ctx, request);
	}
	ctx_flush(&ctx);
	free_ctx(&ctx);
	return EXIT_SUCCESS;
}
