/* SPDX-License-Identifier: BSD-2-Clause */
/* fabric.links: one row a cable */
#include "fabric/rows.h"

#include <stdio.h>

enum {
	GUID,
	DESCRIPTION,
	TYPE,
	PORT,
	LID,
	REMOTE_GUID,
	REMOTE_DESCRIPTION,
	REMOTE_TYPE,
	REMOTE_PORT,
	REMOTE_LID,
	KIND,
	STATE,
	PHYSICAL_STATE,
	WIDTH,
	SPEED,
	RATE,
	DEGRADED,
	WIDTH_ENABLED,
	WIDTH_SUPPORTED,
	SPEED_ENABLED,
	SPEED_SUPPORTED,
	REMOTE_WIDTH_ENABLED,
	REMOTE_WIDTH_SUPPORTED,
	REMOTE_SPEED_ENABLED,
	REMOTE_SPEED_SUPPORTED,
	FACTS
};

const char *const link_kinds[] = {"host", "switch-switch", "aggregation", "router", NULL};

#define WIDTHS(text)                                                                                                   \
	{                                                                                                              \
		.type = RS_ENUM, .flags = RS_F_LIST | RS_F_ORDERED | RS_F_HIGHER, .choices = link_widths,              \
		.observed_by = OBSERVED_ANSWER, .name = text
#define SPEEDS(text)                                                                                                   \
	{                                                                                                              \
		.type = RS_ENUM, .flags = RS_F_LIST | RS_F_ORDERED | RS_F_HIGHER, .choices = link_speeds,              \
		.observed_by = OBSERVED_ANSWER, .name = text
#define SPEED_SOURCES "LinkSpeed, LinkSpeedExt, LinkSpeedExt2 and, for FDR10, the vendor's ExtendedPortInfo"

const struct rs_fact fabric_links_facts[] =
	{[GUID] = {.name = "guid",
		   .type = RS_GUID,
		   .flags = RS_F_KEY,
		   .doc = "node GUID of the first end: the switch, where only one end is one; else the lower GUID and "
			  "port"},
	 [DESCRIPTION] = {.name = "description",
			  .type = RS_TEXT,
			  .doc = "NodeDescription of the first end",
			  .observed_by = OBSERVED_ANSWER},
	 [TYPE] = {.name = "type", .type = RS_ENUM, .choices = node_types, .doc = "NodeType of the first end"},
	 [PORT] = {.name = "port", .type = RS_INTEGER, .flags = RS_F_KEY, .doc = "port number of the first end"},
	 [LID] = {.name = "lid",
		  .type = RS_INTEGER,
		  .doc = "LID of the first end: a CA port's own, a switch's of its port 0; none: no LID is set",
		  .observed_by = OBSERVED_ANSWER},
	 [REMOTE_GUID] = {.name = "remote_guid",
			  .type = RS_GUID,
			  .doc = "node GUID of the second end",
			  .observed_by = OBSERVED_ANSWER},
	 [REMOTE_DESCRIPTION] = {.name = "remote_description",
				 .type = RS_TEXT,
				 .doc = "NodeDescription of the second end",
				 .observed_by = OBSERVED_ANSWER},
	 [REMOTE_TYPE] = {.name = "remote_type",
			  .type = RS_ENUM,
			  .choices = node_types,
			  .doc = "NodeType of the second end",
			  .observed_by = OBSERVED_ANSWER},
	 [REMOTE_PORT] = {.name = "remote_port",
			  .type = RS_INTEGER,
			  .doc = "port number of the second end",
			  .observed_by = OBSERVED_ANSWER},
	 [REMOTE_LID] = {.name = "remote_lid",
			 .type = RS_INTEGER,
			 .doc = "LID of the second end, as lid",
			 .observed_by = OBSERVED_ANSWER},
	 [KIND] = {.name = "kind",
		   .type = RS_ENUM,
		   .choices = link_kinds,
		   .doc = "router: one end is a router; aggregation: one end is an aggregation node; host: one end is "
			  "another CA",
		   .observed_by = OBSERVED_ANSWER},
	 [STATE] = {.name = "state",
		    .type = RS_ENUM,
		    .flags = RS_F_ORDERED | RS_F_HIGHER,
		    .choices = link_states,
		    .doc = "PortInfo.PortState; where the ends differ, the lower",
		    .observed_by = OBSERVED_ANSWER},
	 [PHYSICAL_STATE] = {.name = "physical_state",
			     .type = RS_ENUM,
			     .choices = link_physical_states,
			     .doc = "PortInfo.PortPhysicalState; where the ends differ, the one that is not LinkUp",
			     .observed_by = OBSERVED_ANSWER},
	 [WIDTH] = {.name = "width",
		    .type = RS_ENUM,
		    .flags = RS_F_ORDERED | RS_F_HIGHER,
		    .choices = link_widths,
		    .doc = "PortInfo.LinkWidthActive; where the ends differ, the lower",
		    .observed_by = OBSERVED_LINK},
	 [SPEED] = {.name = "speed",
		    .type = RS_ENUM,
		    .flags = RS_F_ORDERED | RS_F_HIGHER,
		    .choices = link_speeds,
		    .doc = "active speed of a lane, of " SPEED_SOURCES "; where the ends differ, the lower",
		    .observed_by = OBSERVED_LINK},
	 [RATE] = {.name = "rate",
		   .type = RS_QUANTITY,
		   .flags = RS_F_HIGHER,
		   .unit = "Gb/s",
		   .doc = "lanes times 2.5, 5, 10, 10, 14, 25, 50, 100, 200 Gb/s (SDR to XDR): as sysfs gives a "
			  "port's rate",
		   .observed_by = OBSERVED_LINK},
	 [DEGRADED] = {.name = "degraded",
		       .type = RS_BOOLEAN,
		       .doc = "width or speed is below the best that both ends support, whatever is enabled",
		       .observed_by = "needs a link that is up and PortInfo of both ends"},
	 [WIDTH_ENABLED] = WIDTHS("width_enabled"),
	 .doc =
		 "PortInfo.LinkWidthEnabled of the first end"},
		     [WIDTH_SUPPORTED] = WIDTHS("width_supported"),
		     .doc = "PortInfo.LinkWidthSupported of the first end"
}
, [SPEED_ENABLED] = SPEEDS("speed_enabled"), .doc = "enabled speeds of the first end, of " SPEED_SOURCES
}
, [SPEED_SUPPORTED] = SPEEDS("speed_supported"), .doc = "supported speeds of the first end, of " SPEED_SOURCES
}
, [REMOTE_WIDTH_ENABLED] = WIDTHS("remote_width_enabled"), .doc = "PortInfo.LinkWidthEnabled of the second end"
}
, [REMOTE_WIDTH_SUPPORTED] = WIDTHS("remote_width_supported"), .doc = "PortInfo.LinkWidthSupported of the second end"
}
, [REMOTE_SPEED_ENABLED] = SPEEDS("remote_speed_enabled"), .doc = "enabled speeds of the second end, as speed_enabled"
}
, [REMOTE_SPEED_SUPPORTED] = SPEEDS("remote_speed_supported"),
  .doc = "supported speeds of the second end, as speed_supported"
}
, [FACTS] = {0},
}
;

