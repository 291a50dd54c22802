/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Bandwidth and latency by message size: any table whose rows are told apart by a size, and what is measured in it. Of
 * one case all that has one unit is a chart; of several cases a fact is one, with a line for each case, or, of many,
 * the least, the greatest and the median.
 */
#include <math.h>
#include <string.h>

#include "judge/cells.h"
#include "report/html_chart.h"

#define POINTS_LEAST 3
#define CHARTS_MOST 4 /* of a step */

/* struct sweep - the kept rows of a case by their size, which rises */
struct sweep {
	const struct result_case *item;
	const struct table *table;
	size_t *rows;
	double *sizes;
	size_t count;
};

struct sweeps {
	const struct plan_step *plan;
	const struct rs_probe *probe;
	unsigned size; /* the column */
	struct sweep *items;
	size_t count, capacity;
};

/* A key that is a quantity of bytes, or a number that is called size. */
static bool size_column(const struct rs_probe *probe, unsigned *column)
{
	for (unsigned i = 0; probe->facts[i].name; i++) {
		const struct rs_fact *fact = &probe->facts[i];
		struct column of = column_of(fact);

		if (!(fact->flags & RS_F_KEY) || fact->flags & RS_F_LIST)
			continue;
		*column = i;
		if (fact->type == RS_QUANTITY && of.unit && of.unit->dimension == DIMENSION_SIZE)
			return true;
		if ((fact->type == RS_INTEGER || fact->type == RS_UNSIGNED) && !strcmp(fact->name, "size"))
			return true;
	}
	return false;
}

/* In bytes, whatever the unit. */
static double size_of(const struct sweeps *sweeps, const struct table *table, size_t row)
{
	const struct value *cell = &table_row(table, row)[sweeps->size];

	if (cell->state != VALUE_SET)
		return NAN;
	return value_number(value_type_of_fact(&sweeps->probe->facts[sweeps->size]), cell);
}

static void insert(struct sweep *sweep, size_t row, double size)
{
	size_t at = sweep->count++;

	for (; at && sweep->sizes[at - 1] > size; at--) {
		sweep->sizes[at] = sweep->sizes[at - 1];
		sweep->rows[at] = sweep->rows[at - 1];
	}
	sweep->sizes[at] = size;
	sweep->rows[at] = row;
}

/* False where there are too few sizes, or one has several rows. */
static bool read_sweep(const struct sweeps *sweeps, struct sweep *sweep)
{
	const struct judgement *judgement = &view_last(sweep->item)->judgement;

	if (judgement->rows_kept < POINTS_LEAST || judgement->rows_kept > 1000)
		return false;
	sweep->rows = xcalloc(judgement->rows_kept, sizeof(*sweep->rows));
	sweep->sizes = xcalloc(judgement->rows_kept, sizeof(*sweep->sizes));
	for (size_t row = 0; row < sweep->table->rows; row++)
		if (view_kept(judgement, row) && isfinite(size_of(sweeps, sweep->table, row)))
			insert(sweep, row, size_of(sweeps, sweep->table, row));
	for (size_t i = 1; i < sweep->count; i++)
		if (sweep->sizes[i] <= sweep->sizes[i - 1])
			return false;
	return sweep->count >= POINTS_LEAST;
}

static void sweep_free(struct sweep *sweep)
{
	free(sweep->rows);
	free(sweep->sizes);
}

static void read_sweeps(struct sweeps *sweeps, const struct result_step *step)
{
	for (size_t i = 0; i < step->ncases; i++) {
		struct sweep sweep = {.item = &step->cases[i]};

		sweep.table = sweep.item->across ? NULL : view_table(view_last(sweep.item), sweeps->probe);
		if (!sweep.table)
			continue;
		if (!read_sweep(sweeps, &sweep)) {
			sweep_free(&sweep);
			continue;
		}
		GROW(sweeps->items, sweeps->count, sweeps->capacity);
		sweeps->items[sweeps->count++] = sweep;
	}
}

/* ---- Of one case: what has one unit is one chart ---- */

static double *column_of_sweep(struct arena *arena, const struct sweep *sweep, unsigned column)
{
	double *values = arena_alloc(arena, sweep->count * sizeof(*values));

	for (size_t i = 0; i < sweep->count; i++)
		values[i] = html_number(&sweep->table->probe->facts[column],
					&table_row(sweep->table, sweep->rows[i])[column]);
	return values;
}

static bool same_unit(const struct rs_fact *a, const struct rs_fact *b)
{
	return a->unit && b->unit ? !strcmp(a->unit, b->unit) : a->unit == b->unit;
}

static void name_case(struct buf *out, const struct result_case *item)
{
	view_labels(out, &item, 1);
}

static void put_chart(struct html *html, struct chart *chart, size_t step, const char *caption)
{
	chart->label = caption;
	chart->x_name = "message size";
	chart->x_axis = CHART_BYTES;
	chart->from_zero = true;
	html_figure(html, step, caption);
	chart_write(html, chart);
	html_put(html, "</figure>\n");
}

