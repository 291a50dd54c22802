/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: RDMA devices and ports as RDMA netlink tells them (what "rdma link" shows), with their netdevs and drivers */
#pragma once

#include <net/if.h>
#include <rdmaspec/plugin.h>

/**
 * struct rdma_link - one port
 * @state, @physical: codes as in PortInfo; 0: not told
 * @netdev_index: 0: it has none, or one of another network namespace
 * @driver: the verbs driver ("mlx5", "rxe", ...); "": the kernel does not tell
 */
struct rdma_link {
	uint32_t device_index;
	uint32_t port;
	unsigned state, physical;
	unsigned netdev_index;
	char device[64];
	char netdev[IFNAMSIZ];
	const char *driver;
};

struct rdma_links {
	struct rdma_link *items; /* of rs_alloc() */
	size_t count;
};

/** rdma_links - all of this network namespace; 0, or a negative errno (-EPROTONOSUPPORT: no RDMA in this kernel) */
int rdma_links(struct rs_ctx *ctx, struct rdma_links *links);

/** rdma_link_find - NULL where it is not among them */
const struct rdma_link *rdma_link_find(const struct rdma_links *links, const char *device, unsigned port);

/** rdma_link_add - a device in software of @type ("rxe") on a netdev; 0, or the kernel's negative errno */
int rdma_link_add(struct rs_ctx *ctx, const char *name, const char *type, const char *netdev);
int rdma_link_delete(struct rs_ctx *ctx, uint32_t device_index);

/**
 * rdma_driver - the verbs driver of a device by sysfs, for kernels that do not tell it, and recorded trees
 *
 * The driver of its bus, under its RDMA name where it has another (bnxt_en is bnxt_re); rxe and siw by their node
 * descriptions. Returns false where none of that can be read.
 */
bool rdma_driver(struct rs_ctx *ctx, const char *device, char *driver, size_t size);
