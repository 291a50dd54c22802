/* SPDX-License-Identifier: BSD-2-Clause */
/* From a step to its observations: one a host and value of "each". */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "scenario/planner.h"

/* "node-01", "node-01→node-02"; "" where there is only the host that nobody named */
static const char *name_of(struct expansion *expansion, const struct ends *ends)
{
	if (ends->server)
		return arena_printf(&expansion->planner->plan->arena, "%s→%s", ends->host->name, ends->server->name);
	return expansion->step->scenario->hosts_implied ? "" : ends->host->name;
}

/* "node-01 device=mlx5_0" */
static const char *label_of(struct expansion *expansion, const struct ends *ends, size_t value)
{
	const struct scenario_step *step = expansion->step->step;
	const char *name = name_of(expansion, ends);
	AUTO_BUF struct buf label = {0};

	if (!step->neach)
		return name;
	buf_puts(&label, name);
	for (size_t i = 0; i < step->neach; i++)
		buf_printf(&label, "%s%s=%s", label.length ? " " : "", step->each[i].name, step->each[i].values[value]);
	return arena_text(&expansion->planner->plan->arena, label.data, label.length);
}

/* What is the same in the whole fabric is asked of the first host, unless the step names others. */
static bool first_only(const struct scenario_step *step, const struct scenario_probe *probe)
{
	return !step->where && probe && probe->source->scope == RS_FABRIC;
}

static int bind_ends(struct expansion *expansion, const struct ends *ends, size_t value, struct part_scope *part,
		     struct bound *bound)
{
	if (ends->server)
		return bind_pair(expansion, &expansion->probe, part, ends, value, bound);
	if (binding_varies(&expansion->probe))
		bind_scope(part, expansion->text, expansion->step->step, ends->host, value);
	return bind_part(expansion, &expansion->probe, part, ends->host, bound);
}

static void add_part(struct expansion *expansion, const struct ends *ends, size_t value, struct part_scope *part)
{
	const struct scenario *scenario = expansion->step->scenario;
	const struct scenario_step *step = expansion->step->step;
	/* The condition of a pair is looked at on its client. */
	const struct scenario_host *asked = first_only(step, step->when) ? &scenario->hosts[0] : ends->host;
	struct bound bound = {0}, when = {.observe = SIZE_MAX};

	if (bind_ends(expansion, ends, value, part, &bound) < 0)
		return;
	if (expansion->when.probe) {
		if (binding_varies(&expansion->when))
			bind_scope(part, expansion->text, step, asked, value);
		if (bind_part(expansion, &expansion->when, part, asked, &when) < 0)
			return;
	}
	expansion->step->parts[expansion->step->nparts++] = (struct plan_part){
		.label = label_of(expansion, ends, value),
		.observe = bound.observe,
		.spec = bound.spec,
		.when = when.observe,
		.when_spec = when.spec,
	};
}

static size_t values_of(const struct scenario_step *step)
{
	return step->neach ? step->each[0].count : 1;
}

static size_t hosts_of(const struct plan_step *plan_step)
{
	const struct scenario_step *step = plan_step->step;

	if (step->between)
		return step->between->count;
	if (first_only(step, &step->probe))
		return 1;
	return step->where ? step->where->count : plan_step->scenario->nhosts;
}

bool plan_fits(struct planner *planner)
{
	const struct plan *plan = planner->plan;
	size_t parts = 0;

	for (size_t i = 0; i < plan->nsteps; i++) {
		parts += hosts_of(&plan->steps[i]) * values_of(plan->steps[i].step);
		if (parts <= PLAN_PARTS_MAX)
			continue;
		diags_error(planner->diags, plan->steps[i].step->place,
			    "with this step the plan has more than %d observations", PLAN_PARTS_MAX);
		return false;
	}
	return true;
}

/* Number @place of those where the step is observed. */
static struct ends ends_of(const struct plan_step *plan_step, size_t place)
{
	const struct scenario_step *step = plan_step->step;
	const struct scenario_host *hosts = plan_step->scenario->hosts;

	if (step->between)
		return (struct ends){.host = &hosts[step->between->pairs[place].client],
				     .server = &hosts[step->between->pairs[place].server]};
	return (struct ends){.host = &hosts[step->where ? step->where->hosts[place] : place]};
}

static void expansion_close(struct expansion *expansion)
{
	binding_close(&expansion->probe);
	binding_close(&expansion->when);
	complaints_free(&expansion->complaints);
}

void plan_parts(struct planner *planner, struct plan_step *plan_step, struct text *text)
{
	__attribute__((cleanup(expansion_close))) struct expansion expansion = {
		.planner = planner, .step = plan_step, .text = text, .when = {.when = true}};
	const struct scenario_step *step = plan_step->step;
	size_t values = values_of(step), hosts = hosts_of(plan_step);
	AUTO_FREE struct variable *each = NULL;
	struct part_scope part = {.has_address = vars_have(text, "address"), .has_device = vars_have(text, "device")};

	if (binding_open(&expansion, &expansion.probe, &step->probe) < 0)
		return;
	if (step->when && binding_open(&expansion, &expansion.when, step->when) < 0)
		return;
	plan_step->parts = arena_alloc(&planner->plan->arena, hosts * values * sizeof(*plan_step->parts));
	part.each = each = step->neach ? xcalloc(step->neach, sizeof(*each)) : NULL;
	for (size_t i = 0; i < hosts; i++) {
		const struct ends ends = ends_of(plan_step, i);

		for (size_t j = 0; j < values; j++)
			add_part(&expansion, &ends, j, &part);
	}
	complaints_report(&expansion.complaints, !plan_step->scenario->hosts_implied, planner->diags);
}
