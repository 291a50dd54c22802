/* SPDX-License-Identifier: BSD-2-Clause */
/* From what a step's observations are to its verdicts, or to another try. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "judge/difference.h"
#include "run/internal.h"

/* Units that can be judged: in now, or from an attempt before that is not repeated (or was not, for a signal). */
static bool is_judgeable(const struct unit *unit)
{
	return unit->observation && !unit->why && unit->state != UNIT_SKIPPED;
}

/** struct held - units put before the judge together */
struct held {
	struct observation **references;
	struct judge_part *parts;
	struct judgement *judgements;
	size_t *units;
	size_t count;
};

static struct observation *refer(const struct step *step, size_t index, enum record_phase phase)
{
	const struct run *run = step->run;
	const struct run_replay *baseline = run->options->baseline;
	const struct plan_part *part = &step->plan->parts[index / plan_runs(step->plan)];
	const struct rs_source *source = run->plan->observes[part->observe].source;
	const struct result_record record = {
		.observe = part->observe,
		.step = step->plan,
		.run = index % plan_runs(step->plan) + 1,
		.phase = phase,
	};

	return baseline->refer(baseline->user, run->plan, &record, UINT32_C(1) << (part->spec->probe - source->probes));
}

/* What a unit is held against: the same observation of the recorded run, or the same difference of two. */
static struct observation *reference_of(const struct step *step, size_t index)
{
	const struct plan_part *part = &step->plan->parts[index / plan_runs(step->plan)];
	struct observation *before, *after, *difference = NULL;

	if (!step->run->options->baseline || !judge_needs_baseline(part->spec))
		return NULL;
	if (!step_compares(step))
		return refer(step, index, RECORD_TABLE);
	before = refer(step, index, RECORD_BEFORE);
	after = refer(step, index, RECORD_AFTER);
	if (before && after)
		difference = observation_difference(before, after);
	observation_unref(before);
	observation_unref(after);
	return difference;
}

/* @run: the units of that run only; UINT_MAX: of all */
static struct held hold(const struct step *step, unsigned run)
{
	struct held held = {0};

	held.parts = xcalloc(step->nunits + 1, sizeof(*held.parts));
	held.judgements = xcalloc(step->nunits + 1, sizeof(*held.judgements));
	held.units = xcalloc(step->nunits + 1, sizeof(*held.units));
	held.references = xcalloc(step->nunits + 1, sizeof(struct observation *));
	for (size_t i = 0; i < step->nunits; i++) {
		const struct plan_part *part = &step->plan->parts[i / plan_runs(step->plan)];

		if (!is_judgeable(&step->units[i]) || (run != UINT_MAX && i % plan_runs(step->plan) != run))
			continue;
		held.units[held.count] = i;
		held.references[held.count] = reference_of(step, i);
		held.parts[held.count] = (struct judge_part){
			.label = part->label,
			.observation = step->units[i].observation,
			.reference = held.references[held.count],
			.spec = part->spec,
		};
		held.count++;
	}
	return held;
}

static void let_go(struct held *held)
{
	for (size_t i = 0; i < held->count; i++)
		observation_unref(held->references[i]);
	free(held->references);
	free(held->parts);
	free(held->judgements);
	free(held->units);
}

static struct result_attempt *add_attempt(struct result_case *item)
{
	/* Few of many steps are tried again: one by one. */
	item->attempts = xrealloc(item->attempts, item->nattempts + 1, sizeof(*item->attempts));
	item->attempts[item->nattempts] = (struct result_attempt){0};
	return &item->attempts[item->nattempts++];
}

/* What is judged anew without having been observed anew (a median has moved) replaces what was said before. */
static void set_judgement(struct step *step, size_t index, struct judgement *judgement)
{
	struct result_case *item = step_case(step, index);
	struct unit *unit = &step->units[index];
	struct result_attempt *attempt;

	if (unit->state == UNIT_IN || !item->nattempts) {
		attempt = add_attempt(item);
		attempt->observation = observation_ref(unit->observation);
		attempt->seconds = unit->seconds;
	} else {
		attempt = &item->attempts[item->nattempts - 1];
		judgement_free(&attempt->judgement);
	}
	attempt->judgement = *judgement;
	item->raw = judgement->verdict;
}

