/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugin_host.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct cell {
	uint32_t offset; /* in the bytes; texts of list elements follow each other, each with its length before it */
	uint16_t elements;
	uint8_t kind; /* of enum kind */
};

enum kind { NOT_OBSERVED, NONE_THERE, UNKNOWN, VALUE };

struct host_table {
	const struct rs_probe *probe;
	unsigned facts;
	size_t rows, capacity;
	struct cell *cells;
};

struct block {
	struct block *next;
	long long data[];
};

struct text_list {
	char text[65536];
};

struct rs_ctx {
	const char *sysfs;
	bool recorded;
	struct timespec deadline;
	const struct rs_source *source;
	struct host_table tables[32];
	struct host_table *current;
	char *bytes;
	size_t nbytes, bytes_capacity;
	char error[1024];
	enum rs_reason reason;
	const struct rs_end *self, *peer;
	struct text_list notes, incomplete;
	struct block *blocks;
};

static void die(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(70);
}

static void *grow(void *old, size_t size)
{
	void *memory = realloc(old, size);

	if (!memory)
		die("out of memory");
	return memory;
}

struct rs_ctx *host_new(const char *sysfs)
{
	struct rs_ctx *ctx = calloc(1, sizeof(*ctx));

	if (!ctx)
		die("out of memory");
	ctx->sysfs = sysfs ? sysfs : "/sys";
	ctx->recorded = sysfs;
	host_set_time(ctx, 60000);
	return ctx;
}

void host_set_time(struct rs_ctx *ctx, int64_t milliseconds)
{
	clock_gettime(CLOCK_MONOTONIC, &ctx->deadline);
	ctx->deadline.tv_sec += milliseconds / 1000;
	ctx->deadline.tv_nsec += milliseconds % 1000 * 1000000;
}

void host_free(struct rs_ctx *ctx)
{
	for (struct block *block = ctx->blocks, *next; block; block = next) {
		next = block->next;
		free(block);
	}
	for (unsigned i = 0; i < 32; i++)
		free(ctx->tables[i].cells);
	free(ctx->bytes);
	free(ctx);
}

/* ---- What a plugin calls ---- */

static struct cell *cell_at(struct rs_ctx *ctx, unsigned fact)
{
	struct host_table *table = ctx->current;

	if (!table || !table->rows || fact >= table->facts)
		die("%s: fact %u set outside of a row", ctx->source->name, fact);
	return &table->cells[(table->rows - 1) * table->facts + fact];
}

static void put_bytes(struct rs_ctx *ctx, const void *data, size_t length)
{
	if (ctx->nbytes + length > ctx->bytes_capacity) {
		ctx->bytes_capacity = (ctx->nbytes + length) * 2 + 4096;
		ctx->bytes = grow(ctx->bytes, ctx->bytes_capacity);
	}
	if (length)
		memcpy(ctx->bytes + ctx->nbytes, data, length);
	ctx->nbytes += length;
}

static void set_value(struct rs_ctx *ctx, unsigned fact, enum rs_type type, const void *data, size_t length)
{
	struct cell *cell = cell_at(ctx, fact);
	const struct rs_fact *described = &ctx->current->probe->facts[fact];
	uint16_t short_length = (uint16_t)length;

	if (described->type != type && !(described->type == RS_QUANTITY && type == RS_NUMBER))
		die("%s.%s: set as type %d, described as %d", ctx->current->probe->name, described->name, type,
		    described->type);
	if (cell->kind == VALUE && !(described->flags & RS_F_LIST))
		die("%s.%s: set twice", ctx->current->probe->name, described->name);
	if (cell->kind == VALUE && cell->elements) {
		/* elements of a list are set one after another: nothing else came in between */
		cell->elements++;
	} else {
		cell->kind = VALUE;
		cell->elements = 1;
		cell->offset = (uint32_t)ctx->nbytes;
	}
	put_bytes(ctx, &short_length, sizeof(short_length));
	put_bytes(ctx, data, length);
}

