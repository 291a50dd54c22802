/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: what two observations of the same counters come to */
#pragma once

#include "judge/table.h"

/**
 * observation_difference - a new observation like @after, whose counters say how much they rose since @before
 *
 * Rows belong together by their key facts. A counter is not observed, with the reason, where it stands at its maximum,
 * went down (somebody cleared it), or has nothing before to be compared with; a row that is gone is kept with none of
 * its counters observed. Where one of the two could not be observed, the difference cannot, for that reason.
 */
struct observation *observation_difference(const struct observation *before, const struct observation *after);
