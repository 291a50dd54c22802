/* SPDX-License-Identifier: BSD-2-Clause */
#include "fabric/fabric.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fabric_free(struct fabric *fabric)
{
	free(fabric->nodes);
	free(fabric->ports);
	free(fabric->hash);
	free(fabric->order);
	free(fabric->rank);
	*fabric = (struct fabric){0};
}

static uint32_t hash_start(const struct fabric *fabric, uint64_t guid)
{
	/* Fibonacci hashing: vendors count GUIDs up, in the low bits or in the middle ones */
	return (uint32_t)((guid * 0x9e3779b97f4a7c15u) >> 32) & (fabric->hash_size - 1);
}

uint32_t fabric_find(const struct fabric *fabric, uint64_t guid)
{
	if (!fabric->hash_size)
		return NO_NODE;
	for (uint32_t i = hash_start(fabric, guid); fabric->hash[i]; i = (i + 1) & (fabric->hash_size - 1))
		if (fabric->nodes[fabric->hash[i] - 1].guid == guid)
			return fabric->hash[i] - 1;
	return NO_NODE;
}

static void hash_insert(struct fabric *fabric, uint32_t node)
{
	uint32_t i = hash_start(fabric, fabric->nodes[node].guid);

	while (fabric->hash[i])
		i = (i + 1) & (fabric->hash_size - 1);
	fabric->hash[i] = node + 1;
}

static int hash_grow(struct fabric *fabric)
{
	uint32_t size = fabric->hash_size ? fabric->hash_size * 2 : 256;
	uint32_t *hash = calloc(size, sizeof(*hash));

	if (!hash)
		return -ENOMEM;
	free(fabric->hash);
	fabric->hash = hash;
	fabric->hash_size = size;
	for (uint32_t node = 0; node < fabric->nnodes; node++)
		if (!fabric->nodes[node].duplicate)
			hash_insert(fabric, node);
	return 0;
}

/* Grows by an eighth: a sweep's memory is its arrays */
static void *reserve(void *array, uint32_t *capacity, uint32_t needed, size_t size)
{
	uint32_t larger = *capacity + *capacity / 8 + 64;
	void *moved;

	if (needed <= *capacity)
		return array;
	if (larger < needed)
		larger = needed;
	moved = realloc(array, larger * size);
	if (moved)
		*capacity = larger;
	return moved;
}

uint32_t fabric_add(struct fabric *fabric, const struct node_info *info)
{
	uint32_t ports = info->ports + 1u, index = fabric->nnodes;
	struct node *nodes = reserve(fabric->nodes, &fabric->nodes_capacity, index + 1, sizeof(*nodes));
	struct port *all;
	struct node *node;

	if (!nodes)
		return NO_NODE;
	fabric->nodes = nodes;
	all = reserve(fabric->ports, &fabric->ports_capacity, fabric->nports + ports, sizeof(*all));
	if (!all)
		return NO_NODE;
	fabric->ports = all;
	if ((fabric->nnodes + 1) * 2 > fabric->hash_size && hash_grow(fabric) < 0)
		return NO_NODE;
	node = &fabric->nodes[index];
	memset(node, 0, sizeof(*node));
	node->info = *info;
	node->guid = info->guid;
	node->parent = NO_NODE;
	node->duplicate = fabric_find(fabric, info->guid) != NO_NODE;
	node->ports = fabric->nports;
	memset(fabric->ports + fabric->nports, 0, ports * sizeof(*fabric->ports));
	fabric->nports += ports;
	fabric->nnodes++;
	if (!node->duplicate)
		hash_insert(fabric, index);
	return index;
}

static int by_guid(const void *a, const void *b, void *user)
{
	const struct fabric *fabric = user;
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	if (fabric->nodes[left].guid != fabric->nodes[right].guid)
		return fabric->nodes[left].guid < fabric->nodes[right].guid ? -1 : 1;
	/* of two with one GUID, the place in the subnet decides: when they were found depends on the subnet's mood */
	if (fabric->nodes[left].parent != NO_NODE && fabric->nodes[right].parent != NO_NODE) {
		const struct node *above = &fabric->nodes[fabric->nodes[left].parent];
		const struct node *other = &fabric->nodes[fabric->nodes[right].parent];

		if (above->guid != other->guid)
			return above->guid < other->guid ? -1 : 1;
		return fabric->nodes[left].parent_port - fabric->nodes[right].parent_port;
	}
	return left < right ? -1 : left > right;
}

