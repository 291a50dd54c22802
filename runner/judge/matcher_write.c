/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "judge/matcher_tree.h"
#include "judge/words.h"

/* So many alternatives a sentence names; of more it says how many there are. */
#define NAMED 12

static const struct matcher *as_written(const struct matcher *matcher)
{
	while (matcher->written)
		matcher = matcher->written;
	return matcher;
}

/* Whether the words of @matcher come apart within a longer phrase. */
static bool compound(const struct matcher *matcher)
{
	matcher = as_written(matcher);
	switch (matcher->op) {
	case MATCHER_ANY:
	case MATCHER_BOTH:
		return true;
	case MATCHER_NOT:
		return compound(matcher->inner);
	case MATCHER_SOME:
	case MATCHER_EACH:
		return compound(matcher->inner);
	default:
		return matcher->has_low && matcher->has_high && !matcher->equal;
	}
}

static void write_part(struct buf *out, const struct matcher *matcher, const struct match_context *context)
{
	bool brackets = compound(matcher);

	if (brackets)
		buf_putc(out, '(');
	matcher_write(out, matcher, context);
	if (brackets)
		buf_putc(out, ')');
}

/* "A, B or C" */
static void write_list(struct buf *out, const struct matcher *matcher, const char *word,
		       const struct match_context *context)
{
	size_t named = matcher->count > NAMED ? NAMED - 1 : matcher->count;

	for (size_t i = 0; i < named; i++) {
		if (i)
			buf_puts(out, i + 1 < matcher->count ? ", " : word);
		write_part(out, matcher->items[i], context);
	}
	if (named < matcher->count)
		buf_printf(out, "%s%zu others", word, matcher->count - named);
}

static void write_not(struct buf *out, const struct matcher *matcher, const struct match_context *context)
{
	const struct matcher *inner = as_written(matcher->inner);

	if (inner->op == MATCHER_SOME)
		inner = as_written(inner->inner);
	if (inner->op == MATCHER_ANY) {
		buf_puts(out, "neither ");
		write_list(out, inner, " nor ", context);
	} else if (inner->op == MATCHER_EXISTS) {
		buf_puts(out, inner->flag ? "not observed" : "observed");
	} else {
		buf_puts(out, "not ");
		write_part(out, matcher->inner, context);
	}
}

static void write_number(struct buf *out, const struct column *column, double number)
{
	struct value value = {.state = VALUE_SET};

	/* 2^63 is the first that does not fit. */
	if (column->type.type != RS_TIME || number < -0x1p63 || number >= 0x1p63) {
		decimal_write(out, number, column->unit);
		return;
	}
	value.integer = (int64_t)number;
	value_write(out, column->type, &value);
}

static void write_within(struct buf *out, const struct matcher *matcher, const struct match_context *context)
{
	const struct matcher_within *within = matcher->within;
	unsigned flags = matcher->column->fact->flags;

	buf_printf(out, "within %s of ", within->distance_text);
	if (within->baseline) {
		buf_puts(out, "the baseline");
		if (context && context->has_baseline) {
			buf_putc(out, ' ');
			write_number(out, matcher->column, context->baseline);
		}
	} else if (!within->median) {
		buf_puts(out, within->of_text);
	} else {
		buf_puts(out, "the median");
		if (context && context->has_median) {
			buf_putc(out, ' ');
			write_number(out, matcher->column, context->median);
		}
	}
	if (flags & RS_F_HIGHER)
		buf_puts(out, " or higher");
	else if (flags & RS_F_LOWER)
		buf_puts(out, " or lower");
}

static void write_range(struct buf *out, const struct matcher *matcher)
{
	struct value_type type = matcher->column->type;

	if (matcher->equal) {
		words_value(out, type, &matcher->low);
		return;
	}
	if (matcher->has_low) {
		buf_puts(out, "at least ");
		value_write(out, type, &matcher->low);
	}
	if (matcher->has_low && matcher->has_high)
		buf_puts(out, " and ");
	if (matcher->has_high) {
		buf_puts(out, "at most ");
		value_write(out, type, &matcher->high);
	}
}

void matcher_write(struct buf *out, const struct matcher *matcher, const struct match_context *context)
{
	matcher = as_written(matcher);
	switch (matcher->op) {
	case MATCHER_LATER:
		buf_puts(out, "what a variable says");
		break;
	case MATCHER_NONE:
		buf_puts(out, "none");
		break;
	case MATCHER_EXISTS:
		buf_puts(out, matcher->flag ? "observed" : "not observed");
		break;
	case MATCHER_GLOB:
		words_text(out, matcher->low.text, matcher->low.length);
		break;
	case MATCHER_PATTERN:
		buf_printf(out, "a match of '%s'", matcher->pattern->text);
		break;
	case MATCHER_WITHIN:
		write_within(out, matcher, context);
		break;
	case MATCHER_ANY:
		write_list(out, matcher, " or ", context);
		break;
	case MATCHER_BOTH:
		write_list(out, matcher, " and ", context);
		break;
	case MATCHER_NOT:
		write_not(out, matcher, context);
		break;
	case MATCHER_SOME:
		matcher_write(out, matcher->inner, context);
		break;
	case MATCHER_EACH:
		buf_puts(out, "in every element ");
		write_part(out, matcher->inner, context);
		break;
	default:
		write_range(out, matcher);
		break;
	}
}
