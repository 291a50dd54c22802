/* SPDX-License-Identifier: BSD-2-Clause */
/* What a plan observes, each once: of all pairs of a thousand hosts there are a million. */
#include <stdlib.h>
#include <string.h>

#include "scenario/planner.h"

size_t plan_host(struct planner *planner, const struct scenario_host *host)
{
	struct plan *plan = planner->plan;
	size_t before = names_add(&planner->hosts, host->name, plan->nhosts);

	if (before != NAMES_NONE)
		return before;
	GROW(plan->hosts, plan->nhosts, planner->hosts_capacity);
	plan->hosts[plan->nhosts] = (struct plan_host){.host = host};
	return plan->nhosts++;
}

const char *plan_text(struct planner *planner, char *text)
{
	size_t before = names_find(&planner->texts, text);
	const char *kept;

	if (before == NAMES_NONE) {
		kept = arena_text(&planner->plan->arena, text, strlen(text));
		names_add(&planner->texts, kept, (size_t)(uintptr_t)kept);
	} else {
		kept = (const char *)(uintptr_t)before;
	}
	free(text);
	return kept;
}

/* Texts are kept once: they are equal where they are the same. */
static bool is_same(const struct plan_observe *a, const struct plan_observe *b)
{
	return a->host == b->host && a->server == b->server && a->source == b->source && a->params == b->params &&
	       a->server_params == b->server_params && a->at_once == b->at_once;
}

static uint64_t mix(uint64_t hash, uint64_t more)
{
	hash = (hash ^ more) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

static uint32_t hash_of(const struct plan_observe *observe)
{
	uint64_t hash = mix(mix(mix(0, observe->host), observe->server), observe->at_once);

	hash = mix(hash, (uintptr_t)observe->source);
	return (uint32_t)mix(mix(hash, (uintptr_t)observe->params), (uintptr_t)observe->server_params);
}

/* The slot of an equal one (@observe NULL: there is none), or the free one where it belongs. */
static struct found_slot *slot_of(const struct planner *planner, uint32_t hash, const struct plan_observe *observe)
{
	const struct found_observes *found = &planner->found;

	for (size_t at = hash;; at++) {
		struct found_slot *slot = &found->slots[at & (found->size - 1)];

		if (!slot->number ||
		    (observe && slot->hash == hash && is_same(&planner->plan->observes[slot->number - 1], observe)))
			return slot;
	}
}

/* At most half full. */
static void make_room(struct planner *planner)
{
	struct found_observes *found = &planner->found, old = *found;

	if (planner->plan->nobserves < found->size / 2)
		return;
	found->size = found->size ? found->size * 2 : 64;
	found->slots = xcalloc(found->size, sizeof(*found->slots));
	for (size_t i = 0; i < old.size; i++)
		if (old.slots[i].number)
			*slot_of(planner, old.slots[i].hash, NULL) = old.slots[i];
	free(old.slots);
}

/* Of many pairs with the same parameters those are read once. */
static int64_t extra_time(const struct plan *plan, const struct plan_observe *observe)
{
	const struct plan_observe *last = plan->nobserves ? &plan->observes[plan->nobserves - 1] : NULL;

	if (last && last->source == observe->source && last->params == observe->params)
		return last->extra_ms;
	return schema_extra_ms(observe->source, observe->params);
}

size_t plan_observe(struct planner *planner, const struct scenario_probe *probe, const struct plan_observe *wanted)
{
	struct plan *plan = planner->plan;
	uint32_t hash = hash_of(wanted);
	struct found_slot *slot;

	make_room(planner);
	slot = slot_of(planner, hash, wanted);
	if (!slot->number) {
		GROW(plan->observes, plan->nobserves, planner->observes_capacity);
		plan->observes[plan->nobserves] = *wanted;
		plan->observes[plan->nobserves].extra_ms = extra_time(plan, wanted);
		plan->nobserves++;
		*slot = (struct found_slot){.hash = hash, .number = (uint32_t)plan->nobserves};
	}
	plan->observes[slot->number - 1].wanted |= UINT32_C(1) << (probe->probe - probe->source->probes);
	return slot->number - 1;
}

void plan_key(const struct plan *plan, size_t index, struct buf *out)
{
	const struct plan_observe *observe = &plan->observes[index];

	buf_puts(out, plan->hosts[observe->host].host->name);
	if (observe->server != SIZE_MAX)
		buf_printf(out, "→%s", plan->hosts[observe->server].host->name);
	if (observe->at_once)
		buf_printf(out, " (of %u at once)", observe->at_once);
	buf_printf(out, " %s %s", observe->source->name, observe->params);
	if (observe->server_params && observe->server_params != observe->params)
		buf_printf(out, " %s", observe->server_params);
}
