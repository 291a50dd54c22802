/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric.partitions: one row a member of a partition. The tables are read from the ports themselves: what is enforced
 * there, not what a subnet manager means to have set.
 */
#include "fabric/partitions.h"

#include <string.h>

#include "fabric/rows.h"
#include "support/mad_packet.h"

enum { PARTITION, MEMBERSHIP, PKEY, INDEX, GUID, DESCRIPTION, TYPE, PORT, LID, FACTS };

static const char *const memberships[] = {"limited", "full", NULL};

#define FULL_MEMBER 0x8000
#define BLOCK 32 /* entries of a P_KeyTable attribute */

const struct rs_fact fabric_partitions_facts[] = {
	[PARTITION] = {.name = "partition",
		       .type = RS_UNSIGNED,
		       .flags = RS_F_HEX | RS_F_KEY,
		       .doc = "low 15 bits of the entry, which two ports must share to talk: 0x7fff is the default "
			      "partition"},
	[MEMBERSHIP] = {.name = "membership",
			.type = RS_ENUM,
			.choices = memberships,
			.doc = "top bit of the entry: full members talk to all, limited ones to full ones only"},
	[PKEY] = {.name = "pkey", .type = RS_UNSIGNED, .flags = RS_F_HEX, .doc = "the entry, all 16 bits"},
	[INDEX] = {.name = "index",
		   .type = RS_INTEGER,
		   .flags = RS_F_KEY,
		   .doc = "its place in the port's P_KeyTable; empty places have no row"},
	[GUID] = {.name = "guid", .type = RS_GUID, .flags = RS_F_KEY, .doc = "NodeInfo.NodeGUID of the member"},
	[DESCRIPTION] = {.name = "description",
			 .type = RS_TEXT,
			 .doc = "NodeDescription of the member",
			 .observed_by = OBSERVED_ANSWER},
	[TYPE] = {.name = "type", .type = RS_ENUM, .choices = node_types, .doc = "NodeInfo.NodeType of the member"},
	[PORT] = {.name = "port",
		  .type = RS_INTEGER,
		  .flags = RS_F_KEY,
		  .doc = "its port; 0 of a switch, whose other ports have no members behind them but those listed"},
	[LID] = {.name = "lid", .type = RS_INTEGER, .doc = "LID of that port; none: no LID is set"},
	[FACTS] = {0},
};

struct member {
	uint32_t node;
	uint8_t port;
	bool silent;
	uint16_t *entries;
};

struct reading {
	const struct fabric *fabric;
	struct member *members;
	uint32_t count, cursor;
	unsigned block;
};

static unsigned entries_of(const struct reading *reading, const struct member *member)
{
	return reading->fabric->nodes[member->node].info.partitions;
}

static bool next(void *user, struct mad_request *request)
{
	struct reading *reading = user;
	const struct member *member;

	while (reading->cursor < reading->count &&
	       reading->block * BLOCK >= entries_of(reading, &reading->members[reading->cursor])) {
		reading->cursor++;
		reading->block = 0;
	}
	if (reading->cursor == reading->count)
		return false;
	member = &reading->members[reading->cursor];
	request->klass = MAD_CLASS_SMI_DIRECT;
	request->attribute = ATTRIBUTE_PKEY_TABLE;
	request->hops = (uint8_t)fabric_route_port(reading->fabric, member->node, member->port, request->path);
	request->modifier = reading->block; /* the port in the upper half is a switch's: 0 is its own */
	request->index = reading->cursor;
	reading->block++;
	return true;
}

static void done(void *user, const struct mad_request *request, const struct mad_answer *answer)
{
	struct reading *reading = user;
	struct member *member = &reading->members[request->index];
	unsigned first = (request->modifier & 0xffff) * BLOCK;

	if (answer->outcome != MAD_ANSWERED) {
		member->silent = true;
		return;
	}
	for (unsigned i = 0; i < BLOCK && first + i < entries_of(reading, member); i++)
		member->entries[first + i] = get16(answer->mad + MAD_DATA + 2 * i);
}

/* A switch's own port, and each port of another node that an SMP can come in by */
static bool is_member(const struct fabric *fabric, uint32_t node, unsigned port)
{
	uint8_t path[64];

	if (fabric->nodes[node].info.type == NODE_SWITCH)
		return !port;
	return port && fabric_route_port(fabric, node, port, path) >= 0;
}

static uint32_t find_members(struct rs_ctx *ctx, const struct fabric *fabric, struct member *members)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < fabric->nnodes; i++) {
		uint32_t node = fabric->order[i];
		const struct node *found = &fabric->nodes[node];

		for (unsigned port = 0; port <= found->info.ports; port++) {
			if (!is_member(fabric, node, port))
				continue;
			if (members)
				members[count] = (struct member){
					.node = node,
					.port = (uint8_t)port,
					.entries = rs_alloc(ctx, (found->info.partitions + 1u) * sizeof(uint16_t)),
				};
			count++;
		}
	}
	return count;
}

static void set_row(struct rs_ctx *ctx, const struct reading *reading, const struct member *member, unsigned index)
{
	const struct node *node = &reading->fabric->nodes[member->node];
	uint16_t pkey = member->entries[index];

	rs_set_unsigned(ctx, PARTITION, pkey & ~FULL_MEMBER & 0xffff);
	rs_set_enum(ctx, MEMBERSHIP, !!(pkey & FULL_MEMBER));
	rs_set_unsigned(ctx, PKEY, pkey);
	rs_set_integer(ctx, INDEX, index);
	rs_set_guid(ctx, GUID, node->guid);
	set_description(ctx, DESCRIPTION, node);
	set_type(ctx, TYPE, node);
	rs_set_integer(ctx, PORT, member->port);
	set_lid(ctx, LID, reading->fabric, member->node, member->port);
}

int fabric_partitions_rows(struct rs_ctx *ctx, unsigned probe, const struct fabric *fabric, struct mad_port *umad)
{
	static const struct mad_user callbacks = {.next = next, .done = done};
	struct reading reading = {.fabric = fabric, .count = find_members(ctx, fabric, NULL)};
	char name[80];
	int error;

	reading.members = rs_alloc(ctx, (reading.count + 1) * sizeof(*reading.members));
	find_members(ctx, fabric, reading.members);
	error = mad_run(umad, &callbacks, &reading);
	if (error)
		return error;
	for (uint32_t i = 0; i < reading.count; i++) {
		const struct member *member = &reading.members[i];

		if (member->silent)
			rs_incomplete(ctx, "%s port %u: its partition table was not answered in full",
				      fabric_name(fabric, member->node, name), member->port);
		for (unsigned entry = 0; entry < entries_of(&reading, member); entry++) {
			if (!member->entries[entry])
				continue;
			rs_row_begin(ctx, probe);
			set_row(ctx, &reading, member, entry);
		}
	}
	if (mad_out_of_time(umad))
		rs_incomplete(ctx, "the time was up before all partition tables were read");
	return 0;
}
