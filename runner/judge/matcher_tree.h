/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: what matchers are inside; only for matcher_*.c */
#pragma once

#include "judge/cells.h"
#include "judge/matcher.h"
#include "judge/pattern.h"

/**
 * enum matcher_op - the leaves look at one scalar; the others join matchers
 * A list fact's leaves stand under MATCHER_SOME (any element) or MATCHER_EACH (every one).
 */
enum matcher_op {
	MATCHER_LATER,	  /* a variable that has no value yet: cannot be judged */
	MATCHER_NONE,	  /* the cell is none */
	MATCHER_EXISTS,	  /* @flag: it was observed, or it was not */
	MATCHER_CHOICES,  /* an enum of up to 64 choices: one of a set */
	MATCHER_SIGNED,	  /* integers, times, booleans and larger enums, from low to high */
	MATCHER_UNSIGNED, /* unsigned integers and GUIDs */
	MATCHER_DECIMAL,  /* numbers and quantities, in the base unit */
	MATCHER_BYTES,	  /* texts and addresses, literally */
	MATCHER_GLOB,
	MATCHER_PATTERN,
	MATCHER_WITHIN,
	MATCHER_ANY,  /* at least one of @items */
	MATCHER_BOTH, /* all of @items */
	MATCHER_NOT,  /* @inner does not hold */
	MATCHER_SOME, /* at least one element */
	MATCHER_EACH, /* every element, of which there is at least one */
};

struct matcher_within {
	double of;	 /* in the base unit; not where the median is meant */
	double distance; /* a share of "of", or in the base unit */
	bool share, median, baseline;
	bool missing_passes;
	const char *distance_text, *of_text; /* for sentences; of_text NULL: no value */
};

/**
 * struct matcher
 * @has_low, @has_high: which limit was written; both from the same value: equal
 * @low, @high: the limits as written
 * @written: a tree that was folded into this one, and is what the user wrote; NULL: this one
 */
struct matcher {
	uint8_t op;
	bool flag;
	bool has_low, has_high, equal;
	bool median, baseline; /* in it or below */
	const struct column *column;
	struct value low, high;
	const struct matcher *written;
	union {
		uint64_t choices;
		struct {
			int64_t from, to;
		} integers;
		struct {
			uint64_t from, to;
		} numbers;
		struct {
			double from, to;
		} decimals;
		struct pattern *pattern;
		const struct matcher_within *within;
		const struct matcher *inner;
		struct {
			const struct matcher *const *items;
			size_t count;
		};
	};
};

/** struct compiling - where a matcher is compiled; @count: for a number of rows, not a cell */
struct compiling {
	struct text *text;
	struct arena *arena;
	const struct column *column;
	struct diags *diags;
	bool count;
	bool failed;
};

/** compile_error - at @node, "FACT: ..." */
void compile_error(struct compiling *compiling, const struct node *node, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
struct matcher *compile_new(struct compiling *compiling, enum matcher_op op);

/* The leaves (matcher_leaf.c); NULL where an error was added. */
const struct matcher *leaf_plain(struct compiling *compiling, const struct node *node); /* a glob, for text */
const struct matcher *leaf_is(struct compiling *compiling, const struct node *node);
const struct matcher *leaf_range(struct compiling *compiling, const struct node *min, const struct node *max);
const struct matcher *leaf_pattern(struct compiling *compiling, const struct node *node);
const struct matcher *leaf_within(struct compiling *compiling, const struct node *within, const struct node *of,
				  const struct node *missing);
