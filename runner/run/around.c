/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Steps around others: they read counters, then those others are let go; when the last of these is done they read the
 * counters again, and what is judged is the difference.
 */
#include <stdlib.h>

#include "judge/difference.h"
#include "run/internal.h"

void around_let_go(struct step *step)
{
	for (size_t i = 0; i < step->plan->naround; i++)
		step_waited(&step->run->steps[step->plan->around[i]]);
}

void around_unit_read(struct unit *unit)
{
	struct step *step = unit->waiter.step;

	if (!step_compares(step) || unit->phase != PHASE_BEFORE)
		return;
	unit->phase = PHASE_BETWEEN;
	if (!--step->befores)
		around_let_go(step);
}

void around_arrived(struct unit *unit, struct observation *observation)
{
	struct observation *difference;
	double seconds;

	if (unit->phase == PHASE_BEFORE) {
		unit->before = observation;
		around_unit_read(unit);
		return;
	}
	difference = observation_difference(unit->before, observation);
	seconds = difference->seconds;
	observation_unref(observation);
	step_unit_in(unit, difference, seconds);
}

/* What could not be read before is not asked again: the difference would be worth nothing. */
static void read_again(struct step *step)
{
	for (size_t i = 0; i < step->nunits; i++) {
		struct unit *unit = &step->units[i];

		if (unit->state != UNIT_RUNNING)
			continue;
		unit->phase = PHASE_AFTER;
		if (unit->before->error)
			step_unit_in(unit, observation_difference(unit->before, NULL), unit->before->seconds);
		else
			step_ask(step, unit);
	}
}

static const struct step *one_that_did_not_run(const struct step *step)
{
	for (size_t i = 0; i < step->plan->naround; i++)
		if (!step->run->steps[step->plan->around[i]].ran)
			return &step->run->steps[step->plan->around[i]];
	return NULL;
}

static void go_on(struct step *step)
{
	const struct step *missing = one_that_did_not_run(step);
	char *why;

	if (step->run->result->signal) {
		step_not_run(step);
	} else if (missing) {
		why = xasprintf("around '%s', which did not run", missing->plan->step->id);
		step_skip(step, why);
		free(why);
	} else {
		read_again(step);
	}
}

void around_note(struct step *step)
{
	for (size_t i = 0; i < step->narounds; i++) {
		struct step *around = &step->run->steps[step->arounds[i]];

		if (!--around->around_left)
			go_on(around);
	}
}
