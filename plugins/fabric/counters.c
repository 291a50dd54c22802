/* SPDX-License-Identifier: BSD-2-Clause */
/* fabric.counters: one row a port whose link is up, by PerfMgt to the LID of its node */
#include "fabric/counters.h"

#include <string.h>

#include "fabric/rows.h"
#include "support/counters.h"
#include "support/mad_packet.h"

enum {
	GUID,
	DESCRIPTION,
	TYPE,
	PORT,
	LID,
	REMOTE_DESCRIPTION,
	REMOTE_PORT,
	COUNTERS_AT,
	FACTS = COUNTERS_AT + COUNTERS + 1
};

const struct rs_fact fabric_counters_facts[] = {
	[GUID] = {.name = "guid", .type = RS_GUID, .flags = RS_F_KEY, .doc = "NodeInfo.NodeGUID of the port's node"},
	[DESCRIPTION] = {.name = "description",
			 .type = RS_TEXT,
			 .doc = "NodeDescription of the port's node",
			 .observed_by = OBSERVED_ANSWER},
	[TYPE] = {.name = "type",
		  .type = RS_ENUM,
		  .choices = node_types,
		  .doc = "NodeInfo.NodeType of the port's node"},
	[PORT] = {.name = "port",
		  .type = RS_INTEGER,
		  .flags = RS_F_KEY,
		  .doc = "port number, from 1; only ports that are up"},
	[LID] = {.name = "lid", .type = RS_INTEGER, .doc = "LID that was asked: the port's own, or that of its switch"},
	[REMOTE_DESCRIPTION] = {.name = "remote_description",
				.type = RS_TEXT,
				.doc = "NodeDescription at the other end of the cable",
				.observed_by = "needs an answer of the node at the other end"},
	[REMOTE_PORT] = {.name = "remote_port",
			 .type = RS_INTEGER,
			 .doc = "port number at the other end of the cable",
			 .observed_by = "needs an answer of the node at the other end"},
	COUNTER_FACTS,
	[FACTS] = {0},
};

struct target {
	uint32_t node;
	uint8_t port;
	bool silent; /* to anything that it was asked for */
	uint16_t capability;
	struct counters now, before;
};

enum ask { ASK_CLASS, ASK_COUNTERS, ASK_EXTENDED };

struct reading {
	const struct fabric *fabric;
	struct target *targets;
	uint32_t count, cursor;
	enum ask ask;
};

/* The agent of a switch answers for all of its ports, so that only the first of them asks it what it can do */
static bool shares_agent(const struct reading *reading, uint32_t index)
{
	return index && reading->targets[index].node == reading->targets[index - 1].node &&
	       reading->fabric->nodes[reading->targets[index].node].info.type == NODE_SWITCH;
}

static bool is_due(const struct reading *reading, uint32_t index)
{
	const struct target *target = &reading->targets[index];

	switch (reading->ask) {
	case ASK_CLASS:
		return !shares_agent(reading, index);
	case ASK_COUNTERS:
		return !target->silent;
	case ASK_EXTENDED:
		return !target->silent && target->capability & (PERF_EXTENDED | PERF_EXTENDED_NO_IETF);
	}
	return false;
}

static bool next(void *user, struct mad_request *request)
{
	static const uint16_t attributes[] = {ATTRIBUTE_CLASS_PORT_INFO, ATTRIBUTE_PORT_COUNTERS,
					      ATTRIBUTE_PORT_COUNTERS_EXTENDED};
	static uint8_t select[2];
	struct reading *reading = user;
	const struct target *target;

	while (reading->cursor < reading->count && !is_due(reading, reading->cursor))
		reading->cursor++;
	if (reading->cursor == reading->count)
		return false;
	target = &reading->targets[reading->cursor];
	request->klass = MAD_CLASS_PERF;
	request->attribute = attributes[reading->ask];
	request->lid = fabric_lid(reading->fabric, target->node, target->port);
	request->qp = 1;
	request->index = reading->cursor++;
	if (reading->ask != ASK_CLASS) {
		select[1] = target->port; /* PortSelect is the second byte of both attributes */
		request->data = select;
		request->data_offset = MAD_DATA;
		request->data_length = sizeof(select);
	}
	return true;
}

static void done(void *user, const struct mad_request *request, const struct mad_answer *answer)
{
	struct reading *reading = user;
	struct target *target = &reading->targets[request->index];
	const uint8_t *data = answer->mad ? answer->mad + MAD_DATA : NULL;

	if (answer->outcome != MAD_ANSWERED) {
		target->silent = true;
		return;
	}
	switch (reading->ask) {
	case ASK_CLASS:
		target->capability = get16(data + 2); /* after BaseVersion and ClassVersion */
		break;
	case ASK_COUNTERS:
		counters_port_counters(&target->now, data, target->capability & PERF_XMIT_WAIT);
		break;
	case ASK_EXTENDED:
		counters_extended(&target->now, data, !(target->capability & PERF_EXTENDED_NO_IETF));
		break;
	}
}

