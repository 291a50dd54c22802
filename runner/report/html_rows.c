/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of a step over all of its cases, in one table: those that are not as they should be first, with what was
 * expected in the cell that differs. */
#include <string.h>

#include "report/html.h"
#include "report/print.h"

#define OFFENDING_LEAST 5

struct shown {
	const struct result_case *item;
	size_t row;
	bool offending;
};

/**
 * struct rows
 * @order: the columns, as they are shown: keys, what the step asks after, the rest
 * @labels: the first column says which case a row is of
 * @most: rows that may be shown
 * @kept: all that were kept
 */
struct rows {
	const struct rs_probe *probe;
	uint8_t order[64];
	bool judged[64];
	unsigned columns;
	bool labels;
	struct shown *items;
	size_t count, capacity, most, kept;
};

static const struct table *table_of(const struct rows *rows, const struct result_case *item)
{
	return item->across ? NULL : view_table(view_last(item), rows->probe);
}

/* ---- Which columns ---- */

static void mark(struct rows *rows, const struct judge_spec *spec)
{
	for (size_t i = 0; i < spec->nexpect; i++)
		rows->judged[spec->expect[i].column] = true;
	for (size_t i = 0; i < spec->nwhere; i++)
		rows->judged[spec->where[i].column] = true;
	for (unsigned i = 0; i < spec->unique.count; i++)
		rows->judged[spec->unique.columns[i]] = true;
	for (unsigned i = 0; i < spec->same.count; i++)
		rows->judged[spec->same.columns[i]] = true;
}

static unsigned rank(const struct rows *rows, unsigned column)
{
	if (rows->probe->facts[column].flags & RS_F_KEY)
		return 0;
	return rows->judged[column] ? 1 : 2;
}

static void order_columns(struct rows *rows, const struct plan_step *plan)
{
	unsigned all = probe_columns(rows->probe);

	mark(rows, plan->nparts ? plan->parts[0].spec : &plan->step->probe.spec);
	for (unsigned wanted = 0; wanted < 3; wanted++)
		for (unsigned i = 0; i < all; i++)
			if (rank(rows, i) == wanted)
				rows->order[rows->columns++] = (uint8_t)i;
}

/* ---- Which rows ---- */

static void add(struct rows *rows, const struct result_case *item, size_t row, bool offending)
{
	GROW(rows->items, rows->count, rows->capacity);
	rows->items[rows->count++] = (struct shown){item, row, offending};
}

static bool is_offending(const struct judgement *judgement, size_t row)
{
	for (size_t i = 0; i < judgement->nfindings; i++)
		if (judgement->findings[i].row_number == row)
			return true;
	return false;
}

/* Several facts of one row may offend: the row is shown once. */
static void add_offending(struct rows *rows, const struct result_case *item, const struct table *table)
{
	const struct judgement *judgement = &view_last(item)->judgement;
	size_t first = rows->count;

	for (size_t i = 0; i < judgement->nfindings; i++) {
		size_t row = judgement->findings[i].row_number, at = first;

		if (row >= table->rows || rows->count >= rows->most)
			continue;
		while (at < rows->count && rows->items[at].row != row)
			at++;
		if (at == rows->count)
			add(rows, item, row, true);
	}
}

static void add_kept(struct rows *rows, const struct result_case *item, const struct table *table)
{
	const struct judgement *judgement = &view_last(item)->judgement;

	rows->kept += judgement->rows_kept;
	for (size_t row = 0; row < table->rows && rows->count < rows->most; row++)
		if (view_kept(judgement, row) && !is_offending(judgement, row))
			add(rows, item, row, false);
}

static void choose(struct rows *rows, const struct result_step *step, size_t cells)
{
	size_t cases = 0;

	for (size_t i = 0; i < step->ncases; i++)
		cases += !step->cases[i].across;
	rows->labels = cases > 1;
	rows->most = cells / (rows->columns + rows->labels);
	if (rows->most < OFFENDING_LEAST)
		rows->most = OFFENDING_LEAST;
	for (size_t i = 0; i < step->ncases; i++)
		if (table_of(rows, &step->cases[i]))
			add_offending(rows, &step->cases[i], table_of(rows, &step->cases[i]));
	rows->most = cells / (rows->columns + rows->labels);
	for (size_t i = 0; i < step->ncases; i++)
		if (table_of(rows, &step->cases[i]))
			add_kept(rows, &step->cases[i], table_of(rows, &step->cases[i]));
}