bool link_is_first(const struct fabric *fabric, uint32_t node, unsigned port)
{
	const struct port *end = fabric_port(fabric, node, port);
	bool near_switch = fabric->nodes[node].info.type == NODE_SWITCH, far_switch;

	if (!(end->known & KNOWS_PEER))
		return end->known & PEER_SILENT;
	far_switch = fabric->nodes[end->peer_node].info.type == NODE_SWITCH;
	if (near_switch != far_switch)
		return near_switch;
	if (node != end->peer_node)
		return fabric->rank[node] < fabric->rank[end->peer_node];
	return port <= end->peer_port;
}

enum link_kind link_kind(const struct fabric *fabric, uint32_t node, unsigned port)
{
	const struct node *near = &fabric->nodes[node];
	const struct node *far = &fabric->nodes[fabric_port(fabric, node, port)->peer_node];

	if (near->info.type == NODE_ROUTER || far->info.type == NODE_ROUTER)
		return KIND_ROUTER;
	if (near->info.type == NODE_SWITCH && far->info.type == NODE_SWITCH)
		return KIND_SWITCHES;
	return fabric_is_aggregation(near) || fabric_is_aggregation(far) ? KIND_AGGREGATION : KIND_HOST;
}

/* One of two codes: that of the end that is known, else the one whose meaning is lower; an unknown code is lowest */
static unsigned lower(const struct port *near, const struct port *far, unsigned a, unsigned b, int (*meaning)(unsigned))
{
	if (!(near->known & KNOWS_INFO))
		return b;
	if (!far || !(far->known & KNOWS_INFO))
		return a;
	return meaning(b) < meaning(a) ? b : a;
}

static int highest(unsigned set)
{
	return set ? 31 - __builtin_clz(set) : -1;
}

static int read_degraded(const struct fabric *fabric, uint32_t node, unsigned port, const struct link_facts *link)
{
	const struct port *near = fabric_port(fabric, node, port);
	const struct port *far = fabric_port(fabric, near->peer_node, near->peer_port);
	unsigned widths = link_width_set(near->info.width_supported & far->info.width_supported);
	unsigned speeds = fabric_speeds_supported(fabric, node, port) &
			  fabric_speeds_supported(fabric, near->peer_node, near->peer_port);

	if (link->width < 0 || link->speed < 0)
		return -1;
	return link->width < highest(widths) || link->speed < highest(speeds);
}

static void read_speed(const struct fabric *fabric, uint32_t node, unsigned port, bool far_known,
		       struct link_facts *link)
{
	const struct port *near = fabric_port(fabric, node, port);
	bool near_known = near->known & KNOWS_INFO;

