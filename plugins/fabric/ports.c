/* SPDX-License-Identifier: BSD-2-Clause */
/* fabric.ports: one row a port, also those that are down; a switch's own port 0 is in fabric.nodes */
#include "fabric/rows.h"

enum {
	GUID,
	DESCRIPTION,
	TYPE,
	PORT,
	PORT_GUID,
	LID,
	LMC,
	STATE,
	PHYSICAL_STATE,
	WIDTH,
	SPEED,
	RATE,
	WIDTH_ENABLED,
	WIDTH_SUPPORTED,
	SPEED_ENABLED,
	SPEED_SUPPORTED,
	ACTIVE_MTU,
	MAX_MTU,
	CAPABILITY_MASK,
	REMOTE_GUID,
	REMOTE_DESCRIPTION,
	REMOTE_TYPE,
	REMOTE_PORT,
	KIND,
	FACTS
};

#define OBSERVED_PEER "needs an answer of the node at the other end"

const struct rs_fact fabric_ports_facts[] = {
	[GUID] = {.name = "guid", .type = RS_GUID, .flags = RS_F_KEY, .doc = "NodeInfo.NodeGUID of the port's node"},
	[DESCRIPTION] = {.name = "description",
			 .type = RS_TEXT,
			 .doc = "NodeDescription of the port's node",
			 .observed_by = OBSERVED_ANSWER},
	[TYPE] = {.name = "type",
		  .type = RS_ENUM,
		  .choices = node_types,
		  .doc = "NodeInfo.NodeType of the port's node"},
	[PORT] = {.name = "port", .type = RS_INTEGER, .flags = RS_F_KEY, .doc = "port number, from 1"},
	[PORT_GUID] = {.name = "port_guid",
		       .type = RS_GUID,
		       .doc = "NodeInfo.PortGUID: a CA port's own, that of port 0 for a switch's",
		       .observed_by = "needs a CA port that is connected to this subnet"},
	[LID] = {.name = "lid",
		 .type = RS_INTEGER,
		 .doc = "PortInfo.LID: a CA port's own, a switch's of its port 0; none: no LID is set",
		 .observed_by = OBSERVED_ANSWER},
	[LMC] = {.name = "lmc",
		 .type = RS_INTEGER,
		 .doc = "PortInfo.LMC, of the port that lid is of",
		 .observed_by = OBSERVED_ANSWER},
	[STATE] = {.name = "state",
		   .type = RS_ENUM,
		   .flags = RS_F_ORDERED | RS_F_HIGHER,
		   .choices = link_states,
		   .doc = "PortInfo.PortState",
		   .observed_by = OBSERVED_ANSWER},
	[PHYSICAL_STATE] = {.name = "physical_state",
			    .type = RS_ENUM,
			    .choices = link_physical_states,
			    .doc = "PortInfo.PortPhysicalState",
			    .observed_by = OBSERVED_ANSWER},
	[WIDTH] = {.name = "width",
		   .type = RS_ENUM,
		   .flags = RS_F_ORDERED | RS_F_HIGHER,
		   .choices = link_widths,
		   .doc = "PortInfo.LinkWidthActive",
		   .observed_by = OBSERVED_LINK},
	[SPEED] = {.name = "speed",
		   .type = RS_ENUM,
		   .flags = RS_F_ORDERED | RS_F_HIGHER,
		   .choices = link_speeds,
		   .doc = "active speed of a lane: LinkSpeedExtActive2, LinkSpeedExtActive, FDR10 of the vendor's "
			  "ExtendedPortInfo, LinkSpeedActive",
		   .observed_by = OBSERVED_LINK},
	[RATE] = {.name = "rate",
		  .type = RS_QUANTITY,
		  .flags = RS_F_HIGHER,
		  .unit = "Gb/s",
		  .doc = "nominal data rate of all lanes: as fabric.links",
		  .observed_by = OBSERVED_LINK},
	[WIDTH_ENABLED] = {.name = "width_enabled",
			   .type = RS_ENUM,
			   .flags = RS_F_LIST | RS_F_ORDERED | RS_F_HIGHER,
			   .choices = link_widths,
			   .doc = "PortInfo.LinkWidthEnabled",
			   .observed_by = OBSERVED_ANSWER},
	[WIDTH_SUPPORTED] = {.name = "width_supported",
			     .type = RS_ENUM,
			     .flags = RS_F_LIST | RS_F_ORDERED | RS_F_HIGHER,
			     .choices = link_widths,
			     .doc = "PortInfo.LinkWidthSupported",
			     .observed_by = OBSERVED_ANSWER},
	[SPEED_ENABLED] = {.name = "speed_enabled",
			   .type = RS_ENUM,
			   .flags = RS_F_LIST | RS_F_ORDERED | RS_F_HIGHER,
			   .choices = link_speeds,
			   .doc = "PortInfo.LinkSpeedEnabled, LinkSpeedExtEnabled, LinkSpeedExtEnabled2",
			   .observed_by = OBSERVED_ANSWER},
	[SPEED_SUPPORTED] = {.name = "speed_supported",
			     .type = RS_ENUM,
			     .flags = RS_F_LIST | RS_F_ORDERED | RS_F_HIGHER,
			     .choices = link_speeds,
			     .doc = "PortInfo.LinkSpeedSupported, LinkSpeedExtSupported, LinkSpeedExtSupported2",
			     .observed_by = OBSERVED_ANSWER},
	[ACTIVE_MTU] = {.name = "active_mtu",
			.type = RS_ENUM,
			.flags = RS_F_ORDERED | RS_F_HIGHER,
			.choices = link_mtus,
			.doc = "PortInfo.NeighborMTU, in bytes",
			.observed_by = OBSERVED_LINK},
	[MAX_MTU] = {.name = "max_mtu",
		     .type = RS_ENUM,
		     .flags = RS_F_ORDERED | RS_F_HIGHER,
		     .choices = link_mtus,
		     .doc = "PortInfo.MTUCap, in bytes",
		     .observed_by = OBSERVED_LINK},
	[CAPABILITY_MASK] = {.name = "capability_mask",
			     .type = RS_UNSIGNED,
			     .flags = RS_F_HEX,
			     .doc = "PortInfo.CapabilityMask, of the port that lid is of",
			     .observed_by = OBSERVED_ANSWER},
	[REMOTE_GUID] = {.name = "remote_guid",
			 .type = RS_GUID,
			 .doc = "node GUID at the other end of the cable; none where the link is not up",
			 .observed_by = OBSERVED_PEER},
	[REMOTE_DESCRIPTION] = {.name = "remote_description",
				.type = RS_TEXT,
				.doc = "NodeDescription at the other end; none where the link is not up",
				.observed_by = OBSERVED_PEER},
	[REMOTE_TYPE] = {.name = "remote_type",
			 .type = RS_ENUM,
			 .choices = node_types,
			 .doc = "NodeType at the other end; none where the link is not up",
			 .observed_by = OBSERVED_PEER},
	[REMOTE_PORT] = {.name = "remote_port",
			 .type = RS_INTEGER,
			 .doc = "port number at the other end; none where the link is not up",
			 .observed_by = OBSERVED_PEER},
	[KIND] = {.name = "kind",
		  .type = RS_ENUM,
		  .choices = link_kinds,
		  .doc = "of the link, as fabric.links; none where it is not up",
		  .observed_by = OBSERVED_PEER},
	[FACTS] = {0},
};

