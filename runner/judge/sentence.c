/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdint.h>
#include <string.h>

#include "base/cleanup.h"
#include "judge/cells.h"
#include "judge/judging.h"
#include "judge/words.h"

/* Of what was observed a finding keeps so much: a hundred of them must not hold a hundred floods. */
#define OBSERVED_LONGEST 4096

char *finding_text(struct buf *raw, size_t longest)
{
	struct buf out = {0};

	words_add(&out, raw->data, raw->length, longest);
	buf_free(raw);
	return buf_take(&out);
}

static char *written_value(const struct rs_fact *fact, const struct value *cell)
{
	struct buf out = {0};

	value_write(&out, value_type_of_fact(fact), cell);
	return finding_text(&out, OBSERVED_LONGEST);
}

static char *written_matcher(const struct matcher *matcher, const struct match_context *context)
{
	struct buf out = {0};

	matcher_write(&out, matcher, context);
	return buf_take(&out);
}

static char *row_name(const struct table *table, size_t row)
{
	struct buf out = {0};

	table_row_name(&out, table, row);
	return finding_text(&out, WORDS_LONGEST);
}

static const char *why_not_observed(const struct rs_fact *fact, const struct value *cell)
{
	return cell->text ? cell->text : fact->observed_by;
}

/* What keeps a cell from being judged: it was not observed, has no name, is no number. False: nothing in the cell does.
 */
static bool write_obstacle(struct buf *out, const struct rs_fact *fact, const struct value *cell)
{
	struct column column = column_of(fact);
	const char *why;

	buf_puts(out, fact->name);
	if (cell->state == VALUE_NOT_OBSERVED) {
		why = why_not_observed(fact, cell);
		buf_puts(out, " was not observed");
		if (why) {
			buf_puts(out, ": ");
			words_add(out, why, strlen(why), WORDS_LONGEST);
		}
		return true;
	}
	buf_puts(out, " is ");
	words_value(out, value_type_of_fact(fact), cell);
	if (cell_comparable(&column, cell))
		return false;
	if (cell->state == VALUE_UNKNOWN)
		buf_puts(out, ", which has no name here");
	else if (fact->flags & RS_F_LIST)
		buf_puts(out, ", of which an element cannot be judged");
	else if (fact->type == RS_ENUM)
		buf_puts(out, ", which has no name here");
	else
		buf_puts(out, ", which is no number");
	return true;
}

static void write_unjudged(struct buf *out, const struct rs_fact *fact, const struct value *cell,
			   const struct matcher *matcher, const struct match_context *context)
{
	if (write_obstacle(out, fact, cell))
		return;
	if (matcher_needs_median(matcher) && !(context && context->has_median))
		buf_puts(out, ", and there is no median: fewer than two of the rows kept have a value");
	else if (matcher_needs_baseline(matcher) && !(context && context->has_baseline))
		buf_printf(out, ", and %s",
			   context && context->no_baseline ? context->no_baseline : "there is no baseline");
	else
		buf_puts(out, ", which could not be judged");
}

static void write_failed(struct buf *out, const struct rs_fact *fact, const struct value *cell)
{
	const char *why = cell->state == VALUE_NOT_OBSERVED ? why_not_observed(fact, cell) : NULL;

	buf_printf(out, "%s is ", fact->name);
	words_value(out, value_type_of_fact(fact), cell);
	if (why) {
		buf_puts(out, " (");
		words_add(out, why, strlen(why), WORDS_LONGEST);
		buf_putc(out, ')');
	}
}

/* All but the sentence. */
static void describe(struct finding *finding, const struct table *table, size_t row,
		     const struct expectation *expectation, const struct match_context *context)
{
	const struct rs_fact *fact = &table->probe->facts[expectation->column];

	finding->row = row_name(table, row);
	finding->row_number = row;
	finding->fact = fact->name;
	finding->expected = written_matcher(expectation->matcher, context);
	finding->observed = written_value(fact, &table_row(table, row)[expectation->column]);
	finding->place = expectation->place;
}

void sentence_cell(struct finding *finding, const struct table *table, size_t row,
		   const struct expectation *expectation, const struct match_context *context)
{
	const struct rs_fact *fact = &table->probe->facts[expectation->column];
	const struct value *cell = &table_row(table, row)[expectation->column];
	struct buf out = {0};

	if (!finding)
		return;
	describe(finding, table, row, expectation, context);
	buf_printf(&out, "%s: ", finding->row);
	if (finding->verdict == VERDICT_FAIL) {
		write_failed(&out, fact, cell);
		buf_printf(&out, ", expected %s", finding->expected);
	} else {
		write_unjudged(&out, fact, cell, expectation->matcher, context);
		buf_printf(&out, "; expected %s", finding->expected);
	}
	finding->sentence = buf_take(&out);
}

void sentence_where(struct finding *finding, const struct table *table, size_t row,
		    const struct expectation *expectation)
{
	const struct rs_fact *fact = &table->probe->facts[expectation->column];
	struct buf out = {0};

	if (!finding)
		return;
	describe(finding, table, row, expectation, NULL);
	buf_printf(&out, "%s: ", finding->row);
	write_unjudged(&out, fact, &table_row(table, row)[expectation->column], expectation->matcher, NULL);
	buf_printf(&out, "; 'where' cannot tell whether it is %s", finding->expected);
	finding->sentence = buf_take(&out);
}

/* " where physical_state is LinkUp and speed is HDR or NDR" */
static void write_where(struct buf *out, const struct judge_spec *spec)
{
	for (size_t i = 0; i < spec->nwhere; i++) {
		buf_printf(out, "%s %s is ", i ? " and" : " where", spec->probe->facts[spec->where[i].column].name);
		matcher_write(out, spec->where[i].matcher, NULL);
	}
}

void sentence_count(struct finding *finding, const struct judge_spec *spec, size_t kept)
{
	struct buf out = {0};

	if (!finding)
		return;
	finding->expected = written_matcher(spec->count, NULL);
	finding->observed = xasprintf("%zu", kept);
	finding->place = spec->count_place;
	words_rows(&out, kept);
	write_where(&out, spec);
	buf_printf(&out, ", expected %s", finding->expected);
	finding->sentence = buf_take(&out);
}

void sentence_no_row(struct finding *finding, const struct judge_spec *spec, size_t rows)
{
	struct buf out = {0};

	if (!finding)
		return;
	finding->expected = xstrdup("at least 1");
	finding->observed = xstrdup("0");
	finding->place = spec->place;
	if (!rows) {
		buf_printf(&out, "no row: %s is empty", spec->probe->name);
	} else {
		buf_puts(&out, "no row");
		write_where(&out, spec);
		buf_puts(&out, ", of ");
		words_rows(&out, rows);
	}
	finding->sentence = buf_take(&out);
}

void sentence_incomparable(struct finding *finding, const char *row, const struct rs_fact *fact,
			   const struct value *cell, const char *expected)
{
	struct buf out = {0};

	if (!finding)
		return;
	finding->row = xstrdup(row);
	finding->fact = fact->name;
	finding->expected = xstrdup(expected);
	finding->observed = written_value(fact, cell);
	buf_printf(&out, "%s: ", row);
	write_obstacle(&out, fact, cell);
	buf_printf(&out, "; expected to be %s", expected);
	finding->sentence = buf_take(&out);
}
