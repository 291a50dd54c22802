/* SPDX-License-Identifier: BSD-2-Clause */
/* The pairs of hosts as a heat map: how good each is against the median of all, and a sign where it did not pass. */
#include "report/html_matrix.h"

#include <math.h>

#define WORST_LISTED 5
#define LABEL_MOST 26 /* columns of text */
#define LETTER 6.6    /* what one takes, at the size of the labels */

/* Of which cells a class is: a share of the median of at least so much. */
static const double classes[] = {0, 0.6, 0.8, 0.9, 0.94, 0.97};
#define CLASSES (sizeof(classes) / sizeof(classes[0]))

struct layout {
	double left, top, width, height; /* of a cell the latter */
	bool numbers;
};

static size_t class_of(double share)
{
	size_t class = CLASSES - 1;

	while (class && share < classes[class])
		class --;
	return class;
}

static size_t label_text(struct buf *out, const struct matrix *matrix, const struct matrix_side *side, size_t cell)
{
	AUTO_BUF struct buf raw = {0}, line = {0};
	size_t length;

	matrix_label(&raw, matrix, side, cell);
	text_line(&line, raw.data);
	length = text_cut(line.data, line.length, LABEL_MOST - 1);
	buf_add(out, line.data, length);
	if (length < line.length)
		buf_puts(out, "…");
	return text_width(out->data, out->length);
}

static double widest(const struct matrix *matrix, const struct matrix_side *side)
{
	size_t most = 6;

	for (size_t i = 0; i < side->cells; i++) {
		AUTO_BUF struct buf text = {0};
		size_t width = label_text(&text, matrix, side, i);

		most = width > most ? width : most;
	}
	return (double)most * LETTER;
}

static struct layout lay_out(const struct matrix *matrix)
{
	size_t most = matrix->clients.cells > matrix->servers.cells ? matrix->clients.cells : matrix->servers.cells;
	struct layout layout = {.left = widest(matrix, &matrix->clients) + 24,
				.top = widest(matrix, &matrix->servers) * 0.75 + 30};

	layout.numbers = most <= 12;
	layout.width = layout.numbers ? 58 : most <= 24 ? 24 : 14;
	layout.height = layout.numbers ? 26 : layout.width;
	return layout;
}

/* ---- Drawing ---- */

static void labels(struct html *html, const struct matrix *matrix, const struct layout *layout)
{
	for (size_t i = 0; i < matrix->clients.cells; i++) {
		AUTO_BUF struct buf text = {0};

		label_text(&text, matrix, &matrix->clients, i);
		html_draw(html, "<text class=\"right\" x=\"%.1f\" y=\"%.1f\">", layout->left - 6,
			  layout->top + ((double)i + 0.5) * layout->height + 4);
		html_text(html, text.data);
		html_put(html, "</text>\n");
	}
	for (size_t i = 0; i < matrix->servers.cells; i++) {
		AUTO_BUF struct buf text = {0};

		label_text(&text, matrix, &matrix->servers, i);
		html_draw(html, "<text transform=\"translate(%.1f %.1f) rotate(-45)\">",
			  layout->left + ((double)i + 0.5) * layout->width + 3, layout->top - 6);
		html_text(html, text.data);
		html_put(html, "</text>\n");
	}
	html_put(html, "<text x=\"4\" y=\"14\">client ↓ server →</text>\n");
}

static void cell_title(struct html *html, const struct matrix *matrix, size_t row, size_t column,
		       const struct matrix_cell *cell)
{
	AUTO_BUF struct buf text = {0};

	matrix_label(&text, matrix, &matrix->clients, row);
	buf_puts(&text, "→");
	matrix_label(&text, matrix, &matrix->servers, column);
	buf_puts(&text, ": ");
	if (isfinite(cell->value)) {
		matrix_value(&text, matrix, cell->value);
		if (isfinite(matrix_share(matrix, cell->value)))
			buf_printf(&text, " (%.0f %% of the median)", 100 * matrix_share(matrix, cell->value));
		buf_puts(&text, ", ");
	}
	buf_puts(&text, view_outcome_word(cell->outcome));
	if (cell->cases > 1)
		buf_printf(&text, ", the worst of %zu", cell->cases);
	html_put(html, "<title>");
	html_text(html, text.data);
	html_put(html, "</title>");
}

static bool is_marked(enum outcome outcome)
{
	return outcome != OUTCOME_PASS;
}

static void write_cell(struct html *html, const struct matrix *matrix, const struct layout *layout, size_t row,
		       size_t column)
{
	const struct matrix_cell *cell = &matrix->cells[row * matrix->servers.cells + column];
	double x = layout->left + (double)column * layout->width, y = layout->top + (double)row * layout->height;
	double share = isfinite(cell->value) ? matrix_share(matrix, cell->value) : NAN;

	if (!cell->there)
		return;
	if (isfinite(share))
		html_draw(html, "<rect class=\"q%zu", class_of(share));
	else
		html_put(html, cell->outcome == OUTCOME_PASS ? "<rect class=\"q5" : "<rect class=\"unmeasured");
	html_put(html, is_marked(cell->outcome) ? " marked" : "");
	html_draw(html, "\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">", x + 1, y + 1, layout->width - 2,
		  layout->height - 2);
	cell_title(html, matrix, row, column, cell);
	html_put(html, "</rect>");
	if (!layout->numbers && !is_marked(cell->outcome))
		return;
	html_draw(html, "<text class=\"cell middle\" x=\"%.1f\" y=\"%.1f\">", x + layout->width / 2,
		  y + layout->height / 2 + 4);
	if (is_marked(cell->outcome))
		html_put(html, html_outcome_sign(cell->outcome));
	if (layout->numbers && isfinite(cell->value))
		html_printf(html, "%s%.4g", is_marked(cell->outcome) ? " " : "", cell->value);
	html_put(html, "</text>\n");
}

