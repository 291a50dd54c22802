/* SPDX-License-Identifier: BSD-2-Clause */
/* fabric.routes: one row a pair of host ports; fabric.route_counts: one row a switch port that is up */
#include "fabric/routes.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "fabric/rows.h"

enum {
	GUID,
	DESCRIPTION,
	PORT,
	LID,
	REMOTE_GUID,
	REMOTE_DESCRIPTION,
	REMOTE_PORT,
	REMOTE_LID,
	STATUS,
	HOPS,
	PATH,
	STOPS_AT,
	FACTS
};

enum status { OK, UNREACHABLE, LOOP };
static const char *const statuses[] = {"ok", "unreachable", "loop", NULL};

const struct rs_fact fabric_routes_facts[] = {
	[GUID] = {.name = "guid", .type = RS_GUID, .flags = RS_F_KEY, .doc = "node GUID of the source"},
	[DESCRIPTION] = {.name = "description",
			 .type = RS_TEXT,
			 .doc = "NodeDescription of the source",
			 .observed_by = OBSERVED_ANSWER},
	[PORT] = {.name = "port", .type = RS_INTEGER, .flags = RS_F_KEY, .doc = "port of the source"},
	[LID] = {.name = "lid", .type = RS_INTEGER, .doc = "LID of that port"},
	[REMOTE_GUID] = {.name = "remote_guid",
			 .type = RS_GUID,
			 .flags = RS_F_KEY,
			 .doc = "node GUID of the destination"},
	[REMOTE_DESCRIPTION] = {.name = "remote_description",
				.type = RS_TEXT,
				.doc = "NodeDescription of the destination",
				.observed_by = OBSERVED_ANSWER},
	[REMOTE_PORT] = {.name = "remote_port",
			 .type = RS_INTEGER,
			 .flags = RS_F_KEY,
			 .doc = "port of the destination"},
	[REMOTE_LID] = {.name = "remote_lid", .type = RS_INTEGER, .doc = "base LID of that port, which is followed"},
	[STATUS] = {.name = "status",
		    .type = RS_ENUM,
		    .choices = statuses,
		    .doc = "ok: the tables lead there; unreachable: a switch has no port for the LID, or one that "
			   "leads nowhere or to "
			   "another node; loop: they lead back to a switch that was passed"},
	[HOPS] = {.name = "hops",
		  .type = RS_INTEGER,
		  .flags = RS_F_LOWER,
		  .doc = "switches on the way",
		  .observed_by = "needs a route that arrives"},
	[PATH] = {.name = "path",
		  .type = RS_TEXT,
		  .flags = RS_F_LIST,
		  .doc = "the switches in their order, each with the port that it sends to: \"leaf-1 port 17\""},
	[STOPS_AT] = {.name = "stops_at",
		      .type = RS_TEXT,
		      .doc = "switch and port where a route that does not arrive ends; none for one that does"},
	[FACTS] = {0},
};

#define HOPS_MAX 64

struct step {
	uint32_t node;
	uint8_t port;
};

struct route {
	enum status status;
	unsigned count;
	struct step steps[HOPS_MAX];
};

static bool passed(const struct route *route, uint32_t node)
{
	for (unsigned i = 0; i < route->count; i++)
		if (route->steps[i].node == node)
			return true;
	return false;
}

/* Is it at a port that takes what is sent to that LID? */
static bool arrived(const struct fabric *fabric, uint32_t node, unsigned port, unsigned lid)
{
	const struct port *end = fabric_port(fabric, node, fabric->nodes[node].info.type == NODE_SWITCH ? 0 : port);

	return end->known & KNOWS_INFO && end->info.lid && lid >= end->info.lid &&
	       lid < end->info.lid + (1u << end->info.lmc);
}

struct host {
	uint32_t node;
	uint8_t port;
};

static bool same_host(const struct host *a, const struct host *b)
{
	return a->node == b->node && a->port == b->port;
}

/* From a port of a host to the LID of another, as a packet would go: with a LID that two have, it may end at the wrong
 * one */
static void follow(const struct forwarding *forwarding, const struct host *from, const struct host *to,
		   struct route *route)
{
	const struct fabric *fabric = forwarding->fabric;
	unsigned lid = fabric_lid(fabric, to->node, to->port);
	const struct port *end = fabric_port(fabric, from->node, from->port);