static void set_link(struct rs_ctx *ctx, const struct fabric *fabric, uint32_t node, unsigned port)
{
	const struct port *end = fabric_port(fabric, node, port);
	int width = link_width(end->info.width_active), speed = fabric_speed(fabric, node, port);

	link_set_code(ctx, WIDTH, width, end->info.width_active);
	link_set_code(ctx, SPEED, speed,
		      end->info.active.extended2 ? end->info.active.extended2 : end->info.active.extended);
	if (width >= 0 && speed >= 0)
		link_set_rate(ctx, RATE, link_rate(width, speed));
	link_set_code(ctx, ACTIVE_MTU, link_mtu(end->info.neighbor_mtu), end->info.neighbor_mtu);
	link_set_code(ctx, MAX_MTU, link_mtu(end->info.mtu_cap), end->info.mtu_cap);
}

static void set_info(struct rs_ctx *ctx, const struct fabric *fabric, uint32_t node, unsigned port)
{
	const struct port *end = fabric_port(fabric, node, port);

	link_set_code(ctx, STATE, link_state(end->info.state), end->info.state);
	link_set_code(ctx, PHYSICAL_STATE, link_physical(end->info.physical), end->info.physical);
	link_set_set(ctx, WIDTH_ENABLED, link_width_set(end->info.width_enabled));
	link_set_set(ctx, WIDTH_SUPPORTED, link_width_set(end->info.width_supported));
	link_set_set(ctx, SPEED_ENABLED, fabric_speeds_enabled(fabric, node, port));
	link_set_set(ctx, SPEED_SUPPORTED, fabric_speeds_supported(fabric, node, port));
	if (link_physical(end->info.physical) == LINK_UP)
		set_link(ctx, fabric, node, port);
}

