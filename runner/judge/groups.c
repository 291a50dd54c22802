/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge/groups.h"

#include <stdlib.h>
#include <string.h>

void groups_begin(struct groups *groups, const struct judging *parts, const uint8_t *indices, unsigned count,
		  size_t rows)
{
	*groups = (struct groups){.parts = parts, .ncolumns = count, .nslots = 16};
	for (unsigned i = 0; i < count; i++) {
		groups->indices[i] = indices[i];
		groups->columns[i] = column_of(&parts[0].spec->probe->facts[indices[i]]);
	}
	/* At most half full, so that a search ends soon. */
	while (groups->nslots < 2 * rows)
		groups->nslots *= 2;
	groups->slots = xcalloc(groups->nslots, sizeof(*groups->slots));
}

void groups_end(struct groups *groups)
{
	free(groups->slots);
	groups->slots = NULL;
}

bool groups_equal(const struct groups *groups, struct row_ref a, struct row_ref b)
{
	for (unsigned i = 0; i < groups->ncolumns; i++)
		if (!cell_equal(&groups->columns[i], ref_cell(groups->parts, a, groups->indices[i]),
				ref_cell(groups->parts, b, groups->indices[i])))
			return false;
	return true;
}

struct group *groups_add(struct groups *groups, struct row_ref ref)
{
	uint64_t hash = 0;
	struct group *slot;

	for (unsigned i = 0; i < groups->ncolumns; i++)
		hash = hash * 0x9e3779b97f4a7c15ull +
		       cell_hash(&groups->columns[i], ref_cell(groups->parts, ref, groups->indices[i]));
	hash ^= hash >> 32;
	for (size_t at = hash;; at++) {
		slot = &groups->slots[at & (groups->nslots - 1)];
		if (!slot->count)
			break;
		if (slot->hash == (uint32_t)hash && groups_equal(groups, slot->first, ref)) {
			slot->count++;
			return slot;
		}
	}
	*slot = (struct group){.first = ref, .count = 1, .hash = (uint32_t)hash};
	groups->count++;
	return slot;
}
