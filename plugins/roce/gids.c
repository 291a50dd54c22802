/* SPDX-License-Identifier: BSD-2-Clause */
/* roce.gids: one row an entry of a GID table, from libibverbs; from sysfs on a recorded tree */
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "roce/netdev.h"
#include "roce/roce.h"
#include "roce/verbs.h"
#include "support/gid.h"
#include "support/port.h"
#include "support/sysfs.h"

enum { DEVICE, PORT, INDEX, GID, TYPE, NETDEV, ADDRESS, LINK_LOCAL, VLAN, FACTS };

enum { ROCE_V1, ROCE_V2 };
static const char *const types[] = {"RoCE v1", "RoCE v2", NULL};

static const struct rs_fact facts[] = {
	[DEVICE] = {.name = "device", .type = RS_TEXT, .flags = RS_F_KEY, .doc = "name of the RDMA device"},
	[PORT] = {.name = "port", .type = RS_INTEGER, .flags = RS_F_KEY, .doc = "port number"},
	[INDEX] = {.name = "index",
		   .type = RS_INTEGER,
		   .flags = RS_F_KEY,
		   .doc = "index in the port's GID table; not the same after a link flap or a fail-over"},
	[GID] = {.name = "gid", .type = RS_GID, .doc = "the GID; empty entries are no rows"},
	[TYPE] = {.name = "type",
		  .type = RS_ENUM,
		  .choices = types,
		  .doc = "RoCE version that is sent with this entry",
		  .observed_by = "needs a kernel that tells the type (gid_attrs/types)"},
	[NETDEV] =
		{.name = "netdev",
		 .type = RS_TEXT,
		 .doc = "network device of the entry: the port's own, or that of a VLAN on it; none where the kernel "
			"gives none"},
	[ADDRESS] = {.name = "address",
		     .type = RS_IP,
		     .doc = "the IP address that the GID carries: IPv4 for ::ffff:a.b.c.d, else IPv6"},
	[LINK_LOCAL] = {.name = "link_local",
			.type = RS_BOOLEAN,
			.doc = "fe80::/10 or 169.254.0.0/16: reaches nothing behind a router"},
	[VLAN] = {.name = "vlan",
		  .type = RS_INTEGER,
		  .doc = "VLAN id of the entry's netdev, from rtnetlink; none for one that is no VLAN's",
		  .observed_by = "needs a live host whose netdev is visible: sysfs does not tell the id"},
	[FACTS] = {0},
};

static void set_address(struct rs_ctx *ctx, const uint8_t gid[16])
{
	const uint8_t *ipv4 = gid_ipv4(gid);

	rs_set_ip(ctx, ADDRESS, ipv4 ? AF_INET : AF_INET6, ipv4 ? ipv4 : gid);
	rs_set_boolean(ctx, LINK_LOCAL, gid_link_local(gid));
}

static void set_type(struct rs_ctx *ctx, enum gid_type type)
{
	if (type == GID_V1)
		rs_set_enum(ctx, TYPE, ROCE_V1);
	else if (type == GID_V2)
		rs_set_enum(ctx, TYPE, ROCE_V2);
}

static void set_vlan(struct rs_ctx *ctx, const struct netdevs *netdevs, const char *netdev)
{
	int vlan = *netdev ? netdev_vlan(netdevs, netdev) : NO_VLAN;

	if (vlan == NO_VLAN)
		rs_set_none(ctx, VLAN);
	else if (vlan >= 0)
		rs_set_integer(ctx, VLAN, vlan);
}

static void add_row(struct rs_ctx *ctx, const struct netdevs *netdevs, const char *device, unsigned port,
		    const struct gid_entry *entry)
{
	rs_row_begin(ctx, 0);
	rs_set_text(ctx, DEVICE, device);
	rs_set_integer(ctx, PORT, port);
	rs_set_integer(ctx, INDEX, entry->index);
	rs_set_gid(ctx, GID, entry->gid);
	set_type(ctx, entry->type);
	if (*entry->netdev)
		rs_set_text(ctx, NETDEV, entry->netdev);
	else if (entry->netdev_told)
		rs_set_none(ctx, NETDEV);
	set_address(ctx, entry->gid);
	if (entry->netdev_told)
		set_vlan(ctx, netdevs, entry->netdev);
}

