/* SPDX-License-Identifier: BSD-2-Clause */
/* Steps: from what they need to the last of their observations. */
#include <stdlib.h>

#include "run/internal.h"

static struct unit *first_unit(const struct step *step, size_t part)
{
	return &step->units[part * plan_runs(step->plan)];
}

static bool is_retry(const struct step *step)
{
	return step->attempt > 0;
}

/* Whether an observation that others made, or will use, will do. */
static bool may_share(const struct step *step, const struct rs_source *source)
{
	return !step->plan->step->fresh && !step_compares(step) && !is_retry(step) && plan_runs(step->plan) == 1 &&
	       source->scope != RS_PAIR && !(source->flags & (RS_EXCLUSIVE | RS_CHANGES));
}

static uint32_t probe_bit(const struct rs_source *source, const struct rs_probe *probe)
{
	return UINT32_C(1) << (probe - source->probes);
}

static void ask(struct step *step, struct unit *unit, size_t observe, const struct rs_probe *probe, bool when)
{
	const struct rs_source *source = step->run->plan->observes[observe].source;
	/* The condition of a step is looked at once for all its runs, and is nothing that could not be shared. */
	bool share = when ? !step->plan->step->fresh && !is_retry(step) && !(source->flags & RS_CHANGES)
			  : may_share(step, source);

	if (!(step->result->started > 0))
		step->result->started = run_now();
	unit->waiter.when = when;
	if (!when && step->plan->parts[unit->waiter.unit / plan_runs(step->plan)].group) {
		gather_join(unit, operation_alone(step->run, observe, probe_bit(source, probe),
						  step->plan->step->timeout_ms, &unit->waiter));
		return;
	}
	operation_ask(step->run, observe, probe_bit(source, probe), step->plan->step->timeout_ms, !share,
		      &unit->waiter);
}

static void unit_out(struct unit *unit, enum unit_state state)
{
	unit->state = state;
	gather_leave(unit);
	unit->waiter.step->run->units_out++;
	around_unit_read(unit);
	if (!--unit->waiter.step->outstanding)
		STAILQ_INSERT_TAIL(&unit->waiter.step->run->ready, unit->waiter.step, ready);
}

/* The runs of a part follow one another. */
static void next_run(struct step *step, size_t part)
{
	const struct plan_part *plan = &step->plan->parts[part];
	struct unit *unit = first_unit(step, part), *end = unit + plan_runs(step->plan);

	while (unit < end && unit->state != UNIT_TO_COME)
		unit++;
	if (unit == end)
		return;
	unit->state = UNIT_RUNNING;
	ask(step, unit, plan->observe, plan->spec->probe, false);
}

/* All runs of a part that were still to come end the same way. */
static void part_out(struct step *step, size_t part, enum unit_state state)
{
	struct unit *unit = first_unit(step, part);

	for (unsigned run = 0; run < plan_runs(step->plan); run++, unit++)
		if (unit->state == UNIT_TO_COME || unit->state == UNIT_RUNNING)
			unit_out(unit, state);
}

static void part_begin(struct step *step, size_t part, bool conditionally)
{
	const struct plan_part *plan = &step->plan->parts[part];
	struct unit *unit = first_unit(step, part);

	if (!conditionally || plan->when == SIZE_MAX) {
		next_run(step, part);
		return;
	}
	while (unit->state != UNIT_TO_COME)
		unit++;
	unit->state = UNIT_RUNNING;
	ask(step, unit, plan->when, plan->when_spec->probe, true);
}

static void part_skip(struct step *step, size_t part, const char *why, bool gating)
{
	size_t first = part * plan_runs(step->plan);

	for (size_t i = first; i < first + plan_runs(step->plan); i++) {
		struct result_case *item = step_case(step, i);

		item->verdict = item->raw = VERDICT_SKIP;
		item->gating = gating && !step->plan->step->warning;
		free(item->reason);
		item->reason = xstrdup(why);
	}
	part_out(step, part, UNIT_SKIPPED);
}

/* On a host whose absence is expected. */
static bool part_absent(struct step *step, size_t part)
{
	char *why = absence_excuse(step->run, &step->plan->parts[part]);
	size_t first = part * plan_runs(step->plan);

	if (!why)
		return false;
	for (size_t i = first; i < first + plan_runs(step->plan); i++)
		step_case(step, i)->absent = true;
	part_skip(step, part, why, false);
	free(why);
	return true;
}

static void part_start(struct step *step, size_t part)
{
	const struct plan_part *plan = &step->plan->parts[part];
	char *why;

	if (step->run->result->signal) {
		part_out(step, part, UNIT_NOT_RUN);
		return;
	}
	if (part_absent(step, part))
		return;
	why = need_unmet(step, plan);
	if (why)
		part_skip(step, part, why, true);
	else
		part_begin(step, part, true);
	free(why);
}

