/* SPDX-License-Identifier: BSD-2-Clause */
/* Steps, and which rows share one. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "scenario/names.h"
#include "survey/internal.h"

void step_begin(struct writer *writer, const char *name, const char *hosts, const char *doc)
{
	struct emitter *yaml = writer->yaml;
	AUTO_FREE char *id = NULL;

	writer->steps++;
	id = writer->steps > 1 ? xasprintf("%s-%u", writer->probe->name, writer->steps) : xstrdup(writer->probe->name);
	emit_map(yaml, false);
	emit_text(yaml, "id");
	emit_text(yaml, id);
	if (name && emit_able(name, strlen(name))) {
		emit_text(yaml, "name");
		emit_text(yaml, name);
	}
	if (doc) {
		emit_text(yaml, "doc");
		emit_text(yaml, doc);
	}
	if (hosts) {
		emit_text(yaml, "hosts");
		emit_text(yaml, hosts);
	}
	emit_text(yaml, writer->probe->name);
	emit_map(yaml, false);
}

void step_end(struct writer *writer)
{
	emit_end(writer->yaml);
	emit_end(writer->yaml);
}

void step_count(struct writer *writer, size_t count)
{
	AUTO_FREE char *text = xasprintf("%zu", count);

	emit_text(writer->yaml, "count");
	emit_text(writer->yaml, text);
}

void step_expect(struct writer *writer, const struct table *table, size_t row, uint64_t facts)
{
	if (!facts)
		return;
	emit_text(writer->yaml, "expect");
	emit_map(writer->yaml, true);
	for (unsigned i = 0; i < table->columns; i++) {
		if (!(facts >> i & 1))
			continue;
		emit_text(writer->yaml, table->probe->facts[i].name);
		value_emit(writer->yaml, &table->probe->facts[i], &table_row(table, row)[i]);
	}
	emit_end(writer->yaml);
}

/* ---- Rows that share a step ---- */

/** struct bundle - rows of one table of which the same is expected */
struct bundle {
	const struct table *table;
	const uint64_t *facts;
	size_t *rows;
	size_t count, capacity;
};

/** struct bundles - by a text that says what they have in common */
struct bundles {
	struct arena arena;
	struct names names;
	struct bundle *items;
	size_t count, capacity;
};

static void bundles_add(struct bundles *bundles, const struct table *table, const uint64_t *facts, size_t row,
			const struct buf *text)
{
	size_t found =
		names_add(&bundles->names, arena_text(&bundles->arena, text->data ? text->data : "", text->length),
			  bundles->count);
	struct bundle *bundle;

	if (found == NAMES_NONE) {
		found = bundles->count;
		GROW(bundles->items, bundles->count, bundles->capacity);
		bundles->items[bundles->count++] = (struct bundle){.table = table, .facts = facts};
	}
	bundle = &bundles->items[found];
	GROW(bundle->rows, bundle->count, bundle->capacity);
	bundle->rows[bundle->count++] = row;
}

static void bundles_free(struct bundles *bundles)
{
	for (size_t i = 0; i < bundles->count; i++)
		free(bundles->items[i].rows);
	free(bundles->items);
	names_free(&bundles->names);
	arena_free(&bundles->arena);
}

static void describe_cell(struct buf *out, const struct table *table, size_t row, unsigned column)
{
	buf_printf(out, "%u=", column);
	value_write(out, value_type_of_fact(&table->probe->facts[column]), &table_row(table, row)[column]);
	buf_putc(out, '\n');
}

static bool is_key(const struct table *table, unsigned column)
{
	return table->probe->facts[column].flags & RS_F_KEY;
}

/* The first row of each value that a column has in the bundle. */
static void distinct(const struct bundle *bundle, unsigned column, struct bundles *out)
{
	for (size_t i = 0; i < bundle->count; i++) {
		AUTO_BUF struct buf text = {0};

		describe_cell(&text, bundle->table, bundle->rows[i], column);
		bundles_add(out, bundle->table, bundle->facts, bundle->rows[i], &text);
	}
}

/* Whether its rows are all that lists of their keys' values, one a key, would name. */
static bool is_cross(const struct bundle *bundle)
{
	size_t product = 1;

	for (unsigned i = 0; i < bundle->table->columns; i++) {
		struct bundles values = {0};

		if (!is_key(bundle->table, i))
			continue;
		distinct(bundle, i, &values);
		product *= values.count;
		bundles_free(&values);
		if (product > bundle->count)
			return false;
	}
	return product == bundle->count;
}