void rs_row_begin(struct rs_ctx *ctx, unsigned probe)
{
	struct host_table *table = &ctx->tables[probe];

	if (probe >= ctx->source->nprobes || !table->probe)
		die("%s: a row of probe %u, which was not wanted", ctx->source->name, probe);
	if (table->rows == table->capacity) {
		table->capacity = table->capacity ? table->capacity * 2 : 64;
		table->cells = grow(table->cells, table->capacity * table->facts * sizeof(*table->cells));
	}
	memset(&table->cells[table->rows++ * table->facts], 0, table->facts * sizeof(*table->cells));
	ctx->current = table;
}

void rs_set_text(struct rs_ctx *ctx, unsigned fact, const char *text)
{
	set_value(ctx, fact, RS_TEXT, text, strlen(text));
}

void rs_set_bytes(struct rs_ctx *ctx, unsigned fact, const void *data, size_t length)
{
	set_value(ctx, fact, RS_TEXT, data, length);
}

static void set_printed(struct rs_ctx *ctx, unsigned fact, enum rs_type type, const char *format, ...)
{
	char text[64];
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	set_value(ctx, fact, type, text, (size_t)length);
}

void rs_set_integer(struct rs_ctx *ctx, unsigned fact, int64_t value)
{
	const char digit = (char)('0' + value);

	/* ports and LMCs: printf() would be what a benchmark of the sweep shows */
	if (value >= 0 && value <= 9)
		set_value(ctx, fact, RS_INTEGER, &digit, 1);
	else
		set_printed(ctx, fact, RS_INTEGER, "%" PRId64, value);
}

void rs_set_unsigned(struct rs_ctx *ctx, unsigned fact, uint64_t value)
{
	bool hex = ctx->current->probe->facts[fact].flags & RS_F_HEX;

	set_printed(ctx, fact, RS_UNSIGNED, hex ? "0x%" PRIx64 : "%" PRIu64, value);
}

void rs_set_boolean(struct rs_ctx *ctx, unsigned fact, bool value)
{
	set_printed(ctx, fact, RS_BOOLEAN, value ? "true" : "false");
}

void rs_set_enum(struct rs_ctx *ctx, unsigned fact, int choice)
{
	const struct rs_fact *described = &ctx->current->probe->facts[fact];
	int choices = 0;

	while (choices <= choice && described->choices && described->choices[choices])
		choices++;
	if (choice < 0 || choice >= choices)
		die("%s: no choice %d", described->name, choice);
	set_value(ctx, fact, RS_ENUM, described->choices[choice], strlen(described->choices[choice]));
}

void rs_set_guid(struct rs_ctx *ctx, unsigned fact, uint64_t guid)
{
	set_printed(ctx, fact, RS_GUID, "0x%016" PRIx64, guid);
}

void rs_set_gid(struct rs_ctx *ctx, unsigned fact, const uint8_t gid[16])
{
	char text[INET6_ADDRSTRLEN];

	inet_ntop(AF_INET6, gid, text, sizeof(text));
	set_printed(ctx, fact, RS_GID, "%s", text);
}

void rs_set_ip(struct rs_ctx *ctx, unsigned fact, int family, const void *address)
{
	char text[INET6_ADDRSTRLEN];

	inet_ntop(family, address, text, sizeof(text));
	set_printed(ctx, fact, RS_IP, "%s", text);
}

void rs_set_decimal(struct rs_ctx *ctx, unsigned fact, const char *text)
{
	set_value(ctx, fact, RS_NUMBER, text, strlen(text));
}

void rs_set_time(struct rs_ctx *ctx, unsigned fact, int64_t seconds)
{
	set_printed(ctx, fact, RS_TIME, "%" PRId64, seconds);
}

void rs_set_none(struct rs_ctx *ctx, unsigned fact)
{
	struct cell *cell = cell_at(ctx, fact);

	if (cell->kind == VALUE)
		die("%s: none after a value", ctx->current->probe->facts[fact].name);
	cell->kind = NONE_THERE;
}

void rs_set_unknown(struct rs_ctx *ctx, unsigned fact, const char *text)
{
	struct cell *cell = cell_at(ctx, fact);
	uint16_t length = (uint16_t)strlen(text);

	cell->kind = UNKNOWN;
	cell->elements = 1;
	cell->offset = (uint32_t)ctx->nbytes;
	put_bytes(ctx, &length, sizeof(length));
	put_bytes(ctx, text, length);
}

