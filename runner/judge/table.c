/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

int probe_fact(const struct rs_probe *probe, const char *name)
{
	int column;

	for (column = 0; probe->facts[column].name; column++)
		if (!strcmp(probe->facts[column].name, name))
			return column;
	return -1;
}

unsigned probe_columns(const struct rs_probe *probe)
{
	unsigned columns;

	for (columns = 0; probe->facts[columns].name; columns++)
		;
	return columns;
}

struct table *table_new(const struct rs_probe *probe)
{
	struct table *table = xcalloc(1, sizeof(*table));

	table->probe = probe;
	table->columns = probe_columns(probe);
	return table;
}

struct value *table_add_row(struct table *table)
{
	struct value *row;

	if (table->rows == table->capacity) {
		/*
		 * Half more each time. Once the cells are large, realloc() moves pages, not bytes, and pages beyond the
		 * last row stay untouched: they take no memory.
		 */
		table->capacity += table->capacity / 2 + 8;
		table->cells = xrealloc(table->cells, table->capacity, table->columns * sizeof(*table->cells));
	}
	row = table->cells + table->rows * table->columns;
	table->rows++;
	/* All bytes zero: VALUE_NOT_OBSERVED, without a reason. */
	memset(row, 0, table->columns * sizeof(*row));
	return row;
}

void table_free(struct table *table)
{
	if (!table)
		return;
	free(table->cells);
	arena_free(&table->arena);
	free(table);
}

/* The cell of a fact that is named by @length bytes of @name, with its column; NULL: the probe has no such fact. */
static const struct value *named_cell(const struct table *table, size_t row, const char *name, size_t length,
				      unsigned *column)
{
	unsigned i;

	for (i = 0; i < table->columns; i++) {
		const char *fact = table->probe->facts[i].name;

		if (!strncmp(fact, name, length) && !fact[length]) {
			*column = i;
			return &table_row(table, row)[i];
		}
	}
	return NULL;
}

static bool empty(enum rs_type type, const struct value *cell)
{
	return cell->state == VALUE_NOT_OBSERVED || cell->state == VALUE_NONE ||
	       (cell->state == VALUE_SET && type == RS_TEXT && !cell->length);
}

/* "description|guid": the first that says something, else the last as it is. False: none of them is a fact. */
static bool write_first(struct buf *out, const struct table *table, size_t row, const char *names, size_t length)
{
	const char *end = names + length;
	bool any = false;
	unsigned column;

	while (names < end) {
		const char *bar = memchr(names, '|', (size_t)(end - names));
		const char *stop = bar ? bar : end;
		const struct value *cell = named_cell(table, row, names, (size_t)(stop - names), &column);
		const struct rs_fact *fact = cell ? &table->probe->facts[column] : NULL;

		if (cell && (!bar || !empty(fact->type, cell))) {
			if (empty(fact->type, cell))
				buf_putc(out, '?');
			else
				value_write(out, value_type_of_fact(fact), cell);
			return true;
		}
		any |= cell != NULL;
		names = stop + 1;
	}
	if (any)
		buf_putc(out, '?');
	return any;
}

static void name_by_template(struct buf *out, const struct table *table, size_t row, const char *template)
{
	while (*template) {
		size_t plain = strcspn(template, "{");
		const char *close;

		buf_add(out, template, plain);
		template += plain;
		if (!*template)
			break;
		close = strchr(template, '}');
		if (close && write_first(out, table, row, template + 1, (size_t)(close - template) - 1)) {
			template = close + 1;
		} else {
			buf_putc(out, '{');
			template ++;
		}
	}
}

void table_row_name(struct buf *out, const struct table *table, size_t row)
{
	const struct rs_fact *facts = table->probe->facts;
	bool any = false;
	unsigned i;

	if (table->probe->row) {
		name_by_template(out, table, row, table->probe->row);
		return;
	}
	for (i = 0; i < table->columns; i++) {
		if (!(facts[i].flags & RS_F_KEY))
			continue;
		buf_printf(out, "%s%s ", any ? ", " : "", facts[i].name);
		value_write(out, value_type_of_fact(&facts[i]), &table_row(table, row)[i]);
		any = true;
	}
	if (!any)
		buf_printf(out, "row %zu", row + 1);
}
