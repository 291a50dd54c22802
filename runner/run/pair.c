/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Operations between two hosts: the server first, its client when that says where it listens, and an end for both.
 * Both hosts are held meanwhile: no host is in two of them at once. What waits is started in the order of the plan, but
 * one whose hosts are free does not wait for one whose are not.
 */
#include <stdlib.h>

#include "run/internal.h"

/* For a client to notice that its server is gone: what it says then is the better reason. */
#define GRACE_MS 3000

struct pair *pair_new(struct operation *operation, struct host *server, const char *server_params)
{
	struct pair *pair = xcalloc(1, sizeof(*pair));

	pair->client = (struct pair_end){.operation = operation, .host = operation->host, .params = operation->params};
	pair->server = (struct pair_end){.operation = operation, .host = server, .params = server_params};
	return pair;
}

void pair_free(struct pair *pair)
{
	if (!pair)
		return;
	observation_unref(pair->client.observation);
	observation_unref(pair->server.observation);
	free(pair);
}

/* ---- Waiting ---- */

static const struct host *lost_end(const struct pair *pair)
{
	return pair->server.host->state == HOST_LOST   ? pair->server.host
	       : pair->client.host->state == HOST_LOST ? pair->client.host
						       : NULL;
}

bool pair_end_lost(struct operation *operation)
{
	const struct host *lost = lost_end(operation->pair);
	char *why;

	if (operation->host->run->result->signal) {
		operation_end(operation, NULL);
		return true;
	}
	if (!lost)
		return false;
	why = xasprintf("%s: %s", lost->scenario->name, lost->lost);
	operation_end_error(operation, why);
	free(why);
	return true;
}

void pair_queue(struct operation *operation)
{
	struct pair *pair = operation->pair;

	if (pair_end_lost(operation))
		return;
	TAILQ_INSERT_TAIL(&pair->client.host->pairs, &pair->client, next);
	TAILQ_INSERT_TAIL(&pair->server.host->pairs, &pair->server, next);
	host_kick_later(pair->client.host, 0);
}

static void leave_queue(struct pair *pair)
{
	TAILQ_REMOVE(&pair->client.host->pairs, &pair->client, next);
	TAILQ_REMOVE(&pair->server.host->pairs, &pair->server, next);
}

void pairs_fail(struct host *host)
{
	struct pair_end *end;

	while ((end = TAILQ_FIRST(&host->pairs))) {
		struct operation *operation = end->operation;

		leave_queue(operation->pair);
		pair_end_lost(operation);
	}
}

/* ---- Both ends of one that runs ---- */

static const char *address_of(const struct host *host)
{
	return host->scenario->address ? host->scenario->address : host->scenario->name;
}

static void observe(struct pair_end *end, const struct pair_end *peer, bool server, unsigned port)
{
	const struct operation *operation = end->operation;
	const struct link_pair pair = {
		.server = server,
		.host = end->host->scenario->name,
		.address = address_of(end->host),
		.peer_host = peer->host->scenario->name,
		.peer_address = address_of(peer->host),
		.port = port,
	};
	const struct link_request request = {
		.source = operation->source,
		.wanted = operation->wanted,
		.params = end->params,
		/* A server of a group also waits for the other servers. */
		.timeout_ms = operation->timeout_ms * (server && operation->pair->group ? 2 : 1),
		.pair = &pair,
	};

	end->id = link_observe(end->host->link, &request);
}

/* One host may be both ends. */
static void hold(struct pair *pair)
{
	host_hold(pair->client.host);
	if (pair->server.host != pair->client.host)
		host_hold(pair->server.host);
}

static void release(struct pair *pair)
{
	host_release(pair->client.host);
	if (pair->server.host != pair->client.host)
		host_release(pair->server.host);
}

void pair_begin(struct operation *operation)
{
	struct pair *pair = operation->pair;

	TAILQ_INSERT_TAIL(&pair->client.host->pairs_running, &pair->client, next);
	TAILQ_INSERT_TAIL(&pair->server.host->pairs_running, &pair->server, next);
	operation->host->run->operations_running++;
	observe(&pair->server, &pair->client, true, 0);
}

static void start(struct operation *operation)
{
	leave_queue(operation->pair);
	hold(operation->pair);
	pair_begin(operation);
}

bool pair_start_one(struct host *host)
{
	struct pair_end *end;

	if (!host_is_free(host))
		return false;
	TAILQ_FOREACH(end, &host->pairs, next)
	{
		struct pair *pair = end->operation->pair;

		if (!host_is_free(pair->client.host) || !host_is_free(pair->server.host))
			continue;
		start(end->operation);
		return true;
	}
	return false;
}

