/* SPDX-License-Identifier: BSD-2-Clause */
/* Parameters and facts of every type there is. What a parameter says comes back as the fact of the same name. */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "mock/mock.h"

#define PARAM(word, what, ...)                                                                                         \
	{                                                                                                              \
		.key = #word, .type = what, .offset = offsetof(struct mock_pass_params, word), __VA_ARGS__             \
	}

static const struct rs_param port_fields[] = {
	{.key = "number",
	 .type = RS_INTEGER,
	 .flags = RS_REQUIRED,
	 .offset = offsetof(struct mock_port, number),
	 .min = 1,
	 .max = 254,
	 .doc = "port number"},
	{.key = "speed",
	 .type = RS_ENUM,
	 .offset = offsetof(struct mock_port, speed),
	 .choices = mock_speeds,
	 .value = "HDR",
	 .doc = "its speed"},
	{.key = NULL},
};

const struct rs_param mock_pass_params[] = {
	PARAM(text, RS_TEXT, .value = "hello", .doc = "any text"),
	PARAM(integer, RS_INTEGER, .value = "-7", .min = -1000, .max = 1000, .doc = "a whole number"),
	{.key = "unsigned",
	 .type = RS_UNSIGNED,
	 .offset = offsetof(struct mock_pass_params, unsigned_),
	 .value = "18446744073709551615",
	 .doc = "a whole number of 64 bits without a sign"},
	PARAM(number, RS_NUMBER, .value = "2.5", .doc = "a decimal"),
	PARAM(boolean, RS_BOOLEAN, .value = "true", .doc = "yes or no"),
	PARAM(speed, RS_ENUM, .value = "HDR", .choices = mock_speeds, .doc = "one of several words"),
	PARAM(guid, RS_GUID, .value = "0x0002c9030045f121", .doc = "a GUID"),
	PARAM(gid, RS_GID, .value = "fe80::2:c903:45:f121", .doc = "a GID"),
	PARAM(ip, RS_IP, .value = "192.0.2.1", .doc = "an address"),
	PARAM(size, RS_QUANTITY, .value = "64 KiB", .unit = "B", .doc = "a size"),
	PARAM(file, RS_FILE, .doc = "a file, whose contents are given"),
	PARAM(maybe, RS_INTEGER, .doc = "a number without a default"),
	PARAM(tags, RS_TEXT, .flags = RS_LIST, .count_offset = offsetof(struct mock_pass_params, ntags),
	      .doc = "a list of texts"),
	PARAM(ports, RS_STRUCT, .flags = RS_LIST, .count_offset = offsetof(struct mock_pass_params, nports),
	      .fields = port_fields, .fields_size = sizeof(struct mock_port), .doc = "a list of ports"),
	PARAM(rows, RS_INTEGER, .value = "2", .min = 0, .max = 1000, .doc = "how many rows"),
	{.key = NULL},
};

enum {
	ROW,
	TEXT,
	INTEGER,
	UNSIGNED,
	NUMBER,
	BOOLEAN,
	SPEED,
	GUID,
	GID,
	IP,
	SIZE,
	FILE_,
	MAYBE,
	TAGS,
	PORTS,
	SPEEDS,
	SEEN,
	BANDWIDTH,
	LATENCY,
	VLAN,
	CODE,
	MISSING,
};

