/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/rdma.h"

#include <errno.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/rdma_netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/netlink.h"
#include "support/sysfs.h"

/* Devices that the kernel of this header does not know yet are told by sysfs */
static const struct {
	unsigned id;
	const char *name;
} drivers[] = {
	{RDMA_DRIVER_MLX5, "mlx5"},	{RDMA_DRIVER_MLX4, "mlx4"},   {RDMA_DRIVER_CXGB3, "cxgb3"},
	{RDMA_DRIVER_CXGB4, "cxgb4"},	{RDMA_DRIVER_MTHCA, "mthca"}, {RDMA_DRIVER_BNXT_RE, "bnxt_re"},
	{RDMA_DRIVER_OCRDMA, "ocrdma"}, {RDMA_DRIVER_NES, "nes"},     {RDMA_DRIVER_IRDMA, "irdma"},
	{RDMA_DRIVER_QEDR, "qedr"},	{RDMA_DRIVER_HNS, "hns"},     {RDMA_DRIVER_VMW_PVRDMA, "vmw_pvrdma"},
	{RDMA_DRIVER_USNIC, "usnic"},	{RDMA_DRIVER_RXE, "rxe"},     {RDMA_DRIVER_HFI1, "hfi1"},
	{RDMA_DRIVER_QIB, "qib"},	{RDMA_DRIVER_EFA, "efa"},     {RDMA_DRIVER_SIW, "siw"},
	{RDMA_DRIVER_ERDMA, "erdma"},
};

struct device {
	uint32_t index, ports;
	char name[64];
	const char *driver;
};

struct devices {
	struct rs_ctx *ctx;
	struct device *items;
	size_t count, capacity;
};

/* The answer's attributes stand right behind the netlink header */
#define LAST RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID

static void on_device(const struct nlmsghdr *message, void *user)
{
	const struct nlattr *table[LAST + 1];
	struct devices *devices = user;
	struct device *device;

	netlink_attributes(message, 0, table, LAST);
	if (!table[RDMA_NLDEV_ATTR_DEV_INDEX] || !table[RDMA_NLDEV_ATTR_DEV_NAME])
		return;
	if (devices->count == devices->capacity) {
		size_t capacity = devices->capacity ? 2 * devices->capacity : 16;
		struct device *larger = rs_alloc(devices->ctx, capacity * sizeof(*larger));

		if (devices->count)
			memcpy(larger, devices->items, devices->count * sizeof(*larger));
		devices->items = larger;
		devices->capacity = capacity;
	}
	device = &devices->items[devices->count++];
	*device = (struct device){.index = netlink_u32(table[RDMA_NLDEV_ATTR_DEV_INDEX], 0),
				  .ports = netlink_u32(table[RDMA_NLDEV_ATTR_PORT_INDEX], 0)};
	netlink_text(table[RDMA_NLDEV_ATTR_DEV_NAME], device->name, sizeof(device->name));
}

static void forget_devices(void *user)
{
	((struct devices *)user)->count = 0;
}

static void begin(struct netlink_request *request, unsigned command, bool dump)
{
	netlink_begin(request, RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command), dump, 0);
}

static void on_driver(const struct nlmsghdr *message, void *user)
{
	const struct nlattr *table[LAST + 1], *id;
	const char **driver = user;

	netlink_attributes(message, 0, table, LAST);
	id = table[RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID];
	for (size_t i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++)
		if (netlink_u32(id, RDMA_DRIVER_UNKNOWN) == drivers[i].id)
			*driver = drivers[i].name;
}

/* Kernels before 5.3, and those without ib_uverbs, do not tell: then sysfs does */
static void ask_driver(struct rs_ctx *ctx, struct device *device)
{
	struct netlink_request request;
	char name[32];

	begin(&request, RDMA_NLDEV_CMD_GET_CHARDEV, false);
	mnl_attr_put_u32(request.header, RDMA_NLDEV_ATTR_DEV_INDEX, device->index);
	mnl_attr_put_strz(request.header, RDMA_NLDEV_ATTR_CHARDEV_TYPE, "uverbs");
	device->driver = "";
	if (netlink_ask(ctx, NETLINK_RDMA, &request, on_driver, NULL, &device->driver) < 0)
		device->driver = "";
	if (!*device->driver && rdma_driver(ctx, device->name, name, sizeof(name))) {
		char *copy = rs_alloc(ctx, strlen(name) + 1);

		device->driver = strcpy(copy, name);
	}
}

struct port_answer {
	struct rdma_links *links;
	const struct device *device;
	size_t before;
};

static void on_port(const struct nlmsghdr *message, void *user)
{
	const struct nlattr *table[LAST + 1];
	struct port_answer *answer = user;
	struct rdma_link *link;
	uint32_t port;

	netlink_attributes(message, 0, table, LAST);
	port = netlink_u32(table[RDMA_NLDEV_ATTR_PORT_INDEX], 0);
	if (!port || answer->links->count - answer->before >= answer->device->ports)
		return;
	link = &answer->links->items[answer->links->count++];
	*link = (struct rdma_link){.device_index = answer->device->index,
				   .port = port,
				   .state = netlink_u8(table[RDMA_NLDEV_ATTR_PORT_STATE], 0),
				   .physical = netlink_u8(table[RDMA_NLDEV_ATTR_PORT_PHYS_STATE], 0),
				   .netdev_index = netlink_u32(table[RDMA_NLDEV_ATTR_NDEV_INDEX], 0),
				   .driver = answer->device->driver};
	snprintf(link->device, sizeof(link->device), "%s", answer->device->name);
	netlink_text(table[RDMA_NLDEV_ATTR_NDEV_NAME], link->netdev, sizeof(link->netdev));
}

