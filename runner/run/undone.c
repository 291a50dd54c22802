/* SPDX-License-Identifier: BSD-2-Clause */
/* What the run changed on its hosts, and could not take back: the case that changed it is no pass any more. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "run/internal.h"

void changes_keep(struct host *host, uint64_t id, struct observation *observation)
{
	struct change_made *change = xcalloc(1, sizeof(*change));

	change->id = id;
	change->observation = observation_ref(observation);
	STAILQ_INSERT_TAIL(&host->changes, change, next);
}

static const struct observation *find(const struct host *host, uint64_t id)
{
	const struct change_made *change;

	STAILQ_FOREACH(change, &host->changes, next)
	if (change->id == id)
		return change->observation;
	return NULL;
}

static bool is_of(const struct result_case *item, const struct observation *observation)
{
	for (size_t i = 0; i < item->nattempts; i++)
		if (item->attempts[i].observation == observation)
			return true;
	return false;
}

/* What failed stays that; the note says the rest. */
static void make_error(struct result *result, struct result_case *item, const char *sentence)
{
	struct judgement *judgement = &item->attempts[item->nattempts - 1].judgement;

	if (item->verdict != VERDICT_PASS)
		return;
	item->verdict = item->raw = judgement->verdict = VERDICT_ERROR;
	free(judgement->sentence);
	judgement->sentence = xstrdup(sentence);
	result->passed--;
	result->errors++;
	if (item->gating)
		result->gating_judged--;
}

void changes_undone(struct host *host, uint64_t id, const char *source, const char *why)
{
	struct result *result = host->run->result;
	const struct observation *observation = find(host, id);
	AUTO_FREE char *sentence =
		xasprintf("what %s changed on %s could not be taken back: %s", source, host->scenario->name, why);

	result->changes_left++;
	strings_add(&result->notes, sentence);
	for (size_t i = 0; observation && i < result->nsteps; i++)
		for (size_t j = 0; j < result->steps[i].ncases; j++)
			if (is_of(&result->steps[i].cases[j], observation))
				make_error(result, &result->steps[i].cases[j], sentence);
}

void changes_free(struct host *host)
{
	struct change_made *change;

	while ((change = STAILQ_FIRST(&host->changes))) {
		STAILQ_REMOVE_HEAD(&host->changes, next);
		observation_unref(change->observation);
		free(change);
	}
}
