/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/labels.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a. */
static size_t hash(const char *text)
{
	uint64_t value = UINT64_C(0xcbf29ce484222325);

	for (; *text; text++)
		value = (value ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return (size_t)(value ^ value >> 32);
}

static size_t slot_of(const struct labels *labels, const char *key)
{
	size_t slot = hash(key) & (labels->nslots - 1);

	while (labels->slots[slot] && strcmp(labels->slots[slot], key) != 0)
		slot = (slot + 1) & (labels->nslots - 1);
	return slot;
}

static void grow(struct labels *labels)
{
	struct labels old = *labels;

	labels->nslots = old.nslots ? old.nslots * 2 : 256;
	labels->slots = xcalloc(labels->nslots, sizeof(*labels->slots));
	for (size_t i = 0; i < old.nslots; i++)
		if (old.slots[i])
			labels->slots[slot_of(labels, old.slots[i])] = old.slots[i];
	free(old.slots);
}

/* The key is the space, a newline and the name. */
const char *labels_unique(struct labels *labels, struct arena *arena, const char *space, const char *name)
{
	const char *key = arena_printf(arena, "%s\n%s", space, name);

	if (labels->count * 2 >= labels->nslots)
		grow(labels);
	for (unsigned n = 2;; n++) {
		size_t slot = slot_of(labels, key);

		if (!labels->slots[slot]) {
			labels->slots[slot] = key;
			labels->count++;
			return key + strlen(space) + 1;
		}
		key = arena_printf(arena, "%s\n%s (%u)", space, name, n);
	}
}

void labels_free(struct labels *labels)
{
	free(labels->slots);
	*labels = (struct labels){0};
}