static void chart_of_unit(struct html *html, const struct sweeps *sweeps, unsigned first, size_t step)
{
	const struct sweep *sweep = &sweeps->items[0];
	const struct rs_fact *facts = sweeps->probe->facts;
	struct chart_series series[CHART_SERIES];
	struct chart chart = {.series = series, .low = -INFINITY, .high = INFINITY};
	AUTO_ARENA struct arena arena = {0};
	AUTO_BUF struct buf caption = {0};
	double low, high;

	for (unsigned i = first; facts[i].name && chart.nseries < CHART_SERIES; i++) {
		if (!html_is_measured(&facts[i]) || !same_unit(&facts[i], &facts[first]))
			continue;
		series[chart.nseries++] = (struct chart_series){facts[i].name, sweep->sizes,
								column_of_sweep(&arena, sweep, i), sweep->count};
		buf_printf(&caption, "%s%s", caption.length ? ", " : "", facts[i].name);
		if (html_is_judged(sweeps->plan, i, &low, &high) && isinf(chart.low) && isinf(chart.high)) {
			chart.low = low;
			chart.high = high;
		}
	}
	buf_puts(&caption, " by message size");
	if (*sweep->item->label) {
		buf_puts(&caption, ", ");
		name_case(&caption, sweep->item);
	}
	chart.y_name = facts[first].unit;
	put_chart(html, &chart, step, caption.data);
}

/* ---- Of several cases: a fact is one chart ---- */

/* The values of all sweeps at one size, sorted; those that have another set of sizes take no part there. */
static size_t values_at(const struct sweeps *sweeps, unsigned column, double size, double *values)
{
	size_t count = 0;

	for (size_t s = 0; s < sweeps->count; s++) {
		const struct sweep *sweep = &sweeps->items[s];

		for (size_t i = 0; i < sweep->count; i++) {
			double value;

			if (sweep->sizes[i] != size)
				continue;
			value = html_number(&sweeps->probe->facts[column],
					    &table_row(sweep->table, sweep->rows[i])[column]);
			if (isfinite(value))
				values[count++] = value;
		}
	}
	html_sort(values, count);
	return count;
}

static void spread(const struct sweeps *sweeps, unsigned column, struct arena *arena, struct chart_series series[3])
{
	const struct sweep *model = &sweeps->items[0];
	double *values = xcalloc(sweeps->count, sizeof(*values));
	double *lines[3];

	for (int i = 0; i < 3; i++)
		lines[i] = arena_alloc(arena, model->count * sizeof(**lines));
	for (size_t i = 0; i < model->count; i++) {
		size_t count = values_at(sweeps, column, model->sizes[i], values);

		lines[0][i] = count ? values[count - 1] : NAN;
		lines[1][i] = count ? values[0] : NAN;
		lines[2][i] = count ? values[count / 2] : NAN;
	}
	free(values);
	for (int i = 0; i < 3; i++)
		series[i] = (struct chart_series){i == 0   ? "greatest"
						  : i == 1 ? "least"
							   : "median",
						  model->sizes, lines[i], model->count};
}

static void chart_of_fact(struct html *html, const struct sweeps *sweeps, unsigned column, size_t step)
{
	const struct rs_fact *fact = &sweeps->probe->facts[column];
	struct chart_series series[CHART_SERIES];
	struct chart chart = {.series = series};
	AUTO_ARENA struct arena arena = {0};
	AUTO_BUF struct buf caption = {0}, unit = {0};

	html_is_judged(sweeps->plan, column, &chart.low, &chart.high);
	if (sweeps->count > CHART_SERIES) {
		spread(sweeps, column, &arena, series);
		chart.nseries = 3;
		chart.band = true;
	}
	for (size_t i = 0; i < sweeps->count && !chart.band; i++) {
		AUTO_BUF struct buf name = {0};

		name_case(&name, sweeps->items[i].item);
		series[chart.nseries++] = (struct chart_series){
			arena_text(&arena, name.data ? name.data : "", name.length), sweeps->items[i].sizes,
			column_of_sweep(&arena, &sweeps->items[i], column), sweeps->items[i].count};
	}
	buf_printf(&caption, "%s by message size, %zu cases", fact->name, sweeps->count);
	html_fact_name(&unit, fact);
	chart.y_name = unit.data;
	put_chart(html, &chart, step, caption.data);
}

/* ---- Which charts there are ---- */

/* Whether a chart begins with this fact: of one case the first of its unit; of several what is expected, else the same.
 */
static bool begins(const struct sweeps *sweeps, unsigned column)
{
	const struct rs_fact *facts = sweeps->probe->facts;
	double low, high;

	if (!html_is_measured(&facts[column]))
		return false;
	if (sweeps->count > 1 && html_is_judged(sweeps->plan, column, &low, &high))
		return true;
	for (unsigned i = 0; i < column; i++)
		if (html_is_measured(&facts[i]) && same_unit(&facts[i], &facts[column]))
			return false;
	return true;
}

size_t html_sizes(struct html *html, const struct result *result, size_t step)
{
	struct sweeps sweeps = {.plan = result->steps[step].plan};
	size_t charts = 0;

	sweeps.probe = sweeps.plan->step->probe.probe;
	if (!size_column(sweeps.probe, &sweeps.size))
		return 0;
	read_sweeps(&sweeps, &result->steps[step]);
	for (unsigned i = 0; sweeps.count && sweeps.probe->facts[i].name && charts < CHARTS_MOST; i++) {
		if (!begins(&sweeps, i))
			continue;
		charts++;
		if (html && sweeps.count == 1)
			chart_of_unit(html, &sweeps, i, step);
		else if (html)
			chart_of_fact(html, &sweeps, i, step);
	}
	for (size_t i = 0; i < sweeps.count; i++)
		sweep_free(&sweeps.items[i]);
	free(sweeps.items);
	return charts;
}
