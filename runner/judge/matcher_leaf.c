/* SPDX-License-Identifier: BSD-2-Clause */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "judge/glob.h"
#include "judge/matcher_tree.h"

static const struct matcher *leaf_later(struct compiling *compiling)
{
	return compile_new(compiling, MATCHER_LATER);
}

static bool read_value(struct compiling *compiling, const struct node *node, struct value *value)
{
	AUTO_FREE char *why = NULL;

	if (node->kind != NODE_SCALAR) {
		compile_error(compiling, node, "one value belongs here, not a %s",
			      node->kind == NODE_LIST ? "list" : "map");
		return false;
	}
	if (value_parse(compiling->column->type, node->text, node->length, compiling->arena, value, &why)) {
		compile_error(compiling, node, "%s", why);
		return false;
	}
	return true;
}

/* From @low to @high, of which NULL is no limit. */
static const struct matcher *range(struct compiling *compiling, const struct value *low, const struct value *high)
{
	const struct column *column = compiling->column;
	struct matcher *matcher = compile_new(compiling, MATCHER_SIGNED);

	matcher->has_low = low != NULL;
	matcher->has_high = high != NULL;
	matcher->equal = low == high;
	if (low)
		matcher->low = *low;
	if (high)
		matcher->high = *high;
	switch (column->type.type) {
	case RS_UNSIGNED:
	case RS_GUID:
		matcher->op = MATCHER_UNSIGNED;
		matcher->numbers.from = low ? low->number : 0;
		matcher->numbers.to = high ? high->number : UINT64_MAX;
		break;
	case RS_NUMBER:
	case RS_QUANTITY:
		matcher->op = MATCHER_DECIMAL;
		matcher->decimals.from = -INFINITY;
		matcher->decimals.to = INFINITY;
		if (low)
			cell_decimal(column, low, &matcher->decimals.from);
		if (high)
			cell_decimal(column, high, &matcher->decimals.to);
		break;
	case RS_TEXT:
	case RS_GID:
	case RS_IP:
		matcher->op = MATCHER_BYTES;
		break;
	default:
		matcher->integers.from = low ? low->integer : INT64_MIN;
		matcher->integers.to = high ? high->integer : INT64_MAX;
		break;
	}
	if (column->choices && column->choices <= 64) {
		uint64_t from = low ? (uint64_t)low->integer : 0;
		uint64_t to = high ? (uint64_t)high->integer : column->choices - 1;

		matcher->op = MATCHER_CHOICES;
		matcher->choices = 0;
		for (uint64_t choice = from; choice <= to; choice++)
			matcher->choices |= (uint64_t)1 << choice;
	}
	return matcher;
}

static bool all_digits(const char *text, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++)
		if (!isdigit((unsigned char)text[i]))
			return false;
	return length > 0;
}

/* "01-16" or "1,4": in a set of single characters nobody means that. */
static bool like_nodeset(const char *set, size_t length)
{
	const char *end = set + length, *part = set;
	bool several = false;

	while (part <= end) {
		const char *comma = memchr(part, ',', (size_t)(end - part));
		const char *stop = comma ? comma : end;
		const char *dash = memchr(part, '-', (size_t)(stop - part));
		const char *first_end = dash ? dash : stop;

		if (!all_digits(part, (size_t)(first_end - part)) ||
		    (dash && !all_digits(dash + 1, (size_t)(stop - dash) - 1)))
			return false;
		several |= comma || (dash && stop - part > 3);
		part = stop + 1;
	}
	return several;
}

static void check_glob(struct compiling *compiling, const struct node *node)
{
	size_t at = 0, length;
	const char *set;

	while (glob_set(node->text, node->length, &at, &set, &length)) {
		if (memmem(set, length, "[:", 2))
			compile_error(compiling, node,
				      "[:classes:] have no place in a pattern: list the characters, or "
				      "use 'matches'");
		else if (like_nodeset(set, length))
			diags_warning(compiling->diags, node_place(compiling->text, node),
				      "%s: [%.*s] in a pattern stands for one character, it is no nodeset: list the "
				      "names, or use {is: ...} for a name with brackets",
				      compiling->column->fact->name, (int)length, set);
	}
}

