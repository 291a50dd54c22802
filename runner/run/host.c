/* SPDX-License-Identifier: BSD-2-Clause */
/* Hosts: their agents, and which operation starts when. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "agent/connect.h"
#include "base/cleanup.h"
#include "run/internal.h"

/* ---- What runs ---- */

static void start(struct host *host, struct operation *operation, unsigned queue)
{
	struct run *run = host->run;
	struct link_request request = {
		.source = operation->source,
		.wanted = operation->wanted,
		.params = operation->params,
		.timeout_ms = operation->timeout_ms,
	};

	TAILQ_REMOVE(&host->queues[queue], operation, next);
	if (queue & QUEUE_PLACE) {
		run->places_used++;
		request.environment = host->environment;
		request.directory = simulator_directory(run->simulator);
	}
	if (queue & QUEUE_EXCLUSIVE)
		host->exclusive++;
	else
		host->jobs++;
	TAILQ_INSERT_TAIL(&host->running, operation, next);
	operation->id = link_observe(host->link, &request);
	run->operations_running++;
}

bool host_is_open(const struct host *host)
{
	/* What one that may be absent was asked would be an error before it is known that it is. */
	return host->link && !host->closing && host->state != HOST_LOST && (host->reached || !host->scenario->optional);
}

bool host_is_free(const struct host *host)
{
	return host_is_open(host) && !host->exclusive;
}

void host_hold(struct host *host)
{
	host->exclusive++;
}

void host_release(struct host *host)
{
	host->exclusive--;
	host_kick_later(host, 0);
}

static unsigned jobs_of(const struct run *run)
{
	return run->options->jobs ? run->options->jobs : 1;
}

/* Reading never waits for a performance test: exclusive operations have a slot of their own. */
static bool start_one(struct host *host, unsigned queue)
{
	struct operation *operation = TAILQ_FIRST(&host->queues[queue]);
	bool full = queue & QUEUE_EXCLUSIVE ? host->exclusive : host->jobs >= jobs_of(host->run);

	if (!operation || full || !host_is_open(host))
		return false;
	start(host, operation, queue);
	return true;
}

void host_kick_later(struct host *host, unsigned queue)
{
	struct run *run = host->run;

	if (queue & QUEUE_PLACE && !host->is_placing) {
		TAILQ_INSERT_TAIL(&run->placing, host, placing);
		host->is_placing = true;
	}
	if (!(queue & QUEUE_PLACE) && !host->is_waiting) {
		TAILQ_INSERT_TAIL(&run->waiting, host, waiting);
		host->is_waiting = true;
	}
}

static bool is_place_free(const struct run *run)
{
	return run->fabric_up && run->places_used < simulator_places(run->simulator);
}

static bool start_placed(struct host *host)
{
	return start_one(host, QUEUE_PLACE) || start_one(host, QUEUE_PLACE | QUEUE_EXCLUSIVE);
}

static bool has_placing(const struct host *host)
{
	return !TAILQ_EMPTY(&host->queues[QUEUE_PLACE]) || !TAILQ_EMPTY(&host->queues[QUEUE_PLACE | QUEUE_EXCLUSIVE]);
}

/* The hosts take turns at the places of the fabric: who got one goes to the end, who cannot use one keeps its turn. */
static void kick_placing(struct run *run)
{
	struct host *host = TAILQ_FIRST(&run->placing), *next;

	for (; host && is_place_free(run); host = next) {
		bool started = start_placed(host), more = has_placing(host);

		next = TAILQ_NEXT(host, placing);
		if (more && !started)
			continue;
		TAILQ_REMOVE(&run->placing, host, placing);
		host->is_placing = more;
		if (!more)
			continue;
		TAILQ_INSERT_TAIL(&run->placing, host, placing);
		if (!next)
			next = host;
	}
}

void hosts_kick(struct run *run)
{
	struct host *host;

	while (!run->finishing && (host = TAILQ_FIRST(&run->waiting))) {
		TAILQ_REMOVE(&run->waiting, host, waiting);
		host->is_waiting = false;
		while (start_one(host, 0) || start_one(host, QUEUE_EXCLUSIVE) || pair_start_one(host) ||
		       group_start_one(host))
			;
	}
	if (!run->finishing)
		kick_placing(run);
}

/* ---- What the link tells ---- */

