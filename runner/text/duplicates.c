/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "text/internal.h"

#define SMALL 12 /* pairs up to which comparing each with each is the fastest */

static bool same_text(const struct node *a, const struct node *b)
{
	return a->length == b->length && !memcmp(a->text, b->text, a->length);
}

static void report(const struct text *text, const struct node *first, const struct node *second, struct diags *diags)
{
	struct place place = node_place(text, first);

	diags_error(diags, node_place(text, second),
		    "the key '%s' is here twice; the first one is at line %" PRIu32 ", column %" PRIu32, second->text,
		    place.line, place.column);
}

static int check_small(const struct text *text, const struct node *map, struct diags *diags)
{
	const struct node *keys[SMALL];
	size_t count = 0;
	int error = 0;

	NODE_PAIRS (key, value, map) {
		for (size_t i = 0; i < count; i++) {
			if (!same_text(keys[i], key))
				continue;
			report(text, keys[i], key, diags);
			error = -EINVAL;
			break;
		}
		keys[count++] = key;
	}
	return error;
}

/* Keys of large maps are sorted by a hash, then by text, so that chosen collisions cost no more than a sort by text. */
struct entry {
	uint64_t hash;
	size_t order;
	const struct node *key;
};

static uint64_t hash_text(const char *text, size_t length)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int order;

	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	if (a->key->length != b->key->length)
		return a->key->length < b->key->length ? -1 : 1;
	order = memcmp(a->key->text, b->key->text, a->key->length);
	return order ? order : (a->order > b->order) - (a->order < b->order);
}

static int check_large(const struct text *text, const struct node *map, struct diags *diags)
{
	AUTO_FREE struct entry *entries = xcalloc(map->length / 2, sizeof(*entries));
	size_t count = 0, first = 0;
	int error = 0;

	NODE_PAIRS (key, value, map) {
		entries[count] = (struct entry){hash_text(key->text, key->length), count, key};
		count++;
	}
	qsort(entries, count, sizeof(*entries), compare_entries);
	for (size_t i = 1; i < count; i++) {
		if (!same_text(entries[first].key, entries[i].key)) {
			first = i;
			continue;
		}
		report(text, entries[first].key, entries[i].key, diags);
		error = -EINVAL;
	}
	return error;
}

int check_keys(const struct text *text, const struct node *map, struct diags *diags)
{
	if (map->length <= 2)
		return 0;
	return map->length <= 2 * SMALL ? check_small(text, map, diags) : check_large(text, map, diags);
}
