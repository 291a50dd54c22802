/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the kept rows of all parts of a step, grouped by the values of some facts */
#pragma once

#include "judge/cells.h"
#include "judge/judging.h"

struct row_ref {
	uint32_t part;
	uint32_t row;
};

/** struct group - rows with equal values; @first: the first of them */
struct group {
	struct row_ref first;
	uint32_t count; /* 0: an empty slot */
	uint32_t hash;
};

/**
 * struct groups
 * @columns: what the rows are grouped by
 * @slots: a hash table of a power of two
 */
struct groups {
	const struct judging *parts;
	struct column columns[64];
	uint8_t indices[64];
	unsigned ncolumns;
	struct group *slots;
	size_t nslots;
	size_t count;
};

/** groups_begin - by the @count facts at @indices; @rows: at most so many will be added */
void groups_begin(struct groups *groups, const struct judging *parts, const uint8_t *indices, unsigned count,
		  size_t rows);

/** groups_add - returns the row's group, the row counted in; every cell of it has to be comparable */
struct group *groups_add(struct groups *groups, struct row_ref ref);

bool groups_equal(const struct groups *groups, struct row_ref a, struct row_ref b);
void groups_end(struct groups *groups);

static inline const struct value *ref_cell(const struct judging *parts, struct row_ref ref, unsigned column)
{
	return &table_row(parts[ref.part].table, ref.row)[column];
}
