/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: matchers: compiled once, held against many cells */
#pragma once

#include "base/diag.h"
#include "base/value.h"
#include "text/text.h"

struct matcher;

enum match {
	MATCH_NO,
	MATCH_YES,
	MATCH_UNJUDGED, /* not observed, unknown code, no median, ... */
};

/** struct match_context - what a matcher needs beside the cell */
struct match_context {
	double median; /* of the step's kept rows, in the base unit */
	bool has_median;
	double baseline; /* the same cell of a recorded run, in the base unit */
	bool has_baseline;
	const char *no_baseline; /* why there is none */
};

/** matcher_compile - for cells of @fact; NULL with errors in @diags */
const struct matcher *matcher_compile(struct text *text, struct arena *arena, const struct rs_fact *fact,
				      const struct node *node, struct diags *diags);

/** matcher_compile_count - for the number of rows: a number or {min, max, not, ...} */
const struct matcher *matcher_compile_count(struct text *text, struct arena *arena, const struct node *node,
					    struct diags *diags);

enum match matcher_match(const struct matcher *matcher, const struct value *cell, const struct match_context *context);
bool matcher_needs_median(const struct matcher *matcher);
bool matcher_needs_baseline(const struct matcher *matcher);

/**
 * matcher_limits - narrow *low and *high to what a number has to keep, in the base unit
 * Of the plain limits that a matcher names; what it asks beyond them (a median, one of several) leaves them as they
 * are.
 */
void matcher_limits(const struct matcher *matcher, double *low, double *high);

/** matcher_write - as a sentence says it: "HDR or NDR", "at least 180 Gb/s", "not Down"; rows of it ask after the
 * median */
void matcher_write(struct buf *out, const struct matcher *matcher, const struct match_context *context);
