/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: cases of a step that say the same, so that they can be told once, with their hosts folded. Private to the room.
 */
#pragma once

#include "report/view.h"

#define GROUPS_KEPT 64 /* that differ in what they say; beyond that only the hosts are named */

/** struct case_group - cases of one outcome that say the same; @said NULL: whatever did not fit into GROUPS_KEPT */
struct case_group {
	enum outcome outcome;
	char *said;
	const struct result_case **cases;
	size_t count, capacity;
};

/** struct grouping - in the order in which they were first said */
struct grouping {
	struct case_group groups[GROUPS_KEPT + OUTCOMES];
	size_t count;
};

void grouping_make(struct grouping *grouping, const struct result_step *step);
void grouping_free(struct grouping *grouping);

/** grouping_worst - the outcome of the step: that of its worst case, a skip where it has none */
enum outcome grouping_worst(const struct grouping *grouping);

/** view_labels - the cases' labels as one short nodeset; a number of them where that gets long; harmless */
void view_labels(struct buf *out, const struct result_case *const *cases, size_t count);