/* ---- The table ---- */

static bool is_numeric(const struct rs_fact *fact)
{
	return !(fact->flags & RS_F_LIST) && (fact->type == RS_INTEGER || fact->type == RS_UNSIGNED ||
					      fact->type == RS_NUMBER || fact->type == RS_QUANTITY);
}

static void cell(struct html *html, const struct shown *shown, const struct rs_fact *fact, const struct value *value)
{
	const struct judgement *judgement = &view_last(shown->item)->judgement;
	const struct finding *finding = NULL;
	AUTO_BUF struct buf text = {0};

	for (size_t i = 0; shown->offending && i < judgement->nfindings && !finding; i++)
		if (judgement->findings[i].row_number == shown->row && judgement->findings[i].fact == fact->name)
			finding = &judgement->findings[i];
	print_cell(&text, fact, value);
	html_open(html, "td", "class",
		  finding		      ? "bad"
		  : value->state != VALUE_SET ? "none"
		  : is_numeric(fact)	      ? "n"
					      : NULL,
		  "title", value->state == VALUE_NOT_OBSERVED ? (value->text ? value->text : fact->observed_by) : NULL,
		  NULL);
	html_put(html, finding ? "<span aria-hidden=\"true\">✗</span> " : "");
	html_text(html, text.data);
	if (finding && finding->expected) {
		html_put(html, " <span class=\"wanted\">expected ");
		html_text(html, finding->expected);
		html_put(html, "</span>");
	}
	html_put(html, "</td>");
}

static void label(struct html *html, const struct result_case *item)
{
	AUTO_BUF struct buf text = {0};

	view_labels(&text, &item, 1);
	html_open(html, "th", "scope", "row", NULL);
	html_text(html, text.data);
	html_put(html, "</th>");
}

static void write_row(struct html *html, const struct rows *rows, const struct shown *shown)
{
	const struct value *cells = table_row(table_of(rows, shown->item), shown->row);

	html_open(html, "tr", "class", shown->offending ? "offending" : NULL, NULL);
	if (rows->labels)
		label(html, shown->item);
	for (unsigned i = 0; i < rows->columns; i++)
		cell(html, shown, &rows->probe->facts[rows->order[i]], &cells[rows->order[i]]);
	html_put(html, "</tr>\n");
}

static void caption(struct html *html, const struct rows *rows)
{
	size_t offending = 0;

	for (size_t i = 0; i < rows->count; i++)
		offending += rows->items[i].offending;
	html_put(html, "<caption>");
	html_printf(html, "%zu row%s kept", rows->kept, plural(rows->kept));
	if (offending)
		html_printf(html, "; first %zu that %s not as %s should be", offending, offending == 1 ? "is" : "are",
			    offending == 1 ? "it" : "they");
	if (rows->count < rows->kept)
		html_printf(html, "; %zu shown, the JSON report has all", rows->count);
	html_put(html, "</caption>");
}

static void write_table(struct html *html, const struct rows *rows)
{
	html_put(html, "<div class=\"wide\"><table class=\"rows\">");
	caption(html, rows);
	html_put(html, "<thead><tr>");
	if (rows->labels)
		html_put(html, "<th scope=\"col\">where</th>");
	for (unsigned i = 0; i < rows->columns; i++) {
		html_open(html, "th", "scope", "col", "class", rows->judged[rows->order[i]] ? "judged" : NULL, NULL);
		html_text(html, rows->probe->facts[rows->order[i]].name);
		html_put(html, "</th>");
	}
	html_put(html, "</tr></thead><tbody>\n");
	for (size_t i = 0; i < rows->count; i++)
		write_row(html, rows, &rows->items[i]);
	html_put(html, "</tbody></table></div>\n");
}

void html_rows(struct html *html, const struct result_step *step, size_t cells)
{
	struct rows rows = {.probe = step->plan->step->probe.probe};

	order_columns(&rows, step->plan);
	choose(&rows, step, cells);
	if (rows.count) {
		write_table(html, &rows);
	} else if (rows.kept) {
		html_put(html, "<p class=\"more\">");
		html_printf(html, "%zu row%s kept: the JSON report has them.", rows.kept,
			    rows.kept == 1 ? " was" : "s were");
		html_put(html, "</p>\n");
	}
	free(rows.items);
}
