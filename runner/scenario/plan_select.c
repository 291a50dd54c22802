/* SPDX-License-Identifier: BSD-2-Clause */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "scenario/planner.h"

/* struct pattern_list - one kind of filter, and which of its patterns matched anything */
struct pattern_list {
	const struct strings *patterns;
	bool *used;
};

struct selection {
	struct planner *planner;
	size_t total;
	struct pattern_list tags, skip_tags, steps;
	bool *chosen;	    /* by the filter itself */
	uint32_t *order;    /* numbers of steps, in the plan's order */
	uint32_t *position; /* of a number in that order, from 1; 0: not in it */
	size_t count;
};

static const struct scenario_step *step_at(const struct planner *planner, size_t number)
{
	size_t owner = planner->owner[number];

	return &planner->scenarios[owner]->steps[number - planner->first[owner]];
}

/* A name may hold brackets: it matches itself, whatever it means as a pattern. */
static bool matches(const char *pattern, const char *text)
{
	return text && (!strcmp(pattern, text) || fnmatch(pattern, text, 0) == 0);
}

static bool has_tag(const struct pattern_list *list, const struct scenario_step *step)
{
	bool found = false;

	for (size_t i = 0; i < list->patterns->count; i++)
		for (size_t j = 0; j < step->ntags; j++)
			if (!strcmp(list->patterns->items[i], step->tags[j]))
				found = list->used[i] = true;
	return found;
}

static bool is_called(const struct pattern_list *list, const struct scenario_step *step)
{
	bool found = false;

	for (size_t i = 0; i < list->patterns->count; i++)
		if (matches(list->patterns->items[i], step->id) || matches(list->patterns->items[i], step->name))
			found = list->used[i] = true;
	return found;
}

static void choose(struct selection *selection)
{
	for (size_t i = 0; i < selection->total; i++) {
		const struct scenario_step *step = step_at(selection->planner, i);
		bool tagged = has_tag(&selection->tags, step) || !selection->tags.patterns->count;
		bool skipped = has_tag(&selection->skip_tags, step);
		bool called = is_called(&selection->steps, step) || !selection->steps.patterns->count;

		selection->chosen[i] = tagged && !skipped && called;
	}
}

/* The tag, or the id or name, of any step that is most like @text. */
static const char *like(const struct selection *selection, const char *text, bool tag)
{
	AUTO_FREE const char **known = NULL;
	size_t count = 0, capacity = 0;

	for (size_t i = 0; i < selection->total; i++) {
		const struct scenario_step *step = step_at(selection->planner, i);

		for (size_t j = 0; j < (tag ? step->ntags : 2); j++) {
			GROW(known, count, capacity);
			known[count++] = tag ? step->tags[j] : j ? step->name : step->id;
		}
	}
	return suggest(text, known, count);
}

