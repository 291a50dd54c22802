/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric.partitions: one row a member of a partition. Where the subnet administration does not tell a table, it is read
 * from the port itself.
 */
#include "fabric/partitions.h"

#include <string.h>

#include "fabric/rows.h"
#include "support/mad_packet.h"

enum { PARTITION, MEMBERSHIP, PKEY, INDEX, GUID, DESCRIPTION, TYPE, PORT, LID, SOURCE, FACTS };

static const char *const memberships[] = {"limited", "full", NULL};
const char *const partitions_ways[] = {"sa", "smp", NULL};
static const char *const sources[] = {"SA", "port", NULL};

#define FULL_MEMBER 0x8000

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
	[SOURCE] = {.name = "source",
		    .type = RS_ENUM,
		    .choices = sources,
		    .flags = RS_F_VOLATILE,
		    .doc = "SA: the subnet administration's P_KeyTableRecords: what the subnet manager has set; port: "
			   "the port's own P_KeyTable"},
	[FACTS] = {0},
};

struct reading {
	struct members *members;
	uint32_t cursor;
	unsigned block;
};

static bool is_read(const struct reading *reading)
{
	const struct member *member = &reading->members->all[reading->cursor];

	return member->by_sa || reading->block * PARTITION_BLOCK >= member_entries(reading->members, member);
}

static bool next(void *user, struct mad_request *request)
{
	struct reading *reading = user;
	const struct member *member;

	while (reading->cursor < reading->members->count && is_read(reading)) {
		reading->cursor++;
		reading->block = 0;
	}
	if (reading->cursor == reading->members->count)
		return false;
	member = &reading->members->all[reading->cursor];
	request->klass = MAD_CLASS_SMI_DIRECT;
	request->attribute = ATTRIBUTE_PKEY_TABLE;
	request->hops = (uint8_t)fabric_route_port(reading->members->fabric, member->node, member->port, request->path);
	request->modifier = reading->block; /* the port in the upper half is a switch's: 0 is its own */
	request->index = reading->cursor;
	reading->block++;
	return true;
}

static void done(void *user, const struct mad_request *request, const struct mad_answer *answer)
{
	struct reading *reading = user;
	struct member *member = &reading->members->all[request->index];
	unsigned first = (request->modifier & 0xffff) * PARTITION_BLOCK;

	if (answer->outcome != MAD_ANSWERED) {
		member->silent = true;
		return;
	}
	for (unsigned i = 0; i < PARTITION_BLOCK && first + i < member_entries(reading->members, member); i++)
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
					.blocks = rs_alloc(ctx, found->info.partitions / (8 * PARTITION_BLOCK) + 1u),
				};
			count++;
		}
	}
	return count;
}

static void set_row(struct rs_ctx *ctx, const struct fabric *fabric, const struct member *member, unsigned index)
{
	const struct node *node = &fabric->nodes[member->node];
	uint16_t pkey = member->entries[index];

	rs_set_unsigned(ctx, PARTITION, pkey & ~FULL_MEMBER & 0xffff);
	rs_set_enum(ctx, MEMBERSHIP, !!(pkey & FULL_MEMBER));
	rs_set_unsigned(ctx, PKEY, pkey);
	rs_set_integer(ctx, INDEX, index);
	rs_set_guid(ctx, GUID, node->guid);
	set_description(ctx, DESCRIPTION, node);
	set_type(ctx, TYPE, node);
	rs_set_integer(ctx, PORT, member->port);
	set_lid(ctx, LID, fabric, member->node, member->port);
	rs_set_enum(ctx, SOURCE, !member->by_sa);
}

static int ask(struct rs_ctx *ctx, struct members *members, struct mad_port *umad,
	       const struct partitions_wanted *wanted)
{
	static const struct mad_user callbacks = {.next = next, .done = done};
	struct reading reading = {.members = members};
	uint32_t told = 0;

	if (wanted->through == THROUGH_SA) {
		int error = partitions_ask_sa(ctx, members, umad, wanted->sm_key);

		if (error)
			return error;
		for (uint32_t i = 0; i < members->count; i++)
			told += members->all[i].by_sa;
		if (told < members->count)
			rs_note(ctx,
				"%u of %u partition tables by the subnet administration, the others by their ports",
				told, members->count);
	}
	return mad_run(umad, &callbacks, &reading);
}

int fabric_partitions_rows(struct rs_ctx *ctx, unsigned probe, const struct fabric *fabric, struct mad_port *umad,
			   const struct partitions_wanted *wanted)
{
	struct members members = {.fabric = fabric, .count = find_members(ctx, fabric, NULL)};
	char name[80];
	int error;

	members.all = rs_alloc(ctx, (members.count + 1) * sizeof(*members.all));
	find_members(ctx, fabric, members.all);
	error = ask(ctx, &members, umad, wanted);
	if (error)
		return error;
	for (uint32_t i = 0; i < members.count; i++) {
		const struct member *member = &members.all[i];

		if (member->silent)
			rs_incomplete(ctx, "%s port %u: its partition table was not answered in full",
				      fabric_name(fabric, member->node, name), member->port);
		for (unsigned entry = 0; entry < member_entries(&members, member); entry++) {
			if (!member->entries[entry])
				continue;
			rs_row_begin(ctx, probe);
			set_row(ctx, fabric, member, entry);
		}
	}
	if (mad_out_of_time(umad))
		rs_incomplete(ctx, "the time was up before all partition tables were read");
	return 0;
}
