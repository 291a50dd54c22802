/* SPDX-License-Identifier: BSD-2-Clause */
#include "fabric/sweep.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/link.h"

enum ask { ASK_NODE, ASK_DESCRIPTION, ASK_SWITCH, ASK_PORT, ASK_EXTENDED };

/*
 * Something to ask: the attribute of a node, or (ASK_NODE) what is behind one of its ports. A queue of them is the
 * whole state of the sweep beside the fabric itself.
 */
struct task {
	uint32_t node;
	uint8_t port, ask;
};

#define NAMED 20 /* how many of one kind are named one by one */

/* A cable that leads to a switch with the GUID of another: what is behind it was left out */
struct merged {
	uint32_t from, taken_for;
	uint8_t port;
};

struct sweep {
	struct rs_ctx *ctx;
	struct fabric *fabric;
	struct task *tasks; /* a ring */
	uint32_t first, count, capacity;
	bool no_memory;
	bool start_silent;
	struct merged merged[NAMED];
	unsigned nmerged;
	unsigned nonsense;
};

static void add_task(struct sweep *sweep, uint32_t node, unsigned port, enum ask ask)
{
	if (sweep->count == sweep->capacity) {
		uint32_t larger = sweep->capacity ? sweep->capacity * 2 : 1024;
		struct task *tasks = calloc(larger, sizeof(*tasks));

		if (!tasks) {
			sweep->no_memory = true;
			return;
		}
		for (uint32_t i = 0; i < sweep->count; i++)
			tasks[i] = sweep->tasks[(sweep->first + i) & (sweep->capacity - 1)];
		free(sweep->tasks);
		sweep->tasks = tasks;
		sweep->capacity = larger;
		sweep->first = 0;
	}
	sweep->tasks[(sweep->first + sweep->count++) & (sweep->capacity - 1)] =
		(struct task){.node = node, .port = (uint8_t)port, .ask = (uint8_t)ask};
}

static bool is_up(const struct port *port)
{
	return port->known & KNOWS_INFO && link_physical(port->info.physical) == LINK_UP;
}

static const uint16_t attributes[] = {
	[ASK_NODE] = ATTRIBUTE_NODE_INFO,
	[ASK_DESCRIPTION] = ATTRIBUTE_NODE_DESCRIPTION,
	[ASK_SWITCH] = ATTRIBUTE_SWITCH_INFO,
	[ASK_PORT] = ATTRIBUTE_PORT_INFO,
	[ASK_EXTENDED] = ATTRIBUTE_MLNX_EXTENDED_PORT_INFO,
};

static bool next(void *user, struct mad_request *request)
{
	struct sweep *sweep = user;
	struct task task;

	for (;;) {
		if (!sweep->count)
			return false;
		task = sweep->tasks[sweep->first];
		sweep->first = (sweep->first + 1) & (sweep->capacity - 1);
		sweep->count--;
		/* the cable was found from its other end meanwhile */
		if (task.ask != ASK_NODE || task.node == NO_NODE ||
		    !(fabric_port(sweep->fabric, task.node, task.port)->known & KNOWS_PEER))
			break;
	}
	request->klass = MAD_CLASS_SMI_DIRECT;
	request->attribute = attributes[task.ask];
	request->kind = task.ask;
	request->port = task.port;
	request->index = task.node;
	if (task.node == NO_NODE)
		return true;
	request->hops = fabric_route(sweep->fabric, task.node, request->path);
	if (task.ask == ASK_NODE)
		request->path[++request->hops] = task.port;
	else if (task.ask == ASK_PORT || task.ask == ASK_EXTENDED)
		request->modifier = task.port;
	return true;
}

/* Ask what is behind a port. No SMP goes through a CA or router; the one we start on sends it from the port we use. */
static void follow(struct sweep *sweep, uint32_t node, unsigned port)
{
	const struct node *from = &sweep->fabric->nodes[node];

	if (!port || !is_up(fabric_port(sweep->fabric, node, port)) || from->hops >= MAD_MAX_HOPS)
		return;
	if (fabric_port(sweep->fabric, node, port)->known & KNOWS_PEER)
		return;
	if (from->info.type == NODE_SWITCH || (from->parent == NO_NODE && port == from->entry_port))
		add_task(sweep, node, port, ASK_NODE);
}

static void explore(struct sweep *sweep, uint32_t index, unsigned entry_port)
{
	const struct node *node = &sweep->fabric->nodes[index];

	add_task(sweep, index, 0, ASK_DESCRIPTION);
	if (node->info.type == NODE_SWITCH) {
		add_task(sweep, index, 0, ASK_SWITCH);
		add_task(sweep, index, 0, ASK_PORT); /* the others follow: its capabilities tell how to read them */
		return;
	}
	add_task(sweep, index, entry_port, ASK_PORT);
	for (unsigned port = 1; port <= node->info.ports; port++)
		if (port != entry_port)
			add_task(sweep, index, port, ASK_PORT);
}