/* A pattern that nothing matches is a typing error, which would leave out (or run) what was not meant. */
static void check_used(struct selection *selection, const struct pattern_list *list, const char *option, bool tag)
{
	struct diags *diags = selection->planner->diags;

	for (size_t i = 0; i < list->patterns->count; i++) {
		const char *pattern = list->patterns->items[i], *near;

		if (list->used[i])
			continue;
		near = like(selection, pattern, tag);
		if (list == &selection->skip_tags)
			diags_warning(diags, NO_PLACE, "%s: no step has the tag '%s'%s%s%s", option, pattern,
				      near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
		else
			diags_error(diags, NO_PLACE, "%s: no step %s '%s'%s%s%s", option,
				    tag ? "has the tag" : "is called", pattern, near ? "; did you mean '" : "",
				    near ? near : "", near ? "'?" : "");
	}
}

struct visit {
	uint32_t number;
	uint32_t next; /* of its needs, then of those that it is around */
};

static uint32_t prior(const struct scenario_step *step, uint32_t number)
{
	return number < step->nneeds ? step->need_steps[number] : step->around_steps[number - step->nneeds];
}

/* @start behind all that it needs or is around. There are no cycles: that was checked when they were read. */
static void order_from(struct selection *selection, struct visit *path, bool *seen, uint32_t start)
{
	const struct planner *planner = selection->planner;
	size_t length = 0;

	if (seen[start])
		return;
	seen[start] = true;
	path[length++] = (struct visit){.number = start};
	while (length) {
		struct visit *top = &path[length - 1];
		const struct scenario_step *step = step_at(planner, top->number);
		uint32_t need;

		if (top->next == step->nneeds + step->naround) {
			selection->order[selection->count++] = top->number;
			selection->position[top->number] = (uint32_t)selection->count;
			length--;
			continue;
		}
		need = (uint32_t)planner->first[planner->owner[top->number]] + prior(step, top->next++);
		if (seen[need])
			continue;
		seen[need] = true;
		path[length++] = (struct visit){.number = need};
	}
}

static void order_steps(struct selection *selection)
{
	AUTO_FREE struct visit *path = xcalloc(selection->total, sizeof(*path));
	AUTO_FREE bool *seen = xcalloc(selection->total, sizeof(*seen));

	for (size_t i = 0; i < selection->total; i++)
		if (selection->chosen[i])
			order_from(selection, path, seen, (uint32_t)i);
}

static size_t *positions(struct selection *selection, size_t first, const uint32_t *steps, size_t count)
{
	size_t *list = count ? arena_alloc(&selection->planner->plan->arena, count * sizeof(*list)) : NULL;

	for (size_t i = 0; i < count; i++)
		list[i] = selection->position[first + steps[i]] - 1;
	return list;
}

static void fill_plan(struct selection *selection)
{
	struct planner *planner = selection->planner;
	struct plan *plan = planner->plan;

	plan->nsteps = selection->count;
	plan->filtered = selection->total - selection->count;
	plan->steps = arena_alloc(&plan->arena, plan->nsteps * sizeof(*plan->steps));
	for (size_t i = 0; i < plan->nsteps; i++) {
		uint32_t number = selection->order[i];
		struct plan_step *step = &plan->steps[i];
		size_t first = planner->first[planner->owner[number]];

		step->scenario = planner->scenarios[planner->owner[number]];
		step->step = step_at(planner, number);
		step->pulled = !selection->chosen[number];
		step->nneeds = step->step->nneeds;
		step->needs = positions(selection, first, step->step->need_steps, step->nneeds);
		step->naround = step->step->naround;
		step->around = positions(selection, first, step->step->around_steps, step->naround);
	}
}

static void list_open(struct pattern_list *list, const struct strings *patterns)
{
	list->patterns = patterns;
	list->used = xcalloc(patterns->count, sizeof(*list->used));
}

static void selection_free(struct selection *selection)
{
	free(selection->tags.used);
	free(selection->skip_tags.used);
	free(selection->steps.used);
	free(selection->chosen);
	free(selection->order);
	free(selection->position);
}

void plan_select(struct planner *planner, const struct plan_filter *filter)
{
	static const struct plan_filter all;
	__attribute__((cleanup(selection_free))) struct selection selection = {.planner = planner,
									       .total = planner->first[planner->count]};

	if (!filter)
		filter = &all;
	list_open(&selection.tags, &filter->tags);
	list_open(&selection.skip_tags, &filter->skip_tags);
	list_open(&selection.steps, &filter->steps);
	selection.chosen = xcalloc(selection.total, sizeof(*selection.chosen));
	selection.order = xcalloc(selection.total, sizeof(*selection.order));
	selection.position = xcalloc(selection.total, sizeof(*selection.position));
	choose(&selection);
	check_used(&selection, &selection.tags, "--tags", true);
	check_used(&selection, &selection.skip_tags, "--skip-tags", true);
	check_used(&selection, &selection.steps, "--step", false);
	order_steps(&selection);
	fill_plan(&selection);
}
