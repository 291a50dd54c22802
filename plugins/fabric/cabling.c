/* SPDX-License-Identifier: BSD-2-Clause */
/* fabric.cabling: one row a planned cable, and one a cable of which the plan knows neither end */
#include "fabric/cabling.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "fabric/rows.h"

enum {
	STATUS,
	DESCRIPTION,
	PORT,
	REMOTE_DESCRIPTION,
	REMOTE_PORT,
	GUID,
	REMOTE_GUID,
	FOUND_DESCRIPTION,
	FOUND_PORT,
	REMOTE_FOUND_DESCRIPTION,
	REMOTE_FOUND_PORT,
	PLANNED_WIDTH,
	WIDTH,
	PLANNED_SPEED,
	SPEED,
	LINE,
	FACTS
};

enum status { OK, MISSING, UNEXPECTED, SWAPPED, WRONG_WIDTH, WRONG_SPEED, AMBIGUOUS };
static const char *const statuses[] = {"ok",	      "missing",     "unexpected", "swapped",
				       "wrong_width", "wrong_speed", "ambiguous",  NULL};

#define NEEDS_NODE "needs a node of that GUID or name in the subnet"
#define NEEDS_LINK "needs a cable that is up"

const struct rs_fact fabric_cabling_facts[] = {
	[STATUS] = {.name = "status",
		    .type = RS_ENUM,
		    .choices = statuses,
		    .doc = "ok; missing: no cable at either end, or no such node; swapped: an end is connected "
			   "elsewhere; wrong_width, "
			   "wrong_speed: as planned but for that; unexpected: the plan knows neither end; ambiguous: "
			   "several "
			   "nodes have the name"},
	[DESCRIPTION] = {.name = "description",
			 .type = RS_TEXT,
			 .flags = RS_F_KEY,
			 .doc = "first end as the plan calls it; of an unexpected cable as fabric.links"},
	[PORT] = {.name = "port", .type = RS_INTEGER, .flags = RS_F_KEY, .doc = "its port"},
	[REMOTE_DESCRIPTION] = {.name = "remote_description",
				.type = RS_TEXT,
				.flags = RS_F_KEY,
				.doc = "second end as the plan calls it"},
	[REMOTE_PORT] = {.name = "remote_port", .type = RS_INTEGER, .flags = RS_F_KEY, .doc = "its port"},
	[GUID] = {.name = "guid", .type = RS_GUID, .doc = "node GUID of the first end", .observed_by = NEEDS_NODE},
	[REMOTE_GUID] = {.name = "remote_guid",
			 .type = RS_GUID,
			 .doc = "node GUID of the second end",
			 .observed_by = NEEDS_NODE},
	[FOUND_DESCRIPTION] = {.name = "found_description",
			       .type = RS_TEXT,
			       .doc = "what the first end is connected to; none: to nothing that is up",
			       .observed_by = NEEDS_NODE},
	[FOUND_PORT] = {.name = "found_port",
			.type = RS_INTEGER,
			.doc = "the port there; none as found_description",
			.observed_by = NEEDS_NODE},
	[REMOTE_FOUND_DESCRIPTION] = {.name = "remote_found_description",
				      .type = RS_TEXT,
				      .doc = "what the second end is connected to; none: to nothing that is up",
				      .observed_by = NEEDS_NODE},
	[REMOTE_FOUND_PORT] = {.name = "remote_found_port",
			       .type = RS_INTEGER,
			       .doc = "the port there; none as remote_found_description",
			       .observed_by = NEEDS_NODE},
	[PLANNED_WIDTH] = {.name = "planned_width",
			   .type = RS_ENUM,
			   .flags = RS_F_ORDERED,
			   .choices = link_widths,
			   .doc = "width in the plan; none where it gives none"},
	[WIDTH] = {.name = "width",
		   .type = RS_ENUM,
		   .flags = RS_F_ORDERED | RS_F_HIGHER,
		   .choices = link_widths,
		   .doc = "active width of the planned cable",
		   .observed_by = NEEDS_LINK},
	[PLANNED_SPEED] = {.name = "planned_speed",
			   .type = RS_ENUM,
			   .flags = RS_F_ORDERED,
			   .choices = link_speeds,
			   .doc = "speed in the plan; none where it gives none"},
	[SPEED] = {.name = "speed",
		   .type = RS_ENUM,
		   .flags = RS_F_ORDERED | RS_F_HIGHER,
		   .choices = link_speeds,
		   .doc = "active speed of the planned cable",
		   .observed_by = NEEDS_LINK},
	[LINE] = {.name = "line", .type = RS_INTEGER, .doc = "line of the plan; none for an unexpected cable"},
	[FACTS] = {0},
};

