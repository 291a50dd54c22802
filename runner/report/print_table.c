/* SPDX-License-Identifier: BSD-2-Clause */
/* A table of facts for people. Cells are formatted twice, to measure and to print: a large table is never held as text.
 */
#include <string.h>

#include "report/print.h"

#define WHY_MAX 20 /* different reasons why something was not observed */

struct printer {
	FILE *out;
	const struct table *table;
	const uint64_t *kept;
	const char *indent;
	size_t *widths;
	struct buf cell, line;
};

static bool is_shown(const struct printer *printer, size_t row)
{
	return !printer->kept || (printer->kept[row / 64] >> (row % 64) & 1);
}

static const struct rs_fact *fact_of(const struct printer *printer, unsigned column)
{
	return &printer->table->probe->facts[column];
}

static const char *format(struct printer *printer, size_t row, unsigned column)
{
	buf_clear(&printer->cell);
	print_cell(&printer->cell, fact_of(printer, column), &table_row(printer->table, row)[column]);
	return printer->cell.data;
}

static size_t measure(struct printer *printer)
{
	const struct table *table = printer->table;
	size_t rows = 0;

	for (unsigned column = 0; column < table->columns; column++)
		printer->widths[column] = strlen(fact_of(printer, column)->name);
	for (size_t row = 0; row < table->rows; row++) {
		if (!is_shown(printer, row))
			continue;
		rows++;
		for (unsigned column = 0; column < table->columns; column++) {
			size_t width;

			format(printer, row, column);
			width = text_width(printer->cell.data, printer->cell.length);
			if (width > printer->widths[column])
				printer->widths[column] = width;
		}
	}
	return rows;
}

/* Numbers to the right, so that their digits stand below each other. */
static bool to_the_right(const struct rs_fact *fact)
{
	return !(fact->flags & RS_F_LIST) && (fact->type == RS_INTEGER || fact->type == RS_UNSIGNED ||
					      fact->type == RS_NUMBER || fact->type == RS_QUANTITY);
}

static void add_cell(struct printer *printer, unsigned column, const char *text)
{
	size_t pad = printer->widths[column] - text_width(text, strlen(text));
	struct buf *line = &printer->line;

	buf_puts(line, column ? "  " : printer->indent);
	if (to_the_right(fact_of(printer, column)))
		buf_printf(line, "%*s%s", (int)pad, "", text);
	else
		buf_printf(line, "%s%*s", text, (int)pad, "");
}

static void end_line(struct printer *printer)
{
	struct buf *line = &printer->line;

	while (line->length && line->data[line->length - 1] == ' ')
		line->length--;
	buf_putc(line, '\n');
	fwrite(line->data, 1, line->length, printer->out);
	buf_clear(line);
}

static void print_rows(struct printer *printer)
{
	const struct table *table = printer->table;

	for (unsigned column = 0; column < table->columns; column++)
		add_cell(printer, column, fact_of(printer, column)->name);
	end_line(printer);
	for (size_t row = 0; row < table->rows; row++) {
		if (!is_shown(printer, row))
			continue;
		for (unsigned column = 0; column < table->columns; column++)
			add_cell(printer, column, format(printer, row, column));
		end_line(printer);
	}
}

/* A row as a paragraph: its name, then a line a fact. */
static void print_paragraphs(struct printer *printer)
{
	const struct table *table = printer->table;
	AUTO_BUF struct buf name = {0};
	size_t width = 0;

	for (unsigned column = 0; column < table->columns; column++)
		if (strlen(fact_of(printer, column)->name) > width)
			width = strlen(fact_of(printer, column)->name);
	for (size_t row = 0; row < table->rows; row++) {
		if (!is_shown(printer, row))
			continue;
		buf_clear(&name);
		table_row_name(&name, table, row);
		buf_puts(&printer->line, printer->indent);
		text_line(&printer->line, name.data);
		end_line(printer);
		for (unsigned column = 0; column < table->columns; column++) {
			buf_printf(&printer->line, "%s  %-*s  %s", printer->indent, (int)width,
				   fact_of(printer, column)->name, format(printer, row, column));
			end_line(printer);
		}
	}
}

/* "? rate: needs read access to ...": once for each fact and reason. */
static void print_reasons(struct printer *printer)
{
	const struct table *table = printer->table;
	AUTO_FREE const char **last = xcalloc(table->columns + 1, sizeof(*last));
	AUTO_STRINGS struct strings seen = {0};

	for (size_t row = 0; row < table->rows && seen.count < WHY_MAX; row++) {
		if (!is_shown(printer, row))
			continue;
		for (unsigned column = 0; column < table->columns && seen.count < WHY_MAX; column++) {
			const struct rs_fact *fact = fact_of(printer, column);
			const struct value *value = &table_row(table, row)[column];
			const char *why = value->text ? value->text : fact->observed_by;

			if (value->state != VALUE_NOT_OBSERVED || !why || (last[column] && !strcmp(last[column], why)))
				continue;
			last[column] = why;
			buf_printf(&printer->line, "%s? %s: ", printer->indent, fact->name);
			text_line(&printer->line, why);
			if (strings_have(&seen, printer->line.data)) {
				buf_clear(&printer->line);
				continue;
			}
			strings_add(&seen, printer->line.data);
			end_line(printer);
		}
	}
}

void print_table(FILE *out, const struct table *table, const uint64_t *kept, const char *indent, size_t columns)
{
	AUTO_FREE size_t *widths = xcalloc(table->columns + 1, sizeof(*widths));
	struct printer printer = {.out = out, .table = table, .kept = kept, .indent = indent, .widths = widths};
	size_t width = strlen(indent);

	if (!measure(&printer)) {
		fprintf(out, "%sno rows\n", indent);
	} else {
		for (unsigned column = 0; column < table->columns; column++)
			width += widths[column] + (column ? 2 : 0);
		if (columns && width > columns)
			print_paragraphs(&printer);
		else
			print_rows(&printer);
		print_reasons(&printer);
	}
	buf_free(&printer.cell);
	buf_free(&printer.line);
}

void report_table(FILE *out, const struct table *table)
{
	print_table(out, table, NULL, "", print_columns(out));
}
