/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the probes of this plugin, one file each; plugin.c lists them */
#pragma once

#include <rdmaspec/plugin.h>

#include "support/select.h"

struct ib_sm_params {
	const char *device;
	const int64_t *port;
	const int64_t *lid;
	double mad_timeout;
	int64_t retries;
	uint64_t m_key;
};

struct ib_ipoib_params {
	const char *netdev;
};

struct ib_counters_params {
	struct rdma_select select;
	double over;
};

extern const struct rs_param ib_counters_params[];
extern const struct rs_probe ib_counters_probe;
int ib_counters_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);

extern const struct rs_param ib_devices_params[], ib_ports_params[], ib_pkeys_params[], ib_ipoib_params[],
	ib_sm_params[];
extern const struct rs_probe ib_devices_probe, ib_ports_probe, ib_pkeys_probe, ib_ipoib_probe, ib_sm_probe;
int ib_devices_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int ib_ports_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int ib_pkeys_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int ib_ipoib_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int ib_sm_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
