/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the routes of a swept subnet, followed through the switches' linear forwarding tables */
#pragma once

#include "fabric/fabric.h"
#include "support/mad.h"

extern const struct rs_fact fabric_routes_facts[], fabric_route_counts_facts[];

/**
 * struct routes_wanted - which pairs of hosts
 * @from, @to: globs over descriptions, without regard to case
 * @limit: where there are more pairs, so many are taken, evenly spread
 */
struct routes_wanted {
	const char *from, *to;
	int64_t limit;
};

/** struct forwarding - the tables: of each node that is a switch, the port for each LID up to @top */
struct forwarding {
	const struct fabric *fabric;
	uint8_t **tables; /* by node; NULL: no switch, or not read */
	uint16_t *tops;
	uint32_t *owners; /* by LID: node + 1 of the CA, router or switch that has it */
};

/** forwarding_read - ask every switch; returns 0 or what rs_error() returned; what is not answered is named */
int forwarding_read(struct rs_ctx *ctx, const struct fabric *fabric, struct mad_port *umad, struct forwarding *out);

void fabric_routes_rows(struct rs_ctx *ctx, unsigned probe, const struct forwarding *forwarding,
			const struct routes_wanted *wanted);
void fabric_route_counts_rows(struct rs_ctx *ctx, unsigned probe, const struct forwarding *forwarding);
