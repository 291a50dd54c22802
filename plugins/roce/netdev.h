/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: network devices below and beside the RDMA ports: which one a port has, bonds, VLANs */
#pragma once

#include <net/if.h>
#include <rdmaspec/plugin.h>

#include "support/rdma.h"

#define NO_VLAN (-1)

/** struct vlan - a VLAN's netdev, from rtnetlink */
struct vlan {
	char netdev[IFNAMSIZ];
	unsigned lower; /* index of the netdev that it is on */
	int id;
};

/**
 * struct netdevs - what the kernel tells of them in one go
 * @links: the RDMA ports; empty on a recorded tree, and where the kernel has no RDMA netlink
 * @vlans, @nvlans: all of the network namespace; only where @vlans_known
 */
struct netdevs {
	struct rdma_links links;
	struct vlan *vlans;
	size_t nvlans, vlans_capacity;
	bool vlans_known;
	struct rs_ctx *ctx;
};

/** netdevs_read - what cannot be asked stays empty */
void netdevs_read(struct rs_ctx *ctx, struct netdevs *netdevs);

/**
 * netdev_of_port - by RDMA netlink, else by the first row of the GID table, the parent, or the device's netdevs in
 * sysfs
 *
 * Returns 1, 0 where it has none that can be seen here, or -ENODATA where nothing tells (a tree that lacks the files).
 */
int netdev_of_port(const struct netdevs *netdevs, const char *device, unsigned port, char name[IFNAMSIZ]);

/**
 * netdev_vlan - the VLAN of a netdev
 *
 * Returns its id; NO_VLAN where it is no VLAN's; a negative errno where that cannot be told (a recorded tree shows that
 * it is one, and not which).
 */
int netdev_vlan(const struct netdevs *netdevs, const char *netdev);

/** netdev_bond - the bond that it is, or is a slave of; false: neither */
bool netdev_bond(struct rs_ctx *ctx, const char *netdev, char name[IFNAMSIZ]);

/** netdev_slaves - of a bond, ended by NULL; the number, or a negative errno */
int netdev_slaves(struct rs_ctx *ctx, const char *bond, char ***slaves);

/** netdev_physical - @netdev itself, or a bond's slaves: where a NIC's own settings and counters are */
int netdev_physical(struct rs_ctx *ctx, const char *netdev, char ***names);