static struct operation *find_running(const struct host *host, uint64_t id)
{
	struct operation *operation;

	TAILQ_FOREACH(operation, &host->running, next)
	if (operation->id == id)
		return operation;
	return NULL;
}

static void on_done(struct link *link, void *user, uint64_t id, struct observation *observation, int64_t worker_pid)
{
	struct host *host = user;
	struct run *run = host->run;
	struct operation *operation = find_running(host, id);
	unsigned queue;

	if (!operation) {
		if (!pair_done(host, id, observation))
			observation_unref(observation);
		run_pump(run);
		return;
	}
	if (operation->source->undo)
		changes_keep(host, id, observation);
	queue = operation_queue(operation);
	TAILQ_REMOVE(&host->running, operation, next);
	operation->id = 0;
	run->operations_running--;
	if (queue & QUEUE_EXCLUSIVE)
		host->exclusive--;
	else
		host->jobs--;
	if (queue & QUEUE_PLACE) {
		run->places_used--;
		/* One that did not end as it should took no leave of the fabric either. */
		if (worker_pid || (observation->error && !observation->reason))
			simulator_forget(run->simulator, worker_pid);
	}
	host_kick_later(host, 0);
	if (run->result->signal) {
		observation_unref(observation);
		observation = NULL;
	} else if (queue & QUEUE_PLACE && run->fabric_lost && observation->error) {
		free(observation->error);
		observation->error = xstrdup(run->fabric_lost);
	}
	operation_end(operation, observation);
	run_pump(run);
}

static void on_listening(struct link *link, void *user, uint64_t id, unsigned port)
{
	struct host *host = user;

	pair_listening(host, id, port);
	run_pump(host->run);
}

static void on_ready(struct link *link, void *user, const struct strings *differences)
{
	struct host *host = user;
	struct run *run = host->run;

	host->state = HOST_READY;
	host->reached = true;
	run->hosts_reached++;
	run->hosts_opening--;
	run->hosts_connected++;
	host_kick_later(host, 0);
	for (size_t i = 0; i < differences->count; i++)
		if (!strings_have(&run->result->notes, differences->items[i]))
			strings_add(&run->result->notes, differences->items[i]);
	run_pump(run);
}

static void on_lost(struct link *link, void *user, const char *why)
{
	struct host *host = user;
	struct run *run = host->run;

	if (!host->reached) {
		run->hosts_opening--;
		run->hosts_unreached++;
	}
	if (host->state == HOST_READY)
		run->hosts_connected--;
	if (host->state != HOST_LOST)
		host->lost = xstrdup(why);
	host->state = HOST_LOST;
	for (unsigned queue = 0; queue < QUEUES; queue++)
		operations_fail(run, &host->queues[queue], run->result->signal ? NULL : host->lost);
	pairs_fail(host);
	groups_fail(host);
	/* What its workers held of the fabric is nobody's now. */
	if (run->fabric_up && !run->fabric_lost)
		simulator_forget(run->simulator, 0);
	run_pump(run);
}

static void on_closed(struct link *link, void *user)
{
	struct host *host = user;

	host->link = NULL;
	host->run->links--;
	run_pump(host->run);
}

static void on_undone(struct link *link, void *user, uint64_t id, const char *source, const char *why)
{
	if (why)
		changes_undone(user, id, source, why);
}

static const struct link_events events = {
	.ready = on_ready,
	.done = on_done,
	.lost = on_lost,
	.closed = on_closed,
	.listening = on_listening,
	.undone = on_undone,
};

/* ---- Opening and closing ---- */

/* False: it is not known yet what leads there. */
static bool open_host(struct host *host)
{
	struct run *run = host->run;
	AUTO_STRINGS struct strings argv = {0};
	AUTO_FREE const char **words = NULL;
	AUTO_FREE char *why = NULL;
	struct link_target target = {.host = host->scenario->name, .argv = run->argv, .hello_ms = host_timeout(host)};

	if (host_way(host, &argv, &why) == -EAGAIN)
		return false;
	target.unreachable = why;
	if (argv.count) {
		words = xcalloc(argv.count + 1, sizeof(*words));
		memcpy(words, argv.items, argv.count * sizeof(*words));
		target.argv = words;
		target.path = connect_path(host->scenario);
	} else if (!run->options->simulate && host->scenario->connect == CONNECT_COMMAND) {
		target.argv = host->scenario->way.command;
	} else {
		target.local = &run->agent;
	}
	host->state = HOST_OPENING;
	run->hosts_opening++;
	run->links++;
	host->link = link_open(&run->loop, run->options->registry, &target, &events, host);
	return true;
}

