/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Hosts that cannot be reached and need not be: those of which the scenario says so, and with --min-hosts any, as long
 * as there are enough others. What there is to do on them is skipped. One that was there once is no absence when it is
 * lost.
 */
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/nodeset.h"
#include "run/internal.h"

#define REASONS_MAX 10

static bool is_absent(const struct host *host)
{
	return host->state == HOST_LOST && !host->reached;
}

static bool is_excused(const struct host *host)
{
	const struct run *run = host->run;

	return is_absent(host) && !run->too_few && (host->scenario->optional || run->options->min_hosts);
}

bool absences_settled(const struct run *run)
{
	return !run->options->min_hosts || run->hosts_reached + run->hosts_unreached == run->hosts_used;
}

/* Of a run that was recorded they are known already. */
static void add_note(struct run *run, const char *note)
{
	if (!strings_have(&run->result->notes, note))
		strings_add(&run->result->notes, note);
}

static void keep_absences(struct run *run)
{
	for (size_t i = 0; i < run->plan->nhosts; i++) {
		if (!is_absent(&run->hosts[i]))
			continue;
		strings_add(&run->result->absent, run->hosts[i].scenario->name);
		strings_add(&run->result->absent, run->hosts[i].lost);
	}
}

/* "4 of 16 hosts could not be reached: node-[03,07-09]" */
void absences_note(struct run *run)
{
	AUTO_FREE const char **names = xcalloc(run->plan->nhosts + 1, sizeof(*names));
	AUTO_BUF struct buf note = {0};
	size_t count = 0;

	if (!run->too_few)
		keep_absences(run);
	for (size_t i = 0; i < run->plan->nhosts; i++)
		if (is_excused(&run->hosts[i]))
			names[count++] = run->hosts[i].scenario->name;
	if (!count)
		return;
	buf_printf(&note, "%zu of %zu hosts could not be reached, which is allowed: ", count, run->hosts_used);
	nodeset_fold(&note, names, count);
	add_note(run, note.data);
}

static void note_reasons(struct run *run)
{
	size_t found = 0;

	for (size_t i = 0; i < run->plan->nhosts; i++) {
		const struct host *host = &run->hosts[i];
		AUTO_FREE char *note = NULL;

		if (!is_absent(host) || found++ >= REASONS_MAX)
			continue;
		note = xasprintf("%s could not be reached: %s", host->scenario->name, host->lost);
		add_note(run, note);
	}
	if (found > REASONS_MAX) {
		AUTO_FREE char *note = xasprintf("and %zu more hosts could not be reached", found - REASONS_MAX);

		add_note(run, note);
	}
}

static void lose_all(struct run *run, const char *why)
{
	for (size_t i = 0; i < run->plan->nhosts; i++) {
		struct host *host = &run->hosts[i];

		if (host->state == HOST_UNUSED)
			continue;
		if (host->state == HOST_READY)
			run->hosts_connected--;
		host->state = HOST_LOST;
		free(host->lost);
		host->lost = xstrdup(why);
	}
}

void absences_check(struct run *run)
{
	AUTO_FREE char *why = NULL;

	if (!run->options->min_hosts || run->hosts_reached >= run->options->min_hosts)
		return;
	why = xasprintf("only %zu of %zu hosts could be reached, and --min-hosts asks for %u: nothing was observed",
			run->hosts_reached, run->hosts_used, run->options->min_hosts);
	add_note(run, why);
	note_reasons(run);
	keep_absences(run);
	run->too_few = true;
	lose_all(run, why);
}

static char *excuse(const struct run *run, size_t index)
{
	const struct host *host = index == SIZE_MAX ? NULL : &run->hosts[index];

	if (!host || !is_excused(host))
		return NULL;
	return xasprintf("%s could not be reached, which is allowed: %s", host->scenario->name, host->lost);
}

static char *excuse_of(const struct run *run, size_t observe)
{
	const struct plan_observe *plan = observe == SIZE_MAX ? NULL : &run->plan->observes[observe];
	char *why = plan ? excuse(run, plan->host) : NULL;

	return why || !plan ? why : excuse(run, plan->server);
}

char *absence_excuse(const struct run *run, const struct plan_part *part)
{
	char *why = excuse_of(run, part->observe);

	return why ? why : excuse_of(run, part->when);
}

static bool is_optional(const struct run *run, size_t index)
{
	return index != SIZE_MAX && is_excused(&run->hosts[index]) && run->hosts[index].scenario->optional;
}

bool absence_optional(const struct run *run, const struct plan_part *part)
{
	const struct plan_observe *plan = &run->plan->observes[part->observe];

	return is_optional(run, plan->host) || is_optional(run, plan->server);
}
