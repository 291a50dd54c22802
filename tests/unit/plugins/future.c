/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls what this rdmaspec does not have. */
#include "tables.h"

void rs_of_the_future(struct rs_ctx *ctx);

static int observe_future(struct rs_ctx *ctx, const void *params, uint32_t wanted)
{
	rs_of_the_future(ctx);
	return observe(ctx, params, wanted);
}

static const struct rs_probe ports[] = {PROBE("future.ports")};
static const struct rs_source sources[] = {
	{.name = "future.ports", .summary = "ports", .probes = ports, .nprobes = 1, .observe = observe_future}};

RS_PLUGIN(.name = "future", .version = "1", .summary = "ahead of its time", .sources = sources, .nsources = 1);