void rs_not_observed(struct rs_ctx *ctx, unsigned fact, const char *why)
{
	if (cell_at(ctx, fact)->kind != NOT_OBSERVED)
		die("%s: not observed after it was", ctx->current->probe->facts[fact].name);
}

static void add_line(struct text_list *list, const char *format, va_list arguments)
{
	size_t length = strlen(list->text);

	vsnprintf(list->text + length, sizeof(list->text) - length - 1, format, arguments);
	strcat(list->text, "\n");
}

void rs_note(struct rs_ctx *ctx, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	add_line(&ctx->notes, format, arguments);
	va_end(arguments);
}

void rs_incomplete(struct rs_ctx *ctx, const char *format, ...)
{
	va_list arguments;

	if (!(ctx->source->flags & RS_PARTIAL))
		die("%s: incomplete, but not marked so", ctx->source->name);
	va_start(arguments, format);
	add_line(&ctx->incomplete, format, arguments);
	va_end(arguments);
}

void rs_evidence(struct rs_ctx *ctx, const char *name, const void *data, size_t length)
{
}

int rs_error(struct rs_ctx *ctx, enum rs_reason reason, const char *format, ...)
{
	va_list arguments;

	if (ctx->error[0])
		die("%s: a second error", ctx->source->name);
	va_start(arguments, format);
	vsnprintf(ctx->error, sizeof(ctx->error), format, arguments);
	va_end(arguments);
	ctx->reason = reason;
	return -(int)reason;
}

const char *rs_sysfs(const struct rs_ctx *ctx)
{
	return ctx->sysfs;
}

bool rs_recorded(const struct rs_ctx *ctx)
{
	return ctx->recorded;
}

int64_t rs_time_left(const struct rs_ctx *ctx)
{
	struct timespec now;
	int64_t left;

	clock_gettime(CLOCK_MONOTONIC, &now);
	left = (ctx->deadline.tv_sec - now.tv_sec) * 1000 + (ctx->deadline.tv_nsec - now.tv_nsec) / 1000000;
	return left > 0 ? left : 0;
}

void *rs_alloc(struct rs_ctx *ctx, size_t size)
{
	struct block *block = calloc(1, sizeof(*block) + size);

	if (!block)
		die("out of memory");
	block->next = ctx->blocks;
	ctx->blocks = block;
	return block->data;
}

const struct rs_end *rs_self(const struct rs_ctx *ctx)
{
	return ctx->self;
}

const struct rs_end *rs_peer(const struct rs_ctx *ctx)
{
	return ctx->peer;
}

void rs_ready(struct rs_ctx *ctx, unsigned port)
{
	die("%s: ready on port %u, but this is no server", ctx->source->name, port);
}

int rs_stop_fd(const struct rs_ctx *ctx)
{
	return -1;
}

bool rs_stopping(const struct rs_ctx *ctx)
{
	return false;
}

/* ---- What a test calls ---- */

void host_pair(struct rs_ctx *ctx, const struct rs_end *self, const struct rs_end *peer)
{
	ctx->self = self;
	ctx->peer = peer;
}

static void bind_param(const struct rs_param *param, const char *text, char *params, struct rs_ctx *ctx)
{
	void *at = params + param->offset;
	bool pointed = !param->value && !(param->flags & RS_REQUIRED) && param->type != RS_TEXT;

	if (pointed) {
		void *target = rs_alloc(ctx, 16);

		*(void **)at = target;
		at = target;
	}
	switch (param->type) {
	case RS_TEXT:
	case RS_FILE:
	case RS_GID:
	case RS_IP:
		*(const char **)(params + param->offset) = text;
		return;
	case RS_INTEGER:
		*(int64_t *)at = strtoll(text, NULL, 0);
		return;
	case RS_UNSIGNED:
	case RS_GUID:
		*(uint64_t *)at = strtoull(text, NULL, param->type == RS_GUID ? 16 : 0);
		return;
	case RS_NUMBER:
	case RS_QUANTITY:
		*(double *)at = strtod(text, NULL); /* in the parameter's own unit */
		return;
	case RS_BOOLEAN:
		*(bool *)at = !strcmp(text, "true");
		return;
	case RS_ENUM:
		for (int i = 0; param->choices[i]; i++) {
			if (!strcmp(param->choices[i], text)) {
				*(int *)at = i;
				return;
			}
		}
		break;
	default:
		break;
	}
	die("%s=%s cannot be bound", param->key, text);
}

