/* SPDX-License-Identifier: BSD-2-Clause */
/* A probe on one host: its variables in place, checked again, and made an observation that others may share. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "scenario/planner.h"

static bool is_judging_key(const char *name)
{
	for (size_t i = 0; judge_keys[i]; i++)
		if (!strcmp(judge_keys[i], name))
			return true;
	return false;
}

static const char *canonical(struct expansion *expansion, const struct scenario_probe *probe)
{
	struct planner *planner = expansion->planner;
	char *params = schema_canonical(expansion->text, probe->source, probe->map, planner->diags);

	return params ? plan_text(planner, params) : NULL;
}

/* What is left where a step gives no parameters; made once a source, since most steps of a long scenario give none. */
static const char *default_params(struct expansion *expansion, const struct scenario_probe *probe)
{
	struct planner *planner = expansion->planner;
	const char *params;

	for (size_t i = 0; i < planner->ndefaults; i++)
		if (planner->defaults[i].source == probe->source)
			return planner->defaults[i].params;
	params = canonical(expansion, probe);
	if (!params)
		return NULL;
	GROW(planner->defaults, planner->ndefaults, planner->defaults_capacity);
	planner->defaults[planner->ndefaults++] = (struct default_params){.source = probe->source, .params = params};
	return params;
}

int binding_open(struct expansion *expansion, struct binding *binding, const struct scenario_probe *probe)
{
	bool given = false;

	binding->probe = probe;
	NODE_PAIRS (key, value, probe->map) {
		bool later = (key->flags | value->flags) & NODE_LATER, judging = is_judging_key(key->text);

		given |= !judging;
		binding->judging_later |= later && judging;
		binding->params_later |= later && !judging;
	}
	if (binding->params_later)
		return 0;
	binding->params = given ? canonical(expansion, probe) : default_params(expansion, probe);
	return binding->params ? 0 : -EINVAL;
}

bool binding_varies(const struct binding *binding)
{
	return binding->params_later || binding->judging_later;
}

/* A key that the host does not have leaves the name to the scenario's variables, or without a value. */
static void add_key(struct part_scope *part, size_t *count, const char *name, const char *value, bool variable)
{
	if (value || !variable)
		part->host[(*count)++] = (struct variable){.name = name, .value = value};
}

void bind_scope(struct part_scope *part, const struct text *text, const struct scenario_step *step,
		const struct scenario_host *host, size_t value)
{
	size_t count = 0;

	part->host[count++] = (struct variable){.name = "host", .value = host->name};
	add_key(part, &count, "address", host->address, part->has_address);
	add_key(part, &count, "device", host->device, part->has_device);
	for (size_t i = 0; i < step->neach; i++)
		part->each[i] = (struct variable){.name = step->each[i].name, .value = step->each[i].values[value]};
	part->scope = scopes_set(&part->scopes, text, part->each, step->neach, part->host, count);
}

static void say_no_value(const struct expansion *expansion, const struct node *map, struct diags *found)
{
	static const char *const keys[] = {"address", "device"};

	for (size_t i = 0; i < 2; i++) {
		const struct node *use = later_use(map, keys[i]);

		if (use)
			diags_error(found, node_place(expansion->text, use),
				    "$(%s) has no value: the host has no key '%s'", keys[i], keys[i]);
	}
}

static int take(struct expansion *expansion, struct diags *found, const struct scenario_host *host)
{
	return complaints_take(&expansion->complaints, found, host->name, expansion->planner->diags);
}

/* The map with all variables in place. NULL where that found an error. */
static const struct node *bind_map(struct expansion *expansion, const struct binding *binding,
				   const struct part_scope *part, const struct scenario_host *host)
{
	const struct node *map = binding->probe->map;
	struct diags found = {0};

	if (!binding_varies(binding))
		return map;
	map = text_resolve(expansion->text, &expansion->planner->plan->arena, map, part->scope, &found);
	if (map && map->flags & NODE_LATER)
		say_no_value(expansion, map, &found);
	return take(expansion, &found, host) < 0 ? NULL : map;
}

/* The canonical parameters of this part, checked again; NULL where that found an error. */
static const char *bind_params(struct expansion *expansion, const struct binding *binding, const struct node *map,
			       const struct scenario_host *host)
{
	const struct rs_source *source = binding->probe->source;
	struct diags found = {0};
	char *params = NULL;

	if (schema_check_params(expansion->text, source, map, judge_keys, &found) == 0)
		params = schema_canonical(expansion->text, source, map, &found);
	if (take(expansion, &found, host) == 0 && params)
		return plan_text(expansion->planner, params);
	free(params);
	return NULL;
}

static int bind_spec(struct expansion *expansion, const struct binding *binding, const struct node *map,
		     const struct scenario_host *host, const struct judge_spec **spec)
{
	struct arena *arena = &expansion->planner->plan->arena;
	const struct scenario_probe *probe = binding->probe;
	struct diags found = {0};
	struct judge_spec *own;

	*spec = &probe->spec;
	if (!binding->judging_later)
		return 0;
	*spec = own = arena_alloc(arena, sizeof(*own));
	if (binding->when)
		judge_compile_when(expansion->text, arena, probe->source, probe->probe, map, own, &found);
	else
		judge_compile(expansion->text, arena, probe->source, probe->probe, map, own, &found);
	return take(expansion, &found, host);
}

int bind_values(struct expansion *expansion, const struct binding *binding, const struct part_scope *part,
		const struct scenario_host *host, struct values *values)
{
	const struct node *map = bind_map(expansion, binding, part, host);

	*values = (struct values){.params = binding->params};
	if (!map)
		return -EINVAL;
	if (binding->params_later)
		values->params = bind_params(expansion, binding, map, host);
	return bind_spec(expansion, binding, map, host, &values->spec) < 0 || !values->params ? -EINVAL : 0;
}

int bind_part(struct expansion *expansion, const struct binding *binding, const struct part_scope *part,
	      const struct scenario_host *host, struct bound *bound)
{
	struct planner *planner = expansion->planner;
	struct plan_observe observe = {.server = SIZE_MAX, .source = binding->probe->source};
	struct values values;

	if (bind_values(expansion, binding, part, host, &values) < 0)
		return -EINVAL;
	observe.host = plan_host(planner, host);
	observe.params = values.params;
	bound->spec = values.spec;
	bound->observe = plan_observe(planner, binding->probe, &observe);
	return 0;
}
