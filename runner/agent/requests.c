/* SPDX-License-Identifier: BSD-2-Clause */
/* What is said over a link: requests one way, answers the other. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "agent/link_internal.h"
#include "agent/request.h"
#include "base/cleanup.h"

#define BYTES_MAX (UINT64_C(600) << 20)
#define PORT_MAX 65535

struct writing {
	uv_write_t request;
	char *data;
};

static void on_written(uv_write_t *request, int status)
{
	struct writing *writing = (struct writing *)request;

	/* Where it failed, the agent is going, which will be noticed at its other end. */
	free(writing->data);
	free(writing);
}

static void transmit(struct link *link, struct buf *text)
{
	struct writing *writing;
	uv_buf_t buf;

	if (link->state != LINK_RUNNING || link->exited || uv_is_closing((uv_handle_t *)&link->in))
		return;
	writing = xcalloc(1, sizeof(*writing));
	buf = uv_buf_init(NULL, (unsigned)text->length);
	buf.base = writing->data = buf_take(text);
	if (uv_write(&writing->request, (uv_stream_t *)&link->in, &buf, 1, on_written) < 0)
		on_written(&writing->request, UV_EPIPE);
}

void link_greet(struct link *link)
{
	AUTO_STRINGS struct strings names = {0};
	AUTO_BUF struct buf text = {0};
	size_t count;
	const struct rs_plugin *const *plugins = registry_plugins(link->registry, &count);

	for (size_t i = 0; i < count; i++)
		strings_add(&names, plugins[i]->name);
	hello_write(&text, &names, true);
	transmit(link, &text);
}

void link_compare(const struct link *link, const struct hello *hello, struct strings *differences)
{
	size_t count;
	const struct rs_plugin *const *plugins = registry_plugins(link->registry, &count);

	if (strcmp(hello->version, VERSION) != 0) {
		AUTO_FREE char *line =
			xasprintf("%s runs rdmaspec %s, here it is %s", link->host, hello->version, VERSION);

		strings_add(differences, line);
	}
	if (hello->abi != RS_ABI) {
		AUTO_FREE char *line =
			xasprintf("%s has plugins of ABI %" PRId64 ", here it is %d", link->host, hello->abi, RS_ABI);

		strings_add(differences, line);
	}
	for (size_t i = 0; i < count; i++) {
		AUTO_FREE char *line = xasprintf("%s does not have the plugin %s", link->host, plugins[i]->name);

		if (!strings_have(&hello->plugins, plugins[i]->name))
			strings_add(differences, line);
	}
}

/* ---- Requests ---- */

static uint64_t last_moment(const struct link *link, const struct pending *pending)
{
	return pending->heard + (uint64_t)(pending->timeout_ms + link->guard_ms);
}

/* Not the loop's time, which stands still while this process is busy. */
static uint64_t now_ms(void)
{
	return uv_hrtime() / 1000000;
}

static void set_guard(struct link *link);

static void on_guard(uv_timer_t *timer)
{
	struct link *link = timer->data;
	const struct pending *pending;

	for (pending = link->pending; pending; pending = pending->next)
		if (last_moment(link, pending) <= now_ms())
			break;
	if (!pending) {
		set_guard(link);
	} else if (!link->guarded) {
		/* If it was this process that did not listen, there is something to hear now. */
		link->guarded = true;
		uv_timer_start(timer, on_guard, (uint64_t)link->guard_ms / 10, 0);
	} else {
		link_fail(link, xstrdup("the agent is stuck: it did not end an observation that was due"));
	}
}

static void set_guard(struct link *link)
{
	uint64_t now = now_ms(), first = UINT64_MAX;

	link->guarded = false;
	for (const struct pending *pending = link->pending; pending; pending = pending->next)
		if (last_moment(link, pending) < first)
			first = last_moment(link, pending);
	if (!link->pending)
		uv_timer_stop(&link->guard);
	else
		uv_timer_start(&link->guard, on_guard, first > now ? first - now : 0, 0);
}

