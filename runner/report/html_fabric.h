/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: a table of cables as a picture. Private to the room. */
#pragma once

#include "report/html.h"

#define FABRIC_NODES 300 /* more of them are folded */
#define FABRIC_BOXES 48	 /* of one level */

/** struct fabric_node - @level: 0: no switch; 1: a leaf; above it by their distance from a leaf */
struct fabric_node {
	uint64_t guid;
	const char *name; /* raw */
	bool is_switch, wrong;
	unsigned level;
	size_t ends; /* cables to what is no switch */
	size_t box;
};

struct fabric_cable {
	size_t ends[2]; /* nodes */
	int64_t ports[2];
	bool wrong;
};

/** struct fabric_box - what is drawn of one node, or of several that are folded */
struct fabric_box {
	size_t first, count, wrong; /* nodes in the drawing's order */
	unsigned level;
	double x, y;
};

struct fabric_picture {
	const struct table *table;
	struct fabric_node *nodes; /* by GUID, then in the drawing's order */
	size_t nnodes;
	struct fabric_cable *cables;
	size_t ncables;
	struct fabric_box *boxes;
	size_t nboxes;
	unsigned levels;
};

/** fabric_read - nodes, cables, and what the cases of @html say is wrong; false where @table is none of cables */
bool fabric_read(struct fabric_picture *picture, const struct html *html, const struct table *table);
void fabric_draw(struct html *html, struct fabric_picture *picture);
void fabric_free(struct fabric_picture *picture);
