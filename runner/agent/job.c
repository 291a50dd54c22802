/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/agent.h"
#include "base/cleanup.h"

/* What a worker may say; the rest of an answer ("started", "done") is for its agent to say. */
static const char *const kinds[] = {"begin", "table", "rows", "note", "incomplete", "evidence", "ready"};
static const char *const last_kinds[] = {"end", "error", "failed"};

static bool is_one_of(const char *word, size_t length, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strncmp(words[i], word, length) && !words[i][length])
			return true;
	return false;
}

static void signal_group(struct job *job, int number)
{
	job->killing = number;
	/* A worker that was forked just now may not have its group yet. */
	if (kill(-job->pid, number) < 0)
		kill(job->pid, number);
}

static char *in_seconds(int64_t ms)
{
	if (ms % 1000 == 0)
		return xasprintf("%" PRId64 " s", ms / 1000);
	return ms < 1000 ? xasprintf("%" PRId64 " ms", ms) : xasprintf("%.1f s", (double)ms / 1000);
}

static void on_timer(uv_timer_t *timer)
{
	struct job *job = timer->data;
	AUTO_FREE char *time = in_seconds(job->timeout_ms);

	if (job->dead)
		return;
	if (!job->killing && job->stopped)
		job_end(job, xstrdup("the server did not end when there was no client any more"));
	else if (!job->killing)
		job_end(job, job->ended ? xasprintf("the worker answered, but did not end within %s", time)
					: xasprintf("the worker did not answer within %s", time));
	else
		signal_group(job, SIGKILL);
}

void job_set_deadline(struct job *job, int64_t milliseconds)
{
	if (job->killing || job->dead)
		return;
	if (job->agent->held)
		job->held_ms = (uint64_t)milliseconds;
	else
		uv_timer_start(&job->timer, on_timer, (uint64_t)milliseconds, 0);
}

void job_end(struct job *job, char *cause)
{
	if (job->cause || job->dead) {
		free(cause);
		return;
	}
	job->cause = cause;
	signal_group(job, SIGTERM);
	uv_timer_start(&job->timer, on_timer, GRACE_MS, 0);
}

/* It broke the rules of the wire: nothing good is to be expected of it. */
static void break_off(struct job *job, char *cause)
{
	if (job->cause) {
		free(cause);
		return;
	}
	job->cause = cause;
	if (!job->dead)
		signal_group(job, SIGKILL);
}

/* A last word is passed on, but for that about a change that was taken back: the agent makes its own of that. */
static void relay_last(struct job *job, const char *line, size_t length)
{
	job->ended = true;
	if (job->how.role == ROLE_UNDO && !undo_word(job, line, length))
		break_off(job, xstrdup("the worker sent a malformed last word"));
}

/* One line of the result, which goes to the runner as it is: that it is JSON, and of what, is for the runner to see. */
static void relay(struct job *job, const char *line, size_t length)
{
	const char *kind;
	size_t kind_length;

	uint64_t id = wire_prefix(line, length, &kind, &kind_length);

	/* What is changed has to be taken back, whatever else is known against the worker. */
	if (id == job->id && kind_length == 4 && !memcmp(kind, "undo", 4)) {
		if (!undo_keep(job, line, length))
			break_off(job, xstrdup("the worker said that it changes something, which was not to be said"));
		return;
	}
	if (job->cause)
		return;
	if (id != job->id) {
		break_off(job, xstrdup("the worker sent something that is no message of the wire format"));
	} else if (job->ended) {
		break_off(job, xstrdup("the worker went on after the end of its answer"));
	} else if (is_one_of(kind, kind_length, last_kinds, sizeof(last_kinds) / sizeof(last_kinds[0]))) {
		relay_last(job, line, length);
	} else if (!is_one_of(kind, kind_length, kinds, sizeof(kinds) / sizeof(kinds[0]))) {
		break_off(job, xasprintf("the worker sent an unknown message '%.*s'",
					 (int)(kind_length < 40 ? kind_length : 40), kind));
	} else if (kind_length == 5 && !memcmp(kind, "ready", 5) && !job_ready(job)) {
		break_off(job, xstrdup("the worker said that it is ready, which was not to be said"));
	}
	if (job->cause || job->how.role == ROLE_UNDO)
		return;
	buf_add(&job->agent->out, line, length);
	buf_putc(&job->agent->out, '\n');
}

