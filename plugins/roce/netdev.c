/* SPDX-License-Identifier: BSD-2-Clause */
#include "roce/netdev.h"

#include <errno.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/netlink.h"
#include "support/sysfs.h"

static void add_vlan(struct netdevs *netdevs, const struct vlan *vlan)
{
	if (netdevs->nvlans == netdevs->vlans_capacity) {
		size_t capacity = netdevs->vlans_capacity ? 2 * netdevs->vlans_capacity : 16;
		struct vlan *larger = rs_alloc(netdevs->ctx, capacity * sizeof(*larger));

		if (netdevs->nvlans)
			memcpy(larger, netdevs->vlans, netdevs->nvlans * sizeof(*larger));
		netdevs->vlans = larger;
		netdevs->vlans_capacity = capacity;
	}
	netdevs->vlans[netdevs->nvlans++] = *vlan;
}

static void on_link(const struct nlmsghdr *message, void *user)
{
	const struct nlattr *link[IFLA_LINKINFO + 1], *info[IFLA_INFO_DATA + 1], *data[IFLA_VLAN_ID + 1];
	struct netdevs *netdevs = user;
	struct vlan vlan;
	char kind[16];

	netlink_attributes(message, sizeof(struct ifinfomsg), link, IFLA_LINKINFO);
	if (!link[IFLA_LINKINFO])
		return;
	netlink_nested(link[IFLA_LINKINFO], info, IFLA_INFO_DATA);
	netlink_text(info[IFLA_INFO_KIND], kind, sizeof(kind));
	if (strcmp(kind, "vlan") || !info[IFLA_INFO_DATA])
		return;
	netlink_nested(info[IFLA_INFO_DATA], data, IFLA_VLAN_ID);
	netlink_text(link[IFLA_IFNAME], vlan.netdev, sizeof(vlan.netdev));
	vlan.lower = netlink_u32(link[IFLA_LINK], 0);
	vlan.id = netlink_u16(data[IFLA_VLAN_ID], 0);
	add_vlan(netdevs, &vlan);
}

static void forget_links(void *user)
{
	((struct netdevs *)user)->nvlans = 0;
}

void netdevs_read(struct rs_ctx *ctx, struct netdevs *netdevs)
{
	struct netlink_request request;

	*netdevs = (struct netdevs){.ctx = ctx};
	if (rs_recorded(ctx))
		return;
	if (rdma_links(ctx, &netdevs->links) < 0)
		netdevs->links.count = 0;
	netlink_begin(&request, RTM_GETLINK, true, sizeof(struct ifinfomsg));
	netdevs->vlans_known = !netlink_ask(ctx, NETLINK_ROUTE, &request, on_link, forget_links, netdevs);
}

/* The lowest index that names one: the port's own default GIDs come first */
static bool by_gid_table(struct rs_ctx *ctx, const char *device, unsigned port, char name[IFNAMSIZ])
{
	char **entries;
	int count = sysfs_list(ctx, &entries, "class/infiniband/%s/ports/%u/gid_attrs/ndevs", device, port);

	for (int i = 0; i < count; i++)
		if (sysfs_read(ctx, name, IFNAMSIZ, "class/infiniband/%s/ports/%u/gid_attrs/ndevs/%s", device, port,
			       entries[i]) > 0)
			return true;
	return false;
}

/* Netdevs of the same PCI function: the one whose dev_port is the port's, counted from 0 */
static bool by_function(struct rs_ctx *ctx, const char *device, unsigned port, char name[IFNAMSIZ])
{
	char **entries;
	int count = sysfs_list(ctx, &entries, "class/infiniband/%s/device/net", device);

	for (int i = 0; i < count; i++) {
		uint64_t number;

		if (sysfs_number(ctx, &number, "class/infiniband/%s/device/net/%s/dev_port", device, entries[i]) &&
		    sysfs_number(ctx, &number, "class/net/%s/dev_port", entries[i]))
			continue;
		if (number + 1 != port || strlen(entries[i]) >= IFNAMSIZ)
			continue;
		strcpy(name, entries[i]);
		return true;
	}
	return false;
}

int netdev_of_port(const struct netdevs *netdevs, const char *device, unsigned port, char name[IFNAMSIZ])
{
	const struct rdma_link *link = rdma_link_find(&netdevs->links, device, port);
	char **entries;

	if (link) {
		snprintf(name, IFNAMSIZ, "%s", link->netdev);
		return *name != '\0';
	}
	if (by_gid_table(netdevs->ctx, device, port, name) ||
	    sysfs_read(netdevs->ctx, name, IFNAMSIZ, "class/infiniband/%s/parent", device) > 0 ||
	    by_function(netdevs->ctx, device, port, name))
		return 1;
	return sysfs_list(netdevs->ctx, &entries, "class/infiniband/%s/ports/%u/gid_attrs/ndevs", device, port) < 0
		       ? -ENODATA
		       : 0;
}

int netdev_vlan(const struct netdevs *netdevs, const char *netdev)
{
	char uevent[512];
	int length;

	for (size_t i = 0; i < netdevs->nvlans; i++)
		if (!strcmp(netdevs->vlans[i].netdev, netdev))
			return netdevs->vlans[i].id;
	if (netdevs->vlans_known)
		return NO_VLAN;
	length = sysfs_read(netdevs->ctx, uevent, sizeof(uevent), "class/net/%s/uevent", netdev);
	if (length < 0)
		return length == -EPERM ? -EACCES : length; /* -1 is NO_VLAN */
	return strstr(uevent, "DEVTYPE=vlan") ? -ENODATA : NO_VLAN;
}

static bool is_bond(struct rs_ctx *ctx, const char *netdev)
{
	char text[32];

	return sysfs_read(ctx, text, sizeof(text), "class/net/%s/bonding/mode", netdev) >= 0;
}

bool netdev_bond(struct rs_ctx *ctx, const char *netdev, char name[IFNAMSIZ])
{
	if (is_bond(ctx, netdev)) {
		snprintf(name, IFNAMSIZ, "%s", netdev);
		return true;
	}
	return sysfs_link(ctx, name, IFNAMSIZ, "class/net/%s/master", netdev) > 0 && is_bond(ctx, name);
}

int netdev_slaves(struct rs_ctx *ctx, const char *bond, char ***slaves)
{
	char text[4096], *rest = text, *word;
	int length = sysfs_read(ctx, text, sizeof(text), "class/net/%s/bonding/slaves", bond), count = 0;

	if (length < 0)
		return length;
	*slaves = rs_alloc(ctx, ((size_t)length + 2) * sizeof(**slaves));
	while ((word = strsep(&rest, " \n"))) {
		if (!*word)
			continue;
		(*slaves)[count] = rs_alloc(ctx, strlen(word) + 1);
		strcpy((*slaves)[count++], word);
	}
	return count;
}

int netdev_physical(struct rs_ctx *ctx, const char *netdev, char ***names)
{
	if (is_bond(ctx, netdev))
		return netdev_slaves(ctx, netdev, names);
	*names = rs_alloc(ctx, 2 * sizeof(**names));
	(*names)[0] = rs_alloc(ctx, strlen(netdev) + 1);
	strcpy((*names)[0], netdev);
	return 1;
}
