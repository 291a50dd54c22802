/* SPDX-License-Identifier: BSD-2-Clause */
/* roce.devices: one row an Ethernet port of an RDMA device, with the network device that belongs to it */
#include <errno.h>
#include <ifaddrs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "roce/netdev.h"
#include "roce/roce.h"
#include "roce/verbs.h"
#include "support/addresses.h"
#include "support/link.h"
#include "support/port.h"
#include "support/sysfs.h"

enum {
	DEVICE,
	PORT,
	PROTOCOL,
	STATE,
	PHYSICAL_STATE,
	DRIVER,
	NETDEV,
	NETDEV_STATE,
	BOND,
	BOND_SLAVES,
	BOND_MODE,
	VLAN,
	MTU,
	ACTIVE_MTU,
	MAX_MTU,
	MTU_FITS,
	SPEED,
	ADDRESSES,
	FACTS
};

static const char *const protocols[] = {"RoCE", "iWARP", NULL};
static const char *const netdev_states[] = {"unknown", "notpresent", "down", "lowerlayerdown",
					    "testing", "dormant",    "up",   NULL};

#define NEEDS_FILE "needs a kernel and driver that have the file"
#define NEEDS_NETDEV "needs a netdev in this network namespace"
#define NEEDS_VERBS "needs a live host and access to the uverbs device in /dev/infiniband"

static const struct rs_fact facts[] = {
	[DEVICE] = {.name = "device", .type = RS_TEXT, .flags = RS_F_KEY, .doc = "name of the RDMA device"},
	[PORT] = {.name = "port", .type = RS_INTEGER, .flags = RS_F_KEY, .doc = "port number"},
	[PROTOCOL] = {.name = "protocol",
		      .type = RS_ENUM,
		      .choices = protocols,
		      .doc = "by file node_type: 4 (RNIC) is iWARP, on an Ethernet port all else is RoCE",
		      .observed_by = NEEDS_FILE},
	[STATE] = {.name = "state",
		   .type = RS_ENUM,
		   .flags = RS_F_ORDERED | RS_F_HIGHER,
		   .choices = link_states,
		   .doc = "file state: the logical state of the port",
		   .observed_by = NEEDS_FILE},
	[PHYSICAL_STATE] = {.name = "physical_state",
			    .type = RS_ENUM,
			    .choices = link_physical_states,
			    .doc = "file phys_state",
			    .observed_by = NEEDS_FILE},
	[DRIVER] = {.name = "driver",
		    .type = RS_TEXT,
		    .doc = "verbs driver: mlx5, irdma, bnxt_re, efa, erdma, rxe, siw, ... (RDMA netlink, else by the "
			   "bus's "
			   "driver in sysfs)",
		    .observed_by = "needs a kernel that tells it, or the device's bus in sysfs"},
	[NETDEV] = {.name = "netdev",
		    .type = RS_TEXT,
		    .doc = "network device of the port (RDMA netlink, else the GID table's first); none where there is "
			   "none in this network namespace",
		    .observed_by = "needs RDMA netlink, or gid_attrs/ndevs in sysfs"},
	[NETDEV_STATE] = {.name = "netdev_state",
			  .type = RS_ENUM,
			  .choices = netdev_states,
			  .doc = "file operstate of the netdev",
			  .observed_by = NEEDS_NETDEV},
	[BOND] = {.name = "bond",
		  .type = RS_TEXT,
		  .doc = "the bond that the netdev is, or is a slave of; none where it is neither",
		  .observed_by = NEEDS_NETDEV},
	[BOND_SLAVES] = {.name = "bond_slaves",
			 .type = RS_TEXT,
			 .flags = RS_F_LIST,
			 .doc = "file bonding/slaves of that bond; none without a bond",
			 .observed_by = NEEDS_NETDEV},
	[BOND_MODE] =
		{.name = "bond_mode",
		 .type = RS_TEXT,
		 .doc = "file bonding/mode of that bond, its word: active-backup, 802.3ad, ...; none without a bond",
		 .observed_by = NEEDS_NETDEV},
	[VLAN] = {.name = "vlan",
		  .type = RS_INTEGER,
		  .flags = RS_F_LIST,
		  .doc = "ids of the VLANs on top of the netdev, rising (rtnetlink); none where there is none",
		  .observed_by = "needs a live host: sysfs does not tell the id"},
	[MTU] = {.name = "mtu",
		 .type = RS_INTEGER,
		 .flags = RS_F_HIGHER,
		 .doc = "file mtu of the netdev, in bytes",
		 .observed_by = NEEDS_NETDEV},
	[ACTIVE_MTU] = {.name = "active_mtu",
			.type = RS_ENUM,
			.flags = RS_F_ORDERED | RS_F_HIGHER,
			.choices = link_mtus,
			.doc = "active_mtu of the port (ibv_query_port), in bytes",
			.observed_by = NEEDS_VERBS},
	[MAX_MTU] = {.name = "max_mtu",
		     .type = RS_ENUM,
		     .flags = RS_F_ORDERED | RS_F_HIGHER,
		     .choices = link_mtus,
		     .doc = "max_mtu of the port (ibv_query_port), in bytes",
		     .observed_by = NEEDS_VERBS},
	[MTU_FITS] = {.name = "mtu_fits",
		      .type = RS_BOOLEAN,
		      .doc = "active_mtu is the largest that leaves room for RoCE's headers in the netdev's mtu, 96 "
			     "bytes as "
			     "the kernel counts them, and that max_mtu allows: 1024 in 1500, 4096 in 4200",
		      .observed_by = NEEDS_VERBS ", and a netdev"},
	[SPEED] = {.name = "speed",
		   .type = RS_QUANTITY,
		   .unit = "Mb/s",
		   .flags = RS_F_HIGHER,
		   .doc = "file speed of the netdev",
		   .observed_by = "needs a netdev that is up and knows its speed"},
	[ADDRESSES] = {.name = "addresses",
		       .type = RS_IP,
		       .flags = RS_F_LIST,
		       .doc = "IPv4 and IPv6 addresses of the netdev; none where it has none",
		       .observed_by = "needs a live host and a netdev in this network namespace"},
	[FACTS] = {0},
};

