/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: metrics: what was measured and may be worth a graph. Private to the room. */
#pragma once

#include "report/view.h"

#define METRIC_ROWS 16 /* of one case, beyond that: least and greatest */

/**
 * struct metric - a number, or the value of an ordered enum
 * @row: what its row is called, raw bytes; NULL where the case has only one, or it is of all rows
 * @of_all: "min" or "max" of all rows; NULL else
 */
struct metric {
	const struct rs_fact *fact;
	const char *row;
	const char *of_all;
	const struct value *value;
};

/**
 * metrics_of - the metrics of a case one after the other: what an expectation gated and is ordered; of a table of one
 * row every number that does not name the row
 */
void metrics_of(const struct plan_step *plan, const struct result_case *item,
		void (*take)(void *user, const struct metric *metric), void *user);
