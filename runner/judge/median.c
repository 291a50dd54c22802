/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>

#include "base/memory.h"
#include "judge/cells.h"
#include "judge/judging.h"

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/*
 * What was not observed is left out: it is an error of its own row. The median of a single value would hold that value
 * against itself, and say nothing.
 */
static struct match_context median_of(double *numbers, size_t count)
{
	struct match_context context = {0};

	if (count < 2)
		return context;
	qsort(numbers, count, sizeof(*numbers), by_size);
	context.has_median = true;
	context.median = count % 2 ? numbers[count / 2] : numbers[count / 2 - 1] / 2 + numbers[count / 2] / 2;
	return context;
}

static void find_one(struct medians *medians, const struct judging *parts, size_t count, unsigned index)
{
	double *numbers = NULL;
	size_t kept = 0, capacity = 0;

	for (size_t i = 0; i < count; i++) {
		const struct table *table = parts[i].table;
		struct column column;

		if (!table)
			continue;
		column = column_of(&table->probe->facts[index]);
		for (size_t row = 0; row < table->rows; row++) {
			const struct value *cell = &table_row(table, row)[index];

			if (!row_kept(parts[i].judgement, row) || cell->state != VALUE_SET)
				continue;
			GROW(numbers, kept, capacity);
			kept += cell_number(&column, cell, &numbers[kept]);
		}
	}
	medians->columns[index] = median_of(numbers, kept);
	free(numbers);
}

void medians_find(struct medians *medians, const struct judging *parts, size_t count)
{
	bool wanted[64] = {0};

	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < parts[i].spec->nexpect; j++)
			wanted[parts[i].spec->expect[j].column] |=
				matcher_needs_median(parts[i].spec->expect[j].matcher);
	for (unsigned index = 0; index < 64; index++)
		if (wanted[index])
			find_one(medians, parts, count, index);
}