struct cabling {
	const struct fabric *fabric;
	uint32_t *by_name; /* nodes by description, without regard to case */
	uint8_t *planned;  /* by place in fabric->ports: the plan has this port */
	unsigned noted;
};

static int compare_names(const struct node *node, const char *name, size_t length)
{
	unsigned own = fabric_description(node);
	int order = strncasecmp((const char *)node->description, name, own < length ? own : length);

	return order ? order : own < length ? -1 : own > length;
}

static int by_description(const void *a, const void *b, void *user)
{
	const struct fabric *fabric = user;
	const struct node *right = &fabric->nodes[*(const uint32_t *)b];

	return compare_names(&fabric->nodes[*(const uint32_t *)a], (const char *)right->description,
			     fabric_description(right));
}

/* The first of the nodes with that name; *@several where there are more */
static uint32_t find_name(const struct cabling *cabling, const char *name, bool *several)
{
	const struct fabric *fabric = cabling->fabric;
	uint32_t low = 0, high = fabric->nnodes;
	size_t length = strlen(name);

	if (length > DESCRIPTION_BYTES)
		length = DESCRIPTION_BYTES;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (compare_names(&fabric->nodes[cabling->by_name[middle]], name, length) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == fabric->nnodes || compare_names(&fabric->nodes[cabling->by_name[low]], name, length))
		return NO_NODE;
	*several = low + 1 < fabric->nnodes && !compare_names(&fabric->nodes[cabling->by_name[low + 1]], name, length);
	return cabling->by_name[low];
}

/* By GUID first; the GUID of a plan may be that of another adapter since, and then the name counts */
static struct port *find_end(const struct cabling *cabling, const struct plan_end *end, uint32_t *node, bool *several)
{
	*several = false;
	*node = end->guid ? fabric_find(cabling->fabric, end->guid) : NO_NODE;
	if (*node == NO_NODE)
		*node = find_name(cabling, end->name, several);
	if (*node == NO_NODE || end->port > cabling->fabric->nodes[*node].info.ports)
		return NULL;
	return fabric_port(cabling->fabric, *node, end->port);
}

static void set_found(struct rs_ctx *ctx, const struct cabling *cabling, const struct port *end, unsigned fact)
{
	if (!end)
		return;
	if (end->known & KNOWS_PEER) {
		set_description(ctx, fact, &cabling->fabric->nodes[end->peer_node]);
		rs_set_integer(ctx, fact + 1, end->peer_port);
	} else if (!(end->known & PEER_SILENT)) {
		rs_set_none(ctx, fact);
		rs_set_none(ctx, fact + 1);
	}
}

static void set_planned(struct rs_ctx *ctx, unsigned fact, int planned)
{
	if (planned >= 0)
		rs_set_enum(ctx, fact, planned);
	else
		rs_set_none(ctx, fact);
}

static enum status judge(const struct plan_link *planned, struct port *const ends[2], const uint32_t nodes[2],
			 const struct link_facts *link)
{
	if (ends[0] && ends[1] && ends[0]->known & KNOWS_PEER && ends[0]->peer_node == nodes[1] &&
	    ends[0]->peer_port == planned->ends[1].port) {
		if (planned->width >= 0 && planned->width != link->width)
			return WRONG_WIDTH;
		return planned->speed >= 0 && planned->speed != link->speed ? WRONG_SPEED : OK;
	}
	if ((ends[0] && ends[0]->known & KNOWS_PEER) || (ends[1] && ends[1]->known & KNOWS_PEER))
		return SWAPPED;
	return MISSING;
}

static void set_active(struct rs_ctx *ctx, const struct link_facts *link)
{
	if (link->up && link->width >= 0)
		rs_set_enum(ctx, WIDTH, link->width);
	if (link->up && link->speed >= 0)
		rs_set_enum(ctx, SPEED, link->speed);
}

#define NOTED 20 /* swapped ends that are told one by one */

static void note_swapped(struct rs_ctx *ctx, struct cabling *cabling, const struct plan_link *planned,
			 struct port *const ends[2])
{
	char name[80];

	for (int i = 0; i < 2; i++) {
		const struct plan_end *meant = &planned->ends[!i];

		if (!ends[i] || !(ends[i]->known & KNOWS_PEER) || cabling->noted++ >= NOTED)
			continue;
		rs_note(ctx, "%s port %u is connected to %s port %u, planned is %s port %u", planned->ends[i].name,
			planned->ends[i].port, fabric_name(cabling->fabric, ends[i]->peer_node, name),
			ends[i]->peer_port, meant->name, meant->port);
	}
}

