/* SPDX-License-Identifier: BSD-2-Clause */
/* What was measured, as pictures: which of the steps have any, and what a measured fact is. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge/cells.h"
#include "judge/matcher.h"
#include "report/html.h"

#define FIGURES 40 /* on the page: who wants more of them looks for something else */

bool html_is_measured(const struct rs_fact *fact)
{
	if (fact->flags & RS_F_LIST || !(fact->flags & (RS_F_HIGHER | RS_F_LOWER)))
		return false;
	return fact->type == RS_QUANTITY || fact->type == RS_NUMBER || fact->type == RS_INTEGER ||
	       fact->type == RS_UNSIGNED;
}

/* How much one of the fact's unit is in the base unit. */
static double unit_of(const struct rs_fact *fact)
{
	struct column column = column_of(fact);
	double one = 1;

	return column.unit && decimal_parse("1", column.unit, &one) ? one : 1;
}

double html_number(const struct rs_fact *fact, const struct value *value)
{
	return value->state == VALUE_SET ? value_number(value_type_of_fact(fact), value) / unit_of(fact) : NAN;
}

bool html_is_judged(const struct plan_step *step, unsigned column, double *low, double *high)
{
	const struct judge_spec *spec = step->nparts ? step->parts[0].spec : &step->step->probe.spec;
	double unit = unit_of(&spec->probe->facts[column]);
	bool found = false;

	*low = -INFINITY;
	*high = INFINITY;
	for (size_t i = 0; i < spec->nexpect; i++) {
		if (spec->expect[i].column != column)
			continue;
		found = true;
		matcher_limits(spec->expect[i].matcher, low, high);
	}
	*low /= unit;
	*high /= unit;
	return found;
}

static int by_size(const void *a, const void *b)
{
	double first = *(const double *)a, second = *(const double *)b;

	return (first > second) - (first < second);
}

void html_sort(double *numbers, size_t count)
{
	qsort(numbers, count, sizeof(*numbers), by_size);
}

void html_fact_name(struct buf *out, const struct rs_fact *fact)
{
	buf_puts(out, fact->name);
	if (fact->unit)
		buf_printf(out, " (%s)", fact->unit);
}

void html_figure(struct html *html, size_t step, const char *caption)
{
	html_put(html, "<figure><figcaption>");
	html_verdict(html, html->sheet->outcomes[step]);
	html_put(html, " ");
	html_step_link(html, step);
	html_put(html, ": ");
	html_text(html, caption);
	html_put(html, "</figcaption>\n");
}

static size_t figures(struct html *html, const struct result *result, size_t step)
{
	return html_matrix(html, result, step) + html_sizes(html, result, step);
}

/* Those of steps that did not pass first. */
static void draw(struct html *html, bool passed, size_t *drawn, size_t *left)
{
	for (size_t i = 0; i < html->result->nsteps; i++) {
		size_t count;

		if ((html->sheet->outcomes[i] == OUTCOME_PASS) != passed)
			continue;
		count = figures(NULL, html->result, i);
		if (count && *drawn + count <= FIGURES)
			*drawn += figures(html, html->result, i);
		else
			*left += count;
	}
}

void html_measures(struct html *html)
{
	size_t drawn = 0, left = 0, all = 0;

	for (size_t i = 0; i < html->result->nsteps && !all; i++)
		all += figures(NULL, html->result, i);
	if (!all)
		return;
	html_put(html, "<section id=\"measured\" aria-labelledby=\"measured-h\"><h2 id=\"measured-h\">Measured</h2>\n"
		       "<div class=\"figures\">\n");
	draw(html, false, &drawn, &left);
	draw(html, true, &drawn, &left);
	html_put(html, "</div>\n");
	if (left) {
		html_put(html, "<p class=\"more\">");
		html_printf(html, "%zu more figures are left out: their rows are with their steps.", left);
		html_put(html, "</p>\n");
	}
	html_put(html, "</section>\n");
}
