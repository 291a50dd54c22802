/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: what has to be known of a topology file before ibsim serves it
 *
 * Read with ibsim's own rules (its quirks too: lines of 255 bytes, a line that ends a node is swallowed), so that the
 * nodes found here are the nodes that ibsim will have.
 */
#pragma once

#include "base/diag.h"
#include "base/memory.h"

enum topology_type { TOPOLOGY_CA, TOPOLOGY_SWITCH, TOPOLOGY_ROUTER };

struct topology_node {
	const char *id;
	const char *description; /* the id where the file gives none */
	uint64_t guid;		 /* of the node, as ibsim numbers those that the file does not */
	enum topology_type type;
	unsigned ports;
	bool linked; /* port 1, the one that a client of ibsim gets */
};

/** struct topology - {0} is an empty one */
struct topology {
	struct arena arena;
	struct topology_node *nodes; /* in the order of the file */
	size_t count, capacity;
	size_t switches;
	size_t ports; /* as ibsim counts them: a switch has its port 0 too */
	struct topology_name *names;
	size_t nnames;
};

/** topology_load - read @path and what it includes; -errno with @diag where it is no topology, or has no CA */
int topology_load(struct topology *topology, const char *path, struct diag *diag);
void topology_free(struct topology *topology);

/** topology_first - the first CA whose port 1 is linked, else the first CA; never NULL after topology_load() */
const struct topology_node *topology_first(const struct topology *topology);

/**
 * topology_find - the node that is meant by @name: a description or an id (a CA's before others'), else the one CA
 * whose description starts with that word. NULL with *why an own text.
 */
const struct topology_node *topology_find(const struct topology *topology, const char *name, char **why);
