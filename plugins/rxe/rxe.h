/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the probes of this plugin, one file each; plugin.c lists them */
#pragma once

#include <rdmaspec/plugin.h>

#include "support/rdma.h"
#include "support/select.h"

extern const struct rs_param rxe_links_params[];
extern const struct rs_probe rxe_links_probe;
int rxe_links_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);

/** rxe_read_links - all RDMA links, by device; 0, or what rs_error() returned */
int rxe_read_links(struct rs_ctx *ctx, struct rdma_links *links);

#define RXE_NAME_MAX 63 /* bytes of the name of an RDMA device */

struct rxe_link_params {
	const char *name;
	const char *netdev;
};
extern const struct rs_param rxe_link_params[];
extern const struct rs_probe rxe_link_probe;
int rxe_link_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted);
int rxe_link_undo(struct rs_ctx *ctx, const char *state);
