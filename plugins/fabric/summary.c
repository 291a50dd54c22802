/* SPDX-License-Identifier: BSD-2-Clause */
/* fabric.summary: one row of counts over the whole subnet */
#include <stdlib.h>
#include <string.h>

#include "fabric/rows.h"

enum {
	NODES,
	HOST_ADAPTERS,
	AGGREGATION_NODES,
	SWITCHES,
	ROUTERS,
	UNNAMED,
	LINKS,
	LINKS_ACTIVE,
	LINKS_DEGRADED,
	HOST_LINKS,
	SWITCH_LINKS,
	PORTS,
	PORTS_DOWN,
	PORTS_INITIALIZE,
	PORTS_ARMED,
	PORTS_ACTIVE,
	LINKS_1X,
	LINKS_12X = LINKS_1X + LINK_12X,
	LINKS_SDR,
	LINKS_XDR = LINKS_SDR + LINK_XDR,
	DUPLICATE_GUIDS,
	DUPLICATE_LIDS,
	DUPLICATE_NAMES,
	COUNTS,
	DUPLICATED_GUIDS = COUNTS,
	DUPLICATED_LIDS,
	DUPLICATED_NAMES,
	FACTS
};

#define COUNT(word, text) .name = word, .type = RS_INTEGER, .doc = text
#define FAULTS(word, text) .name = word, .type = RS_INTEGER, .flags = RS_F_LOWER, .doc = text
#define WIDTH(lower, word)                                                                                             \
	{                                                                                                              \
		COUNT("links_" lower, "links whose active width is " word)                                             \
	}
#define SPEED(lower, word)                                                                                             \
	{                                                                                                              \
		COUNT("links_" lower, "links whose active speed is " word)                                             \
	}

const struct rs_fact fabric_summary_facts[] = {
	[NODES] = {COUNT("nodes", "nodes of all types")},
	[HOST_ADAPTERS] = {COUNT("host_adapters", "CAs that are no aggregation nodes: what ibhosts lists, less those")},
	[AGGREGATION_NODES] = {COUNT("aggregation_nodes",
				     "CAs inside switches, known by \"Aggregation Node\" in their description")},
	[SWITCHES] = {COUNT("switches", "nodes of type switch: what ibswitches lists")},
	[ROUTERS] = {COUNT("routers", "nodes of type router")},
	[UNNAMED] = {COUNT("unnamed", "nodes whose description is empty, or was not answered")},
	[LINKS] = {COUNT("links", "cables with an answering node at each end: rows of fabric.links")},
	[LINKS_ACTIVE] = {COUNT("links_active", "links that are Active at both ends")},
	[LINKS_DEGRADED] = {FAULTS("links_degraded", "links below the best width or speed that both ends support")},
	[HOST_LINKS] = {COUNT("host_links", "links of kind host")},
	[SWITCH_LINKS] = {COUNT("switch_links", "links of kind switch-switch")},
	[PORTS] = {COUNT("ports",
			 "ports that said how they are: PortInfo of switch ports from 1 and of CA and router ports")},
	[PORTS_DOWN] = {COUNT("ports_down", "of them in state Down")},
	[PORTS_INITIALIZE] = {FAULTS("ports_initialize",
				     "of them in state Initialize: no subnet manager has configured them")},
	[PORTS_ARMED] = {FAULTS("ports_armed", "of them in state Armed")},
	[PORTS_ACTIVE] = {COUNT("ports_active", "of them in state Active")},
	[LINKS_1X + LINK_1X] = WIDTH("1x", "1X"),
	[LINKS_1X + LINK_2X] = WIDTH("2x", "2X"),
	[LINKS_1X + LINK_4X] = WIDTH("4x", "4X"),
	[LINKS_1X + LINK_8X] = WIDTH("8x", "8X"),
	[LINKS_12X] = WIDTH("12x", "12X"),
	[LINKS_SDR + LINK_SDR] = SPEED("sdr", "SDR"),
	[LINKS_SDR + LINK_DDR] = SPEED("ddr", "DDR"),
	[LINKS_SDR + LINK_QDR] = SPEED("qdr", "QDR"),
	[LINKS_SDR + LINK_FDR10] = SPEED("fdr10", "FDR10"),
	[LINKS_SDR + LINK_FDR] = SPEED("fdr", "FDR"),
	[LINKS_SDR + LINK_EDR] = SPEED("edr", "EDR"),
	[LINKS_SDR + LINK_HDR] = SPEED("hdr", "HDR"),
	[LINKS_SDR + LINK_NDR] = SPEED("ndr", "NDR"),
	[LINKS_XDR] = SPEED("xdr", "XDR"),
	[DUPLICATE_GUIDS] = {FAULTS("duplicate_guids", "node GUIDs that more than one node has")},
	[DUPLICATE_LIDS] = {FAULTS("duplicate_lids", "LIDs, with those that an LMC adds, that more than one port has")},
	[DUPLICATE_NAMES] = {FAULTS("duplicate_names", "descriptions, but the empty one, that more than one node has")},
	[DUPLICATED_GUIDS] = {.name = "duplicated_guids",
			      .type = RS_GUID,
			      .flags = RS_F_LIST,
			      .doc = "the duplicate GUIDs"},
	[DUPLICATED_LIDS] = {.name = "duplicated_lids",
			     .type = RS_INTEGER,
			     .flags = RS_F_LIST,
			     .doc = "the first 100 duplicate LIDs"},
	[DUPLICATED_NAMES] = {.name = "duplicated_names",
			      .type = RS_TEXT,
			      .flags = RS_F_LIST,
			      .doc = "the first 100 duplicate descriptions"},
	[FACTS] = {0},
};

