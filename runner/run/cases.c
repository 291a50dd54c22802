/* SPDX-License-Identifier: BSD-2-Clause */
/* The result tree, made before anything runs: every case that there will be has its name and its place. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "run/internal.h"

/** struct taken - names given so far, each together with its scenario: open addressing, at most half full */
struct taken {
	struct taken_name {
		const struct scenario *scenario;
		const char *name;
	} * slots;
	size_t size; /* a power of two */
};

/* FNV-1a */
static size_t hash(const struct scenario *scenario, const char *name)
{
	uint64_t value = UINT64_C(14695981039346656037) ^ (uintptr_t)scenario;

	for (; *name; name++)
		value = (value ^ (unsigned char)*name) * UINT64_C(1099511628211);
	return value ^ value >> 32;
}

/* The slot of that name, or the free one where it would go. */
static struct taken_name *slot(const struct taken *taken, const struct scenario *scenario, const char *name)
{
	size_t at = hash(scenario, name) & (taken->size - 1);

	while (taken->slots[at].name &&
	       (taken->slots[at].scenario != scenario || strcmp(taken->slots[at].name, name) != 0))
		at = (at + 1) & (taken->size - 1);
	return &taken->slots[at];
}

static const char *unique_name(struct taken *taken, struct arena *arena, const struct scenario *scenario,
			       const char *wanted)
{
	const char *name = wanted;
	struct taken_name *found = slot(taken, scenario, name);

	for (unsigned number = 2; found->name; number++) {
		name = arena_printf(arena, "%s #%u", wanted, number);
		found = slot(taken, scenario, name);
	}
	*found = (struct taken_name){scenario, name};
	return name;
}

static const char *case_name(struct arena *arena, const struct scenario_step *step, const char *label, unsigned run)
{
	const char *name = step->id ? step->id : step->name;
	bool labelled = *label;

	if (run)
		return arena_printf(arena, "%s%s%s%s run %u", name, labelled ? " [" : "", label, labelled ? "]" : "",
				    run);
	return labelled ? arena_printf(arena, "%s [%s]", name, label) : name;
}

bool step_across(const struct plan_step *step)
{
	const struct judge_spec *spec = step->nparts ? step->parts[0].spec : NULL;

	return spec && (spec->same.count || spec->unique.count);
}

static size_t cases_of(const struct plan_step *step)
{
	return plan_runs(step) * (step->nparts + step_across(step));
}

static void init_step(struct result *result, struct result_step *step, struct taken *taken)
{
	const struct plan_step *plan = step->plan;
	unsigned times = plan_runs(plan);

	step->ncases = cases_of(plan);
	step->cases = arena_alloc(&result->arena, (step->ncases + 1) * sizeof(*step->cases));
	for (size_t i = 0; i < step->ncases; i++) {
		struct result_case *item = &step->cases[i];

		item->across = i >= plan->nparts * times;
		item->label =
			item->across ? (plan->nparts > 1 ? "all hosts" : "all rows") : plan->parts[i / times].label;
		item->run = plan->step->repeat > 1 ? i % times + 1 : 0;
		item->raw = item->verdict = VERDICT_SKIP;
		item->gating = !plan->step->warning;
		item->name = unique_name(taken, &result->arena, plan->scenario,
					 case_name(&result->arena, plan->step, item->label, item->run));
	}
}

void cases_init(struct result *result, const struct plan *plan)
{
	struct taken taken = {.size = 16};
	size_t total = 0;

	for (size_t i = 0; i < plan->nsteps; i++)
		total += cases_of(&plan->steps[i]);
	while (taken.size < total * 2)
		taken.size *= 2;
	taken.slots = xcalloc(taken.size, sizeof(*taken.slots));
	result->plan = plan;
	result->nsteps = plan->nsteps;
	result->steps = arena_alloc(&result->arena, (plan->nsteps + 1) * sizeof(*result->steps));
	for (size_t i = 0; i < plan->nsteps; i++) {
		result->steps[i].plan = &plan->steps[i];
		init_step(result, &result->steps[i], &taken);
	}
	free(taken.slots);
}
