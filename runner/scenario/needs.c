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

/* @ids: a list, or one id. @seen: of each step, the last one that was seen to need it, counted from 1. */
static void find_needs(struct loader *loader, const struct node *ids, size_t self, size_t *seen)
{
	struct scenario_step *step = &loader->scenario->steps[self];
	size_t room = ids->kind == NODE_LIST ? ids->length : 1;
	uint32_t *steps = arena_alloc(loader->arena, room * sizeof(*steps));
	const char **names = arena_alloc(loader->arena, room * sizeof(*names));

	step->needs = names;
	step->need_steps = steps;
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
			diags_error(loader->diags, node_place(loader->text, id), "a step cannot need itself");
		} else if (seen[found] != self + 1) {
			seen[found] = self + 1;
			names[step->nneeds] = id->text;
			steps[step->nneeds++] = (uint32_t)found;
		}
	}
}

#define SHOWN 8 /* steps of a cycle */

/* The way from a step down its needs; deep chains must not use up the stack. */
struct visit {
	uint32_t step;
	uint32_t next; /* of its needs */
};

struct search {
	struct loader *loader;
	struct visit *path;
	size_t length;
	uint8_t *state; /* of each step: 0 new, 1 on the path, 2 done */
};

static void say_cycle(struct search *search, size_t from)
{
	struct loader *loader = search->loader;
	const struct scenario_step *steps = loader->scenario->steps;
	const struct node *place = NULL;
	AUTO_BUF struct buf text = {0};

	for (size_t i = from; i < search->length && i < from + SHOWN; i++)
		buf_printf(&text, "'%s' needs ", steps[search->path[i].step].id);
	if (search->length - from > SHOWN)
		buf_printf(&text, "... (%zu steps) ... needs ", search->length - from);
	for (size_t i = 0; i < loader->nneeds; i++)
		if (loader->needs[i].step == search->path[from].step)
			place = loader->needs[i].ids;
	diags_error(loader->diags, node_place(loader->text, place), "steps that wait for each other: %s'%s'", text.data,
		    steps[search->path[from].step].id);
}

static void visit(struct search *search, uint32_t step)
{
	search->state[step] = 1;
	search->path[search->length++] = (struct visit){.step = step};
}

static void follow(struct search *search, uint32_t start)
{
	const struct scenario_step *steps = search->loader->scenario->steps;

	visit(search, start);
	while (search->length) {
		struct visit *top = &search->path[search->length - 1];
		const struct scenario_step *step = &steps[top->step];
		uint32_t need;

		if (top->next == step->nneeds) {
			search->state[top->step] = 2;
			search->length--;
			continue;
		}
		need = step->need_steps[top->next++];
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

	for (size_t i = 0; i < loader->nneeds; i++)
		if (!state[loader->needs[i].step])
			follow(&search, (uint32_t)loader->needs[i].step);
}

void load_needs(struct loader *loader)
{
	AUTO_FREE size_t *seen = NULL;

	if (!loader->nneeds)
		return;
	seen = xcalloc(loader->scenario->nsteps, sizeof(*seen));
	for (size_t i = 0; i < loader->nneeds; i++)
		find_needs(loader, loader->needs[i].ids, loader->needs[i].step, seen);
	find_cycles(loader);
}