static void set_across(struct step *step, unsigned run, struct judgement *judgement)
{
	struct result_case *item = step_case(step, step->nunits + run);

	if (!item->nattempts)
		add_attempt(item);
	judgement_free(&item->attempts[0].judgement);
	item->attempts[0].judgement = *judgement;
	item->raw = judgement->verdict;
}

/* One that its condition kept from being observed, because that could not be judged. */
static void set_error(struct step *step, size_t index)
{
	struct result_case *item = step_case(step, index);
	struct unit *unit = &step->units[index];
	struct result_attempt *attempt;

	attempt = add_attempt(item);
	attempt->judgement.verdict = VERDICT_ERROR;
	attempt->judgement.sentence = xstrdup(unit->why);
	item->raw = VERDICT_ERROR;
}

/* Over all hosts only what is whole can be judged: one that is missing might be the one that differs. */
static bool skip_across(struct step *step, unsigned run)
{
	struct result_case *item = step_case(step, step->nunits + run);
	const struct result_case *skipped = NULL;
	bool gating = false, judged = false;

	for (size_t i = run; i < step->nunits; i += plan_runs(step->plan)) {
		const struct unit *unit = &step->units[i];

		if (unit->state == UNIT_NOT_RUN && !unit->observation)
			return true;
		judged |= is_judgeable(unit) || unit->why;
		if (unit->state != UNIT_SKIPPED)
			continue;
		skipped = skipped ? skipped : step_case(step, i);
		gating |= step_case(step, i)->gating;
	}
	if (judged || !skipped)
		return false;
	free(item->reason);
	item->reason = xstrdup(skipped->reason);
	item->gating = gating;
	return true;
}

static bool has_error_of_condition(const struct step *step, unsigned run)
{
	for (size_t i = run; i < step->nunits; i += plan_runs(step->plan))
		if (step->units[i].why)
			return true;
	return false;
}

static void judge_across(struct step *step, unsigned run, struct judgement *across)
{
	if (has_error_of_condition(step, run)) {
		judgement_free(across);
		*across = (struct judgement){.verdict = VERDICT_ERROR};
		across->sentence = xstrdup("not every observation was made: the condition of one cannot be judged");
	}
	if (skip_across(step, run)) {
		judgement_free(across);
		step_case(step, step->nunits + run)->raw = VERDICT_SKIP;
		return;
	}
	set_across(step, run, across);
}

/* Every run by itself, but for the medians: those are of all runs. */
static void judge_runs_across(struct step *step)
{
	for (unsigned run = 0; run < plan_runs(step->plan); run++) {
		struct held held = hold(step, run);
		struct judgement across = {0};

		judge_step(held.parts, held.count, held.judgements, &across);
		for (size_t i = 0; i < held.count; i++)
			judgement_free(&held.judgements[i]);
		judge_across(step, run, &across);
		let_go(&held);
	}
}

static void judge_units(struct step *step)
{
	struct held held = hold(step, UINT_MAX);
	struct judgement across = {0};

	judge_step(held.parts, held.count, held.judgements, &across);
	for (size_t i = 0; i < held.count; i++)
		set_judgement(step, held.units[i], &held.judgements[i]);
	if (step_across(step->plan) && plan_runs(step->plan) == 1)
		judge_across(step, 0, &across);
	else
		judgement_free(&across);
	let_go(&held);
	if (step_across(step->plan) && plan_runs(step->plan) > 1)
		judge_runs_across(step);
	for (size_t i = 0; i < step->nunits; i++)
		if (step->units[i].why && step->units[i].state == UNIT_IN)
			set_error(step, i);
}

static bool is_bad(enum verdict verdict)
{
	return verdict == VERDICT_FAIL || verdict == VERDICT_ERROR;
}

/* The hosts concerned: those that failed, or all where the step holds them against each other. */
static bool mark_again(struct step *step)
{
	bool any = false, all = step_across(step->plan);

	for (size_t i = 0; i < step->result->ncases; i++)
		any |= is_bad(step_case(step, i)->raw);
	for (size_t i = 0; i < step->nunits; i++) {
		struct unit *unit = &step->units[i];

		unit->again = any && unit->state != UNIT_SKIPPED && (all || is_bad(step_case(step, i)->raw));
		if (unit->state == UNIT_IN)
			unit->state = UNIT_IDLE;
	}
	gathers_again(step);
	return any;
}

