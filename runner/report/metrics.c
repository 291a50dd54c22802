/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/metrics.h"

struct taking {
	void (*take)(void *user, const struct metric *metric);
	void *user;
	const struct table *table;
	const struct judgement *judgement;
	bool single;
};

static bool is_number(const struct rs_fact *fact)
{
	switch (fact->type) {
	case RS_INTEGER:
	case RS_UNSIGNED:
		return !(fact->flags & RS_F_HEX);
	case RS_NUMBER:
	case RS_QUANTITY:
		return true;
	default:
		return false;
	}
}

/* A metric: what an expectation gated and is ordered; of a table of one row every number that does not name the row. */
static bool is_metric(const struct judge_spec *spec, unsigned column, bool single)
{
	const struct rs_fact *fact = &spec->probe->facts[column];

	if (fact->flags & RS_F_LIST)
		return false;
	for (size_t i = 0; i < spec->nexpect; i++)
		if (spec->expect[i].column == column)
			return is_number(fact) || (fact->type == RS_ENUM && fact->flags & RS_F_ORDERED);
	return single && is_number(fact) && !(fact->flags & RS_F_KEY);
}

/* Of more rows than anyone reads: the least and the greatest. */
static void take_extremes(const struct taking *taking, unsigned column)
{
	const struct rs_fact *fact = &taking->table->probe->facts[column];
	struct value_type type = value_type_of_fact(fact);
	const struct value *least = NULL, *greatest = NULL;
	bool ordered;

	for (size_t row = 0; row < taking->table->rows; row++) {
		const struct value *cell = &table_row(taking->table, row)[column];

		if (!view_kept(taking->judgement, row) || cell->state != VALUE_SET)
			continue;
		if (!least || value_compare(type, cell, least, &ordered) < 0)
			least = cell;
		if (!greatest || value_compare(type, cell, greatest, &ordered) > 0)
			greatest = cell;
	}
	if (!least)
		return;
	taking->take(taking->user, &(struct metric){fact, NULL, "min", least});
	taking->take(taking->user, &(struct metric){fact, NULL, "max", greatest});
}

static void take_rows(const struct taking *taking, unsigned column)
{
	AUTO_BUF struct buf name = {0};

	for (size_t row = 0; row < taking->table->rows; row++) {
		const struct value *cell = &table_row(taking->table, row)[column];

		if (!view_kept(taking->judgement, row) || cell->state != VALUE_SET)
			continue;
		buf_clear(&name);
		if (!taking->single)
			table_row_name(&name, taking->table, row);
		taking->take(taking->user, &(struct metric){&taking->table->probe->facts[column],
							    taking->single ? NULL : name.data, NULL, cell});
	}
}

void metrics_of(const struct plan_step *plan, const struct result_case *item,
		void (*take)(void *user, const struct metric *metric), void *user)
{
	const struct judge_spec *spec = plan->nparts ? plan->parts[0].spec : &plan->step->probe.spec;
	const struct result_attempt *last = view_last(item);
	struct taking taking = {take, user, view_table(last, plan->step->probe.probe), NULL, false};
	size_t rows;

	if (!taking.table || item->across || !last->judgement.kept)
		return;
	taking.judgement = &last->judgement;
	rows = last->judgement.rows_kept;
	taking.single = rows == 1;
	for (unsigned column = 0; column < taking.table->columns; column++) {
		if (!is_metric(spec, column, taking.single))
			continue;
		if (rows <= METRIC_ROWS)
			take_rows(&taking, column);
		else
			take_extremes(&taking, column);
	}
}
