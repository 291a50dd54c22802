/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: client by server: what came of each pair of hosts. Private to the room. */
#pragma once

#include "report/html.h"

#define MATRIX_SIDE 48 /* cells; of more hosts several share one */

/** struct matrix_cell - of all cases of one pair (or of several pairs that share a cell), the worst */
struct matrix_cell {
	bool there;
	enum outcome outcome;
	double value; /* NAN: not measured */
	size_t cases;
};

/** struct matrix_side - the hosts along one side, @block of them to a cell */
struct matrix_side {
	size_t *hosts; /* of the plan */
	size_t *at;    /* by number of the host: where it is among them */
	size_t count, block, cells;
};

/**
 * struct matrix
 * @fact: what was measured; NULL: nothing, the verdicts are all that there is
 * @median: of the values of all cases
 */
struct matrix {
	const struct plan *plan;
	const struct result_step *step;
	const struct rs_fact *fact;
	unsigned column;
	struct matrix_side clients, servers;
	struct matrix_cell *cells; /* clients.cells times servers.cells */
	double median;
};

/** matrix_make - false where the step is none of pairs, or has too few of them; to be freed either way */
bool matrix_make(struct matrix *matrix, const struct result *result, size_t step);
void matrix_free(struct matrix *matrix);

/** matrix_share - how good @value is against the median: 1 as good, 0.5 half as good; NAN where there is no telling */
double matrix_share(const struct matrix *matrix, double value);

/** matrix_label - the host or hosts of cell number @cell of a side, raw */
void matrix_label(struct buf *out, const struct matrix *matrix, const struct matrix_side *side, size_t cell);

/** matrix_value - "50.3 Gb/s" */
void matrix_value(struct buf *out, const struct matrix *matrix, double value);