static void set_planned_row(struct rs_ctx *ctx, struct cabling *cabling, const struct plan_link *planned)
{
	struct link_facts link = {.width = -1, .speed = -1};
	struct port *ends[2];
	uint32_t nodes[2];
	bool several[2];
	enum status status;

	for (int i = 0; i < 2; i++) {
		ends[i] = find_end(cabling, &planned->ends[i], &nodes[i], &several[i]);
		if (ends[i])
			cabling->planned[ends[i] - cabling->fabric->ports] = 1;
	}
	if (ends[0])
		link_read(cabling->fabric, nodes[0], planned->ends[0].port, &link);
	status = several[0] || several[1] ? AMBIGUOUS : judge(planned, ends, nodes, &link);
	if (status == SWAPPED)
		note_swapped(ctx, cabling, planned, ends);
	rs_set_enum(ctx, STATUS, (int)status);
	rs_set_text(ctx, DESCRIPTION, planned->ends[0].name);
	rs_set_integer(ctx, PORT, planned->ends[0].port);
	rs_set_text(ctx, REMOTE_DESCRIPTION, planned->ends[1].name);
	rs_set_integer(ctx, REMOTE_PORT, planned->ends[1].port);
	for (unsigned i = 0; i < 2; i++)
		if (nodes[i] != NO_NODE && !several[i])
			rs_set_guid(ctx, GUID + i, cabling->fabric->nodes[nodes[i]].guid);
	set_found(ctx, cabling, several[0] ? NULL : ends[0], FOUND_DESCRIPTION);
	set_found(ctx, cabling, several[1] ? NULL : ends[1], REMOTE_FOUND_DESCRIPTION);
	set_planned(ctx, PLANNED_WIDTH, planned->width);
	set_planned(ctx, PLANNED_SPEED, planned->speed);
	if (status == OK || status == WRONG_WIDTH || status == WRONG_SPEED)
		set_active(ctx, &link);
	rs_set_integer(ctx, LINE, planned->line);
}

static void set_unexpected_row(struct rs_ctx *ctx, const struct cabling *cabling, uint32_t node, unsigned port)
{
	const struct fabric *fabric = cabling->fabric;
	const struct port *end = fabric_port(fabric, node, port);
	struct link_facts link;

	link_read(fabric, node, port, &link);
	rs_set_enum(ctx, STATUS, UNEXPECTED);
	set_description(ctx, DESCRIPTION, &fabric->nodes[node]);
	rs_set_integer(ctx, PORT, port);
	set_description(ctx, REMOTE_DESCRIPTION, &fabric->nodes[end->peer_node]);
	rs_set_integer(ctx, REMOTE_PORT, end->peer_port);
	rs_set_guid(ctx, GUID, fabric->nodes[node].guid);
	rs_set_guid(ctx, REMOTE_GUID, fabric->nodes[end->peer_node].guid);
	set_found(ctx, cabling, end, FOUND_DESCRIPTION);
	set_found(ctx, cabling, fabric_port(fabric, end->peer_node, end->peer_port), REMOTE_FOUND_DESCRIPTION);
	set_planned(ctx, PLANNED_WIDTH, -1);
	set_planned(ctx, PLANNED_SPEED, -1);
	set_active(ctx, &link);
	rs_set_none(ctx, LINE);
}

static void add_unexpected(struct rs_ctx *ctx, unsigned probe, const struct cabling *cabling, uint32_t node)
{
	const struct fabric *fabric = cabling->fabric;

	for (unsigned port = 1; port <= fabric->nodes[node].info.ports; port++) {
		const struct port *end = fabric_port(fabric, node, port);

		if (!(end->known & KNOWS_PEER) || !link_is_first(fabric, node, port) ||
		    cabling->planned[end - fabric->ports] ||
		    cabling->planned[fabric_port(fabric, end->peer_node, end->peer_port) - fabric->ports])
			continue;
		rs_row_begin(ctx, probe);
		set_unexpected_row(ctx, cabling, node, port);
	}
}

void fabric_cabling_rows(struct rs_ctx *ctx, unsigned probe, const struct fabric *fabric, const struct plan *plan)
{
	struct cabling cabling = {.fabric = fabric,
				  .by_name = rs_alloc(ctx, (fabric->nnodes + 1) * sizeof(*cabling.by_name)),
				  .planned = rs_alloc(ctx, fabric->nports + 1)};

	memcpy(cabling.by_name, fabric->order, fabric->nnodes * sizeof(*cabling.by_name));
	qsort_r(cabling.by_name, fabric->nnodes, sizeof(*cabling.by_name), by_description, (void *)fabric);
	for (unsigned i = 0; i < plan->count; i++) {
		rs_row_begin(ctx, probe);
		set_planned_row(ctx, &cabling, &plan->links[i]);
	}
	for (uint32_t i = 0; i < fabric->nnodes; i++)
		add_unexpected(ctx, probe, &cabling, fabric->order[i]);
}
