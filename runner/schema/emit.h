/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: what libcyaml gets to read: checked parameters as YAML with one scalar a line */
#pragma once

#include "schema/internal.h"

/**
 * struct emit - {0} is an empty one
 * @out: the YAML
 * @lines: for each line of it the node that it came from
 */
struct emit {
	struct buf out;
	const struct node **lines;
	size_t nlines, capacity;
	struct buf word;
	struct arena arena;
	struct text scratch;
};

/** emit_params - @map must have been checked; defaults are filled in */
void emit_params(struct emit *emit, const struct rs_param *params, const struct node *map);
void emit_free(struct emit *emit);
