/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the waivers of a run, and which of them end soon: whoever asked for one has to hear of it before it gates
 * again. Private to the room. */
#pragma once

#include "report/view.h"

#define WAIVERS_SOON 30 /* days */

/**
 * struct waiver_use - the waiver of a step that was run
 * @endless: it has no last day; @days is LONG_MAX then
 * @days: from the day (UTC) on which the run began to its last day: 0: it ends with that day; negative: it is over
 * @holds: it covers a fail of this run
 * @can_go: the step passed, so that there is nothing left to be waived
 */
struct waiver_use {
	const struct result_step *step;
	const struct scenario_waiver *waiver;
	bool endless;
	long days;
	bool holds, can_go;
};

/** waivers_of - those of all steps, what ends first first; returns how many, *list is to be freed */
size_t waivers_of(const struct result *result, struct waiver_use **list);

/** waiver_is_soon - it ends within WAIVERS_SOON days, or has ended */
static inline bool waiver_is_soon(const struct waiver_use *use)
{
	return use->days <= WAIVERS_SOON;
}

/** waiver_days - "ended 3 days ago", "ends today", "ends in 12 days", "has no end" */
void waiver_days(struct buf *out, const struct waiver_use *use);
