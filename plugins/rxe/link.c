/* SPDX-License-Identifier: BSD-2-Clause */
/* rxe.link: sees to it that a network device has a Soft RoCE device, as "rdma link add NAME type rxe netdev NETDEV"
 * does */
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "rxe/rxe.h"
#include "support/addresses.h"
#include "support/link.h"
#include "support/rdma.h"
#include "support/sysfs.h"

#define GID_MS 5000 /* the kernel fills the GID table from a work queue */
#define GIDS 32	    /* rows of it that are looked at */

enum { DEVICE, NETDEV, ORIGIN, STATE, PHYSICAL_STATE, NETDEV_ADDRESSES, FACTS };
enum { CREATED, FOUND };
static const char *const origins[] = {"created", "found", NULL};

static const struct rs_fact facts[] = {
	[DEVICE] = {.name = "device",
		    .type = RS_TEXT,
		    .flags = RS_F_KEY,
		    .doc = "name of the RDMA device: of one that was found, its own"},
	[NETDEV] = {.name = "netdev", .type = RS_TEXT, .doc = "network device that it runs on"},
	[ORIGIN] = {.name = "origin",
		    .type = RS_ENUM,
		    .flags = RS_F_VOLATILE,
		    .choices = origins,
		    .doc = "created: by this run, which removes it at its end; found: it was there, and stays"},
	[STATE] = {.name = "state",
		   .type = RS_ENUM,
		   .flags = RS_F_ORDERED | RS_F_HIGHER,
		   .choices = link_states,
		   .doc = "logical state of the port",
		   .observed_by = "needs a kernel that tells it (RDMA netlink)"},
	[PHYSICAL_STATE] = {.name = "physical_state",
			    .type = RS_ENUM,
			    .choices = link_physical_states,
			    .doc = "physical state of the port: that of the netdev's carrier",
			    .observed_by = "needs a kernel that tells it (RDMA netlink)"},
	[NETDEV_ADDRESSES] = {.name = "netdev_addresses",
			      .type = RS_IP,
			      .flags = RS_F_LIST,
			      .doc = "IPv4 and IPv6 addresses of the netdev"},
	[FACTS] = {0},
};

const struct rs_param rxe_link_params[] = {
	{.key = "name",
	 .type = RS_TEXT,
	 .flags = RS_REQUIRED,
	 .offset = offsetof(struct rxe_link_params, name),
	 .min = 1,
	 .max = RXE_NAME_MAX,
	 .doc = "name of the RDMA device (rxe0)"},
	{.key = "netdev",
	 .type = RS_TEXT,
	 .flags = RS_REQUIRED,
	 .offset = offsetof(struct rxe_link_params, netdev),
	 .min = 1,
	 .max = IFNAMSIZ - 1,
	 .doc = "network device that it is to run on (eth0); it must have an address"},
	{.key = NULL},
};

const struct rs_probe rxe_link_probe = {
	.name = "rxe.link",
	.summary = "sees to it that a network device has a Soft RoCE device; removed at the end if this made it",
	.row = "{device}",
	.facts = facts,
};

static bool is_routable(const struct ifaddrs *at)
{
	if (at->ifa_addr->sa_family == AF_INET)
		return true;
	return at->ifa_addr->sa_family == AF_INET6 &&
	       !IN6_IS_ADDR_LINKLOCAL(&((const struct sockaddr_in6 *)at->ifa_addr)->sin6_addr);
}

/* One label ("eth0:1") is still the same netdev. */
static bool has_address(const char *netdev, const struct ifaddrs *addresses)
{
	size_t length = strlen(netdev);

	for (const struct ifaddrs *at = addresses; at; at = at->ifa_next)
		if (at->ifa_addr && !strncmp(at->ifa_name, netdev, length) &&
		    (!at->ifa_name[length] || at->ifa_name[length] == ':') && is_routable(at))
			return true;
	return false;
}

static const struct rdma_link *find_on(const struct rdma_links *links, const char *netdev)
{
	for (size_t i = 0; i < links->count; i++)
		if (!strcmp(links->items[i].driver, "rxe") && !strcmp(links->items[i].netdev, netdev))
			return &links->items[i];
	return NULL;
}

static const struct rdma_link *find_named(const struct rdma_links *links, const char *name)
{
	for (size_t i = 0; i < links->count; i++)
		if (!strcmp(links->items[i].device, name))
			return &links->items[i];
	return NULL;
}

static int check(struct rs_ctx *ctx, const struct rxe_link_params *params, const struct ifaddrs *addresses)
{
	if (strpbrk(params->name, "%/ \n\t") || !strcmp(params->name, ".") || !strcmp(params->name, ".."))
		return rs_error(ctx, RS_FAILED, "'%s' cannot be the name of an RDMA device", params->name);
	if (!if_nametoindex(params->netdev))
		return rs_error(ctx, RS_ABSENT, "there is no network device %s", params->netdev);
	if (!has_address(params->netdev, addresses))
		return rs_error(
			ctx, RS_FAILED,
			"%s has no IPv4 or IPv6 address but link-local ones: a Soft RoCE link takes its GID from the "
			"address, which has to be there first (ip address add ... dev %s)",
			params->netdev, params->netdev);
	return 0;
}