void step_start(struct step *step)
{
	struct run *run = step->run;
	size_t parts = step->plan->nparts;

	step->outstanding = step->nunits;
	step->befores = step_compares(step) ? step->nunits : 0;
	for (size_t i = 0; i < step->nunits; i++)
		step->units[i].state = UNIT_TO_COME;
	gathers_begin(step);
	for (size_t part = 0; part < parts; part++)
		part_start(step, part);
	if (step->nunits)
		return;
	STAILQ_INSERT_TAIL(&run->ready, step, ready);
	if (step_compares(step))
		around_let_go(step);
}

void step_ask(struct step *step, struct unit *unit)
{
	const struct plan_part *plan = &step->plan->parts[unit->waiter.unit / plan_runs(step->plan)];

	ask(step, unit, plan->observe, plan->spec->probe, false);
}

void step_skip(struct step *step, const char *why)
{
	for (size_t part = 0; part < step->plan->nparts; part++)
		if (first_unit(step, part)->state == UNIT_RUNNING)
			part_skip(step, part, why, true);
}

void step_not_run(struct step *step)
{
	for (size_t part = 0; part < step->plan->nparts; part++)
		part_out(step, part, UNIT_NOT_RUN);
}

void step_waited(struct step *step)
{
	if (!--step->waits)
		step_start(step);
}

/* ---- What comes in ---- */

static void condition_arrived(struct step *step, struct unit *unit, size_t part)
{
	const struct plan_part *plan = &step->plan->parts[part];
	struct observation *observation = unit->waiter.observation;
	const char *probe = plan->when_spec->probe->name;
	char *why = NULL;
	int keeps = judge_keeps_rows(plan->when_spec, observation, &why);

	observation_unref(observation);
	unit->state = UNIT_TO_COME;
	if (keeps > 0) {
		next_run(step, part);
		return;
	}
	if (!keeps) {
		char *reason = xasprintf("its condition does not hold: %s has no such row", probe);

		part_skip(step, part, reason, false);
		free(reason);
		return;
	}
	unit = first_unit(step, part);
	for (unsigned run = 0; run < plan_runs(step->plan); run++, unit++) {
		if (unit->state != UNIT_TO_COME)
			continue;
		free(unit->why);
		unit->why = xasprintf("its condition cannot be judged: %s", why ? why : probe);
	}
	free(why);
	part_out(step, part, UNIT_IN);
}

void step_unit_in(struct unit *unit, struct observation *observation, double seconds)
{
	free(unit->why);
	unit->why = NULL;
	observation_unref(unit->observation);
	unit->observation = observation;
	unit->seconds = seconds;
	unit_out(unit, UNIT_IN);
}

void step_arrived(struct waiter *waiter)
{
	struct step *step = waiter->step;
	struct unit *unit = &step->units[waiter->unit];
	size_t part = waiter->unit / plan_runs(step->plan);

	if (!waiter->observation) {
		part_out(step, part, UNIT_NOT_RUN);
		return;
	}
	if (waiter->observation->error && part_absent(step, part)) {
		observation_unref(waiter->observation);
		return;
	}
	if (waiter->when) {
		condition_arrived(step, unit, part);
		return;
	}
	if (step_compares(step)) {
		around_arrived(unit, waiter->observation);
		return;
	}
	step_unit_in(unit, waiter->observation, waiter->shared ? 0 : waiter->observation->seconds);
	next_run(step, part);
}

/* ---- Another try ---- */

static void retry_parts(struct step *step)
{
	for (size_t part = 0; part < step->plan->nparts; part++) {
		struct unit *unit = first_unit(step, part);
		bool again = false, conditionally = false;

		for (unsigned run = 0; run < plan_runs(step->plan); run++, unit++) {
			if (!unit->again)
				continue;
			again = true;
			conditionally |= unit->why != NULL;
		}
		if (again)
			part_begin(step, part, conditionally);
	}
}

static void on_delay(uv_timer_t *timer)
{
	struct step *step = timer->data;

	uv_close((uv_handle_t *)timer, run_timer_free);
	step->delay = NULL;
	retry_parts(step);
	run_pump(step->run);
}

void step_retry(struct step *step)
{
	step->attempt++;
	step->outstanding = 0;
	for (size_t i = 0; i < step->nunits; i++) {
		if (!step->units[i].again)
			continue;
		step->units[i].state = UNIT_TO_COME;
		step->outstanding++;
	}
	step->run->units_out -= step->outstanding;
	gathers_begin(step);
	if (!step->plan->step->delay_ms || step->run->options->replay) {
		retry_parts(step);
		return;
	}
	step->delay = xcalloc(1, sizeof(*step->delay));
	uv_timer_init(&step->run->loop, step->delay);
	step->delay->data = step;
	uv_timer_start(step->delay, on_delay, step->plan->step->delay_ms, 0);
}