const struct matcher *leaf_plain(struct compiling *compiling, const struct node *node)
{
	struct value value;
	struct matcher *matcher;

	if (node->flags & NODE_LATER)
		return leaf_later(compiling);
	if (!read_value(compiling, node, &value))
		return NULL;
	if (compiling->column->type.type != RS_TEXT || !glob_special(value.text, value.length))
		return range(compiling, &value, &value);
	check_glob(compiling, node);
	matcher = compile_new(compiling, MATCHER_GLOB);
	matcher->low = value;
	return matcher;
}

const struct matcher *leaf_is(struct compiling *compiling, const struct node *node)
{
	struct value value;

	if (node->kind == NODE_SCALAR && node->flags & NODE_LATER)
		return leaf_later(compiling);
	return read_value(compiling, node, &value) ? range(compiling, &value, &value) : NULL;
}

/* Whether @node is a limit; its value where it has one already. */
static bool read_limit(struct compiling *compiling, const struct node *node, struct value *value, bool *later)
{
	if (!node)
		return true;
	if (node->kind == NODE_SCALAR && node->flags & NODE_LATER) {
		*later = true;
		return true;
	}
	return read_value(compiling, node, value);
}

const struct matcher *leaf_range(struct compiling *compiling, const struct node *min, const struct node *max)
{
	const struct column *column = compiling->column;
	struct value low, high;
	bool later = false, good, ordered;

	if (!value_ordered(column->type)) {
		compile_error(compiling, min ? min : max, "'%s' needs an ordered fact, its type is %s",
			      min ? "min" : "max", value_type_name(column->type.type));
		return NULL;
	}
	good = read_limit(compiling, min, &low, &later);
	good &= read_limit(compiling, max, &high, &later);
	if (!good)
		return NULL;
	if (later)
		return leaf_later(compiling);
	if (min && max && value_compare(column->type, &low, &high, &ordered) > 0) {
		compile_error(compiling, min, "'min' is more than 'max': nothing can match");
		return NULL;
	}
	return range(compiling, min ? &low : NULL, max ? &high : NULL);
}

const struct matcher *leaf_pattern(struct compiling *compiling, const struct node *node)
{
	AUTO_FREE char *why = NULL;
	struct matcher *matcher;

	if (compiling->column->type.type != RS_TEXT) {
		compile_error(compiling, node, "'matches' needs a text fact, its type is %s",
			      value_type_name(compiling->column->type.type));
		return NULL;
	}
	if (node->kind != NODE_SCALAR) {
		compile_error(compiling, node, "'matches' takes one regular expression");
		return NULL;
	}
	if (node->flags & NODE_LATER)
		return leaf_later(compiling);
	if (!pattern_check(node->text, &why)) {
		compile_error(compiling, node, "'matches': the regular expression is wrong: %s", why);
		return NULL;
	}
	matcher = compile_new(compiling, MATCHER_PATTERN);
	matcher->pattern = arena_alloc(compiling->arena, sizeof(*matcher->pattern));
	matcher->pattern->text = arena_text(compiling->arena, node->text, node->length);
	return matcher;
}

static const struct unit *distance_unit(const struct column *column)
{
	return column->type.type == RS_TIME ? unit_find("s", 1) : column->unit;
}

