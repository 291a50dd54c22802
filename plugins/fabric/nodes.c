/* SPDX-License-Identifier: BSD-2-Clause */
/* fabric.nodes: one row a node of the subnet */
#include "fabric/rows.h"

enum {
	GUID,
	TYPE,
	DESCRIPTION,
	SYSTEM_IMAGE_GUID,
	VENDOR_ID,
	DEVICE_ID,
	REVISION,
	PORTS,
	PORTS_UP,
	LID,
	LMC,
	ENHANCED_PORT0,
	AGGREGATION,
	DUPLICATE_GUID,
	FACTS
};

const char *const node_types[] = {"CA", "switch", "router", NULL};

const struct rs_fact fabric_nodes_facts[] = {
	[GUID] = {.name = "guid", .type = RS_GUID, .flags = RS_F_KEY, .doc = "NodeInfo.NodeGUID"},
	[TYPE] = {.name = "type",
		  .type = RS_ENUM,
		  .choices = node_types,
		  .doc = "NodeInfo.NodeType: 1 CA (a host's adapter, or an aggregation node), 2 switch, 3 router"},
	[DESCRIPTION] = {.name = "description",
			 .type = RS_TEXT,
			 .doc = "NodeDescription, up to its first zero byte; names may repeat or be empty",
			 .observed_by = OBSERVED_ANSWER},
	[SYSTEM_IMAGE_GUID] = {.name = "system_image_guid",
			       .type = RS_GUID,
			       .doc = "NodeInfo.SystemImageGUID: equal for the nodes of one system"},
	[VENDOR_ID] = {.name = "vendor_id",
		       .type = RS_UNSIGNED,
		       .flags = RS_F_HEX,
		       .doc = "NodeInfo.VendorID: 0x2c9 Mellanox"},
	[DEVICE_ID] = {.name = "device_id", .type = RS_UNSIGNED, .flags = RS_F_HEX, .doc = "NodeInfo.DeviceID"},
	[REVISION] = {.name = "revision", .type = RS_UNSIGNED, .flags = RS_F_HEX, .doc = "NodeInfo.Revision"},
	[PORTS] = {.name = "ports", .type = RS_INTEGER, .doc = "NodeInfo.NumPorts: without a switch's port 0"},
	[PORTS_UP] = {.name = "ports_up",
		      .type = RS_INTEGER,
		      .doc = "how many of them are physically LinkUp; of a CA those that the sweep could ask for"},
	[LID] = {.name = "lid",
		 .type = RS_INTEGER,
		 .doc = "PortInfo.LID of a switch's port 0, of another node's lowest port that has one; none: no LID "
			"is set",
		 .observed_by = OBSERVED_ANSWER},
	[LMC] = {.name = "lmc",
		 .type = RS_INTEGER,
		 .doc = "PortInfo.LMC of the same port: it has 2^lmc LIDs",
		 .observed_by = OBSERVED_ANSWER},
	[ENHANCED_PORT0] =
		{.name = "enhanced_port0",
		 .type = RS_BOOLEAN,
		 .doc = "SwitchInfo.EnhancedPort0: the switch's own port works as a CA's; none for what is no switch",
		 .observed_by = OBSERVED_ANSWER},
	[AGGREGATION] =
		{.name = "aggregation",
		 .type = RS_BOOLEAN,
		 .doc = "a CA inside a switch that reduces data (SHARP): its description has \"Aggregation Node\"",
		 .observed_by = OBSERVED_ANSWER},
	[DUPLICATE_GUID] = {.name = "duplicate_guid",
			    .type = RS_BOOLEAN,
			    .doc = "another node of the subnet has this GUID"},
	[FACTS] = {0},
};

void set_description(struct rs_ctx *ctx, unsigned fact, const struct node *node)
{
	if (node->known & KNOWS_DESCRIPTION)
		rs_set_bytes(ctx, fact, node->description, fabric_description(node));
}

void set_type(struct rs_ctx *ctx, unsigned fact, const struct node *node)
{
	rs_set_enum(ctx, fact, node->info.type - NODE_CA);
}

void set_lid(struct rs_ctx *ctx, unsigned fact, const struct fabric *fabric, uint32_t node, unsigned port)
{
	unsigned lid = fabric_lid(fabric, node, port);

	if (!(fabric_port(fabric, node, fabric->nodes[node].info.type == NODE_SWITCH ? 0 : port)->known & KNOWS_INFO))
		return;
	if (lid)
		rs_set_integer(ctx, fact, lid);
	else
		rs_set_none(ctx, fact);
}

/* The port that stands for the node */
static unsigned main_port(const struct fabric *fabric, uint32_t index)
{
	const struct node *node = &fabric->nodes[index];

	if (node->info.type == NODE_SWITCH)
		return 0;
	for (unsigned port = 1; port <= node->info.ports; port++)
		if (fabric_port(fabric, index, port)->known & KNOWS_PEER && fabric_lid(fabric, index, port))
			return port;
	return node->entry_port;
}

static unsigned count_up(const struct fabric *fabric, uint32_t index)
{
	unsigned up = 0;

	for (unsigned port = 1; port <= fabric->nodes[index].info.ports; port++) {
		const struct port *end = fabric_port(fabric, index, port);

		up += end->known & KNOWS_INFO && link_physical(end->info.physical) == LINK_UP;
	}
	return up;
}

static void set_row(struct rs_ctx *ctx, const struct fabric *fabric, uint32_t index)
{
	const struct node *node = &fabric->nodes[index];
	unsigned port = main_port(fabric, index);
	const struct port *main = fabric_port(fabric, index, port);

	rs_set_guid(ctx, GUID, node->guid);
	set_type(ctx, TYPE, node);
	set_description(ctx, DESCRIPTION, node);
	rs_set_guid(ctx, SYSTEM_IMAGE_GUID, node->info.system_image_guid);
	rs_set_unsigned(ctx, VENDOR_ID, node->info.vendor_id);
	rs_set_unsigned(ctx, DEVICE_ID, node->info.device_id);
	rs_set_unsigned(ctx, REVISION, node->info.revision);
	rs_set_integer(ctx, PORTS, node->info.ports);
	rs_set_integer(ctx, PORTS_UP, count_up(fabric, index));
	set_lid(ctx, LID, fabric, index, port);
	if (main->known & KNOWS_INFO)
		rs_set_integer(ctx, LMC, main->info.lmc);
	if (node->info.type != NODE_SWITCH)
		rs_set_none(ctx, ENHANCED_PORT0);
	else if (node->known & KNOWS_SWITCH)
		rs_set_boolean(ctx, ENHANCED_PORT0, node->switch_info.enhanced_port0);
	if (node->known & KNOWS_DESCRIPTION || node->info.type != NODE_CA)
		rs_set_boolean(ctx, AGGREGATION, fabric_is_aggregation(node));
}

void fabric_nodes_rows(struct rs_ctx *ctx, unsigned probe, const struct fabric *fabric)
{
	for (uint32_t i = 0; i < fabric->nnodes; i++) {
		const struct node *node = &fabric->nodes[fabric->order[i]];
		bool before = i && fabric->nodes[fabric->order[i - 1]].guid == node->guid;
		bool after = i + 1 < fabric->nnodes && fabric->nodes[fabric->order[i + 1]].guid == node->guid;

		rs_row_begin(ctx, probe);
		set_row(ctx, fabric, fabric->order[i]);
		rs_set_boolean(ctx, DUPLICATE_GUID, before || after || node->shares_guid);
	}
}
