/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "scenario/internal.h"

static const char *hint_id(struct loader *loader, const char *id)
{
	const struct scenario *scenario = loader->scenario;
	AUTO_FREE const char **known = NULL;
	size_t count = 0;

	if (loader->ids.count > loader->comparisons)
		return "";
	known = xcalloc(loader->ids.count, sizeof(*known));
	for (size_t i = 0; i < scenario->nsteps && count < loader->ids.count; i++)
		if (scenario->steps[i].id)
			known[count++] = scenario->steps[i].id;
	return load_hint(loader, id, known, count);
}

struct found {
	const char *const *names;
	const uint32_t *steps;
	size_t count;
};

/* @need: its ids are a list, or one. @seen: of each step, the last of all lists that names it, counted from 1. */
static struct found find_steps(struct loader *loader, const struct load_need *need, size_t *seen)
{
	const struct node *ids = need->ids;
	size_t self = need->step, list = (size_t)(need - loader->needs) + 1;
	size_t room = ids->kind == NODE_LIST ? ids->length : 1, count = 0;
	uint32_t *steps = arena_alloc(loader->arena, room * sizeof(*steps));
	const char **names = arena_alloc(loader->arena, room * sizeof(*names));

	for (const struct node *id = ids->kind == NODE_LIST ? ids->first : ids; id;
	     id = ids->kind == NODE_LIST ? id->next : NULL) {
		size_t found;

		if (id->kind != NODE_SCALAR || id->flags & NODE_LATER)
			continue;
		found = names_find(&loader->ids, id->text);
		if (found == NAMES_NONE) {
			if (loader->all_ids)
				diags_error(loader->diags, node_place(loader->text, id), "no step has the id '%s'%s",
					    id->text, hint_id(loader, id->text));
		} else if (found == self) {
			diags_error(loader->diags, node_place(loader->text, id), "a step cannot %s itself",
				    need->around ? "be around" : "need");
		} else if (seen[found] != list) {
			seen[found] = list;
			names[count] = id->text;
			steps[count++] = (uint32_t)found;
		}
	}
	return (struct found){names, steps, count};
}

static void find_needs(struct loader *loader, const struct load_need *need, size_t *seen)
{
	struct scenario_step *step = &loader->scenario->steps[need->step];
	struct found found = find_steps(loader, need, seen);

	if (need->around) {
		step->around = found.names;
		step->around_steps = found.steps;
		step->naround = found.count;
	} else {
		step->needs = found.names;
		step->need_steps = found.steps;
		step->nneeds = found.count;
	}
}

static const struct node *ids_of(const struct loader *loader, size_t step, bool around)
{
	for (size_t i = 0; i < loader->nneeds; i++)
		if (loader->needs[i].step == step && loader->needs[i].around == around)
			return loader->needs[i].ids;
	return NULL;
}

static bool is_needed(const struct scenario_step *step, uint32_t other)
{
	for (size_t i = 0; i < step->nneeds; i++)
		if (step->need_steps[i] == other)
			return true;
	return false;
}

/* One that is needed is over before the counters are read. */
static void check_needed(struct loader *loader, const struct load_need *around)
{
	const struct scenario_step *step = &loader->scenario->steps[around->step];

	for (size_t i = 0; i < step->naround; i++)
		if (is_needed(step, step->around_steps[i]))
			diags_error(loader->diags, node_place(loader->text, around->ids),
				    "a step cannot need '%s' and be around it", step->around[i]);
}

/* Counters around a step that itself compares counters would mean nothing that could not be said plainer. */
static void check_nesting(struct loader *loader)
{
	const struct scenario_step *steps = loader->scenario->steps;

	for (size_t i = 0; i < loader->nneeds; i++) {
		const struct scenario_step *step = &steps[loader->needs[i].step];

		if (!loader->needs[i].around)
			continue;
		check_needed(loader, &loader->needs[i]);
		for (size_t j = 0; j < step->naround; j++)
			if (steps[step->around_steps[j]].around)
				diags_error(loader->diags, node_place(loader->text, loader->needs[i].ids),
					    "'%s' itself is around other steps: name those", step->around[j]);
	}
}

#define SHOWN 8 /* steps of a cycle */

/*
 * What a step waits for: those that it needs, those that it is around, and, since counters are read before it, what
 * those that are around it need.
 */
enum wait { NEEDS, IS_AROUND, FOLLOWS };

struct waits {
	size_t *first; /* of each step, into @edges; one more ends it */
	struct edge {
		uint32_t step;
		uint8_t wait; /* enum wait */
	} * edges;
};

static void add_edges(struct waits *waits, bool count, size_t from, const uint32_t *to, size_t n, enum wait wait)
{
	for (size_t i = 0; i < n; i++) {
		if (to[i] == from) /* needed and around it: that was said */
			continue;
		if (count)
			waits->first[from + 1]++;
		else
			waits->edges[waits->first[from]++] = (struct edge){to[i], wait};
	}
}

