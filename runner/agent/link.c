/* SPDX-License-Identifier: BSD-2-Clause */
/* The life of an agent as the runner sees it: started, greeted, and ended, one way or another. */
#include "agent/link.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/descriptors.h"
#include "agent/link_internal.h"
#include "base/cleanup.h"

#define GUARD_MS 10000
#define STEP_MS 1000  /* of ending an agent: its input ends, then SIGTERM, then SIGKILL */
#define SETTLE_MS 200 /* for the rest of what it had said */
#define ORPHANS_MS 2000

extern char **environ;

/* All that are open: whose agents are no orphans. */
static struct link *links;

static void forget(struct link *link)
{
	struct link **at = &links;

	while (*at != link)
		at = &(*at)->next;
	*at = link->next;
}

static void on_handle_closed(uv_handle_t *handle)
{
	struct link *link = handle->data;

	if (--link->handles)
		return;
	if (link->pidfd >= 0)
		close(link->pidfd);
	link_abandon(link, "the run was ended");
	link->events.closed(link, link->user);
	lines_free(&link->lines);
	tail_free(&link->words);
	tail_free(&link->banner);
	pids_free(&link->orphans);
	pids_free(&link->killed);
	forget(link);
	free(link->why);
	free(link->host);
	free(link->program);
	free(link->path);
	free(link->token);
	free(link);
}

static void close_handle(struct link *link, void *handle)
{
	if (!uv_is_closing(handle))
		uv_close(handle, on_handle_closed);
}

static void free_link(struct link *link)
{
	if (link->pidfd >= 0)
		close_handle(link, &link->exit);
	if (link->executed)
		close_handle(link, &link->process);
	close_handle(link, &link->in);
	close_handle(link, &link->out);
	close_handle(link, &link->err);
	close_handle(link, &link->timer);
	close_handle(link, &link->guard);
	close_handle(link, &link->child);
}

static void signal_agent(struct link *link, int number)
{
	if (!link->exited && link->pid > 0 && kill(-link->pid, number) < 0)
		kill(link->pid, number);
}

/* An agent that has something to take back gets the time for it. */
static uint64_t patience(const struct link *link)
{
	return STEP_MS + (link->changes ? UNDO_ALL_MS : 0);
}

static void on_kill(uv_timer_t *timer)
{
	signal_agent(timer->data, SIGKILL);
}

static void on_terminate(uv_timer_t *timer)
{
	signal_agent(timer->data, SIGTERM);
	uv_timer_start(timer, on_kill, patience(timer->data), 0);
}

void link_patience(struct link *link)
{
	uv_timer_start(&link->timer, on_terminate, patience(link), 0);
}

void link_fail(struct link *link, char *why)
{
	if (link->why || link->state == LINK_GONE || link->closing) {
		free(why);
		return;
	}
	link->why = why;
	uv_read_stop((uv_stream_t *)&link->out);
	if (!link->exited)
		on_terminate(&link->timer);
}

/* ---- Gone ---- */

/* As shells and ssh have it: no such program, and one that cannot be executed. */
enum { EXIT_NOT_EXECUTABLE = 126, EXIT_NOT_FOUND = 127 };

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static char *describe_missing(const struct link *link)
{
	return xasprintf("%s did not find the program '%s' on the host%s (exit status %d)", base_name(link->program),
			 link->path, link->exit_status == EXIT_NOT_FOUND ? "" : ", or cannot execute it",
			 (int)link->exit_status);
}

/* Who ended: what leads to the agent, as far as can be seen from here. */
static const char *who(const struct link *link)
{
	return link->path ? base_name(link->program) : "the agent";
}

static char *describe_exit(const struct link *link)
{
	if (link->spawn_error)
		return xasprintf("%s could not be started: '%s': %s", link->path ? "the way to the agent" : "the agent",
				 link->program, strerror(-link->spawn_error));
	if (link->term_signal)
		return xasprintf("%s was killed by signal %d (%s)", who(link), link->term_signal,
				 strsignal(link->term_signal));
	if (link->path && !link->greeted &&
	    (link->exit_status == EXIT_NOT_FOUND || link->exit_status == EXIT_NOT_EXECUTABLE))
		return describe_missing(link);
	return xasprintf("%s ended%s, with exit status %d", who(link),
			 link->greeted ? ""
			 : link->path  ? " before an agent had answered"
				       : " before it had answered",
			 (int)link->exit_status);
}

/* What srun and kubectl say after everything else, whatever it was: that somebody ended. */
static bool is_epilogue(const char *line)
{
	return strstr(line, ": task 0: ") || !strncmp(line, "command terminated with exit code ", 34);
}

