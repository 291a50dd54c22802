/* SPDX-License-Identifier: BSD-2-Clause */
/* The same row of a recorded run. */
#include <stdlib.h>

#include "judge/cells.h"
#include "judge/judging.h"

const struct place *judge_needs_baseline(const struct judge_spec *spec)
{
	for (size_t i = 0; i < spec->nexpect; i++)
		if (matcher_needs_baseline(spec->expect[i].matcher))
			return &spec->expect[i].place;
	return NULL;
}

static bool has_keys(const struct rs_probe *probe)
{
	for (const struct rs_fact *fact = probe->facts; fact->name; fact++)
		if (fact->flags & RS_F_KEY)
			return true;
	return false;
}

static char *why_none(const struct judge_part *part)
{
	const struct observation *observation = part->reference;
	const struct table *table;

	if (!observation)
		return xstrdup("the baseline has no such observation");
	if (observation->error)
		return xasprintf("the baseline could not be observed: %s", observation->error);
	table = observation_table(observation, part->spec->probe);
	if (!table)
		return xasprintf("the baseline holds no %s", part->spec->probe->name);
	if (table->rows > 1 && !has_keys(table->probe))
		return xstrdup("nothing tells the rows of the baseline apart");
	return NULL;
}

void reference_open(struct reference *reference, const struct judge_part *part)
{
	if (!judge_needs_baseline(part->spec))
		return;
	reference->why = why_none(part);
	if (reference->why)
		return;
	reference->table = observation_table(part->reference, part->spec->probe);
	row_index_open(&reference->rows, reference->table);
}

void reference_close(struct reference *reference)
{
	if (reference->table)
		row_index_close(&reference->rows);
	free(reference->why);
	*reference = (struct reference){0};
}

void reference_find(const struct reference *reference, const struct table *table, size_t row, unsigned column,
		    struct match_context *context)
{
	struct column compared = column_of(&table->probe->facts[column]);
	const struct value *cell;
	size_t found;

	context->no_baseline = reference->why;
	if (reference->why)
		return;
	context->no_baseline = "the baseline has no such row";
	found = row_index_find(&reference->rows, table, row);
	if (found == ROW_NONE)
		return;
	context->no_baseline = "it was not observed for the baseline";
	cell = &table_row(reference->table, found)[column];
	if (cell->state != VALUE_SET || !cell_number(&compared, cell, &context->baseline))
		return;
	context->has_baseline = true;
	context->no_baseline = NULL;
}