static uint32_t merge(struct sweep *sweep, const struct mad_request *request, uint32_t index)
{
	if (sweep->nmerged < NAMED)
		sweep->merged[sweep->nmerged] =
			(struct merged){.from = request->index, .port = request->port, .taken_for = index};
	sweep->nmerged++;
	sweep->fabric->nodes[index].shares_guid = true;
	return NO_NODE;
}

/*
 * The node that the answer is from: a known one, or a new one. A CA whose port hangs on another cable already must be
 * another device with the same GUID. Of two such switches nothing can be told apart behind them, so that the second is
 * left out.
 */
static uint32_t place(struct sweep *sweep, const struct mad_request *request, const struct node_info *info,
		      bool *is_new)
{
	struct fabric *fabric = sweep->fabric;
	uint32_t index = fabric_find(fabric, info->guid);
	const struct port *port;

	*is_new = false;
	if (index != NO_NODE && info->local_port <= fabric->nodes[index].info.ports) {
		port = fabric_port(fabric, index, info->local_port);
		if (request->index == NO_NODE || !(port->known & KNOWS_PEER) ||
		    (port->peer_node == request->index && port->peer_port == request->port))
			return index;
		if (info->type == NODE_SWITCH)
			return merge(sweep, request, index);
	} else if (index != NO_NODE && info->type == NODE_SWITCH) {
		return merge(sweep, request, index);
	}
	*is_new = true;
	index = fabric_add(fabric, info);
	if (index == NO_NODE) {
		sweep->no_memory = true;
		return NO_NODE;
	}
	fabric->nodes[index].entry_port = info->local_port;
	fabric->nodes[index].parent = request->index;
	if (request->index != NO_NODE) {
		fabric->nodes[index].parent_port = request->port;
		fabric->nodes[index].hops = fabric->nodes[request->index].hops + 1;
	}
	return index;
}

static void on_node(struct sweep *sweep, const struct mad_request *request, const uint8_t *data)
{
	struct node_info info;
	uint32_t index;
	bool is_new;

	node_info_decode(data, &info);
	if (info.type < NODE_CA || info.type > NODE_ROUTER || !info.ports || info.local_port > info.ports ||
	    info.ports == 255) {
		sweep->nonsense++;
		return;
	}
	index = place(sweep, request, &info, &is_new);
	if (index == NO_NODE)
		return;
	fabric_port(sweep->fabric, index, info.local_port)->guid = info.port_guid;
	if (request->index != NO_NODE)
		fabric_link(sweep->fabric, request->index, request->port, index, info.local_port);
	if (is_new)
		explore(sweep, index, info.local_port);
}

static void on_port(struct sweep *sweep, const struct mad_request *request, const uint8_t *data)
{
	struct port *port = fabric_port(sweep->fabric, request->index, request->port);
	const struct node *node = &sweep->fabric->nodes[request->index];

	port_info_decode(data, &port->info);
	port->known |= KNOWS_INFO;
	if (node->info.type == NODE_SWITCH && !request->port)
		for (unsigned other = 1; other <= node->info.ports; other++)
			add_task(sweep, request->index, other, ASK_PORT);
	if (is_up(port) && port->info.active.speed == 4 &&
	    fabric_speed(sweep->fabric, request->index, request->port) == LINK_QDR &&
	    has_extended_port_info(node->info.vendor_id, node->info.device_id))
		add_task(sweep, request->index, request->port, ASK_EXTENDED);
	follow(sweep, request->index, request->port);
}

static void on_answer(struct sweep *sweep, const struct mad_request *request, const uint8_t *data)
{
	struct node *node = request->index == NO_NODE ? NULL : &sweep->fabric->nodes[request->index];

	switch (request->kind) {
	case ASK_NODE:
		on_node(sweep, request, data);
		break;
	case ASK_DESCRIPTION:
		memcpy(node->description, data, DESCRIPTION_BYTES);
		node->known |= KNOWS_DESCRIPTION;
		break;
	case ASK_SWITCH:
		switch_info_decode(data, &node->switch_info);
		node->known |= KNOWS_SWITCH;
		break;
	case ASK_PORT:
		on_port(sweep, request, data);
		break;
	case ASK_EXTENDED:
		extended_port_info_decode(data, &fabric_port(sweep->fabric, request->index, request->port)->info);
		break;
	}
}