void steps_interrupt(struct run *run)
{
	for (size_t i = 0; i < run->plan->nsteps; i++) {
		struct step *step = &run->steps[i];

		if (!step->delay)
			continue;
		uv_close((uv_handle_t *)step->delay, run_timer_free);
		step->delay = NULL;
		step_not_run(step);
	}
}

/* ---- All of them ---- */

static void init_lists(struct run *run)
{
	const struct plan *plan = run->plan;
	size_t total = 0, *at;

	for (size_t i = 0; i < plan->nsteps; i++)
		total += run->steps[i].ndependents + run->steps[i].narounds;
	at = arena_alloc(&run->arena, (total + 1) * sizeof(*at));
	for (size_t i = 0; i < plan->nsteps; i++) {
		struct step *step = &run->steps[i];

		step->dependents = at;
		step->arounds = at + step->ndependents;
		at += step->ndependents + step->narounds;
		step->ndependents = step->narounds = 0;
	}
}

/* Who waits for whom, the other way round than the plan says it. */
static void init_waits(struct run *run)
{
	const struct plan *plan = run->plan;

	for (size_t i = 0; i < plan->nsteps; i++) {
		run->steps[i].waits += plan->steps[i].nneeds;
		run->steps[i].around_left = plan->steps[i].naround;
		for (size_t j = 0; j < plan->steps[i].nneeds; j++)
			run->steps[plan->steps[i].needs[j]].ndependents++;
		for (size_t j = 0; j < plan->steps[i].naround; j++) {
			run->steps[plan->steps[i].around[j]].narounds++;
			run->steps[plan->steps[i].around[j]].waits++;
		}
	}
	init_lists(run);
	for (size_t i = 0; i < plan->nsteps; i++) {
		for (size_t j = 0; j < plan->steps[i].nneeds; j++) {
			struct step *need = &run->steps[plan->steps[i].needs[j]];

			((size_t *)need->dependents)[need->ndependents++] = i;
		}
		for (size_t j = 0; j < plan->steps[i].naround; j++) {
			struct step *within = &run->steps[plan->steps[i].around[j]];

			((size_t *)within->arounds)[within->narounds++] = i;
		}
	}
}

static void init_timeouts(struct run *run, const struct plan_step *plan)
{
	for (size_t i = 0; i < plan->nparts; i++) {
		const size_t observes[] = {plan->parts[i].observe, plan->parts[i].when};

		for (int j = 0; j < 2; j++)
			if (observes[j] != SIZE_MAX && run->timeouts[observes[j]] < plan->step->timeout_ms)
				run->timeouts[observes[j]] = plan->step->timeout_ms;
	}
}

void steps_init(struct run *run)
{
	const struct plan *plan = run->plan;

	STAILQ_INIT(&run->ready);
	STAILQ_INIT(&run->arrived);
	run->shared = xcalloc(plan->nobserves + 1, sizeof(*run->shared));
	run->timeouts = xcalloc(plan->nobserves + 1, sizeof(*run->timeouts));
	run->made = xcalloc(plan->nobserves + 1, sizeof(*run->made));
	run->steps = arena_alloc(&run->arena, (plan->nsteps + 1) * sizeof(*run->steps));
	run->steps_left = plan->nsteps;
	for (size_t i = 0; i < plan->nsteps; i++) {
		struct step *step = &run->steps[i];

		step->run = run;
		step->plan = &plan->steps[i];
		step->result = &run->result->steps[i];
		step->nunits = step->plan->nparts * plan_runs(step->plan);
		step->units = arena_alloc(&run->arena, (step->nunits + 1) * sizeof(*step->units));
		for (size_t j = 0; j < step->nunits; j++)
			step->units[j].waiter = (struct waiter){.step = step, .unit = j};
		gathers_init(step);
		init_timeouts(run, step->plan);
	}
	init_waits(run);
}

void steps_begin(struct run *run)
{
	for (size_t i = 0; i < run->plan->nsteps; i++)
		if (!run->plan->steps[i].nneeds && !run->steps[i].narounds)
			step_start(&run->steps[i]);
}

void steps_free(struct run *run)
{
	struct waiter *waiter;

	/* What came after the run had failed. */
	while ((waiter = STAILQ_FIRST(&run->arrived))) {
		STAILQ_REMOVE_HEAD(&run->arrived, next);
		observation_unref(waiter->observation);
	}
	for (size_t i = 0; i < run->plan->nsteps; i++) {
		struct step *step = &run->steps[i];

		for (size_t j = 0; j < step->nunits; j++) {
			observation_unref(step->units[j].observation);
			observation_unref(step->units[j].before);
			free(step->units[j].why);
		}
		free(step->hosts);
	}
}