static bool is_ending(const struct run *run)
{
	return run->finishing || run->error || run->result->signal;
}

void hosts_replay(struct run *run)
{
	const struct run_replay *replay = run->options->replay;

	for (size_t i = 0; i < run->plan->nhosts; i++) {
		struct host *host = &run->hosts[i];
		const char *why = replay->absent(replay->user, host->scenario->name);

		if (host->state == HOST_UNUSED)
			continue;
		host->state = why ? HOST_LOST : HOST_READY;
		host->reached = !why;
		host->lost = why ? xstrdup(why) : NULL;
		run->hosts_reached += !why;
		run->hosts_unreached += why != NULL;
		run->hosts_connected += !why;
	}
}

void hosts_open(struct run *run)
{
	unsigned fanout = run->options->fanout ? run->options->fanout : 1;

	while (run->next_host < run->plan->nhosts && run->hosts_opening < fanout && !is_ending(run)) {
		struct host *host = &run->hosts[run->next_host++];

		if (host->state == HOST_WAITING && open_host(host))
			host_kick_later(host, 0);
	}
}

void hosts_close(struct run *run)
{
	for (size_t i = 0; i < run->plan->nhosts; i++) {
		struct host *host = &run->hosts[i];

		if (host->link && !host->closing) {
			host->closing = true;
			link_close(host->link);
		}
		if (!run->result->signal)
			continue;
		for (unsigned queue = 0; queue < QUEUES; queue++)
			operations_fail(run, &host->queues[queue], NULL);
		pairs_fail(host);
		groups_fail(host);
	}
}

void hosts_leave_fabric(struct run *run)
{
	for (size_t i = 0; i < run->plan->nhosts; i++) {
		struct host *host = &run->hosts[i];
		struct operation *operation;

		operations_fail(run, &host->queues[QUEUE_PLACE], run->fabric_lost);
		operations_fail(run, &host->queues[QUEUE_PLACE | QUEUE_EXCLUSIVE], run->fabric_lost);
		TAILQ_FOREACH(operation, &host->running, next)
		if (operation_queue(operation) & QUEUE_PLACE)
			link_cancel(host->link, operation->id);
	}
}

bool hosts_closed(const struct run *run)
{
	return !run->links;
}

static void use_host(struct run *run, size_t index)
{
	struct host *host = &run->hosts[index];

	if (host->state != HOST_UNUSED)
		return;
	host->state = HOST_WAITING;
	run->hosts_used++;
}

static void use(struct run *run, size_t observe)
{
	const struct plan_observe *plan = &run->plan->observes[observe];

	use_host(run, plan->host);
	if (plan->server != SIZE_MAX)
		use_host(run, plan->server);
}

void hosts_init(struct run *run)
{
	const struct plan *plan = run->plan;

	TAILQ_INIT(&run->waiting);
	TAILQ_INIT(&run->placing);
	run->hosts = arena_alloc(&run->arena, (plan->nhosts + 1) * sizeof(*run->hosts));
	for (size_t i = 0; i < plan->nhosts; i++) {
		struct host *host = &run->hosts[i];

		host->run = run;
		host->scenario = plan->hosts[i].host;
		TAILQ_INIT(&host->running);
		STAILQ_INIT(&host->changes);
		TAILQ_INIT(&host->pairs);
		TAILQ_INIT(&host->groups);
		TAILQ_INIT(&host->pairs_running);
		for (unsigned queue = 0; queue < QUEUES; queue++)
			TAILQ_INIT(&host->queues[queue]);
	}
	for (size_t i = 0; i < plan->nsteps; i++) {
		for (size_t j = 0; j < plan->steps[i].nparts; j++) {
			use(run, plan->steps[i].parts[j].observe);
			if (plan->steps[i].parts[j].when != SIZE_MAX)
				use(run, plan->steps[i].parts[j].when);
		}
	}
	link_reserve(run->hosts_used);
}

void hosts_free(struct run *run)
{
	for (size_t i = 0; i < run->plan->nhosts; i++) {
		changes_free(&run->hosts[i]);
		free(run->hosts[i].lost);
	}
}
