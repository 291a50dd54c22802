/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: what a sweep knows of a subnet: nodes and ports in two arrays, named by their index */
#pragma once

#include <rdmaspec/plugin.h>

#include "fabric/attributes.h"

#define NO_NODE UINT32_MAX

/** enum known - what was answered, and what was asked in vain */
enum known {
	KNOWS_INFO = 1 << 0,   /* port: PortInfo */
	KNOWS_PEER = 1 << 1,   /* port: what is at the other end of the cable */
	PEER_SILENT = 1 << 2,  /* port: the link is up, and what is behind it did not answer */
	INFO_MISSING = 1 << 3, /* port: PortInfo was not answered */
	KNOWS_DESCRIPTION = 1 << 4,
	KNOWS_SWITCH = 1 << 5,
	DESCRIPTION_MISSING = 1 << 6,
	SWITCH_MISSING = 1 << 7,
};

struct port {
	uint64_t guid; /* 0: not seen. Of a switch: that of its port 0. */
	uint32_t peer_node;
	uint8_t peer_port;
	uint8_t known;
	struct port_info info;
};

/**
 * struct node
 * @parent, @parent_port: where it was found: its directed route is that of the parent and this port more. NO_NODE: it
 *                        is the one that the sweep started on
 * @entry_port: by which port that route enters it
 * @duplicate: another node was there before with this GUID
 * @shares_guid: of a switch: there is another one with this GUID, which was left out
 * @ports: index of its port 0; a CA's is not used
 */
struct node {
	uint64_t guid;
	uint32_t parent;
	uint8_t parent_port, entry_port, hops, known;
	bool duplicate, shares_guid;
	uint32_t ports;
	struct node_info info;
	struct switch_info switch_info;
	uint8_t description[DESCRIPTION_BYTES];
};

struct fabric {
	struct node *nodes;
	uint32_t nnodes, nodes_capacity;
	struct port *ports;
	uint32_t nports, ports_capacity;
	uint32_t *hash; /* index + 1 of a node, 0: free */
	uint32_t hash_size;
	uint32_t *order; /* nodes by GUID, then by index; fabric_sort() makes it */
	uint32_t *rank;	 /* a node's place in it */
};

void fabric_free(struct fabric *fabric); /* what it holds, not itself */

/** fabric_find - the first node of that GUID, or NO_NODE */
uint32_t fabric_find(const struct fabric *fabric, uint64_t guid);

/** fabric_add - a node with all of its ports; NO_NODE without memory */
uint32_t fabric_add(struct fabric *fabric, const struct node_info *info);

/** fabric_sort - make @order and @rank; returns 0 or -ENOMEM */
int fabric_sort(struct fabric *fabric);

void fabric_link(struct fabric *fabric, uint32_t node, uint8_t port, uint32_t peer, uint8_t peer_port);

static inline struct port *fabric_port(const struct fabric *fabric, uint32_t node, unsigned port)
{
	return &fabric->ports[fabric->nodes[node].ports + port];
}

/** fabric_route - the directed route to a node; returns its hops, and fills path[1] to path[hops] */
uint8_t fabric_route(const struct fabric *fabric, uint32_t node, uint8_t path[64]);

/**
 * fabric_route_port - the directed route that ends at a given port: of a CA, SMPs are about the port that they come in
 * by
 *
 * Returns its hops, or -1 where no route is known that ends there.
 */
int fabric_route_port(const struct fabric *fabric, uint32_t node, unsigned port, uint8_t path[64]);

/** fabric_description - the bytes of NodeDescription up to the first zero; returns their number */
unsigned fabric_description(const struct node *node);

/** fabric_name - for notes: the description, or the GUID where there is none; not cleaned */
const char *fabric_name(const struct fabric *fabric, uint32_t node, char buf[80]);

/** fabric_lid - of a port: a CA's own, or that of the switch's port 0; 0: none, or not known */
uint16_t fabric_lid(const struct fabric *fabric, uint32_t node, unsigned port);

/** fabric_is_aggregation - a CA inside a switch that reduces data (SHARP), known by its description */
bool fabric_is_aggregation(const struct node *node);

/** fabric_active, fabric_speeds - with the port's capabilities taken into account */
int fabric_speed(const struct fabric *fabric, uint32_t node, unsigned port);
unsigned fabric_speeds_enabled(const struct fabric *fabric, uint32_t node, unsigned port);
unsigned fabric_speeds_supported(const struct fabric *fabric, uint32_t node, unsigned port);
