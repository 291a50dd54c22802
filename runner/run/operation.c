/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations: what is observed once for many, and what is observed anew. */
#include <stdlib.h>

#include "run/internal.h"

/* What one is called that is made anew, for one unit of one step. */
static struct result_record record_of(const struct waiter *waiter, size_t observe)
{
	const struct step *step = waiter->step;
	enum unit_phase phase = step->units[waiter->unit].phase;
	struct result_record record = {
		.observe = observe,
		.step = step->plan,
		.run = waiter->unit % plan_runs(step->plan) + 1,
		.attempt = step->attempt + 1,
	};

	if (waiter->when)
		record.phase = RECORD_CONDITION;
	else if (step_compares(step))
		record.phase = phase == PHASE_BEFORE ? RECORD_BEFORE : RECORD_AFTER;
	return record;
}

static struct operation *operation_new(struct run *run, size_t observe, uint32_t wanted, int64_t timeout_ms)
{
	const struct plan_observe *plan = &run->plan->observes[observe];
	struct operation *operation = xcalloc(1, sizeof(*operation));

	operation->host = &run->hosts[plan->host];
	operation->source = plan->source;
	operation->params = plan->params;
	operation->wanted = wanted;
	operation->timeout_ms = timeout_ms + plan->extra_ms;
	operation->record = (struct result_record){.observe = observe};
	if (plan->server != SIZE_MAX)
		operation->pair = pair_new(operation, &run->hosts[plan->server], plan->server_params);
	STAILQ_INIT(&operation->waiters);
	return operation;
}

unsigned operation_queue(const struct operation *operation)
{
	unsigned queue = operation->source->flags & RS_EXCLUSIVE ? QUEUE_EXCLUSIVE : 0;

	/* Only workers that talk to the subnet are clients of the simulated one. */
	if (operation->host->run->simulator && operation->source->flags & RS_FABRIC_ACCESS)
		queue |= QUEUE_PLACE;
	return queue;
}

bool operation_replayed(struct operation *operation)
{
	struct run *run = operation->host->run;
	const struct run_replay *replay = run->options->replay;

	if (!replay)
		return false;
	operation_end(operation, replay->recall(replay->user, run->plan, &operation->record, operation->wanted));
	return true;
}

static void queue_up(struct operation *operation)
{
	struct host *host = operation->host;
	struct run *run = host->run;
	unsigned queue = operation_queue(operation);

	if (run->result->signal) {
		operation_end(operation, NULL);
		return;
	}
	if (operation_replayed(operation))
		return;
	if (operation->pair) {
		pair_queue(operation);
		return;
	}
	if (host->state == HOST_LOST) {
		operation_end_error(operation, host->lost);
		return;
	}
	if (queue & QUEUE_PLACE && run->fabric_lost) {
		operation_end_error(operation, run->fabric_lost);
		return;
	}
	TAILQ_INSERT_TAIL(&host->queues[queue], operation, next);
	host_kick_later(host, queue);
}

static void deliver(struct operation *operation, struct waiter *waiter, bool shared)
{
	waiter->shared = shared;
	waiter->observation = operation->observation ? observation_ref(operation->observation) : NULL;
	STAILQ_INSERT_TAIL(&operation->host->run->arrived, waiter, next);
}

/* Steps may say other time-outs for one and the same observation: the longest holds, in whatever order they come. */
static struct operation *shared_operation(struct run *run, size_t observe, bool *fresh)
{
	*fresh = !run->shared[observe];
	if (*fresh) {
		run->shared[observe] =
			operation_new(run, observe, run->plan->observes[observe].wanted, run->timeouts[observe]);
		run->shared[observe]->kept = true;
		run->shared[observe]->record.attempt = ++run->made[observe];
	}
	return run->shared[observe];
}

void operation_ask(struct run *run, size_t observe, uint32_t wanted, int64_t timeout_ms, bool fresh,
		   struct waiter *waiter)
{
	bool is_new = true;
	struct operation *operation =
		fresh ? operation_new(run, observe, wanted, timeout_ms) : shared_operation(run, observe, &is_new);

	if (operation->done) {
		deliver(operation, waiter, true);
		return;
	}
	waiter->shared = !is_new;
	STAILQ_INSERT_TAIL(&operation->waiters, waiter, next);
	if (fresh)
		operation->record = record_of(waiter, observe);
	if (is_new)
		queue_up(operation);
}

struct operation *operation_alone(struct run *run, size_t observe, uint32_t wanted, int64_t timeout_ms,
				  struct waiter *waiter)
{
	struct operation *operation = operation_new(run, observe, wanted, timeout_ms);

	waiter->shared = false;
	operation->record = record_of(waiter, observe);
	STAILQ_INSERT_TAIL(&operation->waiters, waiter, next);
	return operation;
}

static void operation_free(struct operation *operation)
{
	observation_unref(operation->observation);
	pair_free(operation->pair);
	free(operation);
}

/* What was kept of a host that has been changed is no longer true. */
static void forget_host(struct run *run, const struct host *host)
{
	for (size_t i = 0; i < run->plan->nobserves; i++) {
		struct operation *operation = run->shared[i];

		if (!operation || operation->host != host)
			continue;
		run->shared[i] = NULL;
		operation->kept = false;
		if (operation->done)
			operation_free(operation);
	}
}

static void keep_record(struct result *result, const struct operation *operation)
{
	GROW(result->records, result->nrecords, result->records_capacity);
	result->records[result->nrecords] = operation->record;
	result->records[result->nrecords++].observation = observation_ref(operation->observation);
}

void operation_end(struct operation *operation, struct observation *observation)
{
	struct run *run = operation->host->run;
	struct waiter *waiter;

	operation->done = true;
	operation->observation = observation;
	if (run->options->record && observation)
		keep_record(run->result, operation);
	while ((waiter = STAILQ_FIRST(&operation->waiters))) {
		STAILQ_REMOVE_HEAD(&operation->waiters, next);
		deliver(operation, waiter, waiter->shared);
	}
	if (operation->source->flags & RS_CHANGES)
		forget_host(run, operation->host);
	if (!operation->kept)
		operation_free(operation);
}

struct observation *operation_error(const struct operation *operation, const char *why)
{
	struct observation *observation =
		observation_new(operation->source, operation->host->scenario->name, operation->params);

	observation->error = xstrdup(why);
	observation->started = run_now();
	return observation;
}

void operation_end_error(struct operation *operation, const char *why)
{
	struct observation *observation = operation_error(operation, why);

	if (operation->pair)
		observation->server = xstrdup(operation->pair->server.host->scenario->name);
	operation_end(operation, observation);
}

void operations_fail(struct run *run, struct operations *list, const char *why)
{
	struct operation *operation;

	while ((operation = TAILQ_FIRST(list))) {
		TAILQ_REMOVE(list, operation, next);
		if (why)
			operation_end_error(operation, why);
		else
			operation_end(operation, NULL);
	}
}

void operations_free(struct run *run)
{
	for (size_t i = 0; run->shared && i < run->plan->nobserves; i++)
		if (run->shared[i])
			operation_free(run->shared[i]);
	free(run->shared);
	free(run->timeouts);
	free(run->made);
}
