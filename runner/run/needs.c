/* SPDX-License-Identifier: BSD-2-Clause */
/* What a step came to, on each host and as a whole, and what that means for the steps that need it. */
#include <stdlib.h>

#include "run/internal.h"

/* Of several cases the worst counts. */
enum outcome { NO_CASE, PASSED, SKIPPED, WAIVED, ERROR, FAILED };

static enum outcome outcome_of(const struct result_case *item)
{
	switch (item->verdict) {
	case VERDICT_PASS:
		return PASSED;
	case VERDICT_FAIL:
		return FAILED;
	case VERDICT_ERROR:
		return ERROR;
	case VERDICT_WAIVED:
		return WAIVED;
	case VERDICT_SKIP:
		break;
	}
	return SKIPPED;
}

static void worsen(uint8_t *outcome, const struct result_case *item)
{
	uint8_t other = outcome_of(item);

	/* Of a host that is not there, as was expected, nothing is asked. */
	if (item->absent)
		return;
	if (*outcome < other)
		*outcome = other;
}

static void worsen_hosts(struct step *step, const struct plan_observe *observe, const struct result_case *item)
{
	worsen(&step->hosts[observe->host], item);
	if (observe->server != SIZE_MAX)
		worsen(&step->hosts[observe->server], item);
}

/* One byte a host, then the whole, then what was judged over all hosts. */
void needs_note(struct step *step)
{
	const struct plan *plan = step->run->plan;
	size_t units = step->nunits, runs = plan_runs(step->plan);
	uint8_t *whole, *across;

	if (!step->ndependents)
		return;
	step->hosts = xcalloc(plan->nhosts + 2, 1);
	whole = &step->hosts[plan->nhosts];
	across = whole + 1;
	for (size_t i = 0; i < step->result->ncases; i++) {
		const struct result_case *item = step_case(step, i);

		worsen(whole, item);
		if (i < units)
			worsen_hosts(step, &plan->observes[step->plan->parts[i / runs].observe], item);
		else
			worsen(across, item);
	}
}

static const char *what_it_did(uint8_t outcome)
{
	static const char *const words[] = {
		[NO_CASE] = "has nothing to observe", [SKIPPED] = "was skipped", [WAIVED] = "failed (waived)",
		[ERROR] = "could not be judged",      [FAILED] = "failed",
	};

	return words[outcome];
}

static char *unmet_on(const struct step *step, size_t host)
{
	const struct run *run = step->run;
	size_t nhosts = run->plan->nhosts;

	for (size_t i = 0; i < step->plan->nneeds; i++) {
		const struct step *need = &run->steps[step->plan->needs[i]];
		const char *name = need->plan->step->id ? need->plan->step->id : need->plan->step->name;
		uint8_t whole = need->hosts[nhosts], across = need->hosts[nhosts + 1], here = need->hosts[host];

		if (here == NO_CASE && whole != PASSED)
			return xasprintf("needs '%s', which %s", name, what_it_did(whole));
		if (here > PASSED)
			return xasprintf("needs '%s', which %s on %s", name, what_it_did(here),
					 run->hosts[host].scenario->name);
		if (here == PASSED && across > PASSED)
			return xasprintf("needs '%s', which %s over all hosts", name, what_it_did(across));
	}
	return NULL;
}

char *need_unmet(const struct step *step, const struct plan_part *part)
{
	const struct plan_observe *observe = &step->run->plan->observes[part->observe];
	char *why = unmet_on(step, observe->host);

	return why || observe->server == SIZE_MAX ? why : unmet_on(step, observe->server);
}
