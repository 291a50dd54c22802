/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/addresses.h"

#include <netinet/in.h>
#include <string.h>

/* An address with a label of its own is listed under that: "eth0:1" */
static bool is_of(const struct ifaddrs *address, const char *netdev)
{
	size_t length = strcspn(address->ifa_name, ":");

	return strlen(netdev) == length && !strncmp(address->ifa_name, netdev, length);
}

void addresses_set(struct rs_ctx *ctx, unsigned fact, const char *netdev, const struct ifaddrs *addresses)
{
	bool any = false;

	for (const struct ifaddrs *at = addresses; at; at = at->ifa_next) {
		const struct sockaddr *address = at->ifa_addr;

		if (!address || !is_of(at, netdev))
			continue;
		if (address->sa_family == AF_INET)
			rs_set_ip(ctx, fact, AF_INET, &((const struct sockaddr_in *)address)->sin_addr);
		else if (address->sa_family == AF_INET6)
			rs_set_ip(ctx, fact, AF_INET6, &((const struct sockaddr_in6 *)address)->sin6_addr);
		else
			continue;
		any = true;
	}
	if (!any)
		rs_set_none(ctx, fact);
}