static void emit_values(struct writer *writer, const struct table *table, const struct bundles *values, unsigned column)
{
	const struct rs_fact *fact = &table->probe->facts[column];

	emit_text(writer->yaml, fact->name);
	if (values->count > 1)
		emit_list(writer->yaml, true);
	for (size_t i = 0; i < values->count; i++)
		value_emit(writer->yaml, fact, &table_row(table, values->items[i].rows[0])[column]);
	if (values->count > 1)
		emit_end(writer->yaml);
}

static void emit_where(struct writer *writer, const struct bundle *bundle)
{
	emit_text(writer->yaml, "where");
	emit_map(writer->yaml, true);
	for (unsigned i = 0; i < bundle->table->columns; i++) {
		struct bundles values = {0};

		if (!is_key(bundle->table, i))
			continue;
		distinct(bundle, i, &values);
		emit_values(writer, bundle->table, &values, i);
		bundles_free(&values);
	}
	emit_end(writer->yaml);
}

static void emit_unique(struct writer *writer, const struct table *table)
{
	emit_text(writer->yaml, "unique");
	emit_list(writer->yaml, true);
	for (unsigned i = 0; i < table->columns; i++)
		if (is_key(table, i))
			emit_text(writer->yaml, table->probe->facts[i].name);
	emit_end(writer->yaml);
}

static void emit_bundle(struct writer *writer, const struct bundle *bundle, const char *hosts)
{
	AUTO_BUF struct buf name = {0};

	table_row_name(&name, bundle->table, bundle->rows[0]);
	if (bundle->count > 1)
		buf_printf(&name, " and %zu more", bundle->count - 1);
	step_begin(writer, name.data, hosts, NULL);
	emit_where(writer, bundle);
	step_expect(writer, bundle->table, bundle->rows[0], bundle->facts[bundle->rows[0]]);
	step_count(writer, bundle->count);
	/* Over all hosts of a step rows are unique: one that has several is left with its counts. */
	if (bundle->count > 1 && !hosts && writer->all_hosts <= 1)
		emit_unique(writer, bundle->table);
	step_end(writer);
}

static unsigned first_key(const struct table *table)
{
	unsigned column = 0;

	while (!is_key(table, column))
		column++;
	return column;
}

static void emit_one_by_one(struct writer *writer, const struct bundle *bundle, const char *hosts)
{
	for (size_t i = 0; i < bundle->count; i++) {
		const struct bundle one = {
			.table = bundle->table, .facts = bundle->facts, .rows = &bundle->rows[i], .count = 1};

		emit_bundle(writer, &one, hosts);
	}
}

/* In one step, or else one for each value of the first key, or else one for each row. */
static void emit_split(struct writer *writer, const struct bundle *bundle, const char *hosts)
{
	struct bundles parts = {0};

	if (is_cross(bundle)) {
		emit_bundle(writer, bundle, hosts);
		return;
	}
	distinct(bundle, first_key(bundle->table), &parts);
	for (size_t i = 0; i < parts.count; i++) {
		if (is_cross(&parts.items[i]))
			emit_bundle(writer, &parts.items[i], hosts);
		else
			emit_one_by_one(writer, &parts.items[i], hosts);
	}
	bundles_free(&parts);
}

static bool keys_can(const struct table *table, size_t row)
{
	bool any = false;

	for (unsigned i = 0; i < table->columns; i++) {
		if (!is_key(table, i))
			continue;
		any = true;
		if (!value_can(&table->probe->facts[i], &table_row(table, row)[i]))
			return false;
	}
	return any;
}

void rows_emit(struct writer *writer, const struct table *table, const uint64_t *facts, bool all, const char *hosts)
{
	struct bundles bundles = {0};

	for (size_t row = 0; row < table->rows; row++) {
		AUTO_BUF struct buf text = {0};

		if ((!facts[row] && !all) || !keys_can(table, row))
			continue;
		for (unsigned i = 0; i < table->columns; i++)
			if (facts[row] >> i & 1)
				describe_cell(&text, table, row, i);
		bundles_add(&bundles, table, facts, row, &text);
	}
	for (size_t i = 0; i < bundles.count; i++)
		emit_split(writer, &bundles.items[i], hosts);
	bundles_free(&bundles);
}
