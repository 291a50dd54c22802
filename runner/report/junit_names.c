/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of cases that stay apart in one file, and what texts cost there. */
#include <string.h>

#include "base/utf8.h"
#include "report/junit_tree.h"

/* FNV-1a. */
static size_t hash(const char *text)
{
	uint64_t value = UINT64_C(0xcbf29ce484222325);

	for (; *text; text++)
		value = (value ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return (size_t)(value ^ value >> 32);
}

static size_t slot_of(const struct junit_names *names, const char *key)
{
	size_t slot = hash(key) & (names->nslots - 1);

	while (names->slots[slot] && strcmp(names->slots[slot], key) != 0)
		slot = (slot + 1) & (names->nslots - 1);
	return slot;
}

static void grow(struct junit_names *names)
{
	struct junit_names old = *names;

	names->nslots = old.nslots ? old.nslots * 2 : 256;
	names->slots = xcalloc(names->nslots, sizeof(*names->slots));
	for (size_t i = 0; i < old.nslots; i++)
		if (old.slots[i])
			names->slots[slot_of(names, old.slots[i])] = old.slots[i];
	free(old.slots);
}

/* The key is the class name, a newline (which no token holds) and the name. */
const char *junit_unique(struct junit_tree *tree, const char *classname, const char *name)
{
	struct junit_names *names = &tree->names;
	const char *key = arena_printf(&tree->arena, "%s\n%s", classname, name);

	if (names->count * 2 >= names->nslots)
		grow(names);
	for (unsigned n = 2;; n++) {
		size_t slot = slot_of(names, key);

		if (!names->slots[slot]) {
			names->slots[slot] = key;
			names->count++;
			return key + strlen(classname) + 1;
		}
		key = arena_printf(&tree->arena, "%s\n%s (%u)", classname, name, n);
	}
}

static size_t cost_of(char c)
{
	switch (c) {
	case '<':
	case '>':
		return 4; /* &lt; */
	case '&':
		return 5;
	case '"':
		return 6;
	default:
		return 1;
	}
}

size_t junit_cost(const char *text, size_t length)
{
	size_t cost = 0;

	for (size_t i = 0; i < length; i++)
		cost += cost_of(text[i]);
	return cost;
}

size_t junit_fit(const char *text, size_t length, size_t left)
{
	uint32_t character;
	size_t at = 0;

	while (at < length) {
		size_t bytes = utf8_next(text + at, length - at, &character);
		size_t cost = bytes > 1 ? bytes : cost_of(text[at]);

		if (cost > left)
			break;
		left -= cost;
		at += bytes ? bytes : 1;
	}
	return at;
}