static void take_result(struct job *job, size_t length)
{
	char *line;
	size_t line_length;
	int rc = 0;

	job->result_bytes += length;
	lines_filled(&job->lines, length);
	while (!job->deaf && (rc = lines_next(&job->lines, &line, &line_length)) > 0)
		relay(job, line, line_length);
	if (rc < 0)
		break_off(job, xasprintf("the worker sent a message of more than %d bytes", WIRE_LINE_MAX));
	if (job->result_bytes > RESULT_MAX)
		break_off(job, xasprintf("the worker sent more than %" PRIu64 " MiB", RESULT_MAX >> 20));
	if (rc < 0 || job->result_bytes > RESULT_MAX)
		job->deaf = true;
	if (job->deaf)
		lines_free(&job->lines);
}

static void take_output(struct job *job, enum job_stream stream, const char *data, size_t length)
{
	struct tail *tail = stream == JOB_OUT ? &job->out : &job->err;
	uint64_t most = stream == JOB_OUT ? STDOUT_MAX : STDERR_MAX;

	tail_add(tail, data, length);
	if (tail->total > most)
		break_off(job, xasprintf("the worker flooded its standard %s: more than %" PRIu64 " MiB",
					 stream == JOB_OUT ? "output" : "error", most >> 20));
}

static void on_closed(uv_handle_t *handle)
{
	struct job *job = handle->data;

	if (--job->handles)
		return;
	lines_free(&job->lines);
	tail_free(&job->out);
	tail_free(&job->err);
	request_free(&job->how);
	free(job->undo_failed);
	free(job->cause);
	free(job);
}

/* The handle first: closing it takes its descriptor's number out of the loop, which may be another's by then. */
static void end_pipe(struct job_pipe *pipe)
{
	if (pipe->fd < 0)
		return;
	uv_close((uv_handle_t *)&pipe->poll, on_closed);
	close(pipe->fd);
	pipe->fd = -1;
}

/* Read once. Returns false at the end, and where there is nothing now. */
static bool read_pipe(struct job *job, enum job_stream stream)
{
	static char chunk[WIRE_BATCH]; /* an agent has one thread */
	struct job_pipe *pipe = &job->pipes[stream];
	size_t room = sizeof(chunk);
	char *data = stream == JOB_RESULT ? lines_room(&job->lines, &room) : chunk;
	ssize_t n;

	if (pipe->fd < 0)
		return false;
	n = read(pipe->fd, data, room);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (n <= 0) {
		end_pipe(pipe);
		return false;
	}
	if (stream == JOB_RESULT)
		take_result(job, (size_t)n);
	else
		take_output(job, stream, data, (size_t)n);
	return true;
}

static void on_readable(uv_poll_t *poll, int status, int events)
{
	struct job *job = poll->data;
	enum job_stream stream = 0;

	while (poll != &job->pipes[stream].poll)
		stream++;
	read_pipe(job, stream);
	agent_flush(job->agent);
}

void job_hold(struct job *job)
{
	if (job->dead || job->pipes[JOB_RESULT].fd < 0)
		return;
	uv_poll_stop(&job->pipes[JOB_RESULT].poll);
	/* A worker that waits for a slow runner is not late. */
	if (!job->killing) {
		job->held_ms = uv_timer_get_due_in(&job->timer);
		uv_timer_stop(&job->timer);
	}
}

