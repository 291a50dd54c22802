/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: bandwidth and latency between two hosts by perftest: one implementation, the same probes in every plugin
 *
 * A plugin defines its two pairs of functions by PERF_FUNCTIONS() and puts PERF_SOURCES() into its table.
 */
#pragma once

#include <rdmaspec/plugin.h>

/** enum perf_kind - which ports a plugin's probes are for */
enum perf_kind {
	PERF_INFINIBAND, /* link layer InfiniBand */
	PERF_ETHERNET,	 /* RoCE, in hardware or software */
	PERF_SOFT,	 /* rdma_rxe */
};

enum perf_measure { PERF_BANDWIDTH, PERF_LATENCY };

/**
 * struct perf_params - of both measures
 *
 * Pointers are NULL where nothing was given.
 */
struct perf_params {
	const char *device, *gid, *cpus, *numa_node;
	int64_t port, queue_pairs;
	int verb, transport;
	double *size, *duration;
	int *mtu;
	int64_t *iterations, *tx_depth, *rx_depth, *service_level, *traffic_class, *retry_count, *qp_timeout,
		*inline_size;
	bool all_sizes, rdma_cm, bidirectional, ignore_cpu_freq;
	bool *ipv6;
	const char *const *arguments;
	unsigned narguments;
};

extern const struct rs_param perf_bandwidth_params[], perf_latency_params[];
extern const struct rs_fact perf_bandwidth_facts[], perf_latency_facts[];

/** perf_observe, perf_serve - what observe() and serve() of a plugin's source do */
int perf_observe(struct rs_ctx *ctx, const struct perf_params *params, enum perf_kind kind, enum perf_measure measure);
int perf_serve(struct rs_ctx *ctx, const struct perf_params *params, enum perf_kind kind, enum perf_measure measure);

#define PERF_FUNCTIONS_OF(word, measure, kind)                                                                         \
	static int word##_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted)                             \
	{                                                                                                              \
		(void)wanted;                                                                                          \
		return perf_observe(ctx, params, kind, measure);                                                       \
	}                                                                                                              \
	static int word##_serve(struct rs_ctx *ctx, const void *params)                                                \
	{                                                                                                              \
		return perf_serve(ctx, params, kind, measure);                                                         \
	}

#define PERF_FUNCTIONS(plugin, kind)                                                                                   \
	PERF_FUNCTIONS_OF(bandwidth, PERF_BANDWIDTH, kind)                                                             \
	PERF_FUNCTIONS_OF(latency, PERF_LATENCY, kind)                                                                 \
	static const struct rs_probe perf_probes[] = {                                                                 \
		{.name = plugin ".bandwidth",                                                                          \
		 .summary = "bandwidth from one host to another, by perftest",                                         \
		 .row = "{size}",                                                                                      \
		 .facts = perf_bandwidth_facts},                                                                       \
		{.name = plugin ".latency",                                                                            \
		 .summary = "latency between two hosts, by perftest",                                                  \
		 .row = "{size}",                                                                                      \
		 .facts = perf_latency_facts},                                                                         \
	};

#define PERF_SOURCE(plugin, word, index, text)                                                                         \
	{                                                                                                              \
		.name = plugin "." #word, .summary = text, .scope = RS_PAIR, .flags = RS_EXCLUSIVE,                    \
		.params = perf_##word##_params, .params_size = sizeof(struct perf_params),                             \
		.probes = &perf_probes[index], .nprobes = 1, .observe = word##_observe, .serve = word##_serve          \
	}

#define PERF_SOURCES(plugin)                                                                                           \
	PERF_SOURCE(plugin, bandwidth, 0, "bandwidth from one host to another, by perftest"),                          \
		PERF_SOURCE(plugin, latency, 1, "latency between two hosts, by perftest")
