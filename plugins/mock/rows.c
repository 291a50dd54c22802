/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables of any size and contents, and two of them from one source. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mock/mock.h"

/* ---- mock.rows: many, of the shape of a fabric's links ---- */

const struct rs_param mock_rows_params[] = {
	{.key = "rows",
	 .type = RS_INTEGER,
	 .offset = offsetof(struct mock_rows_params, count),
	 .value = "1000",
	 .max = 10000000,
	 .doc = "how many rows"},
	{.key = "width",
	 .type = RS_INTEGER,
	 .offset = offsetof(struct mock_rows_params, width),
	 .value = "24",
	 .max = 200,
	 .doc = "length of the text in each, in bytes"},
	{.key = NULL},
};

enum { R_ROW, R_GUID, R_NAME, R_PORT, R_PEER_GUID, R_PEER_NAME, R_PEER_PORT, R_SPEED, R_RATE, R_COUNTER };

static const struct rs_fact rows_facts[] = {
	[R_ROW] = {"row", RS_INTEGER, RS_F_KEY, .doc = "number of the row, from 1"},
	[R_GUID] = {"guid", RS_GUID, .doc = "a GUID that counts up"},
	[R_NAME] = {"name", RS_TEXT, .doc = "a name that counts up"},
	[R_PORT] = {"port", RS_INTEGER, .doc = "1 to 40"},
	[R_PEER_GUID] = {"peer_guid", RS_GUID, .doc = "a GUID that counts down"},
	[R_PEER_NAME] = {"peer_name", RS_TEXT, .doc = "a name that counts up"},
	[R_PEER_PORT] = {"peer_port", RS_INTEGER, .doc = "always 1"},
	[R_SPEED] = {"speed", RS_ENUM, RS_F_ORDERED, .choices = mock_speeds, .doc = "always HDR"},
	[R_RATE] = {"rate", RS_QUANTITY, .unit = "Gb/s", .doc = "always 200"},
	[R_COUNTER] = {"counter", RS_UNSIGNED, .doc = "a number that counts up in the upper half of 64 bits"},
	{NULL},
};

const struct rs_probe mock_rows_probe = {
	.name = "mock.rows", .summary = "test: many rows", .row = "row {row}", .facts = rows_facts};

int mock_rows_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	const struct mock_rows_params *params = data;
	char name[256];

	for (int64_t i = 0; i < params->count; i++) {
		rs_row_begin(ctx, 0);
		rs_set_integer(ctx, R_ROW, i + 1);
		rs_set_guid(ctx, R_GUID, UINT64_C(0x0002c90300000000) + (uint64_t)i);
		snprintf(name, sizeof(name), "node-%0*d", (int)(params->width > 5 ? params->width - 5 : 1), (int)i);
		rs_set_text(ctx, R_NAME, name);
		rs_set_integer(ctx, R_PORT, i % 40 + 1);
		rs_set_guid(ctx, R_PEER_GUID, UINT64_C(0x0002c903ffffffff) - (uint64_t)i);
		rs_set_text(ctx, R_PEER_NAME, name);
		rs_set_integer(ctx, R_PEER_PORT, 1);
		rs_set_enum(ctx, R_SPEED, MOCK_HDR);
		rs_set_decimal(ctx, R_RATE, "200");
		rs_set_unsigned(ctx, R_COUNTER, (UINT64_C(1) << 63) + (uint64_t)i);
	}
	return 0;
}

/* ---- mock.table: what the scenario spells out ---- */

struct mock_table_row {
	const char *name;
	const int64_t *value;
	const double *rate;
	const int *speed;
	const char *unknown;
};

static const struct rs_param table_fields[] = {
	{.key = "name",
	 .type = RS_TEXT,
	 .flags = RS_REQUIRED,
	 .offset = offsetof(struct mock_table_row, name),
	 .doc = "the fact name"},
	{.key = "value",
	 .type = RS_INTEGER,
	 .offset = offsetof(struct mock_table_row, value),
	 .doc = "the fact value; none without it"},
	{.key = "rate",
	 .type = RS_QUANTITY,
	 .unit = "Gb/s",
	 .offset = offsetof(struct mock_table_row, rate),
	 .doc = "the fact rate; not observed without it"},
	{.key = "speed",
	 .type = RS_ENUM,
	 .choices = mock_speeds,
	 .offset = offsetof(struct mock_table_row, speed),
	 .doc = "the fact speed; not observed without it"},
	{.key = "unknown",
	 .type = RS_TEXT,
	 .offset = offsetof(struct mock_table_row, unknown),
	 .doc = "makes the speed a code that has no name, shown as this"},
	{.key = NULL},
};

