/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "scenario/planner.h"

static void number_steps(struct planner *planner)
{
	size_t total = 0;

	planner->first = xcalloc(planner->count + 1, sizeof(*planner->first));
	for (size_t i = 0; i < planner->count; i++) {
		planner->first[i] = total;
		total += planner->scenarios[i]->nsteps;
	}
	planner->first[planner->count] = total;
	planner->owner = xcalloc(total, sizeof(*planner->owner));
	for (size_t i = 0; i < planner->count; i++)
		for (size_t number = planner->first[i]; number < planner->first[i + 1]; number++)
			planner->owner[number] = (uint32_t)i;
}

static bool same_way(const struct scenario_way *a, const struct scenario_way *b)
{
	return equal_list(a->command, b->command) && equal_list(a->options, b->options) &&
	       equal_text(a->path, b->path) && equal_text(a->plugin_dir, b->plugin_dir) &&
	       equal_text(a->user, b->user) && a->port == b->port && equal_text(a->context, b->context) &&
	       equal_text(a->namespace, b->namespace) && equal_text(a->container, b->container) &&
	       equal_text(a->label, b->label);
}

static bool same_host(const struct scenario_host *a, const struct scenario_host *b)
{
	return a->connect == b->connect && same_way(&a->way, &b->way) && a->timeout_ms == b->timeout_ms &&
	       a->optional == b->optional && equal_text(a->connect_to, b->connect_to) &&
	       equal_text(a->address, b->address) && equal_text(a->device, b->device) &&
	       equal_text(a->simulated_as, b->simulated_as);
}

static void say_differs(struct planner *planner, const struct scenario *scenario, const struct scenario_host *host,
			const struct scenario *other, const struct scenario_host *first)
{
	struct place place = host->place;

	if (!place.file) /* the host that a scenario without hosts has */
		place.file = scenario->text.files[0].path;
	if (first->place.file)
		diags_error(planner->diags, place, "host '%s' is another one here than at %s:%u:%u", host->name,
			    first->place.file, first->place.line, first->place.column);
	else
		diags_error(
			planner->diags, place,
			"host '%s' is another one here than in %s, which has no 'hosts' and runs on the local machine",
			host->name, other->text.files[0].path);
}

/* A name means one host in all scenarios. */
static void check_hosts(struct planner *planner)
{
	__attribute__((cleanup(names_free))) struct names names = {0};
	AUTO_FREE const struct scenario_host **hosts = NULL;
	AUTO_FREE const struct scenario **owners = NULL;
	size_t total = 0, count = 0;

	if (planner->count < 2)
		return;
	for (size_t i = 0; i < planner->count; i++)
		total += planner->scenarios[i]->nhosts;
	hosts = xcalloc(total, sizeof(*hosts));
	owners = xcalloc(total, sizeof(*owners));
	for (size_t i = 0; i < planner->count; i++) {
		const struct scenario *scenario = planner->scenarios[i];

		for (size_t j = 0; j < scenario->nhosts; j++, count++) {
			size_t before = names_add(&names, scenario->hosts[j].name, count);

			hosts[count] = &scenario->hosts[j];
			owners[count] = scenario;
			if (before != NAMES_NONE && !same_host(hosts[before], hosts[count]))
				say_differs(planner, scenario, hosts[count], owners[before], hosts[before]);
		}
	}
}

static void planner_free(struct planner *planner)
{
	names_free(&planner->hosts);
	free(planner->found.slots);
	names_free(&planner->texts);
	free(planner->first);
	free(planner->owner);
	free(planner->defaults);
}

int plan_build(struct plan *plan, struct scenario *const *scenarios, size_t count, const struct plan_filter *filter,
	       struct diags *diags)
{
	size_t before = diags->errors;
	__attribute__((cleanup(planner_free))) struct planner planner = {
		.plan = plan, .scenarios = scenarios, .count = count, .diags = diags};

	*plan = (struct plan){0};
	number_steps(&planner);
	check_hosts(&planner);
	plan_select(&planner, filter);
	if (!plan_fits(&planner))
		return -EINVAL;
	for (size_t i = 0, owner = 0; i < plan->nsteps; i++) {
		while (scenarios[owner] != plan->steps[i].scenario) /* the steps of a scenario stay together */
			owner++;
		plan_parts(&planner, &plan->steps[i], &scenarios[owner]->text);
	}
	return diags->errors > before ? -EINVAL : 0;
}

void plan_free(struct plan *plan)
{
	free(plan->hosts);
	free(plan->observes);
	arena_free(&plan->arena);
	*plan = (struct plan){0};
}
