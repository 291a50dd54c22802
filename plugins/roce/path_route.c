/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel's way to a peer, by rtnetlink: what "ip route get" shows */
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "roce/path.h"
#include "support/netlink.h"

struct answer {
	struct path *path;
	unsigned oif;
	int type;
};

static size_t length_of(int family)
{
	return family == AF_INET6 ? 16 : 4;
}

struct path_address path_address_of(const struct sockaddr_storage *address)
{
	struct path_address out = {.family = address->ss_family};

	if (out.family == AF_INET6)
		memcpy(out.bytes, &((const struct sockaddr_in6 *)address)->sin6_addr, 16);
	else
		memcpy(out.bytes, &((const struct sockaddr_in *)address)->sin_addr, 4);
	return out;
}

static void take_address(const struct nlattr *attribute, int family, struct path_address *address)
{
	if (!attribute || mnl_attr_get_payload_len(attribute) != length_of(family))
		return;
	address->family = family;
	memcpy(address->bytes, mnl_attr_get_payload(attribute), length_of(family));
}

/* An IPv4 route may go over an IPv6 neighbour */
static void take_via(const struct nlattr *attribute, struct path_address *address)
{
	const struct rtvia *via = attribute ? mnl_attr_get_payload(attribute) : NULL;
	size_t length = attribute ? mnl_attr_get_payload_len(attribute) : 0;

	if (!via || length < sizeof(*via) || (via->rtvia_family != AF_INET && via->rtvia_family != AF_INET6) ||
	    length != sizeof(*via) + length_of(via->rtvia_family))
		return;
	address->family = via->rtvia_family;
	memcpy(address->bytes, via->rtvia_addr, length_of(via->rtvia_family));
}

static void on_route(const struct nlmsghdr *message, void *user)
{
	const struct nlattr *route[RTA_VIA + 1];
	const struct rtmsg *header = mnl_nlmsg_get_payload(message);
	struct answer *answer = user;

	if (message->nlmsg_type != RTM_NEWROUTE || mnl_nlmsg_get_payload_len(message) < sizeof(*header))
		return;
	netlink_attributes(message, sizeof(*header), route, RTA_VIA);
	answer->type = header->rtm_type;
	answer->oif = netlink_u32(route[RTA_OIF], 0);
	take_address(route[RTA_PREFSRC], header->rtm_family, &answer->path->source);
	take_address(route[RTA_GATEWAY], header->rtm_family, &answer->path->gateway);
	take_via(route[RTA_VIA], &answer->path->gateway);
}

static int ask(struct rs_ctx *ctx, const struct path_params *params, const struct path_address *to,
	       struct answer *answer)
{
	struct netlink_request request;
	struct rtmsg *header = netlink_begin(&request, RTM_GETROUTE, false, sizeof(*header));
	unsigned netdev = params->netdev ? if_nametoindex(params->netdev) : 0;
	const struct sockaddr_in6 *six = (const void *)&answer->path->to;
	uint8_t source[16];

	header->rtm_family = (unsigned char)to->family;
	header->rtm_dst_len = (unsigned char)(8 * length_of(to->family));
	if (params->traffic_class)
		header->rtm_tos = (unsigned char)*params->traffic_class;
	mnl_attr_put(request.header, RTA_DST, length_of(to->family), to->bytes);
	if (params->source && inet_pton(to->family, params->source, source) == 1) {
		header->rtm_src_len = header->rtm_dst_len;
		mnl_attr_put(request.header, RTA_SRC, length_of(to->family), source);
	}
	if (!netdev && to->family == AF_INET6)
		netdev = six->sin6_scope_id;
	if (netdev)
		mnl_attr_put_u32(request.header, RTA_OIF, netdev);
	return netlink_ask(ctx, NETLINK_ROUTE, &request, on_route, NULL, answer);
}

static int mtu_of(const char *netdev)
{
	struct ifreq request = {0};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), mtu = 0;

	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", netdev);
	if (fd >= 0 && !ioctl(fd, SIOCGIFMTU, &request))
		mtu = request.ifr_mtu;
	if (fd >= 0)
		close(fd);
	return mtu;
}

static bool covers(const struct path_address *own, const struct path_address *mask, const struct path_address *to)
{
	for (size_t i = 0; i < length_of(to->family); i++)
		if ((own->bytes[i] ^ to->bytes[i]) & mask->bytes[i])
			return false;
	return true;
}

/* Whether one of the netdev's addresses has a prefix that the peer's is in */
static bool in_subnet(const char *netdev, const struct path_address *to)
{
	struct ifaddrs *all = NULL;
	bool found = false;

	if (getifaddrs(&all) < 0)
		return false;
	for (const struct ifaddrs *at = all; at && !found; at = at->ifa_next) {
		struct path_address own, mask;
		size_t name = strcspn(at->ifa_name, ":");

		if (!at->ifa_addr || !at->ifa_netmask || at->ifa_addr->sa_family != to->family ||
		    strlen(netdev) != name || strncmp(at->ifa_name, netdev, name) != 0)
			continue;
		own = path_address_of((const void *)at->ifa_addr);
		mask = path_address_of(&(struct sockaddr_storage){0});
		if (to->family == AF_INET6)
			memcpy(mask.bytes, &((const struct sockaddr_in6 *)at->ifa_netmask)->sin6_addr, 16);
		else
			memcpy(mask.bytes, &((const struct sockaddr_in *)at->ifa_netmask)->sin_addr, 4);
		found = covers(&own, &mask, to);
	}
	freeifaddrs(all);
	return found;
}

int path_route(struct rs_ctx *ctx, const struct path_params *params, struct path *path)
{
	const struct path_address to = path_address_of(&path->to);
	struct answer answer = {.path = path};
	int error = ask(ctx, params, &to, &answer);

	if (!error && answer.type != RTN_UNICAST && answer.type != RTN_LOCAL)
		error = answer.type == RTN_MULTICAST || answer.type == RTN_BROADCAST ? -EINVAL : -ENETUNREACH;
	if (error == -ENETUNREACH || error == -EHOSTUNREACH || error == -EACCES || error == -EINVAL) {
		snprintf(path->problem, sizeof(path->problem), "no route: %s", strerror(-error));
		path->source.family = path->gateway.family = 0;
		return 0;
	}
	if (error)
		return rs_error(ctx, RS_FAILED, "cannot ask the kernel for the route to %s: %s", path->peer,
				strerror(-error));
	path->routed = true;
	if (!answer.oif || !if_indextoname(answer.oif, path->netdev))
		path->netdev[0] = '\0';
	path->link_mtu = mtu_of(path->netdev);
	path->same_subnet = answer.type == RTN_LOCAL || in_subnet(path->netdev, &to);
	return 0;
}
