/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: two tables of one probe, row by row */
#pragma once

#include "judge/table.h"

enum row_change { ROW_CHANGED, ROW_ADDED, ROW_GONE };

/**
 * struct row_difference - a row that is not the same in both
 * @a, @b: its numbers; of one that was added, or is gone, only one of the two
 * @facts: bits of the columns that differ; @moves: those of them that change by themselves
 */
struct row_difference {
	enum row_change change;
	size_t a, b;
	uint64_t facts, moves;
};

/** struct comparison - @same: rows with nothing but facts that change by themselves between them */
struct comparison {
	struct row_difference *items;
	size_t count, capacity;
	size_t same;
};

/**
 * compare_tables - by their key facts; rows of equal keys in their order, and all in their order where nothing is a key
 * @moving: bits of facts that change by themselves: rows in which only these differ are the same, but listed
 */
void compare_tables(const struct table *a, const struct table *b, uint64_t moving, struct comparison *out);
void comparison_free(struct comparison *comparison);

/** compare_moving - which facts of a probe change by themselves: volatile ones, counters, what a measurement comes to
 */
uint64_t compare_moving(const struct rs_source *source, const struct rs_probe *probe);
