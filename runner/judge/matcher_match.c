/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Three-valued logic (Kleene's): a cell that was not observed, or holds a code without a name, leaves every leaf but
 * "exists" unjudged; "any" is yes as soon as one is, "both" no as soon as one is, "not" leaves the unjudged as it is.
 * So [HDR, {exists: false}] can be asked of a cell that was not observed, and {not: HDR} cannot.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "judge/glob.h"
#include "judge/matcher_tree.h"

static enum match yes(bool holds)
{
	return holds ? MATCH_YES : MATCH_NO;
}

static enum match match_bytes(const struct matcher *matcher, const struct value *cell)
{
	uint32_t length = cell->length;

	if (matcher->column->type.type == RS_GID)
		length = 16;
	return yes(length == matcher->low.length && !memcmp(cell->address, matcher->low.address, length));
}

static enum match match_within(const struct matcher *matcher, const struct value *cell,
			       const struct match_context *context)
{
	const struct matcher_within *within = matcher->within;
	unsigned flags = matcher->column->fact->flags;
	double number, of = within->of, distance, slack;

	if (!cell_number(matcher->column, cell, &number))
		return MATCH_UNJUDGED;
	if (within->median) {
		if (!context || !context->has_median)
			return within->missing_passes ? MATCH_YES : MATCH_UNJUDGED;
		of = context->median;
	}
	if (within->baseline) {
		if (!context || !context->has_baseline)
			return within->missing_passes ? MATCH_YES : MATCH_UNJUDGED;
		of = context->baseline;
	}
	distance = within->share ? fabs(of) * within->distance : within->distance;
	/*
	 * All three come from decimals, each rounded once to a double: a value that lies exactly on the limit must not
	 * fall outside it for that.
	 */
	slack = 4 * DBL_EPSILON * fmax(fabs(number), fmax(fabs(of), distance));
	if (number < of - distance - slack && !(flags & RS_F_LOWER))
		return MATCH_NO;
	if (number > of + distance + slack && !(flags & RS_F_HIGHER))
		return MATCH_NO;
	return MATCH_YES;
}

/* A leaf against a cell that is VALUE_SET. */
static enum match match_value(const struct matcher *matcher, const struct value *cell,
			      const struct match_context *context)
{
	double number;
	int found;

	switch (matcher->op) {
	case MATCHER_CHOICES:
		if (!cell_choice(matcher->column, cell))
			return MATCH_UNJUDGED;
		return yes(matcher->choices >> cell->integer & 1);
	case MATCHER_SIGNED:
		if (matcher->column->choices && !cell_choice(matcher->column, cell))
			return MATCH_UNJUDGED;
		return yes(matcher->integers.from <= cell->integer && cell->integer <= matcher->integers.to);
	case MATCHER_UNSIGNED:
		return yes(matcher->numbers.from <= cell->number && cell->number <= matcher->numbers.to);
	case MATCHER_DECIMAL:
		if (!cell_decimal(matcher->column, cell, &number))
			return MATCH_UNJUDGED;
		return yes(matcher->decimals.from <= number && number <= matcher->decimals.to);
	case MATCHER_BYTES:
		return match_bytes(matcher, cell);
	case MATCHER_GLOB:
		return yes(glob_match(matcher->low.text, matcher->low.length, cell->text, cell->length));
	case MATCHER_PATTERN:
		found = pattern_match(matcher->pattern, cell->text, cell->length);
		return found < 0 ? MATCH_UNJUDGED : yes(found);
	case MATCHER_WITHIN:
		return match_within(matcher, cell, context);
	default:
		return MATCH_UNJUDGED;
	}
}

static enum match match_leaf(const struct matcher *matcher, const struct value *cell,
			     const struct match_context *context)
{
	switch (cell->state) {
	case VALUE_SET:
		return match_value(matcher, cell, context);
	case VALUE_NONE:
		return MATCH_NO;
	default:
		return MATCH_UNJUDGED;
	}
}

static enum match match_none(const struct matcher *matcher, const struct value *cell)
{
	switch (cell->state) {
	case VALUE_NONE:
		return MATCH_YES;
	case VALUE_SET:
		return yes(matcher->column->list && !cell->length);
	default:
		return MATCH_UNJUDGED;
	}
}

/*
 * "any" over several matchers, "some" over several elements, and their opposites: @decisive is the answer that one
 * alone is enough for.
 */
struct tally {
	enum match decisive;
	bool unjudged;
};

static bool decides(struct tally *tally, enum match match)
{
	tally->unjudged |= match == MATCH_UNJUDGED;
	return match == tally->decisive;
}

static enum match undecided(const struct tally *tally)
{
	if (tally->unjudged)
		return MATCH_UNJUDGED;
	return yes(tally->decisive == MATCH_NO);
}

static enum match match_items(const struct matcher *matcher, const struct value *cell,
			      const struct match_context *context)
{
	struct tally tally = {.decisive = matcher->op == MATCHER_ANY ? MATCH_YES : MATCH_NO};

	for (size_t i = 0; i < matcher->count; i++)
		if (decides(&tally, matcher_match(matcher->items[i], cell, context)))
			return tally.decisive;
	return undecided(&tally);
}

/* No element matches where there is none: also "all" needs one, or an empty list would pass unseen. */
static enum match match_elements(const struct matcher *matcher, const struct value *cell,
				 const struct match_context *context)
{
	struct tally tally = {.decisive = matcher->op == MATCHER_SOME ? MATCH_YES : MATCH_NO};

	if (cell->state == VALUE_NONE || (cell->state == VALUE_SET && !cell->length))
		return MATCH_NO;
	if (cell->state != VALUE_SET)
		return MATCH_UNJUDGED;
	for (uint32_t i = 0; i < cell->length; i++)
		if (decides(&tally, matcher_match(matcher->inner, &cell->items[i], context)))
			return tally.decisive;
	return undecided(&tally);
}

enum match matcher_match(const struct matcher *matcher, const struct value *cell, const struct match_context *context)
{
	enum match match;

	switch (matcher->op) {
	case MATCHER_LATER:
		return MATCH_UNJUDGED;
	case MATCHER_NONE:
		return match_none(matcher, cell);
	case MATCHER_EXISTS:
		return yes(matcher->flag == (cell->state != VALUE_NOT_OBSERVED));
	case MATCHER_ANY:
	case MATCHER_BOTH:
		return match_items(matcher, cell, context);
	case MATCHER_NOT:
		match = matcher_match(matcher->inner, cell, context);
		return match == MATCH_UNJUDGED ? match : yes(match == MATCH_NO);
	case MATCHER_SOME:
	case MATCHER_EACH:
		return match_elements(matcher, cell, context);
	default:
		return match_leaf(matcher, cell, context);
	}
}
