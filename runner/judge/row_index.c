/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge/row_index.h"

#include <stdlib.h>

#include "judge/cells.h"

static bool same_cell(const struct column *column, const struct value *a, const struct value *b)
{
	bool comparable = cell_comparable(column, a);

	if (comparable != cell_comparable(column, b))
		return false;
	return comparable ? cell_equal(column, a, b) : a->state == b->state;
}

static bool same_key(const struct row_index *index, size_t row, const struct value *cells)
{
	const struct value *own = table_row(index->table, row);

	for (unsigned i = 0; i < index->ncolumns; i++)
		if (!same_cell(&index->columns[i], &own[index->indices[i]], &cells[index->indices[i]]))
			return false;
	return true;
}

static uint64_t hash_of(const struct row_index *index, const struct value *cells)
{
	uint64_t hash = 0;

	for (unsigned i = 0; i < index->ncolumns; i++) {
		const struct value *cell = &cells[index->indices[i]];

		hash *= UINT64_C(0x9e3779b97f4a7c15);
		hash += cell_comparable(&index->columns[i], cell) ? cell_hash(&index->columns[i], cell) : cell->state;
	}
	return hash ^ hash >> 32;
}

/* The slot of the row with that key, or the free one where it would go. */
static size_t *slot(const struct row_index *index, const struct value *cells)
{
	size_t at = hash_of(index, cells) & (index->size - 1);

	while (index->slots[at] != ROW_NONE && !same_key(index, index->slots[at], cells))
		at = (at + 1) & (index->size - 1);
	return &index->slots[at];
}

void row_index_open(struct row_index *index, const struct table *table)
{
	*index = (struct row_index){.table = table, .size = 16};
	index->columns = xcalloc(table->columns, sizeof(*index->columns));
	index->indices = xcalloc(table->columns, sizeof(*index->indices));
	for (unsigned i = 0; i < table->columns; i++) {
		if (!(table->probe->facts[i].flags & RS_F_KEY))
			continue;
		index->columns[index->ncolumns] = column_of(&table->probe->facts[i]);
		index->indices[index->ncolumns++] = i;
	}
	while (index->size < table->rows * 2)
		index->size *= 2;
	index->slots = xcalloc(index->size, sizeof(*index->slots));
	for (size_t i = 0; i < index->size; i++)
		index->slots[i] = ROW_NONE;
	for (size_t row = 0; row < table->rows; row++) {
		size_t *at = slot(index, table_row(table, row));

		if (*at == ROW_NONE)
			*at = row;
	}
}

size_t row_index_find(const struct row_index *index, const struct table *table, size_t row)
{
	return *slot(index, table_row(table, row));
}

void row_index_close(struct row_index *index)
{
	free(index->columns);
	free(index->indices);
	free(index->slots);
}
