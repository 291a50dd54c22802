/* SPDX-License-Identifier: BSD-2-Clause */
/* What a sweep over message sizes and a fabric's cables look like, without either. */
#include <stdio.h>
#include <string.h>

#include "mock/mock.h"

/* ---- mock.sizes: bandwidth and latency between two hosts, by message size ---- */

const struct rs_param mock_sizes_params[] = {
	{.key = "sizes",
	 .type = RS_INTEGER,
	 .offset = offsetof(struct mock_sizes_params, sizes),
	 .value = "16",
	 .min = 1,
	 .max = 40,
	 .doc = "how many sizes, from 2 bytes, each twice the one before"},
	{.key = "bandwidth",
	 .type = RS_QUANTITY,
	 .unit = "Gb/s",
	 .offset = offsetof(struct mock_sizes_params, bandwidth),
	 .value = "200 Gb/s",
	 .doc = "what large messages reach: half of it at 4 KiB"},
	{.key = "slow",
	 .type = RS_TEXT,
	 .flags = RS_LIST,
	 .offset = offsetof(struct mock_sizes_params, slow),
	 .count_offset = offsetof(struct mock_sizes_params, nslow),
	 .doc = "hosts with which it is half of that"},
	{.key = NULL},
};

enum { SIZE, BW_AVERAGE, T_AVG, P99 };

static const struct rs_fact sizes_facts[] = {
	[SIZE] = {"size", RS_QUANTITY, RS_F_KEY, "B", .doc = "of a message"},
	[BW_AVERAGE] = {"bw_average", RS_QUANTITY, RS_F_HIGHER, "Gb/s", .doc = "bandwidth * size / (size + 4096)"},
	[T_AVG] = {"t_avg", RS_QUANTITY, RS_F_LOWER, "us", .doc = "2 us and the time that so many bytes take"},
	[P99] = {"p99", RS_QUANTITY, RS_F_LOWER, "us", .doc = "one and a half times t_avg"},
	{NULL},
};

const struct rs_probe mock_sizes_probe = {"mock.sizes", "test: bandwidth and latency by message size", "size {size}",
					  sizes_facts};