#define LISTED 100

static void count_node(const struct node *node, int64_t *counts)
{
	counts[NODES]++;
	if (node->info.type == NODE_SWITCH)
		counts[SWITCHES]++;
	else if (node->info.type == NODE_ROUTER)
		counts[ROUTERS]++;
	else
		counts[fabric_is_aggregation(node) ? AGGREGATION_NODES : HOST_ADAPTERS]++;
	counts[UNNAMED] += !fabric_description(node);
}

static void count_port(const struct port *port, int64_t *counts)
{
	int state = link_state(port->info.state);

	if (!(port->known & KNOWS_INFO))
		return;
	counts[PORTS]++;
	if (state >= 0)
		counts[PORTS_DOWN + state]++;
}

static void count_link(const struct fabric *fabric, uint32_t node, unsigned port, int64_t *counts)
{
	const struct port *near = fabric_port(fabric, node, port);
	enum link_kind kind;
	struct link_facts link;

	if (!(near->known & KNOWS_PEER) || !link_is_first(fabric, node, port))
		return;
	kind = link_kind(fabric, node, port);
	link_read(fabric, node, port, &link);
	counts[LINKS]++;
	counts[LINKS_ACTIVE] += link.state_known && link_state(link.state) == LINK_ACTIVE;
	counts[HOST_LINKS] += kind == KIND_HOST;
	counts[SWITCH_LINKS] += kind == KIND_SWITCHES;
	if (!link.up)
		return;
	if (link.width >= 0)
		counts[LINKS_1X + link.width]++;
	if (link.speed >= 0)
		counts[LINKS_SDR + link.speed]++;
	counts[LINKS_DEGRADED] += link.degraded == 1;
}

static void find_guids(struct rs_ctx *ctx, const struct fabric *fabric, int64_t *counts)
{
	for (uint32_t i = 0; i < fabric->nnodes; i++) {
		const struct node *node = &fabric->nodes[fabric->order[i]];
		bool first = !i || fabric->nodes[fabric->order[i - 1]].guid != node->guid;
		bool last = i + 1 == fabric->nnodes || fabric->nodes[fabric->order[i + 1]].guid != node->guid;

		if (!first || (last && !node->shares_guid))
			continue;
		counts[DUPLICATE_GUIDS]++;
		rs_set_guid(ctx, DUPLICATED_GUIDS, node->guid);
	}
	if (!counts[DUPLICATE_GUIDS])
		rs_set_none(ctx, DUPLICATED_GUIDS);
}

