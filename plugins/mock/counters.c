/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters as a file says that they stand, so that what is between two readings can change them. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "mock/mock.h"

#define PEGGED_AT 65535

const struct rs_param mock_counters_params[] = {
	{.key = "path",
	 .type = RS_TEXT,
	 .flags = RS_REQUIRED,
	 .offset = offsetof(struct mock_counters_params, path),
	 .doc = "a file with a line for each port: its name, its errors, its packets"},
	{.key = "over",
	 .type = RS_QUANTITY,
	 .flags = RS_ADDS_TIME,
	 .unit = "s",
	 .offset = offsetof(struct mock_counters_params, over),
	 .value = "0 s",
	 .doc = "is only added to the time-out"},
	{.key = NULL},
};

enum { NAME, ERRORS, PACKETS, PEGGED, TIME_LEFT };

static const struct rs_fact counters_facts[] = {
	[NAME] = {"name", RS_TEXT, RS_F_KEY, .doc = "of the port"},
	[ERRORS] = {"errors", RS_UNSIGNED, RS_F_COUNTER | RS_F_LOWER | RS_F_VOLATILE, .doc = "stops at 65535"},
	[PACKETS] = {"packets", RS_UNSIGNED, RS_F_COUNTER | RS_F_VOLATILE, .doc = "never stops"},
	[PEGGED] = {"pegged", RS_TEXT, RS_F_LIST | RS_F_PEGGED | RS_F_VOLATILE, .doc = "errors, where it stopped"},
	[TIME_LEFT] = {"time_left", RS_INTEGER, RS_F_VOLATILE, .doc = "what rs_time_left() said"},
	{NULL},
};

const struct rs_probe mock_counters_probe = {"mock.counters", "test: counters as a file has them", "port {name}",
					     counters_facts};

int mock_counters_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	const struct mock_counters_params *params = data;
	FILE *file = fopen(params->path, "re");
	uint64_t errors, packets;
	char name[64];

	if (!file)
		return rs_error(ctx, RS_ABSENT, "%s: %s", params->path, strerror(errno));
	while (fscanf(file, "%63s %" SCNu64 " %" SCNu64, name, &errors, &packets) == 3) {
		rs_row_begin(ctx, 0);
		rs_set_text(ctx, NAME, name);
		rs_set_unsigned(ctx, ERRORS, errors);
		rs_set_unsigned(ctx, PACKETS, packets);
		if (errors == PEGGED_AT)
			rs_set_text(ctx, PEGGED, "errors");
		else
			rs_set_none(ctx, PEGGED);
		rs_set_integer(ctx, TIME_LEFT, rs_time_left(ctx));
	}
	fclose(file);
	return 0;
}
