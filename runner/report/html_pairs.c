/* SPDX-License-Identifier: BSD-2-Clause */
/* What came of each pair of hosts, read from the cases of a step. */
#include <math.h>
#include <string.h>

#include "base/nodeset.h"
#include "report/html_matrix.h"

#define PAIRS_LEAST 3

/* ---- Which fact ---- */

static void choose_fact(struct matrix *matrix, const struct plan_step *plan)
{
	const struct rs_fact *facts = plan->step->probe.probe->facts;
	double low, high;

	for (unsigned i = 0; facts[i].name; i++) {
		bool judged = html_is_measured(&facts[i]) && html_is_judged(plan, i, &low, &high);

		if (judged || (!matrix->fact && html_is_measured(&facts[i]))) {
			matrix->fact = &facts[i];
			matrix->column = i;
		}
		if (judged)
			return;
	}
}

/* ---- The sides, in the order of their names: node-2 comes before node-10 ---- */

static int by_name(const void *a, const void *b, void *plan)
{
	const struct plan_host *hosts = ((const struct plan *)plan)->hosts;
	size_t first = *(const size_t *)a, second = *(const size_t *)b;
	int order = strverscmp(hosts[first].host->name, hosts[second].host->name);

	return order ? order : (first > second) - (first < second);
}

static void side_make(struct matrix_side *side, const struct matrix *matrix, bool servers)
{
	const struct plan *plan = matrix->plan;
	const struct plan_step *step = matrix->step->plan;
	AUTO_FREE bool *there = xcalloc(plan->nhosts + 1, sizeof(*there));

	side->hosts = xcalloc(plan->nhosts + 1, sizeof(*side->hosts));
	side->at = xcalloc(plan->nhosts + 1, sizeof(*side->at));
	for (size_t i = 0; i < step->nparts; i++) {
		const struct plan_observe *observe = &plan->observes[step->parts[i].observe];

		if (observe->server != SIZE_MAX)
			there[servers ? observe->server : observe->host] = true;
	}
	for (size_t i = 0; i < plan->nhosts; i++)
		if (there[i])
			side->hosts[side->count++] = i;
	qsort_r(side->hosts, side->count, sizeof(*side->hosts), by_name, (void *)plan);
	for (size_t i = 0; i < side->count; i++)
		side->at[side->hosts[i]] = i;
	side->block = (side->count + MATRIX_SIDE - 1) / MATRIX_SIDE;
	side->cells = side->block ? (side->count + side->block - 1) / side->block : 0;
}

/* ---- The cells ---- */

static bool is_worse(const struct matrix *matrix, double value, double than)
{
	if (isnan(than))
		return true;
	return matrix->fact->flags & RS_F_HIGHER ? value < than : value > than;
}

/* The worst of the rows that a case kept. */
static double measured(const struct matrix *matrix, const struct result_case *item)
{
	const struct result_attempt *last = view_last(item);
	const struct table *table = view_table(last, matrix->step->plan->step->probe.probe);
	double worst = NAN;

	for (size_t row = 0; matrix->fact && table && row < table->rows; row++) {
		double value;

		if (!view_kept(&last->judgement, row))
			continue;
		value = html_number(matrix->fact, &table_row(table, row)[matrix->column]);
		if (isfinite(value) && is_worse(matrix, value, worst))
			worst = value;
	}
	return worst;
}

static void add_case(struct matrix *matrix, const struct plan_observe *observe, const struct result_case *item,
		     double value)
{
	size_t row = matrix->clients.at[observe->host] / matrix->clients.block;
	size_t column = matrix->servers.at[observe->server] / matrix->servers.block;
	struct matrix_cell *cell = &matrix->cells[row * matrix->servers.cells + column];
	enum outcome outcome = view_outcome(item);

	if (!cell->there)
		*cell = (struct matrix_cell){.there = true, .outcome = outcome, .value = NAN};
	cell->cases++;
	cell->outcome = outcome < cell->outcome ? outcome : cell->outcome;
	if (isfinite(value) && is_worse(matrix, value, cell->value))
		cell->value = value;
}

static void fill(struct matrix *matrix)
{
	const struct plan_step *step = matrix->step->plan;
	size_t times = plan_runs(step), count = 0;
	AUTO_FREE double *values = xcalloc(matrix->step->ncases + 1, sizeof(*values));

	for (size_t i = 0; i < matrix->step->ncases; i++) {
		const struct result_case *item = &matrix->step->cases[i];
		const struct plan_observe *observe;
		double value;

		if (item->across)
			continue;
		observe = &matrix->plan->observes[step->parts[i / times].observe];
		if (observe->server == SIZE_MAX)
			continue;
		value = measured(matrix, item);
		if (isfinite(value))
			values[count++] = value;
		add_case(matrix, observe, item, value);
	}
	html_sort(values, count);
	matrix->median = count ? values[count / 2] : NAN;
}

bool matrix_make(struct matrix *matrix, const struct result *result, size_t step)
{
	size_t pairs = 0;

	*matrix = (struct matrix){.plan = result->plan, .step = &result->steps[step]};
	if (matrix->step->plan->step->probe.source->scope != RS_PAIR)
		return false;
	choose_fact(matrix, matrix->step->plan);
	side_make(&matrix->clients, matrix, false);
	side_make(&matrix->servers, matrix, true);
	matrix->cells = xcalloc(matrix->clients.cells * matrix->servers.cells + 1, sizeof(*matrix->cells));
	fill(matrix);
	for (size_t i = 0; i < matrix->clients.cells * matrix->servers.cells; i++)
		pairs += matrix->cells[i].there;
	return pairs >= PAIRS_LEAST;
}

void matrix_free(struct matrix *matrix)
{
	free(matrix->clients.hosts);
	free(matrix->clients.at);
	free(matrix->servers.hosts);
	free(matrix->servers.at);
	free(matrix->cells);
}

double matrix_share(const struct matrix *matrix, double value)
{
	if (!(matrix->median > 0) || !(value > 0))
		return value >= 0 && matrix->median > 0 && matrix->fact->flags & RS_F_HIGHER ? 0 : NAN;
	return matrix->fact->flags & RS_F_HIGHER ? value / matrix->median : matrix->median / value;
}

void matrix_label(struct buf *out, const struct matrix *matrix, const struct matrix_side *side, size_t cell)
{
	size_t first = cell * side->block, end = first + side->block < side->count ? first + side->block : side->count;
	AUTO_FREE const char **names = xcalloc(side->block, sizeof(*names));

	for (size_t i = first; i < end; i++)
		names[i - first] = matrix->plan->hosts[side->hosts[i]].host->name;
	if (end - first == 1)
		buf_puts(out, names[0]);
	else
		nodeset_fold(out, names, end - first);
}

void matrix_value(struct buf *out, const struct matrix *matrix, double value)
{
	buf_printf(out, "%.4g", value);
	if (matrix->fact->unit)
		buf_printf(out, " %s", matrix->fact->unit);
}