	route->count = 0;
	route->status = UNREACHABLE;
	while (end->known & KNOWS_PEER) {
		const struct host here = {end->peer_node, end->peer_port};
		const uint8_t *table = forwarding->tables[here.node];
		unsigned port;

		if (arrived(fabric, here.node, here.port, lid)) {
			route->status = same_host(&here, to) ? OK : UNREACHABLE;
			return;
		}
		if (fabric->nodes[here.node].info.type != NODE_SWITCH)
			return;
		if (passed(route, here.node) || route->count == HOPS_MAX) {
			route->status = LOOP;
			return;
		}
		port = table && lid <= forwarding->tops[here.node] ? table[lid] : 255;
		route->steps[route->count++] = (struct step){here.node, (uint8_t)port};
		if (!port || port > fabric->nodes[here.node].info.ports)
			return;
		end = fabric_port(fabric, here.node, port);
	}
}

static const char *step_text(const struct fabric *fabric, const struct step *step, char text[128])
{
	char name[80];

	fabric_name(fabric, step->node, name);
	if (step->port == 255)
		snprintf(text, 128, "%s, which has no port for it", name);
	else
		snprintf(text, 128, "%s port %u", name, step->port);
	return text;
}

static void set_route(struct rs_ctx *ctx, const struct fabric *fabric, const struct route *route)
{
	char text[128];

	rs_set_enum(ctx, STATUS, (int)route->status);
	if (!route->count)
		rs_set_none(ctx, PATH);
	for (unsigned i = 0; i < route->count; i++)
		rs_set_text(ctx, PATH, step_text(fabric, &route->steps[i], text));
	if (route->status == OK) {
		rs_set_integer(ctx, HOPS, route->count);
		rs_set_none(ctx, STOPS_AT);
	} else if (route->count) {
		rs_set_text(ctx, STOPS_AT, step_text(fabric, &route->steps[route->count - 1], text));
	}
}

static bool is_meant(const struct node *node, const char *pattern)
{
	char name[DESCRIPTION_BYTES + 1];

	snprintf(name, sizeof(name), "%.*s", (int)fabric_description(node), (const char *)node->description);
	return !strcmp(pattern, "*") || !strcasecmp(pattern, name) || !fnmatch(pattern, name, FNM_CASEFOLD);
}

static size_t find_hosts(const struct fabric *fabric, const char *pattern, struct host *hosts)
{
	size_t count = 0;

	for (uint32_t i = 0; i < fabric->nnodes; i++) {
		uint32_t node = fabric->order[i];

		if (fabric->nodes[node].info.type != NODE_CA || fabric_is_aggregation(&fabric->nodes[node]) ||
		    !is_meant(&fabric->nodes[node], pattern))
			continue;
		for (unsigned port = 1; port <= fabric->nodes[node].info.ports; port++) {
			unsigned lid = fabric_lid(fabric, node, port);

			if (!(fabric_port(fabric, node, port)->known & KNOWS_PEER) || !lid || lid > LID_MAX)
				continue;
			if (hosts)
				hosts[count] = (struct host){node, (uint8_t)port};
			count++;
		}
	}
	return count;
}

static struct host *hosts_of(struct rs_ctx *ctx, const struct fabric *fabric, const char *pattern, size_t *count)
{
	struct host *hosts;

	*count = find_hosts(fabric, pattern, NULL);
	hosts = rs_alloc(ctx, (*count + 1) * sizeof(*hosts));
	find_hosts(fabric, pattern, hosts);
	return hosts;
}

static void set_host(struct rs_ctx *ctx, const struct fabric *fabric, const struct host *host, unsigned fact)
{
	rs_set_guid(ctx, fact + GUID, fabric->nodes[host->node].guid);
	set_description(ctx, fact + DESCRIPTION, &fabric->nodes[host->node]);
	rs_set_integer(ctx, fact + PORT, host->port);
	rs_set_integer(ctx, fact + LID, fabric_lid(fabric, host->node, host->port));
}

void fabric_routes_rows(struct rs_ctx *ctx, unsigned probe, const struct forwarding *forwarding,
			const struct routes_wanted *wanted)
{
	const struct fabric *fabric = forwarding->fabric;
	size_t nfrom, nto, pairs, taken;
	struct host *from = hosts_of(ctx, fabric, wanted->from, &nfrom), *to = hosts_of(ctx, fabric, wanted->to, &nto);
	struct route *route = rs_alloc(ctx, sizeof(*route));

	pairs = nfrom * nto;
	taken = pairs > (uint64_t)wanted->limit ? (size_t)wanted->limit : pairs;
	if (taken < pairs)
		rs_note(ctx, "%zu of %zu pairs of host ports, evenly spread", taken, pairs);
	for (size_t i = 0; i < taken; i++) {
		size_t pair = (size_t)((unsigned __int128)i * pairs / taken);
		const struct host *source, *destination;

		/* none to itself; a spread has room for the pair beside it */
		if (same_host(&from[pair / nto], &to[pair % nto]) && 2 * taken <= pairs && pair + 1 < pairs)
			pair++;
		source = &from[pair / nto];
		destination = &to[pair % nto];
		if (same_host(source, destination))
			continue;
		follow(forwarding, source, destination, route);
		rs_row_begin(ctx, probe);
		set_host(ctx, fabric, source, GUID);
		set_host(ctx, fabric, destination, REMOTE_GUID);
		set_route(ctx, fabric, route);
	}
}

