/* SPDX-License-Identifier: BSD-2-Clause */
/* A recording in place of hosts. */
#include <string.h>

#include "base/cleanup.h"
#include "record/internal.h"

static char *key_of(const struct plan *plan, size_t index)
{
	const struct plan_observe *observe = &plan->observes[index];
	AUTO_FREE char *params = json_sorted(observe->params, strlen(observe->params));
	AUTO_FREE char *server =
		observe->server_params ? json_sorted(observe->server_params, strlen(observe->server_params)) : NULL;
	struct buf key = {0};

	record_key(&key, plan->hosts[observe->host].host->name,
		   observe->server == SIZE_MAX ? NULL : plan->hosts[observe->server].host->name, observe->source->name,
		   params ? params : observe->params, server, observe->at_once);
	return buf_take(&key);
}

static const char *step_name(const struct plan_step *step)
{
	return step->step->id ? step->step->id : step->step->name;
}

/* How well it is what was asked for: of several with the same key, run and attempt, the step's own. */
static unsigned likeness(const struct recorded *item, const struct result_record *record)
{
	const char *step = record->step ? step_name(record->step) : NULL;
	/* One that was made for a step alone, once, is as good as one that was made for all. */
	unsigned run = record->run > 1 ? record->run : 1, found = item->run > 1 ? item->run : 1;
	bool alone = item->step != NULL;

	if (run != found || record->attempt != item->attempt)
		return 0;
	if (record->phase != item->phase && (record->phase >= RECORD_BEFORE || item->phase >= RECORD_BEFORE))
		return 0;
	if (step && alone && !strcmp(step, item->step))
		return record->phase == item->phase ? 5 : 4;
	return alone == (step != NULL) ? 3 : alone ? 1 : 2;
}

const struct recorded *recording_find(const struct recording *recording, const struct plan *plan,
				      const struct result_record *record)
{
	AUTO_FREE char *key = key_of(plan, record->observe);
	const struct recorded *best = NULL;
	unsigned most = 0;

	for (size_t i = names_find(&recording->keys, key); i != SIZE_MAX; i = recording->items[i].next) {
		unsigned like = likeness(&recording->items[i], record);

		if (like > most) {
			most = like;
			best = &recording->items[i];
		}
	}
	return best;
}

/* Users know probes, and not the sources behind them. */
static const char *probe_name(const struct rs_source *source, uint32_t wanted)
{
	for (size_t i = 0; i < source->nprobes && i < 32; i++)
		if (wanted & UINT32_C(1) << i)
			return source->probes[i].name;
	return source->name;
}

/* What speaks against it: the host, the source, the parameters, or how often. */
static char *why_not(const struct recording *recording, const struct plan *plan, const struct result_record *record,
		     uint32_t wanted)
{
	const struct plan_observe *observe = &plan->observes[record->observe];
	const char *host = plan->hosts[observe->host].host->name, *probe = probe_name(observe->source, wanted);
	AUTO_FREE char *key = key_of(plan, record->observe);
	bool source = false;

	if (names_find(&recording->keys, key) != NAMES_NONE)
		return xasprintf("%s of it (attempt %u, run %u) was not recorded in '%s'",
				 record->phase >= RECORD_BEFORE ? "the counters" : "this observation", record->attempt,
				 record->run ? record->run : 1, recording->about.path);
	if (names_find(&recording->hosts, host) == NAMES_NONE)
		return xasprintf("host '%s' is not in recording '%s'", host, recording->about.path);
	for (size_t i = 0; i < recording->count && !source; i++)
		source = !strcmp(recording->items[i].host, host) &&
			 !strcmp(recording->items[i].source, observe->source->name);
	return xasprintf("%s was %srecorded on %s in '%s'%s", probe, source ? "" : "not ", host, recording->about.path,
			 source ? ", but not with these parameters" : "");
}

static struct observation *missing(const struct recording *recording, const struct plan *plan,
				   const struct result_record *record, uint32_t wanted)
{
	const struct plan_observe *observe = &plan->observes[record->observe];
	struct observation *observation =
		observation_new(observe->source, plan->hosts[observe->host].host->name, observe->params);

	if (observe->server != SIZE_MAX)
		observation->server = xstrdup(plan->hosts[observe->server].host->name);
	observation->started = recording->about.started;
	observation->error = why_not(recording, plan, record, wanted);
	return observation;
}

static struct observation *recall(void *user, const struct plan *plan, const struct result_record *record,
				  uint32_t wanted)
{
	const struct recording *recording = user;
	const struct recorded *found = recording_find(recording, plan, record);
	struct observation *observation;

	if (!found)
		return missing(recording, plan, record, wanted);
	observation = recorded_observation(recording, found, plan->observes[record->observe].source, wanted);
	/* As the plan writes them: the report's words are those of the run. */
	free(observation->params);
	observation->params = xstrdup(plan->observes[record->observe].params);
	return observation;
}

/* Of several attempts the last one counted; another run of the step is better than none. */
static const struct recorded *find_reference(const struct recording *recording, const struct plan *plan,
					     const struct result_record *record)
{
	AUTO_FREE char *key = key_of(plan, record->observe);
	const struct recorded *best = NULL;
	uint64_t most = 0;

	for (size_t i = names_find(&recording->keys, key); i != SIZE_MAX; i = recording->items[i].next) {
		const struct recorded *item = &recording->items[i];
		bool same_run = (item->run > 1 ? item->run : 1) == record->run;
		bool same_step = item->step && !strcmp(item->step, step_name(record->step));
		uint64_t like = (uint64_t)same_step << 63 | (uint64_t)same_run << 62 | (item->attempt + UINT64_C(1));

		if ((item->phase >= RECORD_BEFORE || record->phase >= RECORD_BEFORE) && item->phase != record->phase)
			continue;
		if (like > most) {
			most = like;
			best = item;
		}
	}
	return best;
}

static struct observation *refer(void *user, const struct plan *plan, const struct result_record *record,
				 uint32_t wanted)
{
	const struct recording *recording = user;
	const struct recorded *found = find_reference(recording, plan, record);

	return found ? recorded_observation(recording, found, plan->observes[record->observe].source, wanted) : NULL;
}

static const char *absent(void *user, const char *host)
{
	return recording_absence(user, host);
}

const struct run_replay *recording_replay(struct recording *recording)
{
	const struct recording_about *about = &recording->about;

	recording->replay = (struct run_replay){
		.user = recording,
		.started = about->started,
		.hostname = about->hostname ? about->hostname : "localhost",
		.simulated = about->simulated,
		.notes = about->notes,
		.nnotes = about->nnotes,
		.absent = absent,
		.recall = recall,
		.refer = refer,
	};
	return &recording->replay;
}
