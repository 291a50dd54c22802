/* SPDX-License-Identifier: BSD-2-Clause */
/* fabric.sms: one row a port that says that a subnet manager runs there (CapabilityMask.IsSM) */
#include "fabric/sms.h"

#include <string.h>

#include "support/mad_packet.h"

enum { GUID, DESCRIPTION, PORT, LID, SM_GUID, STATE, PRIORITY, ACTIVITY_COUNT, ACTIVITY_ADVANCES, FACTS };

static const char *const sm_states[] = {"NOTACTIVE", "DISCOVERING", "STANDBY", "MASTER", NULL};

#define OBSERVED "needs a subnet manager that answers SMInfo"

const struct rs_fact fabric_sms_facts[] = {
	[GUID] = {.name = "guid", .type = RS_GUID, .flags = RS_F_KEY, .doc = "GUID of the node that it runs on"},
	[DESCRIPTION] = {.name = "description",
			 .type = RS_TEXT,
			 .doc = "NodeDescription of that node",
			 .observed_by = "needs an answer of the node's subnet management agent"},
	[PORT] = {.name = "port", .type = RS_INTEGER, .flags = RS_F_KEY, .doc = "its port there; 0 on a switch"},
	[LID] = {.name = "lid", .type = RS_INTEGER, .doc = "LID of that port; none: no LID is set"},
	[SM_GUID] = {.name = "sm_guid",
		     .type = RS_GUID,
		     .doc = "SMInfo.GUID: the port GUID that it goes by",
		     .observed_by = OBSERVED},
	[STATE] = {.name = "state",
		   .type = RS_ENUM,
		   .choices = sm_states,
		   .doc = "SMInfo.SMState: 0 NOTACTIVE, 1 DISCOVERING, 2 STANDBY, 3 MASTER",
		   .observed_by = OBSERVED},
	[PRIORITY] = {.name = "priority",
		      .type = RS_INTEGER,
		      .doc = "SMInfo.Priority: the highest becomes master, then the lowest GUID",
		      .observed_by = OBSERVED},
	[ACTIVITY_COUNT] = {.name = "activity_count",
			    .type = RS_UNSIGNED,
			    .flags = RS_F_VOLATILE,
			    .doc = "SMInfo.ActCount, the second time that it was asked",
			    .observed_by = OBSERVED},
	[ACTIVITY_ADVANCES] =
		{.name = "activity_advances",
		 .type = RS_BOOLEAN,
		 .flags = RS_F_VOLATILE,
		 .doc = "ActCount rose between two questions, the second asked when all had answered the first",
		 .observed_by = OBSERVED},
	[FACTS] = {0},
};

struct manager {
	uint32_t node;
	uint8_t port;
	bool answered;
	struct mad_answer last;
	uint64_t guid;
	uint32_t activity[2];
	uint8_t state, priority;
};

struct inquiry {
	const struct fabric *fabric;
	struct manager *managers;
	unsigned count, asked, round;
};

static bool next(void *user, struct mad_request *request)
{
	struct inquiry *inquiry = user;
	const struct manager *manager;

	while (inquiry->round && inquiry->asked < inquiry->count && !inquiry->managers[inquiry->asked].answered)
		inquiry->asked++;
	if (inquiry->asked == inquiry->count)
		return false;
	manager = &inquiry->managers[inquiry->asked];
	request->klass = MAD_CLASS_SMI_DIRECT;
	request->attribute = ATTRIBUTE_SM_INFO;
	request->hops = (uint8_t)fabric_route_port(inquiry->fabric, manager->node, manager->port, request->path);
	request->index = inquiry->asked++;
	return true;
}