/* "5 %" of what it is held against, or a distance as the fact's values are written. */
static bool read_distance(struct compiling *compiling, const struct node *node, struct matcher_within *within)
{
	const struct column *column = compiling->column;
	const struct unit *unit = distance_unit(column);
	const char *why = "is not a number";
	size_t end = node->length;
	bool good;

	while (end && node->text[end - 1] == ' ')
		end--;
	within->share = end && node->text[end - 1] == '%';
	if (within->share && column->type.type == RS_TIME) {
		compile_error(compiling, node, "'within' of a time takes a duration, such as 30 s");
		return false;
	}
	if (within->share)
		good = !quantity_parse(node->text, DIMENSION_RATIO, &within->distance, &why);
	else if (unit)
		good = !quantity_parse(node->text, unit->dimension, &within->distance, &why);
	else
		good = decimal_parse(node->text, NULL, &within->distance);
	if (good && within->distance < 0)
		why = "is negative";
	if (!good || within->distance < 0)
		compile_error(compiling, node, "'within': '%s': %s (a share such as 5 %%, or a distance%s%s)",
			      node->text, why, unit ? " in " : "", unit ? unit->name : "");
	return good && within->distance >= 0;
}

static bool read_of(struct compiling *compiling, const struct node *node, struct matcher_within *within)
{
	const struct column *column = compiling->column;
	AUTO_BUF struct buf written = {0};
	struct value value;

	within->median = node->kind == NODE_SCALAR && !strcmp(node->text, "median");
	within->baseline = node->kind == NODE_SCALAR && !strcmp(node->text, "baseline");
	if (within->median || within->baseline) {
		if (compiling->count || column->list)
			compile_error(compiling, node, "'of: %s' is not for %s", node->text,
				      compiling->count ? "a number of rows" : "a fact that is a list");
		return !compiling->count && !column->list;
	}
	if (!read_value(compiling, node, &value))
		return false;
	if (column->type.type == RS_NUMBER || column->type.type == RS_QUANTITY)
		cell_decimal(column, &value, &within->of);
	else
		within->of = value_number(column->type, &value);
	value_write(&written, column->type, &value);
	within->of_text = arena_text(compiling->arena, written.data, written.length);
	return true;
}

static bool read_missing(struct compiling *compiling, const struct node *node, struct matcher_within *within)
{
	if (!node || (node->kind == NODE_SCALAR && node->flags & NODE_LATER))
		return true;
	if (node->kind == NODE_SCALAR && !strcmp(node->text, "pass")) {
		within->missing_passes = true;
		return true;
	}
	if (node->kind == NODE_SCALAR && !strcmp(node->text, "error"))
		return true;
	compile_error(compiling, node, "'missing' is 'error' or 'pass'");
	return false;
}

const struct matcher *leaf_within(struct compiling *compiling, const struct node *within, const struct node *of,
				  const struct node *missing)
{
	struct matcher_within *values = arena_alloc(compiling->arena, sizeof(*values));
	bool good = true, later = false;
	struct matcher *matcher;

	if (!value_ordered(compiling->column->type) || compiling->column->choices) {
		compile_error(compiling, within, "'within' needs a fact that is a number, its type is %s",
			      value_type_name(compiling->column->type.type));
		return NULL;
	}
	if (within->kind != NODE_SCALAR) {
		compile_error(compiling, within, "'within' takes one value");
		return NULL;
	}
	if (within->flags & NODE_LATER)
		later = true;
	else
		good = read_distance(compiling, within, values);
	if (of->kind == NODE_SCALAR && of->flags & NODE_LATER)
		later = true;
	else
		good &= read_of(compiling, of, values);
	good &= read_missing(compiling, missing, values);
	if (good && missing && values->of_text) {
		compile_error(compiling, missing,
			      "'missing' goes with 'of: median' and 'of: baseline': a value is never missing");
		return NULL;
	}
	if (!good)
		return NULL;
	if (later)
		return leaf_later(compiling);
	values->distance_text = arena_text(compiling->arena, within->text, within->length);
	matcher = compile_new(compiling, MATCHER_WITHIN);
	matcher->within = values;
	matcher->median = values->median;
	matcher->baseline = values->baseline;
	return matcher;
}