/* Without that folder the kernel does not tell types, whatever libibverbs makes of it */
static bool types_told(struct rs_ctx *ctx, const char *device, unsigned port)
{
	char **names;

	return sysfs_list(ctx, &names, "class/infiniband/%s/ports/%u/gid_attrs/types", device, port) > 0;
}

static enum gid_type type_of_code(uint32_t code)
{
	if (code == IBV_GID_TYPE_ROCE_V1)
		return GID_V1;
	return code == IBV_GID_TYPE_ROCE_V2 ? GID_V2 : GID_UNKNOWN;
}

static int by_index(const void *a, const void *b)
{
	const struct ibv_gid_entry *left = a, *right = b;

	return (left->gid_index > right->gid_index) - (left->gid_index < right->gid_index);
}

/* How many entries all tables of the device can have */
static size_t table_size(struct ibv_context *context)
{
	struct ibv_device_attr device;
	struct ibv_port_attr port;
	size_t size = 0;

	if (ibv_query_device(context, &device))
		return 0;
	for (unsigned i = 1; i <= device.phys_port_cnt; i++)
		if (!ibv_query_port(context, (uint8_t)i, &port) && port.gid_tbl_len > 0)
			size += (size_t)port.gid_tbl_len;
	return size;
}

/* Returns the number of the port's entries, or a negative errno */
static int through_verbs(struct rs_ctx *ctx, struct ibv_context *context, const struct netdevs *netdevs,
			 const char *device, unsigned port)
{
	size_t size = table_size(context);
	struct ibv_gid_entry *entries = rs_alloc(ctx, (size + 1) * sizeof(*entries));
	ssize_t count = ibv_query_gid_table(context, entries, size, 0);
	bool told = types_told(ctx, device, port);
	int kept = 0;

	if (count < 0)
		return (int)count;
	qsort(entries, (size_t)count, sizeof(*entries), by_index);
	for (ssize_t i = 0; i < count; i++) {
		struct gid_entry entry = {.index = entries[i].gid_index,
					  .type = told ? type_of_code(entries[i].gid_type) : GID_UNKNOWN,
					  .netdev_told = true};

		if (entries[i].port_num != port)
			continue;
		memcpy(entry.gid, entries[i].gid.raw, sizeof(entry.gid));
		if (!entries[i].ndev_ifindex || !if_indextoname(entries[i].ndev_ifindex, entry.netdev))
			entry.netdev[0] = '\0';
		add_row(ctx, netdevs, device, port, &entry);
		kept++;
	}
	return kept;
}

static int through_sysfs(struct rs_ctx *ctx, const struct netdevs *netdevs, const char *device, unsigned port)
{
	struct gid_entry *entries;
	int count = gid_table(ctx, device, port, &entries);

	for (int i = 0; i < count; i++)
		add_row(ctx, netdevs, device, port, &entries[i]);
	return count;
}

struct search {
	struct netdevs netdevs;
	int ports;
};

static void visit(struct rs_ctx *ctx, const char *device, unsigned port, void *user)
{
	struct search *search = user;
	struct ibv_context *context;
	const char *why;
	int count = -1;

	if (port_is_infiniband(ctx, device, port))
		return;
	search->ports++;
	context = verbs_open(ctx, device, &why);
	if (context)
		count = through_verbs(ctx, context, &search->netdevs, device, port);
	verbs_close(context);
	if (count < 0)
		count = through_sysfs(ctx, &search->netdevs, device, port);
	if (count < 0)
		rs_incomplete(ctx, "%s port %u: its GID table cannot be read: %s", device, port, strerror(-count));
	else if (!count)
		rs_note(ctx, "%s port %u: its GID table is empty, or holds nothing of this network namespace", device,
			port);
}

int roce_gids_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted)
{
	struct search search = {.ports = 0};
	int error;

	netdevs_read(ctx, &search.netdevs);
	error = select_ports(ctx, params, visit, &search);
	if (!error && !search.ports)
		error = roce_no_port(ctx);
	return error;
}

const struct rs_param roce_gids_params[] = {RDMA_SELECT_DEVICE, RDMA_SELECT_PORT, {0}};

const struct rs_probe roce_gids_probe = {
	.name = "roce.gids",
	.summary = "GID tables: which index carries which address, RoCE version and VLAN",
	.row = "{device} port {port} GID {index}",
	.facts = facts,
};