static void each_edge(const struct scenario *scenario, struct waits *waits, bool count)
{
	for (size_t i = 0; i < scenario->nsteps; i++) {
		const struct scenario_step *step = &scenario->steps[i];

		add_edges(waits, count, i, step->need_steps, step->nneeds, NEEDS);
		add_edges(waits, count, i, step->around_steps, step->naround, IS_AROUND);
		for (size_t j = 0; j < step->naround; j++)
			add_edges(waits, count, step->around_steps[j], step->need_steps, step->nneeds, FOLLOWS);
	}
}

static void find_waits(const struct scenario *scenario, struct waits *waits)
{
	size_t n = scenario->nsteps;

	waits->first = xcalloc(n + 2, sizeof(*waits->first));
	each_edge(scenario, waits, true);
	for (size_t i = 0; i < n; i++)
		waits->first[i + 1] += waits->first[i];
	waits->edges = xcalloc(waits->first[n] + 1, sizeof(*waits->edges));
	each_edge(scenario, waits, false);
	/* Each start has moved to its end, which is the next one's start. */
	memmove(waits->first + 1, waits->first, n * sizeof(*waits->first));
	waits->first[0] = 0;
}

/* The way from a step down its needs; deep chains must not use up the stack. */
struct visit {
	uint32_t step;
	uint32_t next; /* of its edges */
	uint8_t wait;  /* why the next one on the path is there */
};

struct search {
	struct loader *loader;
	struct waits waits;
	struct visit *path;
	size_t length;
	uint8_t *state; /* of each step: 0 new, 1 on the path, 2 done */
};

/* One that only others wait for need not have an id. */
static const char *name_of(const struct scenario_step *step)
{
	return step->id ? step->id : step->name ? step->name : "?";
}

static void say_cycle(struct search *search, size_t from)
{
	static const char *const words[] = {[NEEDS] = "needs", [IS_AROUND] = "is around", [FOLLOWS] = "comes after"};
	struct loader *loader = search->loader;
	const struct scenario_step *steps = loader->scenario->steps;
	const struct node *place = NULL;
	AUTO_BUF struct buf text = {0};

	for (size_t i = from; i < search->length && i < from + SHOWN; i++)
		buf_printf(&text, "'%s' %s ", name_of(&steps[search->path[i].step]), words[search->path[i].wait]);
	if (search->length - from > SHOWN)
		buf_printf(&text, "... (%zu steps) ... needs ", search->length - from);
	for (size_t i = from; i < search->length && !place; i++)
		if (search->path[i].wait != FOLLOWS)
			place = ids_of(loader, search->path[i].step, search->path[i].wait == IS_AROUND);
	diags_error(loader->diags, node_place(loader->text, place), "steps that wait for each other: %s'%s'", text.data,
		    name_of(&steps[search->path[from].step]));
}

static void visit(struct search *search, uint32_t step)
{
	search->state[step] = 1;
	search->path[search->length++] = (struct visit){.step = step};
}

static void follow(struct search *search, uint32_t start)
{
	const struct waits *waits = &search->waits;

	visit(search, start);
	while (search->length) {
		struct visit *top = &search->path[search->length - 1];
		const struct edge *edge;
		uint32_t need;

		if (waits->first[top->step] + top->next == waits->first[top->step + 1]) {
			search->state[top->step] = 2;
			search->length--;
			continue;
		}
		edge = &waits->edges[waits->first[top->step] + top->next++];
		need = edge->step;
		top->wait = edge->wait;
		if (search->state[need] == 0) {
			visit(search, need);
		} else if (search->state[need] == 1) {
			size_t from = search->length;

			while (search->path[--from].step != need)
				;
			say_cycle(search, from);
		}
	}
}

static void find_cycles(struct loader *loader)
{
	size_t count = loader->scenario->nsteps;
	AUTO_FREE struct visit *path = xcalloc(count, sizeof(*path));
	AUTO_FREE uint8_t *state = xcalloc(count, sizeof(*state));
	struct search search = {.loader = loader, .path = path, .state = state};

	find_waits(loader->scenario, &search.waits);
	for (size_t i = 0; i < loader->nneeds; i++)
		if (!state[loader->needs[i].step])
			follow(&search, (uint32_t)loader->needs[i].step);
	free(search.waits.first);
	free(search.waits.edges);
}

void load_needs(struct loader *loader)
{
	AUTO_FREE size_t *seen = NULL;

	if (!loader->nneeds)
		return;
	seen = xcalloc(loader->scenario->nsteps, sizeof(*seen));
	for (size_t i = 0; i < loader->nneeds; i++)
		find_needs(loader, &loader->needs[i], seen);
	check_nesting(loader);
	find_cycles(loader);
}
