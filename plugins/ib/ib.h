/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the probes of this plugin, one file each; plugin.c lists them */
#pragma once

#include <rdmaspec/plugin.h>

/** struct ib_select - which devices and ports are meant; both optional */
struct ib_select {
	const char *device; /* a name, or a glob */
	const int64_t *port;
};

/* Rows of rs_param, for parameter structs that begin with a struct ib_select */
#define IB_SELECT_DEVICE                                                                                               \
	{                                                                                                              \
		.key = "device", .type = RS_TEXT, .offset = offsetof(struct ib_select, device),                        \
		.doc = "RDMA device, or a glob over their names (\"mlx5_*\"); without it all of them"                  \
	}
#define IB_SELECT_PORT                                                                                                 \
	{                                                                                                              \
		.key = "port", .type = RS_INTEGER, .offset = offsetof(struct ib_select, port), .min = 1, .max = 254,   \
		.doc = "port number; without it all ports"                                                             \
	}

/** ib_devices - those that @select means, ended by NULL; the number, or what rs_error() returned (none there: absent)
 */
int ib_devices(struct rs_ctx *ctx, const struct ib_select *select, char ***devices);

/**
 * ib_each_port - call @visit for each port that @select means
 *
 * A device whose ports cannot be read gets a note and does not stop the others. Returns 0, or what rs_error() returned:
 * also where a port was named and no device has it.
 */
int ib_each_port(struct rs_ctx *ctx, const struct ib_select *select,
		 void (*visit)(struct rs_ctx *ctx, const char *device, unsigned port, void *user), void *user);

struct ib_sm_params {
	const char *device;
	const int64_t *port;
	const int64_t *lid;
	double mad_timeout;
	int64_t retries;
	uint64_t m_key;
};

extern const struct rs_param ib_devices_params[], ib_ports_params[], ib_sm_params[];
extern const struct rs_probe ib_devices_probe, ib_ports_probe, ib_sm_probe;
int ib_devices_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int ib_ports_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int ib_sm_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