void job_release(struct job *job)
{
	if (job->dead || job->pipes[JOB_RESULT].fd < 0)
		return;
	uv_poll_start(&job->pipes[JOB_RESULT].poll, UV_READABLE, on_readable);
	if (!job->killing && !uv_is_active((uv_handle_t *)&job->timer))
		uv_timer_start(&job->timer, on_timer, job->held_ms, 0);
}

void job_died(struct job *job, int status)
{
	job->dead = true;
	job->status = status;
	job->seconds = (double)(uv_hrtime() - job->started) / 1e9;
	uv_timer_stop(&job->timer);
}

/* What its end says, where nothing is known against it yet. */
static char *cause_of_death(const struct job *job)
{
	int number = WTERMSIG(job->status);

	if (WIFSIGNALED(job->status))
		return xasprintf("the worker was killed by signal %d (%s)", number, strsignal(number));
	if (lines_rest(&job->lines))
		return xasprintf("the worker's last message was cut short; it exited with status %d",
				 WEXITSTATUS(job->status));
	if (!job->ended)
		return xasprintf("the worker exited with status %d before it had answered", WEXITSTATUS(job->status));
	if (WEXITSTATUS(job->status))
		return xasprintf("the worker answered, but exited with status %d", WEXITSTATUS(job->status));
	return NULL;
}

static void write_log(const struct job *job, struct buf *out)
{
	AUTO_BUF struct buf log = {0};

	tail_write(&job->err, &log);
	if (job->out.total) {
		/* A plugin may not print; what it printed may still say what went wrong. */
		buf_puts(&log, log.length ? "\nstandard output:\n" : "standard output:\n");
		tail_write(&job->out, &log);
	}
	if (!log.length)
		return;
	buf_puts(out, ",\"log\":");
	wire_text(out, log.data, log.length);
}

static void write_done(struct job *job)
{
	struct buf *out = &job->agent->out;
	/* Ended by a signal, it cannot have taken its leave of whom it talked to. */
	bool killed = job->killing || WIFSIGNALED(job->status);

	wire_begin(out, job->id, "done");
	buf_printf(out, "{\"seconds\":%.6f,\"killed\":%s", job->seconds, killed ? "true" : "false");
	if (job->cause) {
		buf_puts(out, ",\"cause\":");
		wire_string(out, job->cause);
	}
	write_log(job, out);
	buf_putc(out, '}');
	wire_end(out);
}

static void let_go(struct job *job)
{
	struct job **at = &job->agent->jobs;

	while (*at != job)
		at = &(*at)->next;
	*at = job->next;
	job->agent->njobs--;
	for (int i = 0; i < JOB_STREAMS; i++)
		end_pipe(&job->pipes[i]);
	if (job->stop_fd >= 0)
		close(job->stop_fd);
	uv_close((uv_handle_t *)&job->timer, on_closed);
}

void job_finish(struct job *job, const char *why)
{
	/* No more than its pipes hold, should somebody who cannot be ended go on writing. */
	for (int i = 0; i < JOB_STREAMS; i++)
		for (int times = 0; times < 32 && read_pipe(job, i); times++)
			;
	if (!job->cause)
		job->cause = cause_of_death(job);
	if (!job->cause && why)
		job->cause = xstrdup(why);
	if (job->how.role == ROLE_UNDO)
		undo_tell(job->agent, job->id, job->how.source, job->cause ? job->cause : job->undo_failed);
	else
		write_done(job);
	let_go(job);
}

