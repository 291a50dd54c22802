/* SPDX-License-Identifier: BSD-2-Clause */
/* Units of a step that are one operation: it begins when each of them asks for its observation, or no longer will. */
#include "run/internal.h"

/** struct gather - of one group and run: units that may still come, and the group of those that came */
struct gather {
	size_t to_come;
	struct group *group;
};

static struct gather *gather_of(struct step *step, size_t index)
{
	size_t runs = plan_runs(step->plan);
	uint32_t group = step->plan->parts[index / runs].group;

	return group ? &step->gathers[(group - 1) * runs + index % runs] : NULL;
}

void gathers_init(struct step *step)
{
	size_t count = (size_t)step->plan->groups * plan_runs(step->plan);

	if (count)
		step->gathers = arena_alloc(&step->run->arena, count * sizeof(*step->gathers));
}

void gathers_begin(struct step *step)
{
	for (size_t i = 0; step->gathers && i < step->nunits; i++) {
		if (step->units[i].state != UNIT_TO_COME)
			continue;
		step->units[i].gathered = false;
		gather_of(step, i)->to_come++;
	}
}

void gather_leave(struct unit *unit)
{
	struct step *step = unit->waiter.step;
	struct gather *gather = step->gathers ? gather_of(step, unit->waiter.unit) : NULL;
	struct group *group;

	if (!gather || unit->gathered)
		return;
	unit->gathered = true;
	if (--gather->to_come || !gather->group)
		return;
	group = gather->group;
	gather->group = NULL;
	group_queue(group);
}

void gather_join(struct unit *unit, struct operation *operation)
{
	struct gather *gather = gather_of(unit->waiter.step, unit->waiter.unit);

	if (!gather->group)
		gather->group = group_new();
	group_add(gather->group, operation);
	gather_leave(unit);
}

/* A pair that is tried again takes its whole operation with it. */
void gathers_again(struct step *step)
{
	for (size_t i = 0; step->gathers && i < step->nunits; i++)
		if (step->units[i].again)
			gather_of(step, i)->to_come = 1;
	for (size_t i = 0; step->gathers && i < step->nunits; i++)
		step->units[i].again |= gather_of(step, i)->to_come && step->units[i].state != UNIT_SKIPPED;
	for (size_t i = 0; step->gathers && i < step->nunits; i++)
		gather_of(step, i)->to_come = 0;
}