static bool is_listed(const char *const *names, unsigned count, const char *name)
{
	for (unsigned i = 0; i < count; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static void set_decimal(struct rs_ctx *ctx, unsigned fact, double value)
{
	char text[64];

	snprintf(text, sizeof(text), "%.3f", value);
	rs_set_decimal(ctx, fact, text);
}

int mock_sizes_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	const struct mock_sizes_params *params = data;
	bool slow = is_listed(params->slow, params->nslow, rs_self(ctx)->host) ||
		    is_listed(params->slow, params->nslow, rs_peer(ctx)->host);
	double bandwidth = slow ? params->bandwidth / 2 : params->bandwidth, size = 2;

	for (int64_t i = 0; i < params->sizes; i++, size *= 2) {
		/* 1 Gb/s is 125 bytes a microsecond. */
		double time = 2 + size / (bandwidth * 125);

		rs_row_begin(ctx, 0);
		set_decimal(ctx, SIZE, size);
		set_decimal(ctx, BW_AVERAGE, bandwidth * size / (size + 4096));
		set_decimal(ctx, T_AVG, time);
		set_decimal(ctx, P99, time * 1.5);
	}
	return 0;
}

/* Nobody really comes: the client is done when it says so. */
int mock_sizes_serve(struct rs_ctx *ctx, const void *data)
{
	rs_ready(ctx, 1);
	return 0;
}

/* ---- mock.cables: a fat tree of two levels ---- */

const struct rs_param mock_cables_params[] = {
	{.key = "spines",
	 .type = RS_INTEGER,
	 .offset = offsetof(struct mock_cables_params, spines),
	 .value = "2",
	 .max = 1000,
	 .doc = "each with a cable to each leaf"},
	{.key = "leaves",
	 .type = RS_INTEGER,
	 .offset = offsetof(struct mock_cables_params, leaves),
	 .value = "4",
	 .min = 1,
	 .max = 10000,
	 .doc = "how many"},
	{.key = "hosts",
	 .type = RS_INTEGER,
	 .offset = offsetof(struct mock_cables_params, hosts),
	 .value = "2",
	 .max = 1000,
	 .doc = "of each leaf"},
	{.key = "prefix",
	 .type = RS_TEXT,
	 .offset = offsetof(struct mock_cables_params, prefix),
	 .value = "node-",
	 .max = 200,
	 .doc = "what the hosts' descriptions begin with"},
	{.key = "slow",
	 .type = RS_TEXT,
	 .flags = RS_LIST,
	 .offset = offsetof(struct mock_cables_params, slow),
	 .count_offset = offsetof(struct mock_cables_params, nslow),
	 .doc = "descriptions of hosts whose cable runs at QDR"},
	{.key = NULL},
};

enum { GUID, DESCRIPTION, TYPE, PORT, REMOTE_GUID, REMOTE_DESCRIPTION, REMOTE_TYPE, REMOTE_PORT, SPEED };

static const char *const types[] = {"CA", "switch", NULL};
enum { CA, SWITCH };

static const struct rs_fact cables_facts[] = {
	[GUID] = {"guid", RS_GUID, RS_F_KEY, .doc = "of the first end"},
	[DESCRIPTION] = {"description", RS_TEXT, .doc = "of the first end"},
	[TYPE] = {"type", RS_ENUM, .choices = types, .doc = "of the first end"},
	[PORT] = {"port", RS_INTEGER, RS_F_KEY, .doc = "of the first end"},
	[REMOTE_GUID] = {"remote_guid", RS_GUID, .doc = "of the second end"},
	[REMOTE_DESCRIPTION] = {"remote_description", RS_TEXT, .doc = "of the second end"},
	[REMOTE_TYPE] = {"remote_type", RS_ENUM, .choices = types, .doc = "of the second end"},
	[REMOTE_PORT] = {"remote_port", RS_INTEGER, .doc = "of the second end"},
	[SPEED] = {"speed", RS_ENUM, RS_F_ORDERED | RS_F_HIGHER, .choices = mock_speeds, .doc = "HDR, or QDR"},
	{NULL},
};

const struct rs_probe mock_cables_probe = {"mock.cables", "test: the cables of a fat tree of two levels",
					   "{description} port {port}", cables_facts};

enum kind { HOST, LEAF, SPINE };

static void set_end(struct rs_ctx *ctx, unsigned first, enum kind kind, int64_t number, int64_t port, const char *name)
{
	rs_set_guid(ctx, first + GUID, (uint64_t)(kind + 1) << 32 | (uint64_t)number);
	rs_set_text(ctx, first + DESCRIPTION, name);
	rs_set_enum(ctx, first + TYPE, kind == HOST ? CA : SWITCH);
	rs_set_integer(ctx, first + PORT, port);
}

static void set_leaf(struct rs_ctx *ctx, const struct mock_cables_params *params, int64_t leaf)
{
	char name[32], other[256];

	snprintf(name, sizeof(name), "leaf-%d", (int)leaf);
	for (int64_t i = 0; i < params->hosts + params->spines; i++) {
		bool host = i < params->hosts;
		int64_t number = host ? (leaf - 1) * params->hosts + i + 1 : i - params->hosts + 1;

		snprintf(other, sizeof(other), "%s%d", host ? params->prefix : "spine-", (int)number);
		rs_row_begin(ctx, 0);
		set_end(ctx, GUID, LEAF, leaf, i + 1, name);
		set_end(ctx, REMOTE_GUID, host ? HOST : SPINE, number, host ? 1 : leaf, other);
		rs_set_enum(ctx, SPEED, is_listed(params->slow, params->nslow, other) ? MOCK_QDR : MOCK_HDR);
	}
}

int mock_cables_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	const struct mock_cables_params *params = data;

	for (int64_t leaf = 1; leaf <= params->leaves; leaf++)
		set_leaf(ctx, params, leaf);
	return 0;
}