/* The last line that says something; cuts what follows it. */
static const char *last_words(char *text)
{
	char *line;

	for (;;) {
		line = strrchr(text, '\n');
		if (!line || !is_epilogue(line + 1))
			return line ? line + 1 : text;
		*line = '\0';
	}
}

/* One sentence, with the last line that came on its standard error, or else ahead of its hello. */
static char *describe_loss(const struct link *link)
{
	AUTO_FREE char *what = link->why ? xstrdup(link->why) : describe_exit(link);
	AUTO_BUF struct buf words = {0};

	tail_write(link->words.total ? &link->words : &link->banner, &words);
	if (!words.length)
		return xstrdup(what);
	return xasprintf("%s: %s", what, last_words(words.data));
}

static void conclude(struct link *link)
{
	AUTO_FREE char *loss = describe_loss(link);
	const char *why = link->closing ? "the run was ended" : loss;

	link->state = LINK_GONE;
	uv_timer_stop(&link->timer);
	uv_timer_stop(&link->guard);
	uv_signal_stop(&link->child);
	link_abandon(link, why);
	link_changes_lost(link, loss);
	if (link->closing)
		free_link(link);
	else
		link->events.lost(link, link->user, why);
}

static int by_number(const void *a, const void *b)
{
	pid_t first = *(const pid_t *)a, second = *(const pid_t *)b;

	return (first > second) - (first < second);
}

/* In order: there may be as many of them as there are children. */
static void find_agents(struct pids *agents)
{
	for (const struct link *link = links; link; link = link->next)
		if (!link->exited)
			pids_add(agents, link->pid);
	if (agents->count)
		qsort(agents->items, agents->count, sizeof(*agents->items), by_number);
}

static bool is_agent(const struct pids *agents, pid_t pid)
{
	return agents->count && bsearch(&pid, agents->items, agents->count, sizeof(pid), by_number);
}

/*
 * A child of this process comes from an agent that is gone if it is of its process group, or marked so in its
 * environment, or called a worker, as no process is that this one itself started and waits for. Of a dead one no
 * environment is left: then if it was killed here.
 */
static bool is_orphan(const struct link *link, pid_t pid)
{
	char name[32];

	if (process_group(pid) == link->pid || process_has_environment(pid, link->token))
		return true;
	process_name(pid, name, sizeof(name));
	return !strcmp(name, "rdmaspec-worker") || (process_is_dead(pid) && pids_have(&link->killed, pid));
}

static void find_orphans(struct link *link)
{
	struct pids children = {0}, agents = {0};

	children_of(getpid(), &children);
	find_agents(&agents);
	for (size_t i = 0; i < children.count; i++) {
		pid_t pid = children.items[i];

		if (!is_agent(&agents, pid) && !pids_have(&link->orphans, pid) && is_orphan(link, pid))
			pids_add(&link->orphans, pid);
	}
	pids_free(&agents);
	pids_free(&children);
}

static void kill_orphans(struct link *link)
{
	struct pids left = {0};

	for (size_t i = 0; i < link->orphans.count; i++) {
		pid_t pid = link->orphans.items[i];

		kill_tree(pid, &link->killed);
		if (waitpid(pid, NULL, WNOHANG) == 0)
			pids_add(&left, pid);
	}
	pids_free(&link->orphans);
	link->orphans = left;
}

/*
 * The agent died without ending what it had started. Returns whether something of that is still there. What one that is
 * reaped here had started is a child of this process from then on, and no signal says so: it is looked for at once.
 */
static bool end_orphans(struct link *link)
{
	size_t left;

	find_orphans(link);
	do {
		kill_orphans(link);
		left = link->orphans.count;
		find_orphans(link);
	} while (link->orphans.count > left);
	return left > 0;
}

static void on_child(uv_signal_t *handle, int number)
{
	struct link *link = handle->data;

	if (!end_orphans(link))
		conclude(link);
}

static void on_orphans_timeout(uv_timer_t *timer)
{
	conclude(timer->data);
}

/* Its process is reaped, and nothing more is to be heard of it. */
static void settle(struct link *link)
{
	if (link->state >= LINK_SETTLING)
		return;
	link->state = LINK_SETTLING;
	uv_read_stop((uv_stream_t *)&link->out);
	/* An agent that ended well left nobody behind; what had led to it may have. */
	if (!link->term_signal && !link->exit_status && kill(-link->pid, 0) < 0) {
		conclude(link);
		return;
	}
	uv_signal_start(&link->child, on_child, SIGCHLD);
	if (end_orphans(link))
		uv_timer_start(&link->timer, on_orphans_timeout, ORPHANS_MS, 0);
	else
		conclude(link);
}

static void on_settled(uv_timer_t *timer)
{
	settle(timer->data);
}

/* Of a link that was broken off, only the last words are waited for. */
static bool heard_all(const struct link *link)
{
	return (link->out_ended || link->why) && link->err_ended;
}

