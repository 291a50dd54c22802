/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the InfiniBand ports of this host as sysfs shows them, and the choice of one to reach the subnet through */
#pragma once

#include <rdmaspec/plugin.h>

/**
 * struct port_seen - what is needed to choose a port
 * @state, @physical: codes as in the files; 0 where they could not be read
 * @port_guid, @guid_known: low half of gids/0
 * @sm_lid, @lid: as in the files, 0 where they could not be read
 */
struct port_seen {
	const char *device;
	unsigned port;
	bool infiniband;
	unsigned state, physical;
	bool guid_known;
	uint64_t port_guid;
	uint16_t lid, sm_lid;
	uint32_t capability_mask;
};

/** port_is_infiniband - link_layer says so, or is not there (old kernels and the simulator) where lid_mask_count is */
bool port_is_infiniband(struct rs_ctx *ctx, const char *device, unsigned port);

/** port_read - one port of a device; what cannot be read stays zero */
void port_read(struct rs_ctx *ctx, const char *device, unsigned port, struct port_seen *seen);

/** port_devices - the RDMA devices in natural order; the number, or what rs_error() returned where there is no RDMA at
 * all */
int port_devices(struct rs_ctx *ctx, char ***devices);

/** port_ports - the port numbers of a device, rising; the number, or a negative errno */
int port_ports(struct rs_ctx *ctx, const char *device, unsigned **ports);

/**
 * port_choose - the port to use: @device and @port where they were given, else the first active one
 * @device: NULL: any
 * @port: 0: any
 *
 * Without both, an Ethernet port, one whose GUID is zero, and one that takes no SMPs (IsSMdisabled) are passed over; an
 * active port goes before one whose link is up. Returns 0, or what rs_error() returned.
 */
int port_choose(struct rs_ctx *ctx, const char *device, unsigned port, struct port_seen *chosen);