static void forget_ports(void *user)
{
	struct port_answer *answer = user;

	answer->links->count = answer->before;
}

/* A device that goes away meanwhile has no ports */
static int ask_ports(struct rs_ctx *ctx, struct rdma_links *links, const struct device *device)
{
	struct port_answer answer = {links, device, links->count};
	struct netlink_request request;
	int error;

	begin(&request, RDMA_NLDEV_CMD_PORT_GET, true);
	mnl_attr_put_u32(request.header, RDMA_NLDEV_ATTR_DEV_INDEX, device->index);
	error = netlink_ask(ctx, NETLINK_RDMA, &request, on_port, forget_ports, &answer);
	return error == -ENODEV || error == -EINVAL ? 0 : error;
}

int rdma_links(struct rs_ctx *ctx, struct rdma_links *links)
{
	struct devices devices = {.ctx = ctx};
	struct netlink_request request;
	size_t ports = 0;
	int error;

	*links = (struct rdma_links){0};
	begin(&request, RDMA_NLDEV_CMD_GET, true);
	error = netlink_ask(ctx, NETLINK_RDMA, &request, on_device, forget_devices, &devices);
	for (size_t i = 0; i < devices.count; i++)
		ports += devices.items[i].ports;
	links->items = rs_alloc(ctx, (ports + 1) * sizeof(*links->items));
	for (size_t i = 0; i < devices.count && !error; i++) {
		ask_driver(ctx, &devices.items[i]);
		error = ask_ports(ctx, links, &devices.items[i]);
	}
	return error;
}

const struct rdma_link *rdma_link_find(const struct rdma_links *links, const char *device, unsigned port)
{
	for (size_t i = 0; i < links->count; i++)
		if (links->items[i].port == port && !strcmp(links->items[i].device, device))
			return &links->items[i];
	return NULL;
}

static void ignore(const struct nlmsghdr *message, void *user)
{
}

/* The kernel's answer is whether it was done, and nothing else. */
static int do_it(struct rs_ctx *ctx, struct netlink_request *request)
{
	request->header->nlmsg_flags |= NLM_F_ACK;
	return netlink_ask(ctx, NETLINK_RDMA, request, ignore, NULL, NULL);
}

int rdma_link_add(struct rs_ctx *ctx, const char *name, const char *type, const char *netdev)
{
	struct netlink_request request;

	begin(&request, RDMA_NLDEV_CMD_NEWLINK, false);
	mnl_attr_put_strz(request.header, RDMA_NLDEV_ATTR_DEV_NAME, name);
	mnl_attr_put_strz(request.header, RDMA_NLDEV_ATTR_LINK_TYPE, type);
	mnl_attr_put_strz(request.header, RDMA_NLDEV_ATTR_NDEV_NAME, netdev);
	return do_it(ctx, &request);
}

int rdma_link_delete(struct rs_ctx *ctx, uint32_t device_index)
{
	struct netlink_request request;

	begin(&request, RDMA_NLDEV_CMD_DELLINK, false);
	mnl_attr_put_u32(request.header, RDMA_NLDEV_ATTR_DEV_INDEX, device_index);
	return do_it(ctx, &request);
}

static const struct {
	const char *bus, *rdma;
} bus_drivers[] = {
	{"mlx5_core", "mlx5"}, {"mlx4_core", "mlx4"}, {"bnxt_en", "bnxt_re"}, {"ice", "irdma"},	   {"i40e", "irdma"},
	{"idpf", "irdma"},     {"hns3", "hns"},	      {"qede", "qedr"},	      {"mana", "mana_ib"},
};

bool rdma_driver(struct rs_ctx *ctx, const char *device, char *driver, size_t size)
{
	char text[4096], *at;

	if (sysfs_read(ctx, text, sizeof(text), "class/infiniband/%s/parent", device) >= 0) {
		if (sysfs_read(ctx, text, sizeof(text), "class/infiniband/%s/node_desc", device) < 0)
			return false;
		snprintf(driver, size, "%s", strstr(text, "iWARP") ? "siw" : strstr(text, "rxe") ? "rxe" : "");
		return *driver;
	}
	if (sysfs_read(ctx, text, sizeof(text), "class/infiniband/%s/device/uevent", device) < 0)
		text[0] = '\0';
	at = strstr(text, "DRIVER=");
	if (at)
		snprintf(driver, size, "%.*s", (int)strcspn(at + 7, "\n"), at + 7);
	else if (sysfs_link(ctx, driver, size, "class/infiniband/%s/device/driver", device) < 0)
		return false;
	for (size_t i = 0; i < sizeof(bus_drivers) / sizeof(bus_drivers[0]); i++)
		if (!strcmp(driver, bus_drivers[i].bus))
			snprintf(driver, size, "%s", bus_drivers[i].rdma);
	return *driver;
}
