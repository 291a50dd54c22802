/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge/compare.h"

#include <stdlib.h>

#include "judge/cells.h"
#include "judge/row_index.h"

/** struct comparing - @next: of a row of B, the next one with the same key; @first: of B's rows, who comes next of a
 * key */
struct comparing {
	const struct table *a, *b;
	struct column columns[64];
	bool keyed;
	struct row_index index;
	size_t *next, *first;
	bool *taken;
	uint64_t moving;
	struct comparison *out;
};

uint64_t compare_moving(const struct rs_source *source, const struct rs_probe *probe)
{
	uint64_t moving = 0;

	for (unsigned i = 0; probe->facts[i].name; i++) {
		unsigned flags = probe->facts[i].flags;
		bool measured = source->scope == RS_PAIR && flags & (RS_F_HIGHER | RS_F_LOWER);

		if (flags & (RS_F_VOLATILE | RS_F_COUNTER) || measured)
			moving |= UINT64_C(1) << i;
	}
	return moving;
}

static uint64_t facts_that_differ(const struct comparing *comparing, size_t a, size_t b)
{
	const struct value *one = table_row(comparing->a, a), *other = table_row(comparing->b, b);
	uint64_t facts = 0;

	for (unsigned i = 0; i < comparing->a->columns; i++)
		if (!cell_same(&comparing->columns[i], &one[i], &other[i]))
			facts |= UINT64_C(1) << i;
	return facts;
}

static void add(struct comparing *comparing, struct row_difference difference)
{
	struct comparison *out = comparing->out;

	GROW(out->items, out->count, out->capacity);
	out->items[out->count++] = difference;
}

/* Rows of B by their keys, those of one key in a chain. */
static void open_keys(struct comparing *comparing)
{
	size_t rows = comparing->b->rows;
	size_t *last = xcalloc(rows + 1, sizeof(*last));

	row_index_open(&comparing->index, comparing->b);
	comparing->next = xcalloc(rows + 1, sizeof(*comparing->next));
	comparing->first = xcalloc(rows + 1, sizeof(*comparing->first));
	for (size_t row = 0; row < rows; row++) {
		size_t head = row_index_find(&comparing->index, comparing->b, row);

		comparing->next[row] = ROW_NONE;
		comparing->first[row] = row;
		if (head != row)
			comparing->next[last[head]] = row;
		last[head] = row;
	}
	free(last);
}

static size_t partner(struct comparing *comparing, size_t row)
{
	size_t head, found;

	if (!comparing->keyed)
		return row < comparing->b->rows ? row : ROW_NONE;
	head = row_index_find(&comparing->index, comparing->a, row);
	if (head == ROW_NONE)
		return ROW_NONE;
	found = comparing->first[head];
	if (found != ROW_NONE)
		comparing->first[head] = comparing->next[found];
	return found;
}

static void compare_row(struct comparing *comparing, size_t row)
{
	size_t found = partner(comparing, row);
	uint64_t facts;

	if (found == ROW_NONE) {
		add(comparing, (struct row_difference){.change = ROW_GONE, .a = row});
		return;
	}
	comparing->taken[found] = true;
	facts = facts_that_differ(comparing, row, found);
	comparing->out->same += !(facts & ~comparing->moving);
	if (facts)
		add(comparing, (struct row_difference){.change = ROW_CHANGED,
						       .a = row,
						       .b = found,
						       .facts = facts,
						       .moves = facts & comparing->moving});
}

void compare_tables(const struct table *a, const struct table *b, uint64_t moving, struct comparison *out)
{
	struct comparing comparing = {.a = a, .b = b, .moving = moving, .out = out};

	for (unsigned i = 0; i < a->columns; i++) {
		comparing.columns[i] = column_of(&a->probe->facts[i]);
		comparing.keyed |= (a->probe->facts[i].flags & RS_F_KEY) != 0;
	}
	comparing.taken = xcalloc(b->rows + 1, sizeof(*comparing.taken));
	if (comparing.keyed)
		open_keys(&comparing);
	for (size_t row = 0; row < a->rows; row++)
		compare_row(&comparing, row);
	for (size_t row = 0; row < b->rows; row++)
		if (!comparing.taken[row])
			add(&comparing, (struct row_difference){.change = ROW_ADDED, .b = row});
	if (comparing.keyed)
		row_index_close(&comparing.index);
	free(comparing.next);
	free(comparing.first);
	free(comparing.taken);
}

void comparison_free(struct comparison *comparison)
{
	free(comparison->items);
	*comparison = (struct comparison){0};
}