static int ask_all(struct reading *reading, struct mad_port *umad, enum ask ask)
{
	static const struct mad_user callbacks = {.next = next, .done = done};

	reading->ask = ask;
	reading->cursor = 0;
	return mad_run(umad, &callbacks, reading);
}

static int learn_capabilities(struct reading *reading, struct mad_port *umad)
{
	int error = ask_all(reading, umad, ASK_CLASS);

	for (uint32_t i = 1; i < reading->count && !error; i++) {
		if (!shares_agent(reading, i))
			continue;
		reading->targets[i].capability = reading->targets[i - 1].capability;
		reading->targets[i].silent = reading->targets[i - 1].silent;
	}
	return error;
}

static int read_counters(struct reading *reading, struct mad_port *umad)
{
	int error = ask_all(reading, umad, ASK_EXTENDED);

	return error ? error : ask_all(reading, umad, ASK_COUNTERS);
}

static uint32_t find_targets(const struct fabric *fabric, struct target *targets, uint32_t *without_lid)
{
	uint32_t count = 0;

	*without_lid = 0;
	for (uint32_t i = 0; i < fabric->nnodes; i++) {
		uint32_t node = fabric->order[i];

		for (unsigned port = 1; port <= fabric->nodes[node].info.ports; port++) {
			const struct port *end = fabric_port(fabric, node, port);

			if (!(end->known & KNOWS_PEER) || link_physical(end->info.physical) != LINK_UP)
				continue;
			if (!fabric_lid(fabric, node, port)) {
				++*without_lid;
				continue;
			}
			if (targets)
				targets[count] = (struct target){.node = node, .port = (uint8_t)port};
			count++;
		}
	}
	return count;
}

static void set_row(struct rs_ctx *ctx, const struct fabric *fabric, const struct target *target, bool difference)
{
	const struct node *node = &fabric->nodes[target->node];
	const struct port *end = fabric_port(fabric, target->node, target->port);

	rs_set_guid(ctx, GUID, node->guid);
	set_description(ctx, DESCRIPTION, node);
	set_type(ctx, TYPE, node);
	rs_set_integer(ctx, PORT, target->port);
	set_lid(ctx, LID, fabric, target->node, target->port);
	set_description(ctx, REMOTE_DESCRIPTION, &fabric->nodes[end->peer_node]);
	rs_set_integer(ctx, REMOTE_PORT, end->peer_port);
	if (!target->silent)
		counters_set(ctx, COUNTERS_AT, difference ? &target->before : NULL, &target->now);
}

#define NAMED 20

static void report_silent(struct rs_ctx *ctx, const struct reading *reading, uint32_t without_lid)
{
	uint32_t silent = 0;
	char name[80];

	for (uint32_t i = 0; i < reading->count; i++) {
		const struct target *target = &reading->targets[i];

		if (target->silent && silent++ < NAMED)
			rs_incomplete(ctx, "%s port %u: its counters were not answered",
				      fabric_name(reading->fabric, target->node, name), target->port);
	}
	if (silent > NAMED)
		rs_incomplete(ctx, "and the counters of %u more ports", silent - NAMED);
	if (without_lid)
		rs_incomplete(ctx, "%u ports have no LID: their counters cannot be asked for", without_lid);
}

static int read_all(struct reading *reading, struct mad_port *umad, double over)
{
	int error = learn_capabilities(reading, umad);

	if (!error)
		error = read_counters(reading, umad);
	if (error || over <= 0)
		return error;
	for (uint32_t i = 0; i < reading->count; i++) {
		reading->targets[i].before = reading->targets[i].now;
		reading->targets[i].now = (struct counters){0};
	}
	counters_let_pass(over);
	return read_counters(reading, umad);
}

int fabric_counters_rows(struct rs_ctx *ctx, unsigned probe, const struct fabric *fabric, struct mad_port *umad,
			 double over)
{
	struct reading reading = {.fabric = fabric};
	uint32_t without_lid;
	int error;

	reading.count = find_targets(fabric, NULL, &without_lid);
	if (!reading.count && without_lid)
		return rs_error(ctx, RS_FAILED,
				"no port has a LID: counters need a subnet that a subnet manager configured");
	reading.targets = rs_alloc(ctx, (reading.count + 1) * sizeof(*reading.targets));
	find_targets(fabric, reading.targets, &without_lid);
	error = read_all(&reading, umad, over);
	if (error)
		return error;
	for (uint32_t i = 0; i < reading.count; i++) {
		rs_row_begin(ctx, probe);
		set_row(ctx, fabric, &reading.targets[i], over > 0);
	}
	report_silent(ctx, &reading, without_lid);
	if (mad_out_of_time(umad))
		rs_incomplete(ctx, "the time was up before all counters were read");
	return 0;
}