static void fill_request(struct request *out, const struct pending *pending, const struct link_request *request)
{
	out->id = pending->id;
	out->source = xstrdup(request->source->name);
	for (size_t i = 0; i < request->source->nprobes && i < 32; i++)
		if (request->wanted & UINT32_C(1) << i)
			strings_add(&out->wanted, request->source->probes[i].name);
	out->timeout_ms = request->timeout_ms;
	if (request->params)
		buf_puts(&out->params, request->params);
	out->exec = request->environment != NULL;
	for (size_t i = 0; request->environment && request->environment[i]; i++)
		strings_add(&out->environment, request->environment[i]);
	out->directory = request->directory ? xstrdup(request->directory) : NULL;
	if (!request->pair)
		return;
	out->role = request->pair->server ? ROLE_SERVER : ROLE_CLIENT;
	out->self = (struct request_end){xstrdup(request->pair->host), xstrdup(request->pair->address)};
	out->peer = (struct request_end){xstrdup(request->pair->peer_host), xstrdup(request->pair->peer_address)};
	out->port = request->pair->port;
}

static void finish(struct link *link, struct pending *pending, const char *cause, const char *log, bool killed)
{
	struct pending **at = &link->pending;
	struct observation *observation = answer_end(&pending->answer, cause);
	uint64_t id = pending->id;
	int64_t worker = killed ? pending->worker : 0;

	while (*at != pending)
		at = &(*at)->next;
	*at = pending->next;
	free(pending);
	if (log && !observation->log)
		observation->log = xstrdup(log);
	link->events.done(link, link->user, id, observation, worker);
}

void link_abandon(struct link *link, const char *why)
{
	AUTO_BUF struct buf log = {0};
	uint64_t last = link->last_id;

	tail_write(&link->words, &log);
	/* Whoever asks again from inside done() is answered later, not for ever. */
	while (link->pending && link->pending->id <= last)
		finish(link, link->pending, why, log.length ? log.data : NULL, true);
}

static void on_too_late(uv_timer_t *timer)
{
	link_abandon(timer->data, "the agent is gone");
}

uint64_t link_observe(struct link *link, const struct link_request *request)
{
	const struct rs_plugin *plugin = registry_plugin_of(link->registry, request->source);
	struct pending *pending = xcalloc(1, sizeof(*pending)), **last = &link->pending;
	struct request wire = {0};
	AUTO_BUF struct buf text = {0};

	pending->id = ++link->last_id;
	pending->server = request->pair && request->pair->server;
	pending->timeout_ms = request->timeout_ms + (pending->server ? SERVER_MS : 0);
	pending->heard = now_ms();
	answer_begin(&pending->answer, request->source, plugin, request->wanted, link->host, request->params);
	while (*last)
		last = &(*last)->next;
	*last = pending;
	if (link->state == LINK_GONE) {
		/* Not before this returns: the caller has to know the id first. */
		uv_timer_start(&link->guard, on_too_late, 0, 0);
		return pending->id;
	}
	fill_request(&wire, pending, request);
	request_write(&text, &wire);
	request_free(&wire);
	transmit(link, &text);
	set_guard(link);
	return pending->id;
}

static struct pending *find_pending(const struct link *link, uint64_t id)
{
	struct pending *pending = link->pending;

	while (pending && pending->id != id)
		pending = pending->next;
	return pending;
}

static void tell(struct link *link, uint64_t id, const char *what)
{
	AUTO_BUF struct buf text = {0};

	wire_begin(&text, id, what);
	buf_puts(&text, "true");
	wire_end(&text);
	transmit(link, &text);
}

void link_cancel(struct link *link, uint64_t id)
{
	struct pending *pending = find_pending(link, id);

	if (!pending || pending->cancelled)
		return;
	pending->cancelled = true;
	tell(link, id, "cancel");
}

void link_stop(struct link *link, uint64_t id)
{
	struct pending *pending = find_pending(link, id);

	if (pending && pending->server && !pending->cancelled)
		tell(link, id, "stop");
}

/* ---- Answers ---- */

static void refuse(struct link *link, const char *why)
{
	link_fail(link, xasprintf("the agent sent a message that was refused: %s", why));
}

