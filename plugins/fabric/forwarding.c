/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "fabric/routes.h"

#define BLOCK 64 /* LIDs of a LinearForwardingTable attribute */
#define NO_ROUTE 255

struct reading {
	struct forwarding *out;
	uint32_t node;
	unsigned block;
	uint8_t *silent; /* by node */
};

static bool next(void *user, struct mad_request *request)
{
	struct reading *reading = user;
	const struct fabric *fabric = reading->out->fabric;

	while (reading->node < fabric->nnodes &&
	       (!reading->out->tables[reading->node] || reading->block * BLOCK > reading->out->tops[reading->node])) {
		reading->node++;
		reading->block = 0;
	}
	if (reading->node == fabric->nnodes)
		return false;
	request->klass = MAD_CLASS_SMI_DIRECT;
	request->attribute = ATTRIBUTE_FORWARDING;
	request->modifier = reading->block++;
	request->index = reading->node;
	request->hops = fabric_route(fabric, reading->node, request->path);
	return true;
}

static void done(void *user, const struct mad_request *request, const struct mad_answer *answer)
{
	struct reading *reading = user;

	if (answer->outcome != MAD_ANSWERED)
		reading->silent[request->index] = 1;
	else
		memcpy(reading->out->tables[request->index] + request->modifier * BLOCK, answer->mad + MAD_DATA, BLOCK);
}

static void own(struct forwarding *out, uint32_t node, unsigned port)
{
	const struct port *end = fabric_port(out->fabric, node, port);

	if (!(end->known & KNOWS_INFO) || !end->info.lid)
		return;
	for (unsigned i = 0; i < 1u << end->info.lmc && end->info.lid + i <= LID_MAX; i++)
		out->owners[end->info.lid + i] = node + 1;
}

static void find_owners(struct forwarding *out)
{
	for (uint32_t node = 0; node < out->fabric->nnodes; node++) {
		const struct node *found = &out->fabric->nodes[node];

		if (found->info.type == NODE_SWITCH)
			own(out, node, 0);
		else
			for (unsigned port = 1; port <= found->info.ports; port++)
				own(out, node, port);
	}
}

int forwarding_read(struct rs_ctx *ctx, const struct fabric *fabric, struct mad_port *umad, struct forwarding *out)
{
	static const struct mad_user callbacks = {.next = next, .done = done};
	struct reading reading = {.out = out, .silent = rs_alloc(ctx, fabric->nnodes + 1)};
	char name[80];
	int error;

	*out = (struct forwarding){.fabric = fabric,
				   .tables = rs_alloc(ctx, (fabric->nnodes + 1) * sizeof(*out->tables)),
				   .tops = rs_alloc(ctx, (fabric->nnodes + 1) * sizeof(*out->tops)),
				   .owners = rs_alloc(ctx, (LID_MAX + 1) * sizeof(*out->owners))};
	for (uint32_t node = 0; node < fabric->nnodes; node++) {
		unsigned top = fabric->nodes[node].switch_info.forwarding_top;

		if (fabric->nodes[node].info.type != NODE_SWITCH || !(fabric->nodes[node].known & KNOWS_SWITCH))
			continue;
		out->tops[node] = (uint16_t)(top > LID_MAX ? LID_MAX : top);
		out->tables[node] = rs_alloc(ctx, (out->tops[node] / BLOCK + 1u) * BLOCK);
		memset(out->tables[node], NO_ROUTE, (out->tops[node] / BLOCK + 1u) * BLOCK);
	}
	find_owners(out);
	error = mad_run(umad, &callbacks, &reading);
	if (error)
		return error;
	for (uint32_t i = 0; i < fabric->nnodes; i++)
		if (reading.silent[fabric->order[i]])
			rs_incomplete(ctx, "%s: its forwarding table was not answered in full",
				      fabric_name(fabric, fabric->order[i], name));
	if (mad_out_of_time(umad))
		rs_incomplete(ctx, "the time was up before all forwarding tables were read");
	return 0;
}