static void answer_at_once(struct agent *agent, const struct request *request, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void answer_at_once(struct agent *agent, const struct request *request, const char *format, ...)
{
	AUTO_BUF struct buf text = {0};
	va_list args;

	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	if (request->role == ROLE_UNDO) {
		undo_tell(agent, request->id, request->source, text.data);
		return;
	}
	wire_begin(&agent->out, request->id, "done");
	buf_puts(&agent->out, "{\"seconds\":0,\"killed\":false,\"cause\":");
	wire_string(&agent->out, text.data);
	buf_putc(&agent->out, '}');
	wire_end(&agent->out);
}

static void close_pipes(int fds[JOB_STREAMS][2], int end)
{
	for (int i = 0; i < JOB_STREAMS; i++)
		if (fds[i][end] >= 0)
			close(fds[i][end]);
}

static int make_pipes(int fds[JOB_STREAMS][2])
{
	for (int i = 0; i < JOB_STREAMS; i++)
		fds[i][0] = fds[i][1] = -1;
	for (int i = 0; i < JOB_STREAMS; i++) {
		if (pipe2(fds[i], O_CLOEXEC) < 0)
			return -errno;
		fcntl(fds[i][0], F_SETFL, O_NONBLOCK);
	}
	return 0;
}

static pid_t fork_worker(struct agent *agent, const struct request *request, int fds[JOB_STREAMS][2], int stop)
{
	struct worker_start start = {.request = request,
				     .options = agent->options,
				     .registry = agent->registry,
				     .agent = getpid(),
				     .mask = agent->mask,
				     .result = fds[JOB_RESULT][1],
				     .out = fds[JOB_OUT][1],
				     .err = fds[JOB_ERR][1],
				     .stop = stop};
	pid_t pid = fork();

	if (pid == 0)
		worker_live(&start);
	return pid;
}

static void watch(struct job *job, int fds[JOB_STREAMS][2])
{
	uv_loop_t *loop = &job->agent->loop;

	for (int i = 0; i < JOB_STREAMS; i++) {
		struct job_pipe *pipe = &job->pipes[i];

		pipe->fd = fds[i][0];
		pipe->poll.data = job;
		uv_poll_init(loop, &pipe->poll, pipe->fd);
		if (i != JOB_RESULT || !job->agent->held)
			uv_poll_start(&pipe->poll, UV_READABLE, on_readable);
	}
	job->timer.data = job;
	uv_timer_init(loop, &job->timer);
	uv_timer_start(&job->timer, on_timer, (uint64_t)job->timeout_ms, 0);
	job->handles = JOB_STREAMS + 1;
}

/* Taken over: the request is as good as gone. Its parameters may be long, and are of no use to anybody any more. */
static void keep_how(struct job *job, struct request *request)
{
	job->how = *request;
	*request = (struct request){0};
	buf_free(&job->how.params);
}

void job_start(struct agent *agent, struct request *request)
{
	int fds[JOB_STREAMS][2], stop[2] = {-1, -1};
	struct job *job;
	pid_t pid = -1;
	int rc;

	if (agent->njobs >= JOBS_MAX) {
		answer_at_once(agent, request, "%u workers are running already", agent->njobs);
		return;
	}
	rc = make_pipes(fds);
	if (rc == 0 && request->role == ROLE_SERVER && pipe2(stop, O_CLOEXEC) < 0)
		rc = -errno;
	if (rc == 0) {
		pid = fork_worker(agent, request, fds, stop[0]);
		rc = pid < 0 ? -errno : 0;
	}
	close_pipes(fds, 1);
	if (stop[0] >= 0)
		close(stop[0]);
	if (rc < 0) {
		close_pipes(fds, 0);
		if (stop[1] >= 0)
			close(stop[1]);
		answer_at_once(agent, request, "no worker could be started: %s", strerror(-rc));
		return;
	}
	job = xcalloc(1, sizeof(*job));
	job->agent = agent;
	job->id = request->id;
	job->timeout_ms = request->timeout_ms;
	job->pid = pid;
	job->server = request->role == ROLE_SERVER;
	job->stop_fd = stop[1];
	job->started = uv_hrtime();
	uv_update_time(&agent->loop);
	watch(job, fds);
	keep_how(job, request);
	job->next = agent->jobs;
	agent->jobs = job;
	agent->njobs++;
	if (job->how.role == ROLE_UNDO)
		return;
	wire_begin(&agent->out, job->id, "started");
	buf_printf(&agent->out, "%d", (int)pid);
	wire_end(&agent->out);
}