/* ---- What comes in ---- */

/* A client that is told to end has nothing to say of its own: it is the server that failed. */
static struct observation *take_client(struct pair *pair)
{
	struct observation *client = pair->client.observation;
	const struct operation *operation = pair->client.operation;

	pair->client.observation = NULL;
	if (client && !pair->cancelled)
		return client;
	observation_unref(client);
	client = observation_new(operation->source, operation->host->scenario->name, operation->params);
	client->started = pair->server.observation->started;
	client->seconds = pair->server.observation->seconds;
	return client;
}

/*
 * The client's words come first: those of the server are mostly their echo. A server that would not end when its client
 * was through with it spoilt nothing.
 */
static void join_errors(struct observation *client, const struct observation *server, const char *host)
{
	char *error = client->error;

	if (!server->error)
		return;
	if (!error && client->tables[0] && !server->reason) {
		char *note = xasprintf("the server on %s: %s", host, server->error);

		strings_add(&client->notes, note);
		free(note);
		return;
	}
	client->error =
		xasprintf("%s%sthe server on %s: %s", error ? error : "", error ? "; " : "", host, server->error);
	client->reason = error ? client->reason : server->reason;
	free(error);
}

static struct observation *join(struct pair *pair)
{
	const struct observation *server = pair->server.observation;
	const char *host = pair->server.host->scenario->name;
	struct observation *client = take_client(pair);

	client->server = xstrdup(host);
	join_errors(client, server, host);
	observation_append(client, server, "server: ");
	return client;
}

static void finish(struct operation *operation)
{
	struct pair *pair = operation->pair;
	struct run *run = operation->host->run;

	if (pair->grace)
		uv_close((uv_handle_t *)pair->grace, run_timer_free);
	pair->grace = NULL;
	TAILQ_REMOVE(&pair->client.host->pairs_running, &pair->client, next);
	TAILQ_REMOVE(&pair->server.host->pairs_running, &pair->server, next);
	run->operations_running--;
	if (pair->group)
		group_through(pair);
	else
		release(pair);
	operation_end(operation, run->result->signal ? NULL : join(pair));
}

static void on_grace(uv_timer_t *timer)
{
	struct pair *pair = timer->data;

	uv_close((uv_handle_t *)timer, run_timer_free);
	pair->grace = NULL;
	pair->cancelled = true;
	link_cancel(pair->client.host->link, pair->client.id);
}

static void server_done(struct pair *pair)
{
	if (!pair->client.id) {
		finish(pair->server.operation);
		return;
	}
	if (!pair->server.observation->error)
		return;
	pair->grace = xcalloc(1, sizeof(*pair->grace));
	uv_timer_init(&pair->server.host->run->loop, pair->grace);
	pair->grace->data = pair;
	uv_timer_start(pair->grace, on_grace, GRACE_MS, 0);
}

static void client_done(struct pair *pair)
{
	if (pair->server.id)
		link_stop(pair->server.host->link, pair->server.id);
	else
		finish(pair->client.operation);
}

static struct pair_end *find(struct host *host, uint64_t id)
{
	struct pair_end *end;

	TAILQ_FOREACH(end, &host->pairs_running, next)
	if (end->id == id)
		return end;
	return NULL;
}

bool pair_done(struct host *host, uint64_t id, struct observation *observation)
{
	struct pair_end *end = find(host, id);
	struct pair *pair = end ? end->operation->pair : NULL;

	if (!end)
		return false;
	end->id = 0;
	end->observation = observation;
	if (end == &pair->server)
		server_done(pair);
	else
		client_done(pair);
	return true;
}

/* A client that cannot be reached any more leaves its server without one. */
void pair_begin_client(struct pair *pair)
{
	struct host *client = pair->client.host;
	char *why;

	if (host_is_open(client)) {
		observe(&pair->client, &pair->server, false, pair->port);
		return;
	}
	why = xasprintf("%s: %s", client->scenario->name, client->lost ? client->lost : "the run was ended");
	pair->client.observation = operation_error(pair->client.operation, why);
	free(why);
	link_stop(pair->server.host->link, pair->server.id);
}

void pair_listening(struct host *host, uint64_t id, unsigned port)
{
	struct pair_end *end = find(host, id);
	struct pair *pair = end ? end->operation->pair : NULL;

	if (!end)
		return;
	pair->port = port;
	if (pair->group)
		group_heard(pair->group);
	else
		pair_begin_client(pair);
}
