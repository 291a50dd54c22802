/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: a hash table from names to numbers (indices into an array of its owner) */
#pragma once

#include <stdint.h>

#include "base/memory.h"

#define NAMES_NONE SIZE_MAX

struct name_slot {
	const char *name; /* borrowed; NULL: free */
	uint64_t hash;
	size_t value;
};

/** struct names - {0} is an empty one */
struct names {
	struct name_slot *slots;
	size_t count;
	size_t size; /* a power of two, or 0 */
};

/** names_find - the value of @name, or NAMES_NONE */
size_t names_find(const struct names *names, const char *name);

/** names_add - returns NAMES_NONE where @name is new, else the value that it has and keeps */
size_t names_add(struct names *names, const char *name, size_t value);
void names_free(struct names *names);
