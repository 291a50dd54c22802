/* SPDX-License-Identifier: BSD-2-Clause */
#include "agent/pods.h"

#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "agent/connect.h"
#include "agent/tail.h"
#include "base/cleanup.h"

#define ANSWER_MAX (UINT64_C(256) << 20) /* bytes: about 20,000 pods as kubectl describes them */

/** struct pods - @why: why there is no answer */
struct pods {
	const struct scenario_host *host; /* the first that they were asked for */
	void (*answered)(void *user);
	void *user;
	uv_process_t process;
	uv_pipe_t out, err;
	uv_timer_t timer;
	unsigned handles, ended; /* of process, out and err: how many have ended */
	bool closing, done, failed;
	int64_t exit_status;
	struct buf text;
	struct tail words;
	char chunk[65536];
	json_t *items;
	char *why;
};

static void on_closed(uv_handle_t *handle)
{
	struct pods *pods = handle->data;

	if (--pods->handles)
		return;
	buf_free(&pods->text);
	tail_free(&pods->words);
	json_decref(pods->items);
	free(pods->why);
	free(pods);
}

static void free_pods(struct pods *pods)
{
	uv_close((uv_handle_t *)&pods->process, on_closed);
	uv_close((uv_handle_t *)&pods->out, on_closed);
	uv_close((uv_handle_t *)&pods->err, on_closed);
	uv_close((uv_handle_t *)&pods->timer, on_closed);
}

static void fail(struct pods *pods, char *why)
{
	if (pods->why)
		free(why);
	else
		pods->why = why;
}

/* ---- The answer ---- */

static void read_answer(struct pods *pods)
{
	json_error_t error;
	json_t *root = json_loadb(pods->text.data ? pods->text.data : "", pods->text.length, 0, &error);
	json_t *items = json_object_get(root, "items");

	if (json_is_array(items))
		pods->items = json_incref(items);
	else
		fail(pods, xasprintf("kubectl did not answer with a list of pods: %s",
				     root ? "there are no 'items'" : error.text));
	json_decref(root);
	buf_free(&pods->text);
}

static void read_failure(struct pods *pods)
{
	AUTO_BUF struct buf words = {0};
	char *last;

	tail_write(&pods->words, &words);
	last = words.length ? strrchr(words.data, '\n') : NULL;
	fail(pods, xasprintf("kubectl could not list the pods (exit status %d)%s%s", (int)pods->exit_status,
			     words.length ? ": " : "",
			     last	    ? last + 1
			     : words.length ? words.data
					    : ""));
}

static void conclude(struct pods *pods)
{
	uv_timer_stop(&pods->timer);
	pods->done = true;
	if (pods->closing) {
		free_pods(pods);
		return;
	}
	if (!pods->why && pods->failed)
		read_failure(pods);
	else if (!pods->why)
		read_answer(pods);
	pods->answered(pods->user);
}

static void end_one(struct pods *pods)
{
	if (++pods->ended == 3)
		conclude(pods);
}

static void kill_it(struct pods *pods)
{
	if (pods->process.pid > 0 && kill(-pods->process.pid, SIGKILL) < 0)
		uv_process_kill(&pods->process, SIGKILL);
}

static void on_exit_of(uv_process_t *process, int64_t exit_status, int term_signal)
{
	struct pods *pods = process->data;

	pods->exit_status = term_signal ? 128 + term_signal : exit_status;
	pods->failed = pods->exit_status != 0;
	end_one(pods);
}

static void on_timeout(uv_timer_t *timer)
{
	struct pods *pods = timer->data;

	fail(pods, xstrdup("kubectl did not list the pods in time"));
	kill_it(pods);
}

static void on_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
	struct pods *pods = handle->data;

	*buf = uv_buf_init(pods->chunk, sizeof(pods->chunk));
}

static void on_output(uv_stream_t *stream, ssize_t length, const uv_buf_t *buf)
{
	struct pods *pods = stream->data;

	if (length < 0) {
		uv_read_stop(stream);
		end_one(pods);
	} else if (stream == (uv_stream_t *)&pods->err) {
		tail_add(&pods->words, buf->base, (size_t)length);
	} else if (pods->text.length + (size_t)length <= ANSWER_MAX) {
		buf_add(&pods->text, buf->base, (size_t)length);
	} else {
		fail(pods, xstrdup("kubectl's list of pods is too long"));
		kill_it(pods);
	}
}

