/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the rows of a table by their key facts */
#pragma once

#include "judge/table.h"

#define ROW_NONE SIZE_MAX

/** struct row_index - open addressing, at most half full */
struct row_index {
	const struct table *table;
	struct column *columns; /* of the key facts */
	unsigned *indices;	/* of these in the table */
	unsigned ncolumns;
	size_t *slots; /* numbers of rows */
	size_t size;   /* a power of two */
};

/** row_index_open - of @table, which must outlive it. Of rows with equal keys the first is found. */
void row_index_open(struct row_index *index, const struct table *table);

/**
 * row_index_find - the row of the index that has the key of row @row of @table, a table of the same probe; ROW_NONE
 * where none has. Key facts that are none, or not observed, equal each other.
 */
size_t row_index_find(const struct row_index *index, const struct table *table, size_t row);
void row_index_close(struct row_index *index);