/* How many ports have each LID: 0, 1, or 2 for more */
static void add_lids(const struct port *port, uint8_t *owners)
{
	unsigned last;

	if (!(port->known & KNOWS_INFO) || !port->info.lid || port->info.lid > LID_MAX)
		return;
	last = port->info.lid + (1u << port->info.lmc) - 1;
	for (unsigned lid = port->info.lid; lid <= last && lid <= LID_MAX; lid++)
		if (owners[lid] < 2)
			owners[lid]++;
}

static void find_lids(struct rs_ctx *ctx, const struct fabric *fabric, int64_t *counts)
{
	uint8_t *owners = rs_alloc(ctx, LID_MAX + 1);

	for (uint32_t i = 0; i < fabric->nnodes; i++) {
		const struct node *node = &fabric->nodes[i];

		if (node->info.type == NODE_SWITCH)
			add_lids(fabric_port(fabric, i, 0), owners);
		else
			for (unsigned port = 1; port <= node->info.ports; port++)
				add_lids(fabric_port(fabric, i, port), owners);
	}
	for (unsigned lid = 1; lid <= LID_MAX; lid++)
		if (owners[lid] > 1 && counts[DUPLICATE_LIDS]++ < LISTED)
			rs_set_integer(ctx, DUPLICATED_LIDS, lid);
	if (!counts[DUPLICATE_LIDS])
		rs_set_none(ctx, DUPLICATED_LIDS);
}

static int by_name(const void *a, const void *b, void *user)
{
	const struct fabric *fabric = user;

	return strncmp((const char *)fabric->nodes[*(const uint32_t *)a].description,
		       (const char *)fabric->nodes[*(const uint32_t *)b].description, DESCRIPTION_BYTES);
}

static void find_names(struct rs_ctx *ctx, const struct fabric *fabric, int64_t *counts)
{
	uint32_t *sorted = rs_alloc(ctx, (fabric->nnodes + 1) * sizeof(*sorted)), same = 1;

	memcpy(sorted, fabric->order, fabric->nnodes * sizeof(*sorted));
	qsort_r(sorted, fabric->nnodes, sizeof(*sorted), by_name, (void *)fabric);
	for (uint32_t i = 1; i < fabric->nnodes; i++) {
		const struct node *node = &fabric->nodes[sorted[i]];

		same = by_name(&sorted[i], &sorted[i - 1], (void *)fabric) ? 1 : same + 1;
		if (same != 2 || !fabric_description(node))
			continue;
		if (counts[DUPLICATE_NAMES]++ < LISTED)
			rs_set_bytes(ctx, DUPLICATED_NAMES, node->description, fabric_description(node));
	}
	if (!counts[DUPLICATE_NAMES])
		rs_set_none(ctx, DUPLICATED_NAMES);
}

void fabric_summary_rows(struct rs_ctx *ctx, unsigned probe, const struct fabric *fabric)
{
	int64_t counts[COUNTS] = {0};

	rs_row_begin(ctx, probe);
	for (uint32_t i = 0; i < fabric->nnodes; i++) {
		count_node(&fabric->nodes[i], counts);
		for (unsigned port = 1; port <= fabric->nodes[i].info.ports; port++) {
			count_port(fabric_port(fabric, i, port), counts);
			count_link(fabric, i, port, counts);
		}
	}
	find_guids(ctx, fabric, counts);
	find_lids(ctx, fabric, counts);
	find_names(ctx, fabric, counts);
	for (unsigned fact = 0; fact < COUNTS; fact++)
		rs_set_integer(ctx, fact, counts[fact]);
}