static void set_peer(struct rs_ctx *ctx, const struct fabric *fabric, uint32_t node, unsigned port)
{
	const struct port *end = fabric_port(fabric, node, port);
	const struct node *peer;

	if (end->known & KNOWS_PEER) {
		peer = &fabric->nodes[end->peer_node];
		rs_set_guid(ctx, REMOTE_GUID, peer->guid);
		set_description(ctx, REMOTE_DESCRIPTION, peer);
		set_type(ctx, REMOTE_TYPE, peer);
		rs_set_integer(ctx, REMOTE_PORT, end->peer_port);
		rs_set_enum(ctx, KIND, (int)link_kind(fabric, node, port));
	} else if (end->known & KNOWS_INFO && link_physical(end->info.physical) != LINK_UP) {
		for (unsigned fact = REMOTE_GUID; fact <= KIND; fact++)
			rs_set_none(ctx, fact);
	}
}

static void set_row(struct rs_ctx *ctx, const struct fabric *fabric, uint32_t index, unsigned port)
{
	const struct node *node = &fabric->nodes[index];
	const struct port *end = fabric_port(fabric, index, port);
	const struct port *addressed = node->info.type == NODE_SWITCH ? fabric_port(fabric, index, 0) : end;
	uint64_t port_guid = node->info.type == NODE_SWITCH ? node->info.port_guid : end->guid;

	rs_set_guid(ctx, GUID, node->guid);
	set_description(ctx, DESCRIPTION, node);
	set_type(ctx, TYPE, node);
	rs_set_integer(ctx, PORT, port);
	if (port_guid)
		rs_set_guid(ctx, PORT_GUID, port_guid);
	set_lid(ctx, LID, fabric, index, port);
	if (addressed->known & KNOWS_INFO) {
		rs_set_integer(ctx, LMC, addressed->info.lmc);
		rs_set_unsigned(ctx, CAPABILITY_MASK, addressed->info.capability);
	}
	if (end->known & KNOWS_INFO)
		set_info(ctx, fabric, index, port);
	set_peer(ctx, fabric, index, port);
}

void fabric_ports_rows(struct rs_ctx *ctx, unsigned probe, const struct fabric *fabric)
{
	for (uint32_t i = 0; i < fabric->nnodes; i++) {
		for (unsigned port = 1; port <= fabric->nodes[fabric->order[i]].info.ports; port++) {
			rs_row_begin(ctx, probe);
			set_row(ctx, fabric, fabric->order[i], port);
		}
	}
}
