/* SPDX-License-Identifier: BSD-2-Clause */
/* rxe.links: one row a Soft RoCE device, from RDMA netlink; the addresses of its netdev from the kernel */
#include <errno.h>
#include <fnmatch.h>
#include <ifaddrs.h>
#include <stdlib.h>
#include <string.h>

#include "rxe/rxe.h"
#include "support/addresses.h"
#include "support/link.h"
#include "support/rdma.h"
#include "support/sysfs.h"

enum { DEVICE, PORT, NETDEV, STATE, PHYSICAL_STATE, NETDEV_ADDRESSES, FACTS };

#define NEEDS_KERNEL "needs a kernel that tells it (RDMA netlink)"

static const struct rs_fact facts[] = {
	[DEVICE] = {.name = "device", .type = RS_TEXT, .flags = RS_F_KEY, .doc = "name of the RDMA device"},
	[PORT] = {.name = "port", .type = RS_INTEGER, .doc = "port number: 1, the only one that rxe has"},
	[NETDEV] = {.name = "netdev",
		    .type = RS_TEXT,
		    .doc = "network device that it runs on; none where that is in another network namespace"},
	[STATE] = {.name = "state",
		   .type = RS_ENUM,
		   .flags = RS_F_ORDERED | RS_F_HIGHER,
		   .choices = link_states,
		   .doc = "logical state of the port",
		   .observed_by = NEEDS_KERNEL},
	[PHYSICAL_STATE] = {.name = "physical_state",
			    .type = RS_ENUM,
			    .choices = link_physical_states,
			    .doc = "physical state of the port: that of the netdev's carrier",
			    .observed_by = NEEDS_KERNEL},
	[NETDEV_ADDRESSES] =
		{.name = "netdev_addresses",
		 .type = RS_IP,
		 .flags = RS_F_LIST,
		 .doc = "IPv4 and IPv6 addresses of the netdev: a link that was added before its netdev had "
			"one lacks its GID on some kernels; none where it has none",
		 .observed_by = "needs a netdev of this network namespace"},
	[FACTS] = {0},
};

static void add_row(struct rs_ctx *ctx, const struct rdma_link *link, const struct ifaddrs *addresses)
{
	rs_row_begin(ctx, 0);
	rs_set_text(ctx, DEVICE, link->device);
	rs_set_integer(ctx, PORT, link->port);
	if (link->state)
		link_set_code(ctx, STATE, link_state(link->state), link->state);
	if (link->physical)
		link_set_code(ctx, PHYSICAL_STATE, link_physical(link->physical), link->physical);
	if (!link->netdev[0]) {
		rs_set_none(ctx, NETDEV);
		return;
	}
	rs_set_text(ctx, NETDEV, link->netdev);
	addresses_set(ctx, NETDEV_ADDRESSES, link->netdev, addresses);
}

static int by_name(const void *a, const void *b)
{
	return strverscmp(((const struct rdma_link *)a)->device, ((const struct rdma_link *)b)->device);
}

int rxe_read_links(struct rs_ctx *ctx, struct rdma_links *links)
{
	int error = rdma_links(ctx, links);

	if (error == -EPROTONOSUPPORT || error == -EOPNOTSUPP || error == -EINVAL)
		return rs_error(ctx, RS_UNSUPPORTED, "this kernel has no RDMA, or none that netlink shows");
	if (error)
		return rs_error(ctx, error == -EPERM ? RS_DENIED : RS_FAILED, "RDMA netlink: %s", strerror(-error));
	qsort(links->items, links->count, sizeof(*links->items), by_name);
	return 0;
}

int rxe_links_observe(struct rs_ctx *ctx, const void *params, uint32_t wanted)
{
	const struct rdma_select *select = params;
	struct ifaddrs *addresses = NULL;
	struct rdma_links links;
	int error;

	if (rs_recorded(ctx))
		return rs_error(ctx, RS_UNSUPPORTED, "rxe.links asks the kernel: a recorded tree has no netlink");
	error = rxe_read_links(ctx, &links);
	if (error)
		return error;
	if (getifaddrs(&addresses) < 0)
		return rs_error(ctx, RS_FAILED, "the addresses of this host cannot be read: %s", strerror(errno));
	for (size_t i = 0; i < links.count; i++)
		if (!strcmp(links.items[i].driver, "rxe") &&
		    (!select->device || !strcmp(select->device, links.items[i].device) ||
		     !fnmatch(select->device, links.items[i].device, 0)))
			add_row(ctx, &links.items[i], addresses);
	freeifaddrs(addresses);
	return 0;
}

const struct rs_param rxe_links_params[] = {RDMA_SELECT_DEVICE, {0}};

const struct rs_probe rxe_links_probe = {
	.name = "rxe.links",
	.summary = "Soft RoCE devices and the network devices that they run on",
	.row = "{device}",
	.facts = facts,
};
