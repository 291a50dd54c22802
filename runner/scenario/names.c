/* SPDX-License-Identifier: BSD-2-Clause */
#include "scenario/names.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
static uint64_t hash_text(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
	return hash;
}

/* The slot that holds @name, or the free one where it belongs. */
static struct name_slot *slot_of(const struct names *names, const char *name, uint64_t hash)
{
	for (size_t i = hash;; i++) {
		struct name_slot *slot = &names->slots[i & (names->size - 1)];

		if (!slot->name || (slot->hash == hash && !strcmp(slot->name, name)))
			return slot;
	}
}

static void make_room(struct names *names)
{
	struct names larger = {.count = names->count, .size = names->size ? names->size * 2 : 16};

	if (names->count < names->size / 4 * 3)
		return;
	larger.slots = xcalloc(larger.size, sizeof(*larger.slots));
	for (size_t i = 0; i < names->size; i++)
		if (names->slots[i].name)
			*slot_of(&larger, names->slots[i].name, names->slots[i].hash) = names->slots[i];
	free(names->slots);
	*names = larger;
}

size_t names_find(const struct names *names, const char *name)
{
	const struct name_slot *slot;

	if (!names->count)
		return NAMES_NONE;
	slot = slot_of(names, name, hash_text(name));
	return slot->name ? slot->value : NAMES_NONE;
}

size_t names_add(struct names *names, const char *name, size_t value)
{
	uint64_t hash = hash_text(name);
	struct name_slot *slot;

	make_room(names);
	slot = slot_of(names, name, hash);
	if (slot->name)
		return slot->value;
	*slot = (struct name_slot){.name = name, .hash = hash, .value = value};
	names->count++;
	return NAMES_NONE;
}

void names_free(struct names *names)
{
	free(names->slots);
	*names = (struct names){0};
}