static void legend(struct html *html, const struct matrix *matrix)
{
	if (!isfinite(matrix->median) || !(matrix->median > 0))
		return;
	html_put(html, "<ul class=\"legend\"><li>of the median:</li>");
	for (size_t i = CLASSES; i-- > 0;) {
		html_draw(html,
			  "<li><svg width=\"16\" height=\"12\" aria-hidden=\"true\"><rect class=\"q%zu\" width=\"16\" "
			  "height=\"12\"/></svg> ",
			  i);
		if (i)
			html_printf(html, "from %.0f %%", 100 * classes[i]);
		else
			html_put(html, "less");
		html_put(html, "</li>");
	}
	html_put(html, "</ul>\n");
}

/* ---- The pairs to look at, in words ---- */

static double badness(const struct matrix *matrix, const struct matrix_cell *cell)
{
	double share = isfinite(cell->value)	       ? matrix_share(matrix, cell->value)
		       : cell->outcome == OUTCOME_PASS ? 1
						       : 0;

	return isfinite(share) ? share : 1;
}

/* The worst cell that comes behind the one that was written last, in an order that has no ties. */
static bool next_worst(const struct matrix *matrix, size_t *last, bool first)
{
	size_t count = matrix->clients.cells * matrix->servers.cells, best = SIZE_MAX;
	double after = first ? -1 : badness(matrix, &matrix->cells[*last]);

	for (size_t i = 0; i < count; i++) {
		const struct matrix_cell *cell = &matrix->cells[i];
		double is = badness(matrix, cell);

		if (!cell->there || (cell->outcome == OUTCOME_PASS && is >= classes[3]))
			continue;
		if (is < after || (is == after && !first && i <= *last))
			continue;
		if (best == SIZE_MAX || is < badness(matrix, &matrix->cells[best]))
			best = i;
	}
	*last = best;
	return best != SIZE_MAX;
}

static void worst(struct html *html, const struct matrix *matrix)
{
	size_t at = 0;
	bool first = true;

	for (unsigned i = 0; i < WORST_LISTED && next_worst(matrix, &at, first); i++, first = false) {
		const struct matrix_cell *cell = &matrix->cells[at];
		AUTO_BUF struct buf text = {0};

		matrix_label(&text, matrix, &matrix->clients, at / matrix->servers.cells);
		buf_puts(&text, "→");
		matrix_label(&text, matrix, &matrix->servers, at % matrix->servers.cells);
		html_put(html, first ? "<p>The worst:</p><ol class=\"worst\"><li>" : "<li>");
		html_verdict(html, cell->outcome);
		html_put(html, " ");
		html_text(html, text.data);
		if (isfinite(cell->value)) {
			buf_clear(&text);
			matrix_value(&text, matrix, cell->value);
			html_put(html, ": ");
			html_text(html, text.data);
			if (isfinite(matrix_share(matrix, cell->value)))
				html_printf(html, ", %.0f %% of the median", 100 * matrix_share(matrix, cell->value));
		}
		html_put(html, "</li>");
	}
	html_put(html, first ? "" : "</ol>\n");
}

static void draw(struct html *html, const struct matrix *matrix, const char *caption)
{
	struct layout layout = lay_out(matrix);
	double width = layout.left + (double)matrix->servers.cells * layout.width + layout.top;
	double height = layout.top + (double)matrix->clients.cells * layout.height + 4;
	AUTO_BUF struct buf box = {0}, across = {0};

	buf_printf(&box, "0 0 %.0f %.0f", width, height);
	buf_printf(&across, "%.0f", width);
	html_put(html, "<div class=\"wide\">");
	html_open(html, "svg", "class", "matrix", "role", "img", "aria-label", caption, "width", across.data, "viewBox",
		  box.data, NULL);
	html_put(html, "\n");
	labels(html, matrix, &layout);
	for (size_t row = 0; row < matrix->clients.cells; row++)
		for (size_t column = 0; column < matrix->servers.cells; column++)
			write_cell(html, matrix, &layout, row, column);
	html_put(html, "</svg></div>\n");
	legend(html, matrix);
	worst(html, matrix);
}

size_t html_matrix(struct html *html, const struct result *result, size_t step)
{
	struct matrix matrix;
	AUTO_BUF struct buf caption = {0};
	bool is_one = matrix_make(&matrix, result, step);

	if (html && is_one) {
		if (matrix.fact)
			html_fact_name(&caption, matrix.fact);
		buf_printf(&caption, "%s client by server, %zu by %zu hosts", matrix.fact ? "," : "verdicts,",
			   matrix.clients.count, matrix.servers.count);
		if (isfinite(matrix.median)) {
			buf_puts(&caption, ", median ");
			matrix_value(&caption, &matrix, matrix.median);
		}
		html_figure(html, step, caption.data);
		draw(html, &matrix, caption.data);
		html_put(html, "</figure>\n");
	}
	matrix_free(&matrix);
	return is_one;
}