static const struct rs_fact facts[] = {
	[ROW] = {"row", RS_INTEGER, RS_F_KEY, .doc = "number of the row, from 1"},
	[TEXT] = {"text", RS_TEXT, .doc = "the parameter text"},
	[INTEGER] = {"integer", RS_INTEGER, .doc = "the parameter integer, plus the number of the row, less 1"},
	[UNSIGNED] = {"unsigned", RS_UNSIGNED, .doc = "the parameter unsigned"},
	[NUMBER] = {"number", RS_NUMBER, .doc = "the parameter number"},
	[BOOLEAN] = {"boolean", RS_BOOLEAN, .doc = "the parameter boolean"},
	[SPEED] = {"speed", RS_ENUM, RS_F_ORDERED | RS_F_HIGHER, .choices = mock_speeds, .doc = "the parameter speed"},
	[GUID] = {"guid", RS_GUID, .doc = "the parameter guid"},
	[GID] = {"gid", RS_GID, .doc = "the parameter gid"},
	[IP] = {"ip", RS_IP, .doc = "the parameter ip"},
	[SIZE] = {"size", RS_QUANTITY, .unit = "B", .doc = "the parameter size"},
	[FILE_] = {"file", RS_TEXT, .doc = "the parameter file: its contents; none without it"},
	[MAYBE] = {"maybe", RS_INTEGER, .doc = "the parameter maybe; none without it"},
	[TAGS] = {"tags", RS_TEXT, RS_F_LIST, .doc = "the parameter tags"},
	[PORTS] = {"ports", RS_INTEGER, RS_F_LIST, .doc = "the numbers of the parameter ports"},
	[SPEEDS] = {"speeds", RS_ENUM, RS_F_LIST | RS_F_ORDERED, .choices = mock_speeds,
		    .doc = "the speeds of the parameter ports"},
	[SEEN] = {"seen", RS_TIME, RS_F_VOLATILE,
		  .doc = "1,000,000,000 seconds after 1970, plus the number of the row"},
	[BANDWIDTH] = {"bandwidth", RS_QUANTITY, RS_F_HIGHER, .unit = "Gb/s",
		       .doc = "179.9, less a tenth for each row before"},
	[LATENCY] = {"latency", RS_QUANTITY, RS_F_LOWER, .unit = "us", .doc = "always 1.07"},
	[VLAN] = {"vlan", RS_INTEGER, .doc = "100 in odd rows, none in even ones"},
	[CODE] = {"code", RS_ENUM, .choices = mock_speeds, .doc = "always a code that has no name"},
	[MISSING] = {"missing", RS_INTEGER, .doc = "never observed",
		     .observed_by = "needs what the mock does not have"},
	{NULL},
};

const struct rs_probe mock_pass_probe = {
	.name = "mock.pass",
	.summary = "test: rows of every type, as the parameters say",
	.row = "row {row}",
	.facts = facts,
};

static void set_decimal(struct rs_ctx *ctx, unsigned fact, const char *format, double value)
{
	char text[64];

	snprintf(text, sizeof(text), format, value);
	rs_set_decimal(ctx, fact, text);
}

static void set_lists(struct rs_ctx *ctx, const struct mock_pass_params *params)
{
	if (!params->ntags)
		rs_set_none(ctx, TAGS);
	for (unsigned i = 0; i < params->ntags; i++)
		rs_set_text(ctx, TAGS, params->tags[i]);
	if (!params->nports) {
		rs_set_none(ctx, PORTS);
		rs_set_none(ctx, SPEEDS);
	}
	for (unsigned i = 0; i < params->nports; i++) {
		rs_set_integer(ctx, PORTS, params->ports[i].number);
		rs_set_enum(ctx, SPEEDS, params->ports[i].speed);
	}
}

static void set_params(struct rs_ctx *ctx, const struct mock_pass_params *params)
{
	uint8_t address[16];

	rs_set_text(ctx, TEXT, params->text);
	rs_set_unsigned(ctx, UNSIGNED, params->unsigned_);
	set_decimal(ctx, NUMBER, "%.17g", params->number);
	rs_set_boolean(ctx, BOOLEAN, params->boolean);
	rs_set_enum(ctx, SPEED, params->speed);
	rs_set_guid(ctx, GUID, params->guid);
	if (inet_pton(AF_INET6, params->gid, address) == 1)
		rs_set_gid(ctx, GID, address);
	if (inet_pton(AF_INET, params->ip, address) == 1)
		rs_set_ip(ctx, IP, AF_INET, address);
	else if (inet_pton(AF_INET6, params->ip, address) == 1)
		rs_set_ip(ctx, IP, AF_INET6, address);
	set_decimal(ctx, SIZE, "%.17g", params->size);
	if (params->file)
		rs_set_text(ctx, FILE_, params->file);
	else
		rs_set_none(ctx, FILE_);
	if (params->maybe)
		rs_set_integer(ctx, MAYBE, *params->maybe);
	else
		rs_set_none(ctx, MAYBE);
	set_lists(ctx, params);
}

int mock_pass_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	const struct mock_pass_params *params = data;

	for (int64_t i = 0; i < params->rows; i++) {
		rs_row_begin(ctx, 0);
		rs_set_integer(ctx, ROW, i + 1);
		rs_set_integer(ctx, INTEGER, params->integer + i);
		set_params(ctx, params);
		rs_set_time(ctx, SEEN, 1000000000 + i + 1);
		set_decimal(ctx, BANDWIDTH, "%.1f", 179.9 - 0.1 * (double)i);
		rs_set_decimal(ctx, LATENCY, "1.07");
		if (i % 2)
			rs_set_none(ctx, VLAN);
		else
			rs_set_integer(ctx, VLAN, 100);
		rs_set_unknown(ctx, CODE, "code 42");
	}
	rs_evidence(ctx, "mock", "what a tool would have printed\n", 31);
	return 0;
}
