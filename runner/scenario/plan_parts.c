/* SPDX-License-Identifier: BSD-2-Clause */
/* From a step to its observations: one a host, or pair of hosts, and value of "each". */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "scenario/pattern.h"
#include "scenario/planner.h"

/** struct place_of_part - a part: where, and which values of "each" */
struct place_of_part {
	struct part_place pair;
	uint32_t round, group;
};

/* " device=mlx5_0", " device=mlx5_0→mlx5_1" where the ends of a pair may take different ones */
static void write_values(struct buf *label, const struct scenario_step *step, const struct part_place *place)
{
	bool cross = step->between && step->between->cross;

	for (size_t i = 0; i < step->neach; i++) {
		const char *const *values = step->each[i].values;

		if (label->length)
			buf_putc(label, ' ');
		buf_puts(label, step->each[i].name);
		buf_putc(label, '=');
		buf_puts(label, values[place->client_value]);
		if (!cross)
			continue;
		buf_puts(label, "→");
		buf_puts(label, values[place->server_value]);
	}
}

/* "node-01", "node-01→node-02", "node-01 device=mlx5_0"; no name where there is only the host that nobody named */
static const char *label_of(struct expansion *expansion, const struct part_place *place)
{
	struct buf *label = &expansion->label;

	buf_clear(label);
	if (place->server || !expansion->step->scenario->hosts_implied)
		buf_puts(label, place->client->name);
	if (place->server) {
		buf_puts(label, "→");
		buf_puts(label, place->server->name);
	}
	write_values(label, expansion->step->step, place);
	return label->length ? arena_text(&expansion->planner->plan->arena, label->data, label->length) : "";
}

/* What is the same in the whole fabric is asked of the first host, unless the step names others. */
static bool first_only(const struct scenario_step *step, const struct scenario_probe *probe)
{
	return !step->where && probe && probe->source->scope == RS_FABRIC;
}

/* One whose absence is expected would leave the whole fabric unobserved, if there is another. */
static const struct scenario_host *first_host(const struct scenario *scenario)
{
	for (size_t i = 0; i < scenario->nhosts; i++)
		if (!scenario->hosts[i].optional)
			return &scenario->hosts[i];
	return &scenario->hosts[0];
}

static int bind_place(struct expansion *expansion, const struct part_place *place, struct part_scope *part,
		      struct bound *bound)
{
	if (place->server)
		return bind_pair(expansion, part, place, bound);
	if (binding_varies(&expansion->probe))
		bind_scope(part, expansion->text, expansion->step->step, place->client, place->client_value);
	return bind_part(expansion, &expansion->probe, part, place->client, bound);
}

static void add_part(struct expansion *expansion, const struct place_of_part *place, struct part_scope *part)
{
	const struct scenario *scenario = expansion->step->scenario;
	const struct scenario_step *step = expansion->step->step;
	/* The condition of a pair is looked at on its client. */
	const struct scenario_host *asked = first_only(step, step->when) ? first_host(scenario) : place->pair.client;
	struct bound bound = {0}, when = {.observe = SIZE_MAX};

	if (bind_place(expansion, &place->pair, part, &bound) < 0)
		return;
	if (expansion->when.probe) {
		if (binding_varies(&expansion->when))
			bind_scope(part, expansion->text, step, asked, place->pair.client_value);
		if (bind_part(expansion, &expansion->when, part, asked, &when) < 0)
			return;
	}
	expansion->step->parts[expansion->step->nparts++] = (struct plan_part){
		.label = label_of(expansion, &place->pair),
		.observe = bound.observe,
		.spec = bound.spec,
		.when = when.observe,
		.when_spec = when.spec,
		.round = place->round,
		.group = place->group,
	};
}

/* How often each pair is observed: of values that are crossed, each at the one end meets each at the other. */
static size_t turns_of(const struct scenario_step *step)
{
	return each_values(step) * (step->between && step->between->cross ? each_values(step) : 1);
}

static size_t hosts_of(const struct plan_step *plan_step)
{
	const struct scenario_step *step = plan_step->step;

	if (step->between)
		return step->between->npairs;
	if (first_only(step, &step->probe))
		return 1;
	return step->where ? step->where->count : plan_step->scenario->nhosts;
}

