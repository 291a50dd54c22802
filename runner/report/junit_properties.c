/* SPDX-License-Identifier: BSD-2-Clause */
/* The properties of a suite: what it was run with, and the metrics that were measured. */
#include <string.h>

#include "plugin/registry.h"
#include "report/junit_tree.h"

struct list {
	struct junit_tree *tree;
	struct junit_property *items;
	size_t count, capacity;
	size_t metrics, left_out;
};

/* @name is harmless already, but for what it may take from a table; @value is raw. */
static void add(struct list *list, const char *name, const char *value)
{
	AUTO_BUF struct buf words = {0}, line = {0};

	text_words(&words, name);
	text_line(&line, value);
	GROW(list->items, list->count, list->capacity);
	list->items[list->count].name =
		arena_text(&list->tree->arena, words.data ? words.data : "?", words.data ? words.length : 1);
	list->items[list->count++].value = arena_text(&list->tree->arena, line.data ? line.data : "", line.length);
	list->tree->spent += 40 + junit_cost(words.data, words.length) + junit_cost(line.data, line.length);
}

static void add_number(struct list *list, const char *name, size_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%zu", value);
	add(list, name, text);
}

static void add_run(struct list *list, const struct junit_part *part, struct registry *registry)
{
	const struct rs_plugin *const *plugins = NULL;
	const struct text *text = &part->scenario->text;
	AUTO_BUF struct buf name = {0};
	size_t count = 0;

	add(list, "rdmaspec.version", VERSION);
	if (registry)
		plugins = registry_plugins(registry, &count);
	for (size_t i = 0; i < count; i++) {
		buf_clear(&name);
		buf_printf(&name, "plugin.%s.version", plugins[i]->name);
		add(list, name.data, plugins[i]->version);
	}
	for (size_t i = 0; i < text->nfiles; i++) {
		buf_clear(&name);
		if (i)
			buf_printf(&name, "include.sha256/%s", text->files[i].path);
		else
			buf_puts(&name, "scenario.sha256");
		if (!i)
			add(list, "scenario.file", text->files[i].path);
		add(list, name.data, text->files[i].sha256);
	}
	if (part->result->simulated)
		add(list, "simulated", part->result->simulated);
	add_number(list, "exit_status", (size_t)result_exit_status(part->result));
	if (part->result->signal) {
		buf_clear(&name);
		view_signal(&name, part->result->signal);
		add(list, "signal", name.data);
	}
}

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

static void add_metric(struct list *list, const char *name, const struct rs_fact *fact, const char *of,
		       const struct value *value)
{
	AUTO_BUF struct buf key = {0}, text = {0};

	if (list->metrics == JUNIT_PROPERTIES_MAX) {
		list->left_out++;
		return;
	}
	list->metrics++;
	buf_printf(&key, "%s/%s%s%s", name, fact->name, *of ? " " : "", of);
	value_write(&text, value_type_of_fact(fact), value);
	add(list, key.data, text.data);
}

/* A metric of more rows than anyone reads: the least and the greatest. */
static void add_extremes(struct list *list, const char *name, const struct table *table,
			 const struct judgement *judgement, unsigned column)
{
	const struct rs_fact *fact = &table->probe->facts[column];
	struct value_type type = value_type_of_fact(fact);
	const struct value *least = NULL, *greatest = NULL;
	bool ordered;

	for (size_t row = 0; row < table->rows; row++) {
		const struct value *cell = &table_row(table, row)[column];

		if (!view_kept(judgement, row) || cell->state != VALUE_SET)
			continue;
		if (!least || value_compare(type, cell, least, &ordered) < 0)
			least = cell;
		if (!greatest || value_compare(type, cell, greatest, &ordered) > 0)
			greatest = cell;
	}
	if (!least)
		return;
	add_metric(list, name, fact, "min", least);
	add_metric(list, name, fact, "max", greatest);
}

static void add_rows(struct list *list, const char *name, const struct table *table, const struct judgement *judgement,
		     unsigned column, bool single)
{
	AUTO_BUF struct buf row_name = {0};

	for (size_t row = 0; row < table->rows; row++) {
		const struct value *cell = &table_row(table, row)[column];

		if (!view_kept(judgement, row) || cell->state != VALUE_SET)
			continue;
		buf_clear(&row_name);
		if (!single) {
			buf_putc(&row_name, '(');
			table_row_name(&row_name, table, row);
			buf_putc(&row_name, ')');
		}
		add_metric(list, name, &table->probe->facts[column], row_name.data ? row_name.data : "", cell);
	}
}

static void add_case(struct list *list, const struct plan_step *plan, const struct result_case *result,
		     const char *name)
{
	const struct judge_spec *spec = plan->nparts ? plan->parts[0].spec : &plan->step->probe.spec;
	const struct result_attempt *last = view_last(result);
	const struct table *table = view_table(last, plan->step->probe.probe);
	size_t rows;

	if (!table || result->across || !last->judgement.kept)
		return;
	rows = last->judgement.rows_kept;
	for (unsigned column = 0; column < table->columns; column++) {
		if (!is_metric(spec, column, rows == 1))
			continue;
		if (rows <= JUNIT_METRIC_ROWS)
			add_rows(list, name, table, &last->judgement, column, rows == 1);
		else
			add_extremes(list, name, table, &last->judgement, column);
	}
}

void junit_properties(struct junit_tree *tree, const struct junit_part *part, struct registry *registry,
		      struct junit_suite *suite)
{
	struct list list = {.tree = tree};
	struct junit_property *items;
	const struct junit_case *item = part->cases;

	add_run(&list, part, registry);
	for (size_t i = 0; i < part->nsteps; i++)
		for (size_t c = 0; c < part->steps[i]->ncases; c++, item++)
			add_case(&list, part->steps[i]->plan, &part->steps[i]->cases[c], item->name);
	if (list.left_out)
		add_number(&list, "metrics_left_out", list.left_out);
	items = arena_alloc(&tree->arena, list.count * sizeof(*items));
	memcpy(items, list.items, list.count * sizeof(*items));
	suite->properties = items;
	suite->nproperties = list.count;
	free(list.items);
}