static void take_started(struct link *link, struct pending *pending, const json_t *body)
{
	struct timespec now;

	if (!json_is_integer(body) || json_integer_value(body) < 1 || json_integer_value(body) > INT32_MAX ||
	    pending->worker) {
		refuse(link, "a malformed 'started'");
		return;
	}
	clock_gettime(CLOCK_REALTIME, &now);
	pending->worker = json_integer_value(body);
	pending->answer.observation->started = (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void take_done(struct link *link, struct pending *pending, const json_t *body)
{
	const json_t *seconds = json_object_get(body, "seconds"), *killed = json_object_get(body, "killed");
	const json_t *cause = json_object_get(body, "cause"), *log = json_object_get(body, "log");
	AUTO_FREE char *cause_text = cause ? wire_get_string(cause) : NULL;
	AUTO_FREE char *log_text = log ? wire_get_string(log) : NULL;
	size_t known = 2 + !!cause + !!log;

	if (!json_is_object(body) || json_object_size(body) != known || !json_is_number(seconds) ||
	    !json_is_boolean(killed) || (cause && !cause_text) || (log && !log_text)) {
		refuse(link, "a malformed 'done'");
		return;
	}
	pending->answer.observation->seconds = json_number_value(seconds);
	/* What was wrong with its words comes before that it was ended for them. */
	finish(link, pending, pending->answer.failure && pending->cancelled ? NULL : cause_text, log_text,
	       json_is_true(killed));
	set_guard(link);
}

/* Another version of a plugin may mean something else by the same words: whoever reads the report has to know. */
static void note_version(struct link *link, const struct answer *answer)
{
	if (!answer->plugin || !strcmp(answer->plugin->version, answer->version))
		return;
	AUTO_FREE char *text = xasprintf("%s has version %s of the plugin %s, here it is %s", link->host,
					 answer->version, answer->plugin->name, answer->plugin->version);

	strings_add(&answer->observation->notes, text);
}

/* The agent's own words about an observation. */
static void take_own(struct link *link, struct pending *pending, const char *line, size_t length)
{
	AUTO_FREE char *why = NULL;
	const char *kind;
	uint64_t id;
	json_t *body, *message = wire_message(line, length, &id, &kind, &body, &why);

	if (!message)
		refuse(link, why);
	else if (!strcmp(kind, "started"))
		take_started(link, pending, body);
	else
		take_done(link, pending, body);
	json_decref(message);
}

static bool read_port(const char *line, size_t length, unsigned *port)
{
	AUTO_FREE char *why = NULL;
	const char *kind;
	uint64_t id;
	json_t *body, *message = wire_message(line, length, &id, &kind, &body, &why);
	bool good = message && json_is_integer(body) && json_integer_value(body) > 0 &&
		    json_integer_value(body) <= PORT_MAX;

	if (good)
		*port = (unsigned)json_integer_value(body);
	json_decref(message);
	return good;
}

/* Only a server that has begun has that to say, and only once. */
static void take_ready(struct link *link, struct pending *pending, const char *line, size_t length)
{
	const struct answer *answer = &pending->answer;
	unsigned port;

	if (!pending->server || pending->ready || !answer->version || answer->ended ||
	    !read_port(line, length, &port)) {
		answer_fail(&pending->answer, xstrdup("the worker sent a malformed message 'ready'"));
		link_cancel(link, pending->id);
		return;
	}
	pending->ready = true;
	if (!answer->failure && link->events.listening)
		link->events.listening(link, link->user, pending->id, port);
}

static void take_changed(struct link *link, const struct pending *pending)
{
	if (!link_changed(link, pending))
		refuse(link, "too much is changed on the host");
}

static bool is_kind(const char *kind, size_t length, const char *name)
{
	return length == strlen(name) && !memcmp(kind, name, length);
}

/*
 * Whose it is and of what kind is told by its first bytes alone: what cannot be read after them was its worker's, whose
 * words the agent passes on as they are.
 */
void link_take(struct link *link, const char *line, size_t length)
{
	const char *kind;
	size_t kind_length;
	uint64_t id = wire_prefix(line, length, &kind, &kind_length);
	struct pending *pending = find_pending(link, id);
	bool knew;

	if (id && is_kind(kind, kind_length, "undone")) {
		if (!link_undone(link, line, length))
			refuse(link, "a malformed 'undone', or one of nothing that was changed");
		return;
	}
	if (!pending) {
		refuse(link, id ? "it is about an observation that is not running" : "it is none of the wire format");
		return;
	}
	pending->heard = now_ms();
	pending->bytes += length;
	knew = pending->answer.version != NULL;
	if (pending->bytes > BYTES_MAX)
		refuse(link, "too much was said about one observation");
	else if (is_kind(kind, kind_length, "started") || is_kind(kind, kind_length, "done"))
		take_own(link, pending, line, length);
	else if (is_kind(kind, kind_length, "ready"))
		take_ready(link, pending, line, length);
	else if (is_kind(kind, kind_length, "changed"))
		take_changed(link, pending);
	else if (answer_take(&pending->answer, line, length) < 0)
		link_cancel(link, pending->id);
	else if (!knew && pending->answer.version)
		note_version(link, &pending->answer);
}