/* Lists of texts only: each setting of the key is an element */
static void bind_element(const struct rs_param *param, const char *text, char *params, struct rs_ctx *ctx)
{
	unsigned *count = (unsigned *)(params + param->count_offset);
	const char **larger = rs_alloc(ctx, (*count + 1) * sizeof(*larger));

	if (param->type != RS_TEXT)
		die("%s=%s cannot be bound", param->key, text);
	if (*count)
		memcpy(larger, *(const char ***)(params + param->offset), *count * sizeof(*larger));
	larger[(*count)++] = text;
	*(const char ***)(params + param->offset) = larger;
}

static void *bind_all(struct rs_ctx *ctx, const struct rs_source *source, const char *const *settings)
{
	char *params = rs_alloc(ctx, source->params_size + 1);

	for (const struct rs_param *param = source->params; param && param->key; param++)
		if (param->value)
			bind_param(param, param->value, params, ctx);
	for (; settings && *settings; settings++) {
		const struct rs_param *param = source->params;
		size_t length = strcspn(*settings, "=");

		while (param && param->key && (strlen(param->key) != length || strncmp(param->key, *settings, length)))
			param++;
		if (!param || !param->key || !(*settings)[length])
			die("%s has no parameter %s", source->name, *settings);
		if (param->flags & RS_LIST)
			bind_element(param, *settings + length + 1, params, ctx);
		else
			bind_param(param, *settings + length + 1, params, ctx);
	}
	return params;
}

static const struct rs_source *find_source(const struct rs_plugin *plugin, const char *name, uint32_t *bit)
{
	for (size_t i = 0; i < plugin->nsources; i++)
		for (size_t j = 0; j < plugin->sources[i].nprobes; j++)
			if (!strcmp(plugin->sources[i].probes[j].name, name)) {
				*bit = 1u << j;
				return &plugin->sources[i];
			}
	die("no probe %s", name);
	return NULL;
}

int host_observe_wanted(struct rs_ctx *ctx, const struct rs_plugin *plugin, const char *name, uint32_t wanted,
			const char *const *settings)
{
	uint32_t bit;

	ctx->source = find_source(plugin, name, &bit);
	if (!wanted)
		wanted = (uint32_t)((1ull << ctx->source->nprobes) - 1);
	for (unsigned i = 0; i < ctx->source->nprobes; i++) {
		struct host_table *table = &ctx->tables[i];

		if (!(wanted >> i & 1))
			continue;
		table->probe = &ctx->source->probes[i];
		while (table->probe->facts[table->facts].name)
			table->facts++;
		if (table->facts > 64)
			die("%s has more than 64 facts", table->probe->name);
	}
	return ctx->source->observe(ctx, bind_all(ctx, ctx->source, settings), wanted);
}

int host_observe(struct rs_ctx *ctx, const struct rs_plugin *plugin, const char *name, const char *const *settings)
{
	uint32_t bit;

	find_source(plugin, name, &bit);
	return host_observe_wanted(ctx, plugin, name, bit, settings);
}

static const struct host_table *find_table(const struct rs_ctx *ctx, const char *probe)
{
	for (unsigned i = 0; i < 32; i++)
		if (ctx->tables[i].probe && !strcmp(ctx->tables[i].probe->name, probe))
			return &ctx->tables[i];
	die("%s was not observed", probe);
	return NULL;
}

size_t host_rows(const struct rs_ctx *ctx, const char *probe)
{
	return find_table(ctx, probe)->rows;
}

static const char *element(const struct rs_ctx *ctx, const char *at, uint16_t *length)
{
	memcpy(length, at, sizeof(*length));
	return at + sizeof(*length);
}