struct search {
	struct netdevs netdevs;
	struct ifaddrs *addresses;
	int ports;
};

static void set_protocol(struct rs_ctx *ctx, const char *device)
{
	uint64_t type;

	if (!sysfs_number(ctx, &type, "class/infiniband/%s/node_type", device))
		rs_set_enum(ctx, PROTOCOL, type == 4);
}

static void set_states(struct rs_ctx *ctx, const char *device, unsigned port)
{
	uint64_t value;

	if (!sysfs_number(ctx, &value, "class/infiniband/%s/ports/%u/state", device, port))
		link_set_code(ctx, STATE, link_state((unsigned)value), (unsigned)value);
	if (!sysfs_number(ctx, &value, "class/infiniband/%s/ports/%u/phys_state", device, port))
		link_set_code(ctx, PHYSICAL_STATE, link_physical((unsigned)value), (unsigned)value);
}

static void set_driver(struct rs_ctx *ctx, const struct netdevs *netdevs, const char *device, unsigned port)
{
	const struct rdma_link *link = rdma_link_find(&netdevs->links, device, port);
	char driver[64];

	if (link && *link->driver)
		rs_set_text(ctx, DRIVER, link->driver);
	else if (rdma_driver(ctx, device, driver, sizeof(driver)))
		rs_set_text(ctx, DRIVER, driver);
}

static void set_netdev_state(struct rs_ctx *ctx, const char *netdev)
{
	char text[32];

	if (sysfs_read(ctx, text, sizeof(text), "class/net/%s/operstate", netdev) < 0)
		return;
	for (int i = 0; netdev_states[i]; i++) {
		if (strcmp(text, netdev_states[i]))
			continue;
		rs_set_enum(ctx, NETDEV_STATE, i);
		return;
	}
	rs_set_unknown(ctx, NETDEV_STATE, text);
}

static void set_bond(struct rs_ctx *ctx, const char *netdev)
{
	char bond[IFNAMSIZ], mode[64], **slaves;
	int count = sysfs_list(ctx, &slaves, "class/net/%s", netdev);

	if (count < 0)
		return; /* it cannot be seen */
	if (!netdev_bond(ctx, netdev, bond)) {
		for (unsigned fact = BOND; fact <= BOND_MODE; fact++)
			rs_set_none(ctx, fact);
		return;
	}
	rs_set_text(ctx, BOND, bond);
	count = netdev_slaves(ctx, bond, &slaves);
	if (!count)
		rs_set_none(ctx, BOND_SLAVES);
	for (int i = 0; i < count; i++)
		rs_set_text(ctx, BOND_SLAVES, slaves[i]);
	if (sysfs_read(ctx, mode, sizeof(mode), "class/net/%s/bonding/mode", bond) > 0) {
		mode[strcspn(mode, " ")] = '\0'; /* "active-backup 1" */
		rs_set_text(ctx, BOND_MODE, mode);
	}
}

static int by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void set_vlans(struct rs_ctx *ctx, const struct netdevs *netdevs, const char *netdev)
{
	int *ids = rs_alloc(ctx, (netdevs->nvlans + 1) * sizeof(*ids));
	unsigned index = if_nametoindex(netdev);
	size_t count = 0;

	if (!netdevs->vlans_known || !index)
		return;
	for (size_t i = 0; i < netdevs->nvlans; i++)
		if (netdevs->vlans[i].lower == index)
			ids[count++] = netdevs->vlans[i].id;
	qsort(ids, count, sizeof(*ids), by_number);
	if (!count)
		rs_set_none(ctx, VLAN);
	for (size_t i = 0; i < count; i++)
		rs_set_integer(ctx, VLAN, ids[i]);
}