void step_judge(struct step *step)
{
	struct run *run = step->run;

	if (step->nunits)
		judge_units(step);
	if (mark_again(step) && step->attempt < step->plan->step->retries && !run->result->signal)
		step_retry(step);
	else
		step_conclude(step);
}

/* ---- The end of a step ---- */

static void waive(struct step *step, struct result_case *item)
{
	const struct scenario_waiver *waiver = step->plan->step->waive;

	if (!waiver || item->raw != VERDICT_FAIL)
		return;
	if (!result_waiver_holds(waiver, (time_t)step->run->result->started)) {
		item->note = xasprintf("its waiver (%s) ended on %s", waiver->reason, waiver->until);
		return;
	}
	item->verdict = VERDICT_WAIVED;
	item->gating = false;
	item->reason =
		waiver->until ? xasprintf("%s (until %s)", waiver->reason, waiver->until) : xstrdup(waiver->reason);
}

/* What was only observed is worth showing, but nothing was held against it: it is no pass that a run could live on. */
static void relax(const struct step *step, struct result_case *item)
{
	if (item->verdict == VERDICT_PASS && step->plan->step->probe.spec.observe_only)
		item->gating = false;
}

static void count(struct result *result, const struct result_case *item)
{
	size_t *const counters[] = {
		[VERDICT_PASS] = &result->passed,   [VERDICT_FAIL] = &result->failed,
		[VERDICT_ERROR] = &result->errors,  [VERDICT_SKIP] = &result->skipped,
		[VERDICT_WAIVED] = &result->waived,
	};

	++*counters[item->verdict];
	result->gating_judged += item->gating && (item->verdict == VERDICT_PASS || item->verdict == VERDICT_FAIL);
}

static void conclude_case(struct step *step, struct result_case *item, bool not_run)
{
	struct result *result = step->run->result;

	if (not_run) {
		item->raw = VERDICT_SKIP;
		free(item->reason);
		item->reason =
			xasprintf("not run: interrupted by signal %d (%s)", result->signal, strsignal(result->signal));
	}
	item->verdict = item->raw;
	if (item->raw != VERDICT_SKIP || not_run)
		item->gating = !step->plan->step->warning;
	waive(step, item);
	for (size_t i = 0; i < item->nattempts; i++)
		item->seconds += item->attempts[i].seconds;
	relax(step, item);
	count(result, item);
}

/* A step that was judged nowhere, because too many hosts are absent, was not judged: that counts as any skip does. */
static void count_absences(struct step *step)
{
	for (size_t i = 0; i < step->nunits; i++)
		if (!step_case(step, i)->absent)
			return;
	for (size_t i = 0; i < step->nunits; i++)
		if (!absence_optional(step->run, &step->plan->parts[i / plan_runs(step->plan)]))
			step_case(step, i)->gating = !step->plan->step->warning;
}

static void conclude_cases(struct step *step)
{
	bool passed = step->result->ncases > 0;

	for (size_t i = 0; i < step->result->ncases; i++) {
		struct result_case *item = step_case(step, i);
		bool skipped = i < step->nunits ? step->units[i].state == UNIT_SKIPPED
						: item->raw == VERDICT_SKIP && item->reason;

		conclude_case(step, item, !item->nattempts && !skipped);
		step->ran |= item->nattempts > 0;
		passed &= item->verdict == VERDICT_PASS;
	}
	count_absences(step);
	if (passed && step->plan->step->waive)
		step_case(step, 0)->note = xstrdup("the waiver can go: the step passes");
}

static void free_units(struct step *step)
{
	for (size_t i = 0; i < step->nunits; i++) {
		struct unit *unit = &step->units[i];

		observation_unref(unit->observation);
		observation_unref(unit->before);
		free(unit->why);
		unit->observation = unit->before = NULL;
		unit->why = NULL;
	}
}

void step_conclude(struct step *step)
{
	struct run *run = step->run;

	conclude_cases(step);
	free_units(step);
	step->done = true;
	if (step->result->started > 0)
		step->result->seconds = run_now() - step->result->started;
	needs_note(step);
	run->steps_left--;
	run->cases_done += step->result->ncases;
	run->units_out -= step->nunits;
	if (run->options->step_done)
		run->options->step_done(run->options->user, run->result, step->result);
	for (size_t i = 0; i < step->ndependents; i++)
		step_waited(&run->steps[step->dependents[i]]);
	around_note(step);
}
