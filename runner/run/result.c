/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "run/result.h"

enum { STATUS_PASS, STATUS_FAIL, STATUS_UNJUDGED, STATUS_NOTHING };

/*
 * What failed is worth more than what could not be judged: the fabric is known to be wrong. A need that was not met
 * leaves its steps unjudged; where that is all that the run had, nothing was judged, as in an empty one.
 */
int result_exit_status(const struct result *result)
{
	bool failed = false, error = false, skipped = false;

	if (result->signal)
		return 128 + result->signal;
	for (size_t i = 0; i < result->nsteps; i++) {
		const struct result_step *step = &result->steps[i];

		for (size_t j = 0; j < step->ncases; j++) {
			const struct result_case *item = &step->cases[j];

			if (!item->gating)
				continue;
			failed |= item->verdict == VERDICT_FAIL;
			error |= item->verdict == VERDICT_ERROR;
			skipped |= item->verdict == VERDICT_SKIP;
		}
	}
	if (failed)
		return STATUS_FAIL;
	if (error || result->changes_left)
		return STATUS_UNJUDGED;
	if (!result->gating_judged)
		return STATUS_NOTHING;
	return skipped ? STATUS_UNJUDGED : STATUS_PASS;
}

bool result_waiver_holds(const struct scenario_waiver *waiver, time_t now)
{
	char today[sizeof("YYYY-MM-DD")];
	struct tm utc;

	if (!waiver->until)
		return true;
	gmtime_r(&now, &utc);
	strftime(today, sizeof(today), "%Y-%m-%d", &utc);
	return strcmp(today, waiver->until) <= 0;
}

static void case_free(struct result_case *item)
{
	for (size_t i = 0; i < item->nattempts; i++) {
		observation_unref(item->attempts[i].observation);
		judgement_free(&item->attempts[i].judgement);
	}
	free(item->attempts);
	free(item->reason);
	free(item->note);
}

void result_free(struct result *result)
{
	for (size_t i = 0; i < result->nsteps; i++)
		for (size_t j = 0; j < result->steps[i].ncases; j++)
			case_free(&result->steps[i].cases[j]);
	for (size_t i = 0; i < result->nrecords; i++)
		observation_unref(result->records[i].observation);
	free(result->records);
	strings_free(&result->absent);
	strings_free(&result->notes);
	free(result->hostname);
	free(result->simulated);
	arena_free(&result->arena);
	*result = (struct result){0};
}
