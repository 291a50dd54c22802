/* SPDX-License-Identifier: BSD-2-Clause */
/* What speaks against a run before anything is started. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "run/internal.h"

#define NAMED_MAX 5

static bool is_allowed(const struct scenario_probe *probe, const struct strings *allow)
{
	if (!probe || !(probe->source->flags & (RS_CHANGES | RS_COMMANDS)))
		return true;
	return strings_have(allow, probe->probe->name) || strings_have(allow, probe->source->name);
}

static void add_place(struct buf *text, struct place place)
{
	if (place.file)
		buf_printf(text, " (%s:%u:%u)", place.file, place.line, place.column);
}

/* "step 'links' (site.yaml:4:3) uses rxe.link, which changes its host; --allow rxe.link permits it" */
static int check_allowed(const struct plan *plan, const struct strings *allow, struct diag *diag)
{
	AUTO_BUF struct buf text = {0};
	struct place first = NO_PLACE;
	size_t found = 0;

	for (size_t i = 0; i < plan->nsteps; i++) {
		const struct scenario_step *step = plan->steps[i].step;
		const struct scenario_probe *probe = is_allowed(&step->probe, allow) ? step->when : &step->probe;
		const char *does;

		if (is_allowed(probe, allow) || ++found > NAMED_MAX)
			continue;
		does = probe->source->flags & RS_CHANGES ? "changes its host" : "runs commands of the scenario";
		buf_printf(&text, "%sstep '%s'", found > 1 ? "; " : "", step->name);
		add_place(&text, step->place);
		buf_printf(&text, " uses %s, which %s: it takes --allow %s", probe->probe->name, does,
			   probe->probe->name);
		if (!first.file)
			first = step->place;
	}
	if (found > NAMED_MAX)
		buf_printf(&text, "; and %zu more steps", found - NAMED_MAX);
	return found ? diag_set(diag, EPERM, first, "%s", text.data) : 0;
}

static int check_connections(const struct plan *plan, const struct run_options *options, struct diag *diag)
{
	for (size_t i = 0; !options->simulate && i < plan->nhosts; i++) {
		const struct scenario_host *host = plan->hosts[i].host;
		AUTO_BUF struct buf place = {0};

		if (host->connect != CONNECT_SIMULATED)
			continue;
		add_place(&place, host->place);
		return diag_set(diag, EINVAL, host->place,
				"host '%s'%s is on a simulated fabric: it takes --simulate FILE", host->name,
				place.data ? place.data : "");
	}
	return 0;
}

static int check_simulation(const struct run_options *options, struct diag *diag)
{
	if (options->simulate)
		return 0;
	if (options->simulate_commands.count)
		return diag_set(diag, EINVAL, NO_PLACE, "--simulate-command takes --simulate FILE");
	if (options->simulate_sms.count)
		return diag_set(diag, EINVAL, NO_PLACE, "--simulate-sm takes --simulate FILE");
	return 0;
}

int run_check(const struct plan *plan, const struct run_options *options, struct diag *diag)
{
	int error;

	if (options->replay)
		return 0;
	error = check_allowed(plan, &options->allow, diag);
	if (!error)
		error = check_simulation(options, diag);
	if (!error && options->min_hosts > plan->nhosts && plan->nhosts)
		error = diag_set(diag, EINVAL, NO_PLACE, "--min-hosts asks for %u hosts, and the run has %zu",
				 options->min_hosts, plan->nhosts);
	return error ? error : check_connections(plan, options, diag);
}

/* Of a scenario that names no hosts: on a simulated fabric its one host is the first CA. */
static void mark_implied(const struct run *run, bool *implied)
{
	for (size_t i = 0; i < run->plan->nsteps; i++) {
		const struct plan_step *step = &run->plan->steps[i];

		for (size_t j = 0; step->scenario->hosts_implied && j < step->nparts; j++)
			implied[run->plan->observes[step->parts[j].observe].host] = true;
	}
}

int run_check_hosts(struct run *run)
{
	AUTO_BUF struct buf text = {0};
	AUTO_FREE bool *implied = xcalloc(run->plan->nhosts + 1, sizeof(*implied));
	struct place first = NO_PLACE;
	size_t found = 0;

	mark_implied(run, implied);
	for (size_t i = 0; i < run->plan->nhosts; i++) {
		struct host *host = &run->hosts[i];
		const struct scenario_host *scenario = host->scenario;
		const char *name = scenario->simulated_as ? scenario->simulated_as : scenario->name;
		AUTO_FREE char *why = NULL;
		const char *node;

		if (host->state == HOST_UNUSED)
			continue;
		node = simulator_node(run->simulator, implied[i] ? NULL : name, &why);
		if (node) {
			host->environment = simulator_environment(run->simulator, node);
			continue;
		}
		if (++found > NAMED_MAX)
			continue;
		buf_printf(&text, "%shost '%s'", found > 1 ? "; " : "", scenario->name);
		add_place(&text, scenario->place);
		buf_printf(&text, ": %s", why);
		if (!first.file)
			first = scenario->place;
	}
	if (found > NAMED_MAX)
		buf_printf(&text, "; and %zu more hosts", found - NAMED_MAX);
	return found ? diag_set(run->diag, EINVAL, first, "%s", text.data) : 0;
}
