/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the tables of one sweep; each is made by the file of its name */
#pragma once

#include "fabric/fabric.h"

extern const char *const node_types[];

extern const struct rs_fact fabric_nodes_facts[], fabric_links_facts[], fabric_ports_facts[], fabric_summary_facts[];

/** the rows of a table, as probe number @probe of the source, by GUID and port */
void fabric_nodes_rows(struct rs_ctx *ctx, unsigned probe, const struct fabric *fabric);
void fabric_links_rows(struct rs_ctx *ctx, unsigned probe, const struct fabric *fabric);
void fabric_ports_rows(struct rs_ctx *ctx, unsigned probe, const struct fabric *fabric);
void fabric_summary_rows(struct rs_ctx *ctx, unsigned probe, const struct fabric *fabric);

/* Facts that several tables have, as the plain ones of a row */
void set_description(struct rs_ctx *ctx, unsigned fact, const struct node *node);
void set_type(struct rs_ctx *ctx, unsigned fact, const struct node *node);
void set_lid(struct rs_ctx *ctx, unsigned fact, const struct fabric *fabric, uint32_t node, unsigned port);

enum link_kind { KIND_HOST, KIND_SWITCHES, KIND_AGGREGATION, KIND_ROUTER };
extern const char *const link_kinds[];

/** link_is_first - is this end the one that its cable is told from? A switch goes before what is none, then the lower
 * GUID */
bool link_is_first(const struct fabric *fabric, uint32_t node, unsigned port);
enum link_kind link_kind(const struct fabric *fabric, uint32_t node, unsigned port);

/**
 * struct link_facts - what both ends of a cable together say of it
 * @width, @speed: -1: a code without a name; @width_code, @speed_codes: the codes
 * @degraded: -1: not known
 */
struct link_facts {
	bool state_known, up;
	unsigned state, physical, width_code;
	int width, speed, degraded;
	struct link_speed_codes speed_codes;
};

void link_read(const struct fabric *fabric, uint32_t node, unsigned port, struct link_facts *link);

#define OBSERVED_ANSWER "needs an answer of the node's subnet management agent"
#define OBSERVED_LINK "needs a link that is physically up"
