/* SPDX-License-Identifier: BSD-2-Clause */
/* roce.path: one row a peer: the kernel's route to it, whether it answers, and the largest packet that comes through */
#include "roce/path.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>

#include "roce/roce.h"

enum {
	PEER,
	ADDRESS,
	REACHABLE,
	PROBLEM,
	RTT,
	RTT_MIN,
	RTT_MAX,
	SENT,
	RECEIVED,
	SOURCE,
	NETDEV,
	SAME_SUBNET,
	GATEWAY,
	MTU,
	PATH_MTU,
	FACTS
};

#define NEEDS_ANSWER "needs a peer that answers"
#define NEEDS_ROUTE "needs a route"
#define ROUND_TRIP(word, text)                                                                                         \
	{                                                                                                              \
		.name = word, .type = RS_QUANTITY, .flags = RS_F_LOWER | RS_F_VOLATILE, .unit = "us", .doc = text,     \
		.observed_by = NEEDS_ANSWER                                                                            \
	}

static const struct rs_fact facts[] = {
	[PEER] = {.name = "peer", .type = RS_TEXT, .flags = RS_F_KEY, .doc = "as the step names it"},
	[ADDRESS] = {.name = "address", .type = RS_IP, .doc = "the peer's address; none where the name has none"},
	[REACHABLE] = {.name = "reachable",
		       .type = RS_BOOLEAN,
		       .doc = "one ICMP echo at least was answered, sent with don't fragment"},
	[PROBLEM] =
		{.name = "problem",
		 .type = RS_TEXT,
		 .doc = "why it is not reachable: no route, no answer, or what a router on the way says; none where "
			"it is"},
	[RTT] = ROUND_TRIP("rtt", "the mean of the round trips"),
	[RTT_MIN] = ROUND_TRIP("rtt_min", "the shortest of them"),
	[RTT_MAX] = ROUND_TRIP("rtt_max", "the longest of them"),
	[SENT] = {.name = "sent", .type = RS_INTEGER, .flags = RS_F_VOLATILE, .doc = "number of small requests"},
	[RECEIVED] = {.name = "received",
		      .type = RS_INTEGER,
		      .flags = RS_F_HIGHER | RS_F_VOLATILE,
		      .doc = "number of answers to them"},
	[SOURCE] = {.name = "source",
		    .type = RS_IP,
		    .doc = "the address that the kernel sends from (RTM_GETROUTE, RTA_PREFSRC)",
		    .observed_by = NEEDS_ROUTE},
	[NETDEV] = {.name = "netdev",
		    .type = RS_TEXT,
		    .doc = "the netdev that it goes out at (RTA_OIF); none without a route"},
	[SAME_SUBNET] = {.name = "same_subnet",
			 .type = RS_BOOLEAN,
			 .doc = "the address is in the subnet of one of that netdev's own, or this host's own",
			 .observed_by = NEEDS_ROUTE},
	[GATEWAY] = {.name = "gateway",
		     .type = RS_IP,
		     .doc = "the router that it goes by (RTA_GATEWAY, RTA_VIA); none where it goes by none",
		     .observed_by = NEEDS_ROUTE},
	[MTU] = {.name = "mtu",
		 .type = RS_INTEGER,
		 .flags = RS_F_HIGHER,
		 .doc = "of the netdev, in bytes",
		 .observed_by = NEEDS_ROUTE},
	[PATH_MTU] =
		{.name = "path_mtu",
		 .type = RS_INTEGER,
		 .flags = RS_F_HIGHER,
		 .doc = "the largest IP packet, in bytes, that was answered unfragmented; not more than mtu; for a "
			"RoCE MTU of 4096 it has to be 4200",
		 .observed_by = NEEDS_ANSWER},
	[FACTS] = {0},
};

static void resolve(const struct path_params *params, struct path *path)
{
	const struct addrinfo hints = {.ai_socktype = SOCK_DGRAM,
				       .ai_family = !params->ipv6   ? AF_UNSPEC
						    : *params->ipv6 ? AF_INET6
								    : AF_INET};
	struct addrinfo *found = NULL;
	int error = getaddrinfo(path->peer, NULL, &hints, &found);

	if (error) {
		snprintf(path->problem, sizeof(path->problem), "has no address: %s", gai_strerror(error));
		return;
	}
	memcpy(&path->to, found->ai_addr, found->ai_addrlen);
	path->to_length = found->ai_addrlen;
	freeaddrinfo(found);
}

static void set_address(struct rs_ctx *ctx, unsigned fact, const struct path_address *address)
{
	if (address->family)
		rs_set_ip(ctx, fact, address->family, address->bytes);
	else
		rs_set_none(ctx, fact);
}

static void set_route(struct rs_ctx *ctx, const struct path *path)
{
	if (!path->routed || !*path->netdev)
		rs_set_none(ctx, NETDEV);
	else
		rs_set_text(ctx, NETDEV, path->netdev);
	if (!path->routed)
		return;
	if (path->source.family)
		set_address(ctx, SOURCE, &path->source);
	set_address(ctx, GATEWAY, &path->gateway);
	rs_set_boolean(ctx, SAME_SUBNET, path->same_subnet);
	if (path->link_mtu)
		rs_set_integer(ctx, MTU, path->link_mtu);
}