static void set_speed(struct rs_ctx *ctx, const char *netdev)
{
	uint64_t speed;
	char text[32];

	/* -1, or an error, where it is down or does not know */
	if (sysfs_number(ctx, &speed, "class/net/%s/speed", netdev) || !speed || speed >= UINT32_MAX)
		return;
	snprintf(text, sizeof(text), "%u", (unsigned)speed);
	rs_set_decimal(ctx, SPEED, text);
}

/* Returns its MTU, 0 where that is not known */
static unsigned set_netdev(struct rs_ctx *ctx, const struct search *search, const char *netdev)
{
	uint64_t mtu = 0;

	rs_set_text(ctx, NETDEV, netdev);
	set_netdev_state(ctx, netdev);
	set_bond(ctx, netdev);
	set_vlans(ctx, &search->netdevs, netdev);
	set_speed(ctx, netdev);
	if (search->addresses)
		addresses_set(ctx, ADDRESSES, netdev, search->addresses);
	if (!sysfs_number(ctx, &mtu, "class/net/%s/mtu", netdev))
		rs_set_integer(ctx, MTU, (int64_t)mtu);
	return (unsigned)mtu;
}

/*
 * GRH 40, UDP 8, BTH 12, XRC 4, AtomicETH 28, ICRC 4: what iboe_get_mtu() of the kernel takes off a netdev's MTU before
 * it takes the next lower one of 256, 512, ..., 4096
 */
#define ROCE_HEADERS 96

static bool fits(enum ibv_mtu active, enum ibv_mtu max, unsigned mtu)
{
	unsigned code = IBV_MTU_4096;

	while (code > IBV_MTU_256 && (128u << code) + ROCE_HEADERS > mtu)
		code--;
	return active == (code < max ? code : (unsigned)max);
}

static void set_mtus(struct rs_ctx *ctx, const char *device, unsigned port, unsigned netdev_mtu)
{
	struct ibv_port_attr attributes;
	struct ibv_context *context;
	const char *why = NULL;

	context = verbs_open(ctx, device, &why);
	if (!context || ibv_query_port(context, (uint8_t)port, &attributes)) {
		verbs_close(context);
		for (unsigned fact = ACTIVE_MTU; fact <= MTU_FITS && why; fact++)
			rs_not_observed(ctx, fact, why);
		return;
	}
	verbs_close(context);
	link_set_code(ctx, ACTIVE_MTU, link_mtu(attributes.active_mtu), attributes.active_mtu);
	link_set_code(ctx, MAX_MTU, link_mtu(attributes.max_mtu), attributes.max_mtu);
	if (netdev_mtu)
		rs_set_boolean(ctx, MTU_FITS, fits(attributes.active_mtu, attributes.max_mtu, netdev_mtu));
}

static void visit(struct rs_ctx *ctx, const char *device, unsigned port, void *user)
{
	struct search *search = user;
	char netdev[IFNAMSIZ];
	unsigned mtu = 0;
	int found;

	if (port_is_infiniband(ctx, device, port))
		return;
	search->ports++;
	rs_row_begin(ctx, 0);
	rs_set_text(ctx, DEVICE, device);
	rs_set_integer(ctx, PORT, port);
	set_protocol(ctx, device);
	set_states(ctx, device, port);
	set_driver(ctx, &search->netdevs, device, port);
	found = netdev_of_port(&search->netdevs, device, port, netdev);
	if (found > 0)
		mtu = set_netdev(ctx, search, netdev);
	else if (!found)
		rs_set_none(ctx, NETDEV);
	set_mtus(ctx, device, port, mtu);
}

int roce_devices_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted)
{
	struct search search = {.ports = 0};
	int error;

	if (!rs_recorded(ctx) && getifaddrs(&search.addresses) < 0)
		return rs_error(ctx, RS_FAILED, "the addresses of this host cannot be read: %s", strerror(errno));
	netdevs_read(ctx, &search.netdevs);
	error = select_ports(ctx, params, visit, &search);
	if (!error && !search.ports)
		error = roce_no_port(ctx);
	freeifaddrs(search.addresses);
	return error;
}

const struct rs_param roce_devices_params[] = {RDMA_SELECT_DEVICE, RDMA_SELECT_PORT, {0}};

const struct rs_probe roce_devices_probe = {
	.name = "roce.devices",
	.summary = "RDMA devices on Ethernet and their network devices: state, bond, VLANs, MTU, speed, addresses",
	.row = "{device} port {port}",
	.facts = facts,
};