/* SMInfo (14.2.5.13): GUID 8 bytes, SM_Key 8, ActCount 4, Priority and SMState 4 bits each */
static void done(void *user, const struct mad_request *request, const struct mad_answer *answer)
{
	struct inquiry *inquiry = user;
	struct manager *manager = &inquiry->managers[request->index];

	manager->last = *answer;
	manager->answered = answer->outcome == MAD_ANSWERED;
	if (!manager->answered)
		return;
	manager->guid = get64(answer->mad + MAD_DATA);
	manager->activity[inquiry->round] = get32(answer->mad + MAD_DATA + 16);
	manager->priority = answer->mad[MAD_DATA + 20] >> 4;
	manager->state = answer->mad[MAD_DATA + 20] & 15;
}

static bool runs_sm(const struct fabric *fabric, uint32_t node, unsigned port)
{
	const struct port *end = fabric_port(fabric, node, port);
	uint8_t path[64];

	if (fabric->nodes[node].info.type == NODE_SWITCH && port)
		return false;
	return end->known & KNOWS_INFO && end->info.capability & CAPABILITY_IS_SM &&
	       fabric_route_port(fabric, node, port, path) >= 0;
}

static unsigned find_managers(const struct fabric *fabric, struct manager *managers)
{
	unsigned count = 0;

	for (uint32_t i = 0; i < fabric->nnodes; i++) {
		uint32_t node = fabric->order[i];

		for (unsigned port = 0; port <= fabric->nodes[node].info.ports; port++) {
			if (!runs_sm(fabric, node, port))
				continue;
			if (managers)
				managers[count] = (struct manager){
					.node = node, .port = (uint8_t)port, .last.outcome = MAD_NOT_ASKED};
			count++;
		}
	}
	return count;
}

static void set_answer(struct rs_ctx *ctx, const struct manager *manager)
{
	rs_set_guid(ctx, SM_GUID, manager->guid);
	link_set_code(ctx, STATE, manager->state < 4 ? manager->state : -1, manager->state);
	rs_set_integer(ctx, PRIORITY, manager->priority);
	rs_set_unsigned(ctx, ACTIVITY_COUNT, manager->activity[1]);
	rs_set_boolean(ctx, ACTIVITY_ADVANCES, manager->activity[1] != manager->activity[0]);
}

static void set_row(struct rs_ctx *ctx, const struct fabric *fabric, const struct manager *manager)
{
	const struct node *node = &fabric->nodes[manager->node];
	unsigned lid = fabric_lid(fabric, manager->node, manager->port);
	char name[80], reason[96];

	rs_set_guid(ctx, GUID, node->guid);
	if (node->known & KNOWS_DESCRIPTION)
		rs_set_bytes(ctx, DESCRIPTION, node->description, fabric_description(node));
	rs_set_integer(ctx, PORT, manager->port);
	if (lid)
		rs_set_integer(ctx, LID, lid);
	else
		rs_set_none(ctx, LID);
	if (manager->answered)
		set_answer(ctx, manager);
	else
		rs_incomplete(ctx, "%s port %u says that it runs a subnet manager; asked for SMInfo, it %s",
			      fabric_name(fabric, manager->node, name), manager->port,
			      mad_reason(&manager->last, reason));
}

int fabric_sms_rows(struct rs_ctx *ctx, unsigned probe, const struct fabric *fabric, struct mad_port *umad)
{
	static const struct mad_user callbacks = {.next = next, .done = done};
	struct inquiry inquiry = {.fabric = fabric, .count = find_managers(fabric, NULL)};

	inquiry.managers = rs_alloc(ctx, (inquiry.count + 1) * sizeof(*inquiry.managers));
	find_managers(fabric, inquiry.managers);
	for (inquiry.round = 0; inquiry.round < 2; inquiry.round++) {
		int error;

		inquiry.asked = 0;
		error = mad_run(umad, &callbacks, &inquiry);
		if (error)
			return error;
	}
	for (unsigned i = 0; i < inquiry.count; i++) {
		rs_row_begin(ctx, probe);
		set_row(ctx, fabric, &inquiry.managers[i]);
	}
	return 0;
}
