/* SPDX-License-Identifier: BSD-2-Clause */
/* The pairs of a step, for a person to read. */
#include "base/cleanup.h"
#include "scenario/pattern.h"
#include "scenario/plan_print.h"

#define PAIRS_SHOWN 4 /* of a round */
#define ROUNDS_SHOWN 3

static const struct plan_observe *pair_of(const struct plan *plan, const struct plan_step *step, size_t part)
{
	return &plan->observes[step->parts[part].observe];
}

static bool same_pair(const struct plan_observe *a, const struct plan_observe *b)
{
	return a->host == b->host && a->server == b->server;
}

/* The pairs of the parts from @part on that are of its round, each once; the first part behind them is returned. */
static size_t put_round(const struct plan *plan, const struct plan_step *step, size_t part, FILE *out)
{
	const struct plan_part *first = &step->parts[part];
	const struct plan_observe *last = NULL;
	size_t count = 0;

	for (; part < step->nparts && step->parts[part].round == first->round; part++) {
		const struct plan_observe *observe = pair_of(plan, step, part);

		/* Those of a pair follow each other, but for groups, of which each value has one of its own. */
		if (step->parts[part].group != first->group || (last && same_pair(last, observe)))
			continue;
		last = observe;
		if (count++ >= PAIRS_SHOWN)
			continue;
		fputs(count > 1 ? ", " : "", out);
		plan_put(out, plan->hosts[observe->host].host->name);
		fputs("→", out);
		plan_put(out, plan->hosts[observe->server].host->name);
	}
	if (count > PAIRS_SHOWN)
		fprintf(out, ", ... (%zu pairs)", count);
	return part;
}

static void put_hosts(const struct plan_step *step, FILE *out)
{
	const struct scenario_where *where = step->step->between->hosts;
	AUTO_FREE const char **names = xcalloc(where->count, sizeof(*names));

	for (size_t i = 0; i < where->count; i++)
		names[i] = step->scenario->hosts[where->hosts[i]].name;
	plan_put_folded(out, names, where->count);
}

void plan_put_pairs(const struct plan *plan, const struct plan_step *step, FILE *out)
{
	const struct scenario_between *between = step->step->between;

	if (between->pattern == PATTERN_LISTED && step->rounds == 1) {
		fputs(" between ", out);
		put_round(plan, step, 0, out);
		return;
	}
	if (between->pattern != PATTERN_LISTED) {
		fprintf(out, ", %s of ", pattern_names[between->pattern]);
		put_hosts(step, out);
	}
	fprintf(out, "%s, %zu pair%s in %u round%s", between->both ? ", both directions" : "", between->npairs,
		plural(between->npairs), step->rounds, plural(step->rounds));
}

void plan_put_rounds(const struct plan *plan, const struct plan_step *step, FILE *out)
{
	const struct scenario_between *between = step->step->between;
	size_t part = 0;

	if (!between || (between->pattern == PATTERN_LISTED && step->rounds == 1))
		return;
	for (unsigned round = 0; round < ROUNDS_SHOWN && part < step->nparts; round++) {
		fprintf(out, "    round %u%s: ", round + 1, pattern_at_once(between) ? ", at once" : "");
		part = put_round(plan, step, part, out);
		fputc('\n', out);
	}
	if (step->rounds > ROUNDS_SHOWN)
		fprintf(out, "    ... and %u more round%s\n", step->rounds - ROUNDS_SHOWN,
			step->rounds == ROUNDS_SHOWN + 1 ? "" : "s");
}