void link_exited(struct link *link, int64_t exit_status, int term_signal)
{
	link->exited = true;
	link->exit_status = exit_status;
	link->term_signal = term_signal;
	if (heard_all(link))
		settle(link);
	else
		uv_timer_start(&link->timer, on_settled, SETTLE_MS, 0);
}

static void on_exit_status(uv_process_t *process, int64_t exit_status, int term_signal)
{
	link_exited(process->data, exit_status, term_signal);
}

/* ---- What it says ---- */

static void on_line_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
	struct link *link = handle->data;
	size_t room;

	buf->base = lines_room(&link->lines, &room);
	buf->len = room;
}

static void on_hello_timeout(uv_timer_t *timer)
{
	struct link *link = timer->data;

	/* If it was this process that had no time to listen, there is something to hear now. */
	if (!link->late) {
		link->late = true;
		uv_timer_start(timer, on_hello_timeout, (uint64_t)link->hello_ms / 10, 0);
		return;
	}
	link_fail(link, xasprintf("the agent did not answer within %g s", (double)link->hello_ms / 1000));
}

static void take_hello(struct link *link, const char *line, size_t length)
{
	AUTO_STRINGS struct strings differences = {0};
	struct hello hello = {0};
	AUTO_FREE char *why = NULL;

	if (!hello_is(line, length)) {
		tail_add(&link->banner, line, length);
		tail_add(&link->banner, "\n", 1);
		if (link->banner.total > WIRE_BANNER_MAX)
			link_fail(link, xstrdup("what answers is no agent of rdmaspec"));
		return;
	}
	if (hello_read(&hello, line, length, &why) < 0) {
		link_fail(link, xasprintf("the agent and this rdmaspec do not understand each other: %s", why));
	} else if (hello.runner) {
		link_fail(link, xstrdup("what answers is no agent of rdmaspec: it sends back what it is sent, as a "
					"terminal does"));
	} else if (!link->closing) {
		link->greeted = true;
		uv_timer_stop(&link->timer);
		link_compare(link, &hello, &differences);
		link->events.ready(link, link->user, &differences);
	}
	hello_free(&hello);
}

static void on_output_closed(uv_timer_t *timer)
{
	link_fail(timer->data, xstrdup("the agent closed its standard output"));
}

static void end_of_output(struct link *link)
{
	link->out_ended = true;
	if (link->exited && heard_all(link))
		settle(link);
	else if (!link->exited && !link->closing)
		/* A process that ends closes its files first. */
		uv_timer_start(&link->timer, on_output_closed, SETTLE_MS, 0);
}

static void on_output(uv_stream_t *stream, ssize_t length, const uv_buf_t *buf)
{
	struct link *link = stream->data;
	size_t line_length;
	char *line;
	int rc = 0;

	if (length < 0) {
		uv_read_stop(stream);
		end_of_output(link);
		return;
	}
	lines_filled(&link->lines, (size_t)length);
	while (!link->why && link->state == LINK_RUNNING && (rc = lines_next(&link->lines, &line, &line_length)) > 0) {
		if (link->greeted)
			link_take(link, line, line_length);
		else
			take_hello(link, line, line_length);
	}
	if (rc < 0)
		link_fail(link, xasprintf("the agent sent a message of more than %d bytes", WIRE_LINE_MAX));
	if (!link->greeted && lines_rest(&link->lines) > WIRE_BANNER_MAX)
		link_fail(link, xstrdup("what answers is no agent of rdmaspec"));
}

static void on_words_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
	struct link *link = handle->data;

	*buf = uv_buf_init(link->chunk, sizeof(link->chunk));
}

/* ssh ends its lines as for a terminal. */
static size_t drop_returns(char *text, size_t length)
{
	size_t kept = 0;

	for (size_t i = 0; i < length; i++)
		if (text[i] != '\r')
			text[kept++] = text[i];
	return kept;
}

static void on_words(uv_stream_t *stream, ssize_t length, const uv_buf_t *buf)
{
	struct link *link = stream->data;

	if (length > 0)
		tail_add(&link->words, buf->base, drop_returns(buf->base, (size_t)length));
	if (length >= 0)
		return;
	uv_read_stop(stream);
	link->err_ended = true;
	if (link->exited && heard_all(link))
		settle(link);
}

/* ---- Its beginning and its end ---- */

/* "NAME=" of both the same */
static bool same_name(const char *a, const char *b)
{
	size_t length = strcspn(a, "=") + 1;

	return !strncmp(a, b, length);
}

static bool is_replaced(const char *text, const struct link_target *target, const char *token)
{
	for (size_t i = 0; target->environment && target->environment[i]; i++)
		if (same_name(target->environment[i], text))
			return true;
	return same_name(token, text);
}

