/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: a cabling plan: which ports are to be connected, read from one of three notations
 *
 * - CSV: node, port, node, port and, where wanted, width, speed, and the GUIDs of nodes that are named; a node by GUID
 * or name; lines that begin with "#" and a line of column names are left out. A recorded run comes as one, too.
 * - what ibnetdiscover prints
 * - what ibsim reads
 */
#pragma once

#include <rdmaspec/plugin.h>

/* What of fabric.links makes a plan, in the order of a CSV's columns */
#define PLAN_COLUMNS "description port remote_description remote_port width speed guid remote_guid"

/** struct plan_end - @guid: 0: the plan gives none; @name: its name there, never NULL */
struct plan_end {
	uint64_t guid;
	const char *name;
	unsigned port;
};

/** struct plan_link - @width, @speed: -1: the plan gives none; @line: of the file, from 1 */
struct plan_link {
	struct plan_end ends[2];
	int width, speed;
	unsigned line;
};

struct plan {
	struct plan_link *links;
	unsigned count, capacity;
};

/** plan_read - each cable once, in the order of the file; returns 0 or what rs_error() returned, with the line in it */
int plan_read(struct rs_ctx *ctx, const char *text, struct plan *plan);
