/* SPDX-License-Identifier: BSD-2-Clause */
/* A plugin whose probes are never run: what the tests of loading and planning ask for. */
#include <rdmaspec/plugin.h>

struct params {
	const char *device;
	int64_t *port;
	int mode;
	double *size;
};

static const char *const modes[] = {"fast", "slow", NULL};
static const char *const states[] = {"Down", "Init", "Armed", "Active", NULL};

static const struct rs_param params[] = {
	{.key = "device", .type = RS_TEXT, .offset = offsetof(struct params, device), .doc = "RDMA device"},
	{.key = "port",
	 .type = RS_INTEGER,
	 .offset = offsetof(struct params, port),
	 .min = 1,
	 .max = 254,
	 .doc = "port number"},
	{.key = "mode",
	 .type = RS_ENUM,
	 .offset = offsetof(struct params, mode),
	 .choices = modes,
	 .value = "fast",
	 .doc = "how"},
	{.key = "size",
	 .type = RS_QUANTITY,
	 .offset = offsetof(struct params, size),
	 .unit = "B",
	 .doc = "size of a message"},
	{0},
};

static const struct rs_fact facts[] = {
	{.name = "device", .type = RS_TEXT, .flags = RS_F_KEY, .doc = "RDMA device"},
	{.name = "port", .type = RS_INTEGER, .flags = RS_F_KEY, .doc = "port number"},
	{.name = "state", .type = RS_ENUM, .flags = RS_F_ORDERED, .choices = states, .doc = "logical state"},
	{.name = "lid", .type = RS_INTEGER, .doc = "local identifier"},
	{0},
};

static const struct rs_probe ports = {.name = "lab.ports", .summary = "ports of a host", .facts = facts};
static const struct rs_probe speed = {.name = "lab.speed", .summary = "a measurement", .facts = facts};

static const struct rs_param pair_params[] = {
	{.key = "device", .type = RS_TEXT, .offset = offsetof(struct params, device), .doc = "RDMA device"},
	{.key = "port",
	 .type = RS_INTEGER,
	 .offset = offsetof(struct params, port),
	 .min = 1,
	 .max = 254,
	 .doc = "port number",
	 .unless = "size"},
	{.key = "size",
	 .type = RS_QUANTITY,
	 .offset = offsetof(struct params, size),
	 .unit = "B",
	 .doc = "size of a message"},
	{0},
};

static const struct rs_fact pair_facts[] = {
	{.name = "port", .type = RS_INTEGER, .flags = RS_F_KEY, .doc = "port number"},
	{.name = "lid", .type = RS_INTEGER, .doc = "local identifier", .unless = "size"},
	{0},
};

static const struct rs_probe pair = {.name = "lab.pair", .summary = "a test between two hosts", .facts = pair_facts};

struct counters_params {
	double over;
};

static const struct rs_param counters_params[] = {
	{.key = "over",
	 .type = RS_QUANTITY,
	 .flags = RS_ADDS_TIME,
	 .offset = offsetof(struct counters_params, over),
	 .unit = "s",
	 .value = "0 s",
	 .doc = "an interval"},
	{0},
};

static const struct rs_fact counters_facts[] = {
	{.name = "port", .type = RS_INTEGER, .flags = RS_F_KEY, .doc = "port number"},
	{.name = "errors", .type = RS_UNSIGNED, .flags = RS_F_COUNTER, .doc = "how many"},
	{0},
};

static const struct rs_probe counters = {.name = "lab.counters", .summary = "of ports", .facts = counters_facts};

static const struct rs_probe sweep[] = {
	{.name = "lab.nodes", .summary = "nodes of the fabric", .facts = facts},
	{.name = "lab.links", .summary = "links of the fabric", .facts = facts},
};

static int observe(struct rs_ctx *ctx, const void *bound, uint32_t wanted)
{
	return -1;
}

static int serve(struct rs_ctx *ctx, const void *bound)
{
	return -1;
}

static const struct rs_source sources[] = {
	{.name = "lab.ports",
	 .summary = "of the lab",
	 .scope = RS_HOST,
	 .params = params,
	 .params_size = sizeof(struct params),
	 .probes = &ports,
	 .nprobes = 1,
	 .observe = observe},
	{.name = "lab.speed",
	 .summary = "of the lab",
	 .scope = RS_HOST,
	 .flags = RS_EXCLUSIVE,
	 .params = params,
	 .params_size = sizeof(struct params),
	 .probes = &speed,
	 .nprobes = 1,
	 .observe = observe},
	{.name = "lab.pair",
	 .summary = "of the lab",
	 .scope = RS_PAIR,
	 .params = pair_params,
	 .params_size = sizeof(struct params),
	 .probes = &pair,
	 .nprobes = 1,
	 .observe = observe,
	 .serve = serve},
	{.name = "lab.counters",
	 .summary = "of the lab",
	 .scope = RS_HOST,
	 .flags = RS_COUNTERS,
	 .params = counters_params,
	 .params_size = sizeof(struct counters_params),
	 .probes = &counters,
	 .nprobes = 1,
	 .observe = observe},
	{.name = "lab.sweep",
	 .summary = "of the lab",
	 .scope = RS_FABRIC,
	 .params = params,
	 .params_size = sizeof(struct params),
	 .probes = sweep,
	 .nprobes = 2,
	 .observe = observe},
};

RS_PLUGIN(.name = "lab", .version = "1", .summary = "probes for tests", .sources = sources,
	  .nsources = sizeof(sources) / sizeof(sources[0]));