static char **make_environment(const struct link_target *target, char *token)
{
	size_t count = 0, n = 0;
	char **list;

	while (environ[count])
		count++;
	for (size_t i = 0; target->environment && target->environment[i]; i++)
		count++;
	list = xcalloc(count + 2, sizeof(*list));
	for (size_t i = 0; environ[i]; i++)
		if (!is_replaced(environ[i], target, token))
			list[n++] = environ[i];
	for (size_t i = 0; target->environment && target->environment[i]; i++)
		list[n++] = (char *)target->environment[i];
	list[n] = token;
	return list;
}

static void init_handles(struct link *link, uv_loop_t *loop)
{
	uv_pipe_init(loop, &link->in, 0);
	uv_pipe_init(loop, &link->out, 0);
	uv_pipe_init(loop, &link->err, 0);
	uv_timer_init(loop, &link->timer);
	uv_timer_init(loop, &link->guard);
	uv_signal_init(loop, &link->child);
	link->process.data = link->in.data = link->out.data = link->err.data = link;
	link->timer.data = link->guard.data = link->child.data = link;
	link->handles = 6;
}

static int execute(struct link *link, uv_loop_t *loop, const struct link_target *target, char **environment)
{
	uv_stdio_container_t streams[3] = {
		{.flags = UV_CREATE_PIPE | UV_READABLE_PIPE, .data.stream = (uv_stream_t *)&link->in},
		{.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&link->out},
		{.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&link->err},
	};
	/* A session of its own: a Ctrl-C at the terminal is for the runner to act on. */
	uv_process_options_t options = {
		.file = target->argv[0],
		.args = (char **)target->argv,
		.env = environment,
		.exit_cb = on_exit_status,
		.flags = UV_PROCESS_DETACHED,
		.stdio_count = 3,
		.stdio = streams,
	};

	int rc = uv_spawn(loop, &link->process, &options);

	link->executed = true;
	link->handles++;
	if (rc == 0) {
		link->pid = link->process.pid;
		descriptors_restore(link->pid);
	}
	return rc;
}

static void spawn(struct link *link, uv_loop_t *loop, const struct link_target *target)
{
	AUTO_FREE char **environment = make_environment(target, link->token);

	if (target->local && local_can())
		link->spawn_error = local_spawn(link, loop, target->local, environment);
	else
		link->spawn_error = execute(link, loop, target, environment);
}

static void on_never_started(uv_timer_t *timer)
{
	conclude(timer->data);
}

struct link *link_open(uv_loop_t *loop, struct registry *registry, const struct link_target *target,
		       const struct link_events *events, void *user)
{
	static unsigned count;
	struct link *link = xcalloc(1, sizeof(*link));

	/* What an agent that is killed leaves behind becomes a child of this process, which then can end it. */
	if (!count)
		prctl(PR_SET_CHILD_SUBREAPER, 1);
	link->registry = registry;
	link->events = *events;
	link->user = user;
	link->host = xstrdup(target->host);
	link->program = xstrdup(target->unreachable ? "" : target->argv[0]);
	link->path = target->path ? xstrdup(target->path) : NULL;
	link->why = target->unreachable ? xstrdup(target->unreachable) : NULL;
	link->token = xasprintf("RDMASPEC_LINK=%d-%u-%" PRIx64, (int)getpid(), ++count, uv_hrtime());
	link->hello_ms = target->hello_ms ? target->hello_ms : LINK_HELLO_MS;
	link->guard_ms = target->guard_ms ? target->guard_ms : GUARD_MS;
	link->pidfd = -1;
	init_handles(link, loop);
	if (!target->unreachable)
		spawn(link, loop, target);
	link->next = links;
	links = link;
	if (link->spawn_error || target->unreachable) {
		link->exited = true;
		uv_timer_start(&link->timer, on_never_started, 0, 0);
		return link;
	}
	/* To start a process takes its time, and many are started in one turn of the loop. */
	uv_update_time(loop);
	uv_timer_start(&link->timer, on_hello_timeout, (uint64_t)link->hello_ms, 0);
	uv_read_start((uv_stream_t *)&link->out, on_line_room, on_output);
	uv_read_start((uv_stream_t *)&link->err, on_words_room, on_words);
	link_greet(link);
	return link;
}

void link_close(struct link *link)
{
	if (link->closing)
		return;
	link->closing = true;
	if (link->state == LINK_GONE) {
		free_link(link);
		return;
	}
	/* On its way out already; conclude() will see that it is not missed. */
	if (link->exited || link->why)
		return;
	close_handle(link, &link->in);
	link_patience(link);
}

const char *link_host(const struct link *link)
{
	return link->host;
}
