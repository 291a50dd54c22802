/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: what people read: terminal, colours, aligned tables. Private to the room. */
#pragma once

#include "report/report.h"
#include "report/view.h"

/** print_columns - width of the terminal that @out is; 0 where it is none */
size_t print_columns(FILE *out);

enum colour { COLOUR_NONE, COLOUR_RED, COLOUR_GREEN, COLOUR_YELLOW, COLOUR_MAGENTA, COLOUR_CYAN, COLOUR_FAINT };

/** print_colour - start a colour, COLOUR_NONE ends it; nothing where @on is false */
void print_colour(struct buf *out, bool on, enum colour colour);

/** print_cell - a cell as a table shows it: "?" not observed, "-" none, texts that could be taken for these quoted;
 * harmless */
void print_cell(struct buf *out, const struct rs_fact *fact, const struct value *value);

/**
 * print_table - @table, or of it the rows in @kept (a bit a row; NULL: all), each line behind @indent
 * @columns: of the terminal; wider tables become paragraphs; 0: no limit
 */
void print_table(FILE *out, const struct table *table, const uint64_t *kept, const char *indent, size_t columns);

/** struct grid - a small table of texts, aligned to the left */
struct grid {
	unsigned columns;
	struct strings cells;
};

void grid_add(struct grid *grid, const char *text); /* raw; the next cell, row by row */
void grid_print(struct buf *out, const struct grid *grid, const char *indent, size_t cell_max);
void grid_free(struct grid *grid);

/** print_duration - "0.03 s", "12.3 s", "4 min 05 s" */
void print_duration(struct buf *out, double seconds);

/** print_step - a step that was judged (console_step); print_summary - the last line */
void print_step(struct buf *out, const struct result_step *step, bool colour, bool verbose);
void print_summary(struct buf *out, const struct result *result, bool colour);

/** print_details - what there is to be said of @item, a line each behind the indentation of a step's lines */
void print_details(struct buf *out, const struct result_case *item, const char *labels, bool colour, bool verbose);
#define PRINT_INDENT "        "
