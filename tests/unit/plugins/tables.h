/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the smallest tables that a plugin can have */
#pragma once

#include <rdmaspec/plugin.h>

static const struct rs_fact facts[] = {
	{"port", RS_INTEGER, RS_F_KEY, .doc = "port number"},
	{0},
};

static int observe(struct rs_ctx *ctx, const void *params, uint32_t wanted)
{
	return 0;
}

#define PROBE(probe_name)                                                                                              \
	{                                                                                                              \
		.name = probe_name, .summary = "ports", .facts = facts                                                 \
	}
#define SOURCE(source_name, source_probes)                                                                             \
	{                                                                                                              \
		.name = source_name, .summary = "ports", .scope = RS_HOST, .probes = source_probes,                    \
		.nprobes = sizeof(source_probes) / sizeof(source_probes[0]), .observe = observe                        \
	}