	link->speed = near_known ? fabric_speed(fabric, node, port) : -1;
	link->speed_codes = near->info.active;
	if (far_known) {
		int other = fabric_speed(fabric, near->peer_node, near->peer_port);

		if (!near_known || other < link->speed) {
			link->speed = other;
			link->speed_codes = fabric_port(fabric, near->peer_node, near->peer_port)->info.active;
		}
	}
}

void link_read(const struct fabric *fabric, uint32_t node, unsigned port, struct link_facts *link)
{
	const struct port *near = fabric_port(fabric, node, port), *far = NULL;
	bool near_known = near->known & KNOWS_INFO, far_known;

	*link = (struct link_facts){.degraded = -1, .width = -1, .speed = -1};
	if (near->known & KNOWS_PEER)
		far = fabric_port(fabric, near->peer_node, near->peer_port);
	far_known = far && far->known & KNOWS_INFO;
	if (!near_known && !far_known)
		return;
	link->state_known = true;
	link->state = lower(near, far, near->info.state, far ? far->info.state : 0, link_state);
	link->physical = near->info.physical;
	if (!near_known || (far_known && link_physical(link->physical) == LINK_UP))
		link->physical = far->info.physical;
	link->up = link_physical((near_known ? near : far)->info.physical) == LINK_UP;
	if (!link->up)
		return;
	link->width_code = lower(near, far, near->info.width_active, far ? far->info.width_active : 0, link_width);
	link->width = link_width(link->width_code);
	read_speed(fabric, node, port, far_known, link);
	if (near_known && far_known)
		link->degraded = read_degraded(fabric, node, port, link);
}

static void set_speed(struct rs_ctx *ctx, const struct link_facts *link)
{
	char text[80];

	if (link->speed >= 0) {
		rs_set_enum(ctx, SPEED, link->speed);
		return;
	}
	snprintf(text, sizeof(text), "codes: LinkSpeedActive %u, LinkSpeedExtActive %u, LinkSpeedExtActive2 %u",
		 link->speed_codes.speed, link->speed_codes.extended, link->speed_codes.extended2);
	rs_set_unknown(ctx, SPEED, text);
}

static void set_link(struct rs_ctx *ctx, const struct link_facts *link)
{
	if (!link->state_known)
		return;
	link_set_code(ctx, STATE, link_state(link->state), link->state);
	link_set_code(ctx, PHYSICAL_STATE, link_physical(link->physical), link->physical);
	if (!link->up)
		return;
	link_set_code(ctx, WIDTH, link->width, link->width_code);
	set_speed(ctx, link);
	if (link->width >= 0 && link->speed >= 0)
		link_set_rate(ctx, RATE, link_rate(link->width, link->speed));
	if (link->degraded >= 0)
		rs_set_boolean(ctx, DEGRADED, link->degraded);
}

static void set_abilities(struct rs_ctx *ctx, const struct fabric *fabric, uint32_t node, unsigned port, unsigned first)
{
	const struct port *end = fabric_port(fabric, node, port);

	if (!(end->known & KNOWS_INFO))
		return;
	link_set_set(ctx, first, link_width_set(end->info.width_enabled));
	link_set_set(ctx, first + 1, link_width_set(end->info.width_supported));
	link_set_set(ctx, first + 2, fabric_speeds_enabled(fabric, node, port));
	link_set_set(ctx, first + 3, fabric_speeds_supported(fabric, node, port));
}

static void set_end(struct rs_ctx *ctx, const struct fabric *fabric, uint32_t node, unsigned port, unsigned first)
{
	rs_set_guid(ctx, first + GUID, fabric->nodes[node].guid);
	set_description(ctx, first + DESCRIPTION, &fabric->nodes[node]);
	set_type(ctx, first + TYPE, &fabric->nodes[node]);
	rs_set_integer(ctx, first + PORT, port);
	set_lid(ctx, first + LID, fabric, node, port);
}

static void set_row(struct rs_ctx *ctx, const struct fabric *fabric, uint32_t node, unsigned port)
{
	const struct port *near = fabric_port(fabric, node, port);
	struct link_facts link;

	set_end(ctx, fabric, node, port, GUID);
	set_abilities(ctx, fabric, node, port, WIDTH_ENABLED);
	if (near->known & KNOWS_PEER) {
		set_end(ctx, fabric, near->peer_node, near->peer_port, REMOTE_GUID);
		set_abilities(ctx, fabric, near->peer_node, near->peer_port, REMOTE_WIDTH_ENABLED);
		rs_set_enum(ctx, KIND, (int)link_kind(fabric, node, port));
	}
	link_read(fabric, node, port, &link);
	set_link(ctx, &link);
}

void fabric_links_rows(struct rs_ctx *ctx, unsigned probe, const struct fabric *fabric)
{
	for (uint32_t i = 0; i < fabric->nnodes; i++) {
		uint32_t node = fabric->order[i];

		for (unsigned port = 0; port <= fabric->nodes[node].info.ports; port++) {
			if (!link_is_first(fabric, node, port))
				continue;
			rs_row_begin(ctx, probe);
			set_row(ctx, fabric, node, port);
		}
	}
}