bool plan_fits(struct planner *planner)
{
	const struct plan *plan = planner->plan;
	size_t parts = 0;

	for (size_t i = 0; i < plan->nsteps; i++) {
		size_t turns = turns_of(plan->steps[i].step);

		parts += turns > PLAN_PARTS_MAX ? turns : hosts_of(&plan->steps[i]) * turns;
		if (parts <= PLAN_PARTS_MAX)
			continue;
		diags_error(planner->diags, plan->steps[i].step->place,
			    "with this step the plan has more than %d observations", PLAN_PARTS_MAX);
		return false;
	}
	return true;
}

static void add_on_hosts(struct expansion *expansion, struct part_scope *part)
{
	const struct scenario_step *step = expansion->step->step;
	const struct scenario_host *hosts = expansion->step->scenario->hosts;
	size_t count = hosts_of(expansion->step), values = each_values(step);

	for (size_t i = 0; i < count; i++) {
		struct place_of_part place = {.pair.client = &hosts[step->where ? step->where->hosts[i] : i]};

		if (first_only(step, &step->probe))
			place.pair.client = first_host(expansion->step->scenario);
		for (size_t j = 0; j < values; j++) {
			place.pair.client_value = j;
			add_part(expansion, &place, part);
		}
	}
}

/* The pairs from @pairs on, @count of them, with number @turn of the values. */
static void add_turn(struct expansion *expansion, const struct pattern_pair *pairs, size_t count, size_t turn,
		     bool at_once, struct part_scope *part)
{
	const struct scenario_step *step = expansion->step->step;
	const struct scenario_host *hosts = expansion->step->scenario->hosts;
	struct place_of_part place = {.group = at_once ? ++expansion->step->groups : 0};

	place.pair.client_value = step->between->cross ? turn / each_values(step) : turn;
	place.pair.server_value = step->between->cross ? turn % each_values(step) : turn;
	place.pair.at_once = at_once ? (uint32_t)count : 0;
	for (size_t i = 0; i < count; i++) {
		place.pair.client = &hosts[pairs[i].client];
		place.pair.server = &hosts[pairs[i].server];
		place.round = pairs[i].round;
		add_part(expansion, &place, part);
	}
}

/* Pair after pair, each with all values; where a round is one operation, round after round with all values. */
static void add_between(struct expansion *expansion, struct part_scope *part)
{
	const struct scenario_step *step = expansion->step->step;
	const struct scenario_between *between = step->between;
	AUTO_FREE struct pattern_pair *pairs = xcalloc(between->npairs, sizeof(*pairs));
	size_t turns = turns_of(step), next;
	bool at_once = pattern_at_once(between);

	expansion->step->rounds = pattern_pairs(between, pairs);
	for (size_t i = 0; i < between->npairs; i = next) {
		next = i + 1;
		while (at_once && next < between->npairs && pairs[next].round == pairs[i].round)
			next++;
		for (size_t turn = 0; turn < turns; turn++)
			add_turn(expansion, &pairs[i], next - i, turn, at_once, part);
	}
}

static void expansion_close(struct expansion *expansion)
{
	complaints_free(&expansion->complaints);
	buf_free(&expansion->label);
	for (size_t i = 0; i < expansion->nends; i++)
		free(expansion->ends[i].values);
	free(expansion->ends);
	free(expansion->places);
}

void plan_parts(struct planner *planner, struct plan_step *plan_step, struct text *text)
{
	__attribute__((cleanup(expansion_close))) struct expansion expansion = {
		.planner = planner, .step = plan_step, .text = text, .when = {.when = true}};
	const struct scenario_step *step = plan_step->step;
	AUTO_FREE struct variable *each = NULL;
	struct part_scope part = {.has_address = vars_have(text, "address"), .has_device = vars_have(text, "device")};

	if (binding_open(&expansion, &expansion.probe, &step->probe) < 0)
		return;
	if (step->when && binding_open(&expansion, &expansion.when, step->when) < 0)
		return;
	plan_step->parts =
		arena_alloc(&planner->plan->arena, hosts_of(plan_step) * turns_of(step) * sizeof(*plan_step->parts));
	part.each = each = step->neach ? xcalloc(step->neach, sizeof(*each)) : NULL;
	if (step->between)
		add_between(&expansion, &part);
	else
		add_on_hosts(&expansion, &part);
	complaints_report(&expansion.complaints, !plan_step->scenario->hosts_implied, planner->diags);
}