static void on_silence(struct sweep *sweep, const struct mad_request *request)
{
	struct node *node = request->index == NO_NODE ? NULL : &sweep->fabric->nodes[request->index];

	switch (request->kind) {
	case ASK_NODE:
		if (!node)
			sweep->start_silent = true;
		else if (!(fabric_port(sweep->fabric, request->index, request->port)->known & KNOWS_PEER))
			fabric_port(sweep->fabric, request->index, request->port)->known |= PEER_SILENT;
		break;
	case ASK_DESCRIPTION:
		node->known |= DESCRIPTION_MISSING;
		break;
	case ASK_SWITCH:
		node->known |= SWITCH_MISSING;
		break;
	case ASK_PORT:
		fabric_port(sweep->fabric, request->index, request->port)->known |= INFO_MISSING;
		if (node->info.type == NODE_SWITCH && !request->port)
			for (unsigned other = 1; other <= node->info.ports; other++)
				add_task(sweep, request->index, other, ASK_PORT);
		break;
	case ASK_EXTENDED: /* older firmware does not have it: the port runs at QDR then */
		break;
	}
}

static void done(void *user, const struct mad_request *request, const struct mad_answer *answer)
{
	struct sweep *sweep = user;

	if (answer->outcome == MAD_ANSWERED)
		on_answer(sweep, request, answer->mad + MAD_DATA);
	else
		on_silence(sweep, request);
}

static void name_missing(struct sweep *sweep, unsigned *named, uint32_t node, int port, const char *what)
{
	char name[80];

	if ((*named)++ >= NAMED)
		return;
	fabric_name(sweep->fabric, node, name);
	if (port < 0)
		rs_incomplete(sweep->ctx, "%s did not answer %s", name, what);
	else if (what)
		rs_incomplete(sweep->ctx, "%s port %d: %s was not answered", name, port, what);
	else
		rs_incomplete(sweep->ctx, "%s port %d: its link is up, but what is behind it did not answer", name,
			      port);
}

static void name_missing_of(struct sweep *sweep, unsigned *named, uint32_t index)
{
	const struct node *node = &sweep->fabric->nodes[index];

	if (node->known & DESCRIPTION_MISSING)
		name_missing(sweep, named, index, -1, "NodeDescription");
	if (node->known & SWITCH_MISSING)
		name_missing(sweep, named, index, -1, "SwitchInfo");
	for (unsigned port = 0; port <= node->info.ports; port++) {
		const struct port *end = fabric_port(sweep->fabric, index, port);

		/* a CA need not tell of its other ports: they may be Ethernet, or another subnet's */
		if (end->known & INFO_MISSING && (node->info.type == NODE_SWITCH || port == node->entry_port))
			name_missing(sweep, named, index, (int)port, "PortInfo");
		if (end->known & PEER_SILENT)
			name_missing(sweep, named, index, (int)port, NULL);
	}
}

static void report_merged(const struct sweep *sweep)
{
	char from[80], taken_for[80];

	for (unsigned i = 0; i < sweep->nmerged && i < NAMED; i++) {
		const struct merged *merged = &sweep->merged[i];

		rs_incomplete(sweep->ctx,
			      "%s port %u: the switch behind it has GUID 0x%016" PRIx64
			      ", as %s has, or the cable was moved during the sweep",
			      fabric_name(sweep->fabric, merged->from, from), merged->port,
			      sweep->fabric->nodes[merged->taken_for].guid,
			      fabric_name(sweep->fabric, merged->taken_for, taken_for));
	}
	if (sweep->nmerged > NAMED)
		rs_incomplete(sweep->ctx, "and %u more cables to switches with the GUID of another",
			      sweep->nmerged - NAMED);
}

static void report_missing(struct sweep *sweep, bool out_of_time)
{
	unsigned named = 0;

	if (out_of_time)
		rs_incomplete(sweep->ctx, "the time was up after %" PRIu32 " nodes", sweep->fabric->nnodes);
	for (uint32_t i = 0; i < sweep->fabric->nnodes; i++)
		name_missing_of(sweep, &named, sweep->fabric->order[i]);
	if (named > NAMED)
		rs_incomplete(sweep->ctx, "and %u more that did not answer", named - NAMED);
	report_merged(sweep);
	if (sweep->nonsense)
		rs_incomplete(sweep->ctx, "%u answers to NodeInfo make no sense", sweep->nonsense);
}

int sweep(struct rs_ctx *ctx, struct mad_port *umad, struct fabric *fabric)
{
	static const struct mad_user callbacks = {.next = next, .done = done};
	struct sweep state = {.ctx = ctx, .fabric = fabric};
	int error;

	add_task(&state, NO_NODE, 0, ASK_NODE);
	error = mad_run(umad, &callbacks, &state);
	free(state.tasks);
	if (error)
		return error;
	if (state.no_memory)
		return rs_error(ctx, RS_FAILED, "no memory for a subnet of more than %" PRIu32 " nodes",
				fabric->nnodes);
	if (!fabric->nnodes)
		return rs_error(ctx, RS_TIMED_OUT, "this host's own port did not answer NodeInfo");
	if (fabric_sort(fabric))
		return rs_error(ctx, RS_FAILED, "no memory to sort %" PRIu32 " nodes", fabric->nnodes);
	report_missing(&state, mad_out_of_time(umad));
	return 0;
}