static int refused(struct rs_ctx *ctx, const struct rxe_link_params *params, int error)
{
	if (error == -EINVAL || error == -EPROTONOSUPPORT || error == -EOPNOTSUPP)
		return rs_error(ctx, RS_UNSUPPORTED,
				"this kernel has no Soft RoCE: the module rdma_rxe is not loaded and was not found "
				"(modprobe rdma_rxe)");
	if (error == -EPERM || error == -EACCES)
		return rs_error(
			ctx, RS_DENIED,
			"the kernel does not allow a link on %s: it takes CAP_NET_ADMIN, and a device that is no VLAN",
			params->netdev);
	if (error == -ENFILE || error == -EEXIST)
		return rs_error(ctx, RS_FAILED, "the name %s is taken by another RDMA device", params->name);
	return rs_error(ctx, RS_FAILED, "the link %s cannot be added on %s: %s", params->name, params->netdev,
			strerror(-error));
}

static bool has_gid(struct rs_ctx *ctx, const char *device)
{
	char text[64];

	for (int i = 0; i < GIDS; i++)
		if (sysfs_read(ctx, text, sizeof(text), "class/infiniband/%s/ports/1/gids/%d", device, i) >= 0 &&
		    strncmp(text, "fe80:", 5) != 0 && strspn(text, "0:") != strlen(text))
			return true;
	return false;
}

/* Who asks for the link wants to use it: it is ready when the address is in its GID table. */
static void wait_for_gid(struct rs_ctx *ctx, const char *device)
{
	int64_t end = rs_time_left(ctx) - GID_MS;

	while (!has_gid(ctx, device)) {
		if (rs_time_left(ctx) <= (end > 500 ? end : 500)) {
			rs_note(ctx, "the GID table of %s has no entry of an address yet", device);
			return;
		}
		poll(NULL, 0, 20);
	}
}

static void add_row(struct rs_ctx *ctx, const struct rdma_link *link, int origin, const struct ifaddrs *addresses)
{
	rs_row_begin(ctx, 0);
	rs_set_text(ctx, DEVICE, link->device);
	rs_set_text(ctx, NETDEV, link->netdev);
	rs_set_enum(ctx, ORIGIN, origin);
	if (link->state)
		link_set_code(ctx, STATE, link_state(link->state), link->state);
	if (link->physical)
		link_set_code(ctx, PHYSICAL_STATE, link_physical(link->physical), link->physical);
	addresses_set(ctx, NETDEV_ADDRESSES, link->netdev, addresses);
}

/*
 * What undo() needs is said ahead. Between the look and the adding somebody else may have added the very same link:
 * then the kernel says so, and it was found, but would be removed at the end all the same, as one that was asked for
 * twice.
 */
static int add(struct rs_ctx *ctx, const struct rxe_link_params *params, int *origin)
{
	char state[RXE_NAME_MAX + IFNAMSIZ + 2];
	int error;

	snprintf(state, sizeof(state), "%s\n%s", params->name, params->netdev);
	error = rs_changing(ctx, state);
	if (error)
		return error;
	error = rdma_link_add(ctx, params->name, "rxe", params->netdev);
	*origin = error == -EEXIST ? FOUND : CREATED;
	return error && error != -EEXIST ? refused(ctx, params, error) : 0;
}

static int ensure(struct rs_ctx *ctx, const struct rxe_link_params *params, const struct ifaddrs *addresses)
{
	struct rdma_links links;
	const struct rdma_link *link, *other;
	int origin = FOUND, error = check(ctx, params, addresses);

	if (!error)
		error = rxe_read_links(ctx, &links);
	if (error)
		return error;
	link = find_on(&links, params->netdev);
	other = find_named(&links, params->name);
	if (!link && other)
		return rs_error(ctx, RS_FAILED, "the name %s is taken by another RDMA device%s%s", params->name,
				other->netdev[0] ? ", that of " : "", other->netdev);
	if (!link) {
		error = add(ctx, params, &origin);
		if (!error)
			error = rxe_read_links(ctx, &links);
		if (error)
			return error;
		link = find_on(&links, params->netdev);
		if (!link)
			return rs_error(ctx, RS_FAILED, "the link was added, but is not there any more");
		wait_for_gid(ctx, link->device);
	} else if (strcmp(link->device, params->name) != 0) {
		rs_note(ctx, "%s has a link already, of the name %s", params->netdev, link->device);
	}
	add_row(ctx, link, origin, addresses);
	return 0;
}

int rxe_link_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	struct ifaddrs *addresses = NULL;
	int error;

	if (rs_recorded(ctx))
		return rs_error(ctx, RS_UNSUPPORTED, "rxe.link changes the kernel: a recorded tree has none");
	if (getifaddrs(&addresses) < 0)
		return rs_error(ctx, RS_FAILED, "the addresses of this host cannot be read: %s", strerror(errno));
	error = ensure(ctx, data, addresses);
	freeifaddrs(addresses);
	return error;
}

/* Only what has both the name and the netdev is what was added; what is gone already is as it should be. */
int rxe_link_undo(struct rs_ctx *ctx, const char *state)
{
	size_t length = strcspn(state, "\n");
	const char *netdev = state[length] ? state + length + 1 : "";
	struct rdma_links links;
	const struct rdma_link *link;
	int error = rxe_read_links(ctx, &links);

	if (error)
		return error;
	link = find_on(&links, netdev);
	if (!link || strlen(link->device) != length || strncmp(link->device, state, length) != 0)
		return 0;
	error = rdma_link_delete(ctx, link->device_index);
	if (!error || error == -ENODEV)
		return 0;
	return rs_error(ctx, error == -EPERM ? RS_DENIED : RS_FAILED, "the link %s on %s cannot be removed: %s",
			link->device, netdev, strerror(-error));
}
