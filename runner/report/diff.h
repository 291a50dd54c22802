/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: what two recordings do not have in common, for people and as JSON */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "judge/compare.h"

/** struct diff_counts - what there was; rows of which only moving facts differ are not among the changed ones */
struct diff_counts {
	size_t changed, added, gone; /* rows */
	size_t observations;	     /* of which one side has none, or only one could be observed */
	size_t same;		     /* observations with no difference */
};

static inline bool diff_is_empty(const struct diff_counts *counts)
{
	return !counts->changed && !counts->added && !counts->gone && !counts->observations;
}

/**
 * diff_table - a line for each row that differs: "changed  node-1 ib.ports: mlx5_0 port 1: state Active → Down"
 * @where: host and probe. @moving: also what changes by itself
 */
void diff_table(FILE *out, const char *where, const struct table *a, const struct table *b,
		const struct comparison *comparison, bool moving, struct diff_counts *counts);

/** diff_line - what is to be said of an observation as a whole: "gone     node-7 ib.ports: it was not recorded" */
void diff_line(FILE *out, const char *word, const char *where, const char *text);

/** diff_summary - the last line */
void diff_summary(FILE *out, const struct diff_counts *counts);

/** diff_table_json - {"probe", "changed": [{"row", "facts": {FACT: {"a", "b"}}, "moving": {...}}], "added": [...],
 * "gone": [...]} */
json_t *diff_table_json(const struct table *a, const struct table *b, const struct comparison *comparison,
			struct diff_counts *counts);