static const char *cell_text(const struct rs_ctx *ctx, const struct cell *cell)
{
	static char text[8192];
	const char *at = ctx->bytes + cell->offset;
	size_t used = 0;

	if (cell->kind == NOT_OBSERVED)
		return "?";
	if (cell->kind == NONE_THERE)
		return "none";
	if (cell->kind == UNKNOWN)
		used = (size_t)sprintf(text, "unknown: ");
	for (unsigned i = 0; i < cell->elements; i++) {
		uint16_t length;

		at = element(ctx, at, &length);
		if (i)
			text[used++] = ',';
		memcpy(text + used, at, length);
		used += length;
		at += length;
	}
	text[used] = '\0';
	return text;
}

static const struct cell *cell_of(const struct host_table *table, size_t row, const char *fact)
{
	unsigned column = 0;

	while (column < table->facts && strcmp(table->probe->facts[column].name, fact))
		column++;
	if (column == table->facts || row >= table->rows)
		die("%s: no fact %s in row %zu", table->probe->name, fact, row);
	return &table->cells[row * table->facts + column];
}

const char *host_cell(const struct rs_ctx *ctx, const char *probe, size_t row, const char *fact)
{
	return cell_text(ctx, cell_of(find_table(ctx, probe), row, fact));
}

size_t host_find(const struct rs_ctx *ctx, const char *probe, const char *fact, const char *value)
{
	const struct host_table *table = find_table(ctx, probe);

	for (size_t row = 0; row < table->rows; row++)
		if (!strcmp(cell_text(ctx, cell_of(table, row, fact)), value))
			return row;
	return SIZE_MAX;
}

const char *host_error(const struct rs_ctx *ctx)
{
	return ctx->error;
}

enum rs_reason host_reason(const struct rs_ctx *ctx)
{
	return ctx->reason;
}

const char *host_notes(const struct rs_ctx *ctx)
{
	return ctx->notes.text;
}

const char *host_incomplete(const struct rs_ctx *ctx)
{
	return ctx->incomplete.text;
}

/* Every byte that is not printable ASCII as \xNN, a backslash doubled: enough for a comparison byte by byte */
static void print_text(const char *text, size_t length, FILE *out)
{
	fputc('"', out);
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c == '\\')
			fputs("\\\\\\\\", out);
		else if (c == '"')
			fputs("\\\"", out);
		else if (c < 0x20 || c >= 0x7f)
			fprintf(out, "\\\\x%02x", c);
		else
			fputc(c, out);
	}
	fputc('"', out);
}

static void print_cell(const struct rs_ctx *ctx, const struct rs_fact *fact, const struct cell *cell, FILE *out)
{
	const char *at = ctx->bytes + cell->offset;
	bool list = fact->flags & RS_F_LIST;
	bool bare = fact->type == RS_INTEGER || fact->type == RS_BOOLEAN || fact->type == RS_TIME;

	if (cell->kind == NONE_THERE) {
		fputs("null", out);
		return;
	}
	if (list)
		fputc('[', out);
	for (unsigned i = 0; i < cell->elements; i++) {
		uint16_t length;

		at = element(ctx, at, &length);
		if (i)
			fputs(", ", out);
		if (bare && cell->kind == VALUE)
			fwrite(at, 1, length, out);
		else
			print_text(at, length, out);
		at += length;
	}
	if (list)
		fputc(']', out);
}

void host_print(const struct rs_ctx *ctx, const char *probe, FILE *out)
{
	const struct host_table *table = find_table(ctx, probe);

	fputc('[', out);
	for (size_t row = 0; row < table->rows; row++) {
		bool first = true;

		fputs(row ? ",\n {" : "{", out);
		for (unsigned column = 0; column < table->facts; column++) {
			const struct cell *cell = &table->cells[row * table->facts + column];

			if (cell->kind == NOT_OBSERVED)
				continue;
			fprintf(out, "%s\"%s\": ", first ? "" : ", ", table->probe->facts[column].name);
			print_cell(ctx, &table->probe->facts[column], cell, out);
			first = false;
		}
		fputc('}', out);
	}
	fputs("]\n", out);
}
