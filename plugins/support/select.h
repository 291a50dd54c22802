/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: which of the host's RDMA devices and ports a step means */
#pragma once

#include <rdmaspec/plugin.h>

/** struct rdma_select - both optional */
struct rdma_select {
	const char *device; /* a name, or a glob */
	const int64_t *port;
};

/* Rows of rs_param, for parameter structs that begin with a struct rdma_select */
#define RDMA_SELECT_DEVICE                                                                                             \
	{                                                                                                              \
		.key = "device", .type = RS_TEXT, .offset = offsetof(struct rdma_select, device),                      \
		.doc = "RDMA device, or a glob over their names (\"mlx5_*\"); without it all of them"                  \
	}
#define RDMA_SELECT_PORT                                                                                               \
	{                                                                                                              \
		.key = "port", .type = RS_INTEGER, .offset = offsetof(struct rdma_select, port), .min = 1, .max = 254, \
		.doc = "port number; without it all ports"                                                             \
	}

/**
 * select_devices - those that @select means, ended by NULL; the number, or what rs_error() returned (none there:
 * absent)
 */
int select_devices(struct rs_ctx *ctx, const struct rdma_select *select, char ***devices);

/**
 * select_ports - call @visit for each port that @select means
 *
 * A device whose ports cannot be read gets a note and does not stop the others. Returns 0, or what rs_error() returned:
 * also where a port was named and no device has it.
 */
int select_ports(struct rs_ctx *ctx, const struct rdma_select *select,
		 void (*visit)(struct rs_ctx *ctx, const char *device, unsigned port, void *user), void *user);
