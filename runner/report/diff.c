/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/diff.h"

#include "report/json.h"
#include "report/print.h"

static void count(struct diff_counts *counts, const struct row_difference *item)
{
	counts->added += item->change == ROW_ADDED;
	counts->gone += item->change == ROW_GONE;
	counts->changed += item->change == ROW_CHANGED && item->facts != item->moves;
}

static void row_name(struct buf *out, const struct table *table, size_t row)
{
	AUTO_BUF struct buf raw = {0};

	table_row_name(&raw, table, row);
	text_line(out, raw.data);
}

/* ---- For people ---- */

static void begin_line(struct buf *line, const char *word, const char *where)
{
	buf_printf(line, "%-8s ", word);
	text_line(line, where);
}

static void add_facts(struct buf *line, const struct table *a, const struct table *b, const struct row_difference *item,
		      uint64_t facts)
{
	const char *before = ": ";

	for (unsigned i = 0; i < a->columns; i++) {
		const struct rs_fact *fact = &a->probe->facts[i];

		if (!(facts >> i & 1))
			continue;
		buf_printf(line, "%s%s ", before, fact->name);
		print_cell(line, fact, &table_row(a, item->a)[i]);
		buf_puts(line, " → ");
		print_cell(line, fact, &table_row(b, item->b)[i]);
		before = ", ";
	}
}

static void print_change(struct buf *line, const char *where, const struct table *a, const struct table *b,
			 const struct row_difference *item, bool moving)
{
	static const char *const words[] = {[ROW_CHANGED] = "changed", [ROW_ADDED] = "added", [ROW_GONE] = "gone"};
	uint64_t facts = moving ? item->facts : item->facts & ~item->moves;

	if (item->change == ROW_CHANGED && !facts)
		return;
	begin_line(line, item->change == ROW_CHANGED && item->facts == item->moves ? "moved" : words[item->change],
		   where);
	buf_puts(line, ": ");
	row_name(line, item->change == ROW_ADDED ? b : a, item->change == ROW_ADDED ? item->b : item->a);
	if (item->change == ROW_CHANGED)
		add_facts(line, a, b, item, facts);
	buf_putc(line, '\n');
}

void diff_table(FILE *out, const char *where, const struct table *a, const struct table *b,
		const struct comparison *comparison, bool moving, struct diff_counts *counts)
{
	for (size_t i = 0; i < comparison->count; i++) {
		AUTO_BUF struct buf line = {0};

		count(counts, &comparison->items[i]);
		print_change(&line, where, a, b, &comparison->items[i], moving);
		if (line.length)
			fputs(line.data, out);
	}
}

void diff_line(FILE *out, const char *word, const char *where, const char *text)
{
	AUTO_BUF struct buf line = {0};

	begin_line(&line, word, where);
	buf_puts(&line, ": ");
	text_line(&line, text);
	fprintf(out, "%s\n", line.data);
}

void diff_summary(FILE *out, const struct diff_counts *counts)
{
	if (diff_is_empty(counts)) {
		fprintf(out, "no difference in %zu observation%s\n", counts->same, plural(counts->same));
		return;
	}
	fprintf(out, "%zu row%s changed, %zu added, %zu gone", counts->changed, plural(counts->changed), counts->added,
		counts->gone);
	if (counts->observations)
		fprintf(out, "; %zu observation%s on one side only", counts->observations,
			plural(counts->observations));
	fprintf(out, "; %zu observation%s the same\n", counts->same, plural(counts->same));
}

/* ---- JSON ---- */

static json_t *pairs_json(const struct table *a, const struct table *b, const struct row_difference *item,
			  uint64_t facts)
{
	json_t *object = json_object();

	for (unsigned i = 0; i < a->columns; i++) {
		const struct rs_fact *fact = &a->probe->facts[i];

		if (facts >> i & 1)
			json_object_set_new(object, fact->name,
					    json_pack("{s:o, s:o}", "a", json_cell(fact, &table_row(a, item->a)[i]),
						      "b", json_cell(fact, &table_row(b, item->b)[i])));
	}
	return object;
}

static json_t *changed_json(const struct table *a, const struct table *b, const struct row_difference *item)
{
	AUTO_BUF struct buf name = {0};
	json_t *object;

	table_row_name(&name, a, item->a);
	object = json_pack("{s:o, s:o}", "row", json_raw(name.data), "facts",
			   pairs_json(a, b, item, item->facts & ~item->moves));
	if (item->moves)
		json_object_set_new(object, "moving", pairs_json(a, b, item, item->moves));
	return object;
}

json_t *diff_table_json(const struct table *a, const struct table *b, const struct comparison *comparison,
			struct diff_counts *counts)
{
	json_t *changed = json_array(), *added = json_array(), *gone = json_array();

	for (size_t i = 0; i < comparison->count; i++) {
		const struct row_difference *item = &comparison->items[i];

		count(counts, item);
		if (item->change == ROW_ADDED)
			json_array_append_new(added, json_row(b, item->b, false));
		else if (item->change == ROW_GONE)
			json_array_append_new(gone, json_row(a, item->a, false));
		else
			json_array_append_new(changed, changed_json(a, b, item));
	}
	return json_pack("{s:s, s:o, s:o, s:o}", "probe", a->probe->name, "changed", changed, "added", added, "gone",
			 gone);
}