const struct rs_param mock_table_params[] = {
	{.key = "rows",
	 .type = RS_STRUCT,
	 .flags = RS_LIST,
	 .offset = offsetof(struct mock_table_params, rows),
	 .count_offset = offsetof(struct mock_table_params, nrows),
	 .fields = table_fields,
	 .fields_size = sizeof(struct mock_table_row),
	 .doc = "the rows"},
	{.key = NULL},
};

enum { T_NAME, T_VALUE, T_RATE, T_SPEED };

static const struct rs_fact table_facts[] = {
	[T_NAME] = {"name", RS_TEXT, RS_F_KEY, .doc = "as given"},
	[T_VALUE] = {"value", RS_INTEGER, .doc = "as given, or none"},
	[T_RATE] = {"rate", RS_QUANTITY, RS_F_HIGHER, .unit = "Gb/s", .doc = "as given, or not observed",
		    .observed_by = "needs to be given"},
	[T_SPEED] = {"speed", RS_ENUM, RS_F_ORDERED | RS_F_HIGHER, .choices = mock_speeds,
		     .doc = "as given, or not observed", .observed_by = "needs to be given"},
	{NULL},
};

const struct rs_probe mock_table_probe = {.name = "mock.table",
					  .summary = "test: the table that the parameters spell out",
					  .row = "{name}",
					  .facts = table_facts};

int mock_table_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	const struct mock_table_params *params = data;
	char text[64];

	for (unsigned i = 0; i < params->nrows; i++) {
		const struct mock_table_row *row = &params->rows[i];

		rs_row_begin(ctx, 0);
		rs_set_text(ctx, T_NAME, row->name);
		if (row->value)
			rs_set_integer(ctx, T_VALUE, *row->value);
		else
			rs_set_none(ctx, T_VALUE);
		if (row->rate) {
			snprintf(text, sizeof(text), "%.17g", *row->rate);
			rs_set_decimal(ctx, T_RATE, text);
		}
		if (row->unknown)
			rs_set_unknown(ctx, T_SPEED, row->unknown);
		else if (row->speed)
			rs_set_enum(ctx, T_SPEED, *row->speed);
	}
	return 0;
}

/* ---- mock.nodes and mock.ports: tables of one sweep ---- */

const struct rs_param mock_sweep_params[] = {
	{.key = "nodes",
	 .type = RS_INTEGER,
	 .offset = offsetof(struct mock_rows_params, count),
	 .value = "3",
	 .max = 1000,
	 .doc = "how many nodes; each has two ports"},
	{.key = NULL},
};

static const struct rs_fact nodes_facts[] = {
	{"node", RS_INTEGER, RS_F_KEY, .doc = "number of the node, from 1"},
	{"worker", RS_INTEGER, RS_F_VOLATILE, .doc = "process ID of the worker that observed"},
	{NULL},
};

static const struct rs_fact ports_facts[] = {
	{"node", RS_INTEGER, RS_F_KEY, .doc = "number of the node, from 1"},
	{"port", RS_INTEGER, RS_F_KEY, .doc = "1 or 2"},
	{"worker", RS_INTEGER, RS_F_VOLATILE, .doc = "process ID of the worker that observed"},
	{NULL},
};

const struct rs_probe mock_sweep_probes[2] = {
	{"mock.nodes", "test: the nodes of a sweep", "node {node}", nodes_facts},
	{"mock.ports", "test: the ports of the same sweep", "node {node} port {port}", ports_facts},
};

int mock_sweep_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	const struct mock_rows_params *params = data;

	for (int64_t i = 1; i <= params->count; i++) {
		rs_row_begin(ctx, 0);
		rs_set_integer(ctx, 0, i);
		rs_set_integer(ctx, 1, getpid());
		for (int64_t port = 1; port <= 2; port++) {
			rs_row_begin(ctx, 1);
			rs_set_integer(ctx, 0, i);
			rs_set_integer(ctx, 1, port);
			rs_set_integer(ctx, 2, getpid());
		}
	}
	return 0;
}