/* ---- The question ---- */

bool pods_serve(const struct pods *pods, const struct scenario_host *host)
{
	const struct scenario_way *a = &pods->host->way, *b = &host->way;

	return equal_text(a->label, b->label) && equal_text(a->namespace, b->namespace) &&
	       equal_text(a->context, b->context) && equal_list(a->options, b->options);
}

bool pods_answered(const struct pods *pods)
{
	return pods->done;
}

static int spawn(struct pods *pods, uv_loop_t *loop, const struct strings *argv)
{
	AUTO_FREE char **words = xcalloc(argv->count + 1, sizeof(*words));
	uv_stdio_container_t streams[3] = {
		{.flags = UV_IGNORE},
		{.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&pods->out},
		{.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&pods->err},
	};
	uv_process_options_t options = {
		.file = argv->items[0],
		.args = words,
		.exit_cb = on_exit_of,
		.flags = UV_PROCESS_DETACHED,
		.stdio_count = 3,
		.stdio = streams,
	};

	memcpy(words, argv->items, argv->count * sizeof(*words));
	return uv_spawn(loop, &pods->process, &options);
}

static void on_never_started(uv_timer_t *timer)
{
	conclude(timer->data);
}

struct pods *pods_ask(uv_loop_t *loop, const struct scenario_host *host, int64_t timeout_ms,
		      void (*answered)(void *user), void *user)
{
	struct pods *pods = xcalloc(1, sizeof(*pods));
	AUTO_STRINGS struct strings argv = {0};
	int error;

	pods->host = host;
	pods->answered = answered;
	pods->user = user;
	pods->handles = 4;
	uv_pipe_init(loop, &pods->out, 0);
	uv_pipe_init(loop, &pods->err, 0);
	uv_timer_init(loop, &pods->timer);
	pods->process.data = pods->out.data = pods->err.data = pods->timer.data = pods;
	connect_kubectl_pods(host, &argv);
	error = spawn(pods, loop, &argv);
	if (error) {
		fail(pods, xasprintf("the way to the agent could not be started: 'kubectl': %s", strerror(-error)));
		uv_timer_start(&pods->timer, on_never_started, 0, 0);
		return pods;
	}
	uv_timer_start(&pods->timer, on_timeout, (uint64_t)timeout_ms, 0);
	uv_read_start((uv_stream_t *)&pods->out, on_room, on_output);
	uv_read_start((uv_stream_t *)&pods->err, on_room, on_output);
	return pods;
}

void pods_close(struct pods *pods)
{
	if (pods->closing)
		return;
	pods->closing = true;
	if (pods->done)
		free_pods(pods);
	else
		kill_it(pods);
}

/* ---- Which pod ---- */

static const char *text_at(const json_t *item, const char *part, const char *key)
{
	return json_string_value(json_object_get(json_object_get(item, part), key));
}

static bool is_on(const json_t *item, const char *node)
{
	const char *phase = text_at(item, "status", "phase"), *where = text_at(item, "spec", "nodeName");

	return where && !strcmp(where, node) && phase && !strcmp(phase, "Running") &&
	       !text_at(item, "metadata", "deletionTimestamp");
}

/* A pod's name reaches a command line. */
static bool is_name(const char *name)
{
	return name && *name && *name != '-' && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789.-") == strlen(name);
}

const char *pods_find(const struct pods *pods, const char *node, char **why)
{
	const char *label = pods->host->way.label, *found = NULL;
	size_t i;
	json_t *item;

	*why = pods->why ? xstrdup(pods->why) : NULL;
	json_array_foreach(pods->items, i, item)
	{
		const char *name = text_at(item, "metadata", "name");

		if (*why || !is_on(item, node) || !is_name(name))
			continue;
		if (found)
			*why = xasprintf("more than one running pod on node '%s' has the label '%s': %s and %s", node,
					 label, found, name);
		found = name;
	}
	if (!*why && !found)
		*why = xasprintf("no running pod on node '%s' has the label '%s'", node, label);
	return *why ? NULL : found;
}
