/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of a table as a plugin sets them: each cell becomes JSON at once, a row is the cells put side by side. */
#include <arpa/inet.h>
#include <string.h>

#include "agent/cell.h"
#include "agent/observe.h"
#include "agent/wire.h"

#define TYPE(type) (1u << (type))

static void clear_cells(struct rs_ctx *ctx, unsigned columns)
{
	for (unsigned i = 0; i < columns; i++) {
		ctx->cells[i].state = CELL_EMPTY;
		buf_clear(&ctx->cells[i].json);
	}
}

static void end_message(struct rs_ctx *ctx)
{
	if (!ctx->rows.length)
		return;
	buf_putc(&ctx->rows, ']');
	wire_end(&ctx->rows);
	buf_add(&ctx->out, ctx->rows.data, ctx->rows.length);
	buf_clear(&ctx->rows);
	if (ctx->out.length >= WIRE_BATCH)
		ctx_flush(ctx);
}

static void begin_message(struct rs_ctx *ctx)
{
	wire_begin(&ctx->rows, ctx->id, "rows");
	buf_putc(&ctx->rows, '[');
	wire_string(&ctx->rows, ctx->source->probes[ctx->probe].name);
	ctx->rows_probe = ctx->probe;
}

static size_t row_length(const struct rs_ctx *ctx, unsigned columns)
{
	size_t length = 2;

	for (unsigned i = 0; i < columns; i++)
		length += ctx->cells[i].json.length + sizeof("null,[]");
	return length;
}

static void add_cell(struct buf *out, const struct cell *cell)
{
	if (cell->state == CELL_EMPTY) {
		buf_add(out, "null", 4);
	} else if (cell->state == CELL_VALUE) {
		buf_add(out, cell->json.data, cell->json.length);
	} else {
		buf_putc(out, '[');
		buf_add(out, cell->json.data, cell->json.length);
		buf_putc(out, ']');
	}
}

static void end_row(struct rs_ctx *ctx)
{
	unsigned columns;
	size_t length;

	if (ctx->probe < 0 || ctx->bug)
		return;
	columns = ctx->columns[ctx->probe];
	length = row_length(ctx, columns);
	if (length > WIRE_LINE_MAX - 4096) {
		ctx_bug(ctx, "a row of %s takes more than 1 MiB", ctx->source->probes[ctx->probe].name);
		return;
	}
	if (ctx->rows.length && (ctx->rows_probe != ctx->probe || ctx->rows.length + length > WIRE_BATCH))
		end_message(ctx);
	if (!ctx->rows.length)
		begin_message(ctx);
	buf_add(&ctx->rows, ",[", 2);
	for (unsigned i = 0; i < columns; i++) {
		if (i)
			buf_putc(&ctx->rows, ',');
		add_cell(&ctx->rows, &ctx->cells[i]);
	}
	buf_putc(&ctx->rows, ']');
	ctx->counts[ctx->probe]++;
}

void rows_end(struct rs_ctx *ctx)
{
	if (ctx->begun)
		end_row(ctx);
	ctx->begun = false;
	ctx->probe = -1;
	end_message(ctx);
}

void rs_row_begin(struct rs_ctx *ctx, unsigned probe)
{
	if (ctx->bug)
		return;
	if (ctx->begun)
		end_row(ctx);
	ctx->begun = true;
	ctx->probe = -1;
	if (probe >= ctx->source->nprobes || probe >= PROBES_MAX) {
		ctx_bug(ctx, "rs_row_begin() for probe number %u, and %s has %zu", probe, ctx->source->name,
			ctx->source->nprobes);
		return;
	}
	if (!(ctx->wanted & UINT32_C(1) << probe))
		return;
	ctx->probe = (int)probe;
	clear_cells(ctx, ctx->columns[probe]);
}

/*
 * The buffer for a value of fact number @fact, which must be of one of @types (0: any). NULL where there is nothing to
 * set: a row that nobody wants, or a bug.
 */
static struct buf *value_begin(struct rs_ctx *ctx, unsigned fact, unsigned types, const char *function)
{
	const struct rs_probe *probe;
	struct cell *cell;

	if (ctx->bug)
		return NULL;
	if (!ctx->begun) {
		ctx_bug(ctx, "%s() ahead of rs_row_begin()", function);
		return NULL;
	}
	if (ctx->probe < 0)
		return NULL;
	probe = &ctx->source->probes[ctx->probe];
	if (fact >= ctx->columns[ctx->probe]) {
		ctx_bug(ctx, "%s() for fact number %u, and %s has %u", function, fact, probe->name,
			ctx->columns[ctx->probe]);
		return NULL;
	}
	if (types && !(types & TYPE(probe->facts[fact].type))) {
		ctx_bug(ctx, "%s() for fact %s of %s, which is of another type", function, probe->facts[fact].name,
			probe->name);
		return NULL;
	}
	cell = &ctx->cells[fact];
	if (!(probe->facts[fact].flags & RS_F_LIST)) {
		cell->state = CELL_VALUE;
		buf_clear(&cell->json);
	} else if (cell->state == CELL_LIST && cell->json.length) {
		buf_putc(&cell->json, ',');
	} else {
		cell->state = CELL_LIST;
		buf_clear(&cell->json);
	}
	return &cell->json;
}

/* printf() would take most of the time of a large table. @end: where the digits end; returns where they begin. */
static char *write_digits(char *end, uint64_t value)
{
	do
		*--end = (char)('0' + value % 10);
	while (value /= 10);
	return end;
}