int fabric_sort(struct fabric *fabric)
{
	fabric->order = calloc(fabric->nnodes + 1, sizeof(*fabric->order));
	fabric->rank = calloc(fabric->nnodes + 1, sizeof(*fabric->rank));
	if (!fabric->order || !fabric->rank)
		return -ENOMEM;
	for (uint32_t i = 0; i < fabric->nnodes; i++)
		fabric->order[i] = i;
	qsort_r(fabric->order, fabric->nnodes, sizeof(*fabric->order), by_guid, fabric);
	for (uint32_t i = 0; i < fabric->nnodes; i++)
		fabric->rank[fabric->order[i]] = i;
	return 0;
}

void fabric_link(struct fabric *fabric, uint32_t node, uint8_t port, uint32_t peer, uint8_t peer_port)
{
	struct port *near = fabric_port(fabric, node, port), *far = fabric_port(fabric, peer, peer_port);

	near->peer_node = peer;
	near->peer_port = peer_port;
	far->peer_node = node;
	far->peer_port = port;
	near->known = (uint8_t)((near->known | KNOWS_PEER) & ~PEER_SILENT);
	far->known = (uint8_t)((far->known | KNOWS_PEER) & ~PEER_SILENT);
}

uint8_t fabric_route(const struct fabric *fabric, uint32_t node, uint8_t path[64])
{
	uint8_t hops = fabric->nodes[node].hops;

	for (uint8_t hop = hops; hop; hop--) {
		path[hop] = fabric->nodes[node].parent_port;
		node = fabric->nodes[node].parent;
	}
	return hops;
}

int fabric_route_port(const struct fabric *fabric, uint32_t node, unsigned port, uint8_t path[64])
{
	const struct port *end = fabric_port(fabric, node, port);
	uint8_t hops;

	if (fabric->nodes[node].info.type == NODE_SWITCH || port == fabric->nodes[node].entry_port)
		return fabric_route(fabric, node, path);
	if (!(end->known & KNOWS_PEER) || fabric->nodes[end->peer_node].info.type != NODE_SWITCH)
		return -1;
	hops = fabric_route(fabric, end->peer_node, path);
	if (hops >= 63)
		return -1;
	path[hops + 1] = end->peer_port;
	return hops + 1;
}

unsigned fabric_description(const struct node *node)
{
	return (unsigned)strnlen((const char *)node->description, DESCRIPTION_BYTES);
}

const char *fabric_name(const struct fabric *fabric, uint32_t node, char buf[80])
{
	const struct node *named = &fabric->nodes[node];
	unsigned length = named->known & KNOWS_DESCRIPTION ? fabric_description(named) : 0;

	if (length)
		snprintf(buf, 80, "%.*s", (int)length, (const char *)named->description);
	else
		snprintf(buf, 80, "0x%016" PRIx64, named->guid);
	return buf;
}

uint16_t fabric_lid(const struct fabric *fabric, uint32_t node, unsigned port)
{
	const struct port *end = fabric_port(fabric, node, fabric->nodes[node].info.type == NODE_SWITCH ? 0 : port);

	return end->known & KNOWS_INFO ? end->info.lid : 0;
}

bool fabric_is_aggregation(const struct node *node)
{
	static const char word[] = "Aggregation Node";

	return node->info.type == NODE_CA && memmem(node->description, DESCRIPTION_BYTES, word, sizeof(word) - 1);
}

static struct link_speed_codes known_codes(const struct fabric *fabric, uint32_t node, unsigned port,
					   const struct link_speed_codes *codes)
{
	const struct port *end = fabric_port(fabric, node, fabric->nodes[node].info.type == NODE_SWITCH ? 0 : port);

	return speed_codes(codes, end->info.capability, end->info.capability2);
}

int fabric_speed(const struct fabric *fabric, uint32_t node, unsigned port)
{
	struct link_speed_codes codes = known_codes(fabric, node, port, &fabric_port(fabric, node, port)->info.active);

	return link_speed(&codes);
}

unsigned fabric_speeds_enabled(const struct fabric *fabric, uint32_t node, unsigned port)
{
	struct link_speed_codes codes = known_codes(fabric, node, port, &fabric_port(fabric, node, port)->info.enabled);

	return link_speed_set(&codes);
}

unsigned fabric_speeds_supported(const struct fabric *fabric, uint32_t node, unsigned port)
{
	struct link_speed_codes codes =
		known_codes(fabric, node, port, &fabric_port(fabric, node, port)->info.supported);

	return link_speed_set(&codes);
}