static void set_time(struct rs_ctx *ctx, unsigned fact, double microseconds)
{
	char text[32];

	snprintf(text, sizeof(text), "%.3f", microseconds);
	rs_set_decimal(ctx, fact, text);
}

static void set_row(struct rs_ctx *ctx, const struct path *path)
{
	const struct path_address to = path->to_length ? path_address_of(&path->to) : (struct path_address){0};

	rs_row_begin(ctx, 0);
	rs_set_text(ctx, PEER, path->peer);
	set_address(ctx, ADDRESS, &to);
	rs_set_boolean(ctx, REACHABLE, path->received);
	rs_set_integer(ctx, SENT, path->sent);
	rs_set_integer(ctx, RECEIVED, path->received);
	set_route(ctx, path);
	if (!path->received) {
		rs_set_text(ctx, PROBLEM, path->problem);
		rs_not_observed(ctx, PATH_MTU, path->problem);
		return;
	}
	rs_set_none(ctx, PROBLEM);
	set_time(ctx, RTT, path->rtt_sum / path->received);
	set_time(ctx, RTT_MIN, path->rtt_least);
	set_time(ctx, RTT_MAX, path->rtt_most);
	if (path->path_mtu)
		rs_set_integer(ctx, PATH_MTU, path->path_mtu);
	else
		rs_not_observed(ctx, PATH_MTU, "needs more time: the largest packet was not found before the deadline");
}

static bool seen_before(const struct path_params *params, unsigned i)
{
	for (unsigned k = 0; k < i; k++)
		if (!strcmp(params->peers[k], params->peers[i]))
			return true;
	return false;
}

static int check(struct rs_ctx *ctx, const struct path_params *params)
{
	uint8_t address[16];

	if (rs_recorded(ctx))
		return rs_error(ctx, RS_UNSUPPORTED, "a recorded tree has no paths: it needs a live host");
	if (params->source && inet_pton(AF_INET, params->source, address) != 1 &&
	    inet_pton(AF_INET6, params->source, address) != 1)
		return rs_error(ctx, RS_FAILED, "source: \"%s\" is no IP address", params->source);
	if (params->netdev && !if_nametoindex(params->netdev))
		return rs_error(ctx, RS_ABSENT, "this host has no netdev %s", params->netdev);
	return 0;
}

int roce_path_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	const struct path_params *params = data;
	struct path *paths = rs_alloc(ctx, (params->npeers + 1) * sizeof(*paths));
	unsigned count = 0;
	int error = check(ctx, params);

	(void)wanted;
	for (unsigned i = 0; i < params->npeers && !error; i++) {
		struct path *path = &paths[count];

		if (seen_before(params, i))
			continue;
		path->peer = params->peers[i];
		path->fd = -1;
		resolve(params, path);
		if (path->to_length)
			error = path_route(ctx, params, path);
		count++;
	}
	if (!error)
		error = path_probe(ctx, params, paths, count);
	for (unsigned i = 0; i < count && !error; i++)
		set_row(ctx, &paths[i]);
	return error;
}

#define AT(member) .offset = offsetof(struct path_params, member)

const struct rs_param roce_path_params[] = {
	{.key = "peers",
	 .type = RS_TEXT,
	 .flags = RS_LIST | RS_REQUIRED,
	 .min = 1,
	 .max = 255,
	 AT(peers),
	 .count_offset = offsetof(struct path_params, npeers),
	 .doc = "names or addresses of the other ends: IPv4 or IPv6, link-local ones with %NETDEV"},
	{.key = "source",
	 .type = RS_TEXT,
	 .min = 1,
	 .max = 63,
	 AT(source),
	 .doc = "the address to send from; without it the one that the route says"},
	{.key = "netdev",
	 .type = RS_TEXT,
	 .min = 1,
	 .max = IF_NAMESIZE - 1,
	 AT(netdev),
	 .doc = "the netdev to send at, whatever the routing table says: one of several rails"},
	{.key = "echoes",
	 .type = RS_INTEGER,
	 .value = "3",
	 .min = 1,
	 .max = 1000,
	 AT(echoes),
	 .doc = "how many small echoes, one after the other"},
	{.key = "wait",
	 .type = RS_QUANTITY,
	 .unit = "s",
	 .value = "1 s",
	 .max = 60,
	 AT(wait),
	 .doc = "so long for an answer"},
	{.key = "traffic_class",
	 .type = RS_INTEGER,
	 .max = 255,
	 AT(traffic_class),
	 .doc = "type of service, traffic class: DSCP times 4"},
	{.key = "ipv6",
	 .type = RS_BOOLEAN,
	 AT(ipv6),
	 .doc = "a name's IPv6 address, or its IPv4 one; without it the first that it has"},
	{0},
};

const struct rs_probe roce_path_probe = {
	.name = "roce.path",
	.summary = "the way to each peer: route, gateway, round trip, largest packet",
	.row = "{peer}",
	.facts = facts,
};