enum {
	COUNT_GUID,
	COUNT_DESCRIPTION,
	COUNT_PORT,
	COUNT_REMOTE_GUID,
	COUNT_REMOTE_DESCRIPTION,
	COUNT_REMOTE_PORT,
	COUNT_KIND,
	COUNT_ROUTES,
	COUNT_FACTS
};

const struct rs_fact fabric_route_counts_facts[] = {
	[COUNT_GUID] = {.name = "guid", .type = RS_GUID, .flags = RS_F_KEY, .doc = "node GUID of the switch"},
	[COUNT_DESCRIPTION] = {.name = "description",
			       .type = RS_TEXT,
			       .doc = "NodeDescription of the switch",
			       .observed_by = OBSERVED_ANSWER},
	[COUNT_PORT] = {.name = "port",
			.type = RS_INTEGER,
			.flags = RS_F_KEY,
			.doc = "its port; only ports that are up"},
	[COUNT_REMOTE_GUID] = {.name = "remote_guid",
			       .type = RS_GUID,
			       .doc = "node GUID at the other end of the cable"},
	[COUNT_REMOTE_DESCRIPTION] = {.name = "remote_description",
				      .type = RS_TEXT,
				      .doc = "NodeDescription at the other end",
				      .observed_by = OBSERVED_ANSWER},
	[COUNT_REMOTE_PORT] = {.name = "remote_port", .type = RS_INTEGER, .doc = "port number at the other end"},
	[COUNT_KIND] = {.name = "kind",
			.type = RS_ENUM,
			.choices = link_kinds,
			.doc = "kind of the link, as fabric.links"},
	[COUNT_ROUTES] = {.name = "routes",
			  .type = RS_INTEGER,
			  .doc = "LIDs of CAs that the switch's forwarding table sends to this port: how even it is "
				 "over the uplinks",
			  .observed_by = "needs the switch's forwarding table"},
	[COUNT_FACTS] = {0},
};

static void count_routes(const struct forwarding *forwarding, uint32_t node, uint32_t counts[256])
{
	const struct fabric *fabric = forwarding->fabric;

	memset(counts, 0, 256 * sizeof(*counts));
	for (unsigned lid = 1; lid <= forwarding->tops[node]; lid++)
		if (forwarding->owners[lid] && fabric->nodes[forwarding->owners[lid] - 1].info.type == NODE_CA)
			counts[forwarding->tables[node][lid]]++;
}

static void set_counts(struct rs_ctx *ctx, const struct fabric *fabric, uint32_t node, unsigned port)
{
	const struct port *end = fabric_port(fabric, node, port);

	rs_set_guid(ctx, COUNT_GUID, fabric->nodes[node].guid);
	set_description(ctx, COUNT_DESCRIPTION, &fabric->nodes[node]);
	rs_set_integer(ctx, COUNT_PORT, port);
	rs_set_guid(ctx, COUNT_REMOTE_GUID, fabric->nodes[end->peer_node].guid);
	set_description(ctx, COUNT_REMOTE_DESCRIPTION, &fabric->nodes[end->peer_node]);
	rs_set_integer(ctx, COUNT_REMOTE_PORT, end->peer_port);
	rs_set_enum(ctx, COUNT_KIND, (int)link_kind(fabric, node, port));
}

void fabric_route_counts_rows(struct rs_ctx *ctx, unsigned probe, const struct forwarding *forwarding)
{
	const struct fabric *fabric = forwarding->fabric;
	uint32_t counts[256];

	for (uint32_t i = 0; i < fabric->nnodes; i++) {
		uint32_t node = fabric->order[i];

		if (fabric->nodes[node].info.type != NODE_SWITCH)
			continue;
		if (forwarding->tables[node])
			count_routes(forwarding, node, counts);
		for (unsigned port = 1; port <= fabric->nodes[node].info.ports; port++) {
			if (!(fabric_port(fabric, node, port)->known & KNOWS_PEER))
				continue;
			rs_row_begin(ctx, probe);
			set_counts(ctx, fabric, node, port);
			if (forwarding->tables[node])
				rs_set_integer(ctx, COUNT_ROUTES, counts[port]);
		}
	}
}