static void set_quoted(struct rs_ctx *ctx, unsigned fact, unsigned types, const char *function, const char *text,
		       size_t length)
{
	struct buf *out = value_begin(ctx, fact, types, function);

	if (!out)
		return;
	buf_putc(out, '"');
	buf_add(out, text, length);
	buf_putc(out, '"');
}

static void set_integer(struct rs_ctx *ctx, unsigned fact, unsigned types, const char *function, int64_t value)
{
	struct buf *out = value_begin(ctx, fact, types, function);
	char digits[24], *end = digits + sizeof(digits), *start;

	if (!out)
		return;
	start = write_digits(end, value < 0 ? -(uint64_t)value : (uint64_t)value);
	if (value < 0)
		*--start = '-';
	buf_add(out, start, (size_t)(end - start));
}

void rs_set_bytes(struct rs_ctx *ctx, unsigned fact, const void *data, size_t length)
{
	struct buf *out = value_begin(ctx, fact, TYPE(RS_TEXT), "rs_set_bytes");

	if (out && !data && length)
		ctx_bug(ctx, "rs_set_bytes() of NULL for fact number %u", fact);
	else if (out)
		wire_text(out, data, length);
}

void rs_set_text(struct rs_ctx *ctx, unsigned fact, const char *text)
{
	struct buf *out = value_begin(ctx, fact, TYPE(RS_TEXT), "rs_set_text");

	if (out && !text)
		ctx_bug(ctx, "rs_set_text() of NULL for fact number %u", fact);
	else if (out)
		wire_string(out, text);
}

void rs_set_integer(struct rs_ctx *ctx, unsigned fact, int64_t value)
{
	set_integer(ctx, fact, TYPE(RS_INTEGER), __func__, value);
}

void rs_set_time(struct rs_ctx *ctx, unsigned fact, int64_t seconds)
{
	set_integer(ctx, fact, TYPE(RS_TIME), __func__, seconds);
}

void rs_set_unsigned(struct rs_ctx *ctx, unsigned fact, uint64_t value)
{
	char digits[24], *end = digits + sizeof(digits), *start = write_digits(end, value);

	set_quoted(ctx, fact, TYPE(RS_UNSIGNED), __func__, start, (size_t)(end - start));
}

void rs_set_boolean(struct rs_ctx *ctx, unsigned fact, bool value)
{
	struct buf *out = value_begin(ctx, fact, TYPE(RS_BOOLEAN), __func__);

	if (out)
		buf_puts(out, value ? "true" : "false");
}

void rs_set_enum(struct rs_ctx *ctx, unsigned fact, int choice)
{
	struct buf *out = value_begin(ctx, fact, TYPE(RS_ENUM), __func__);
	const struct rs_fact *described;
	int count = 0;

	if (!out)
		return;
	described = &ctx->source->probes[ctx->probe].facts[fact];
	while (count <= choice && described->choices[count])
		count++;
	if (choice < 0 || count <= choice)
		ctx_bug(ctx, "rs_set_enum() of %d for fact %s of %s, which has no such choice", choice, described->name,
			ctx->source->probes[ctx->probe].name);
	else
		wire_string(out, described->choices[choice]);
}

void rs_set_guid(struct rs_ctx *ctx, unsigned fact, uint64_t guid)
{
	char text[18] = "0x";

	for (int i = 17; i > 1; i--, guid >>= 4)
		text[i] = "0123456789abcdef"[guid & 15];
	set_quoted(ctx, fact, TYPE(RS_GUID), __func__, text, sizeof(text));
}

void rs_set_gid(struct rs_ctx *ctx, unsigned fact, const uint8_t gid[16])
{
	char text[INET6_ADDRSTRLEN];

	inet_ntop(AF_INET6, gid, text, sizeof(text));
	set_quoted(ctx, fact, TYPE(RS_GID), __func__, text, strlen(text));
}

void rs_set_ip(struct rs_ctx *ctx, unsigned fact, int family, const void *address)
{
	char text[INET6_ADDRSTRLEN];

	if (!inet_ntop(family, address, text, sizeof(text)))
		ctx_bug(ctx, "rs_set_ip() of address family %d for fact number %u", family, fact);
	else
		set_quoted(ctx, fact, TYPE(RS_IP), __func__, text, strlen(text));
}

void rs_set_decimal(struct rs_ctx *ctx, unsigned fact, const char *text)
{
	if (!text || !decimal_valid(text, strlen(text)))
		ctx_bug(ctx, "rs_set_decimal() of '%.60s' for fact number %u", text ? text : "(null)", fact);
	else
		set_quoted(ctx, fact, TYPE(RS_NUMBER) | TYPE(RS_QUANTITY), __func__, text, strlen(text));
}

/* [] whatever the fact's type; a list that gets an element after all is no longer empty. */
void rs_set_none(struct rs_ctx *ctx, unsigned fact)
{
	struct buf *out = value_begin(ctx, fact, 0, __func__);

	if (!out)
		return;
	buf_clear(out);
	ctx->cells[fact].state = CELL_LIST;
}

static void set_object(struct buf *out, const char *key, const char *text)
{
	buf_printf(out, "{\"%s\":", key);
	wire_string(out, text ? text : "");
	buf_putc(out, '}');
}

void rs_set_unknown(struct rs_ctx *ctx, unsigned fact, const char *text)
{
	struct buf *out = value_begin(ctx, fact, 0, __func__);

	if (out)
		set_object(out, "unknown", text);
}

void rs_not_observed(struct rs_ctx *ctx, unsigned fact, const char *why)
{
	struct buf *out = value_begin(ctx, fact, 0, __func__);

	if (!out)
		return;
	buf_clear(out);
	ctx->cells[fact].state = CELL_VALUE;
	set_object(out, "why", why);
}
