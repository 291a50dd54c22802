/* SPDX-License-Identifier: BSD-2-Clause */
/* The agent's loop: requests in, answers out, signals, and the end of everything. */
#include "agent/agent.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "plugin/directory.h"

static void on_writable(uv_poll_t *poll, int status, int events)
{
	struct agent *agent = poll->data;

	agent_flush(agent);
}

static void wait_for_writable(struct agent *agent, bool wait)
{
	if (wait == agent->out_waiting || !agent->out_polled || uv_is_closing((uv_handle_t *)&agent->out_poll))
		return;
	agent->out_waiting = wait;
	if (wait)
		uv_poll_start(&agent->out_poll, UV_WRITABLE, on_writable);
	else
		uv_poll_stop(&agent->out_poll);
}

static void hold(struct agent *agent, bool held)
{
	if (held == agent->held)
		return;
	agent->held = held;
	for (struct job *job = agent->jobs; job; job = job->next)
		(held ? job_hold : job_release)(job);
}

static void end(struct agent *agent, int status);

void agent_flush(struct agent *agent)
{
	struct buf *out = &agent->out;

	while (agent->out_sent < out->length) {
		ssize_t n = write(agent->out_fd, out->data + agent->out_sent, out->length - agent->out_sent);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EAGAIN) {
			/* Nobody listens any more. */
			agent->out_sent = out->length;
			end(agent, EXIT_FAILURE);
		}
		if (n < 0)
			break;
		agent->out_sent += (size_t)n;
	}
	if (agent->out_sent == out->length) {
		buf_clear(out);
		agent->out_sent = 0;
	} else if (agent->out_sent > OUT_HIGH) {
		memmove(out->data, out->data + agent->out_sent, out->length - agent->out_sent);
		out->length -= agent->out_sent;
		agent->out_sent = 0;
	}
	wait_for_writable(agent, out->length > 0);
	if (out->length - agent->out_sent > OUT_HIGH)
		hold(agent, true);
	else if (out->length - agent->out_sent < OUT_LOW)
		hold(agent, false);
}

static void close_handles(struct agent *agent)
{
	if (agent->closed)
		return;
	agent->closed = true;
	uv_close((uv_handle_t *)&agent->leftovers, NULL);
	uv_close((uv_handle_t *)&agent->signals, NULL);
	if (agent->in_polled)
		uv_close((uv_handle_t *)&agent->in, NULL);
	if (agent->out_polled)
		uv_close((uv_handle_t *)&agent->out_poll, NULL);
}

/* When no worker is left, what they changed is taken back, one after the other; and then the loop runs dry. */
static void end_when_idle(struct agent *agent)
{
	if (agent->ending && !agent->jobs && !uv_is_active((uv_handle_t *)&agent->leftovers) && !undo_next(agent))
		close_handles(agent);
}

/* The run is over, for a good reason or a bad one: workers are told to end. */
static void end(struct agent *agent, int status)
{
	if (agent->ending)
		return;
	agent->ending = true;
	agent->status = status;
	uv_poll_stop(&agent->in);
	for (struct job *job = agent->jobs; job; job = job->next)
		job_end(job, xstrdup("the run was ended"));
	end_when_idle(agent);
}

static struct job *find_worker(const struct agent *agent, pid_t pid)
{
	struct job *job = agent->jobs;

	while (job && (job->dead || job->pid != pid))
		job = job->next;
	return job;
}

/* Children that are nobody's worker: what a worker left behind when it died. Returns how many there are. */
static size_t end_leftovers(struct agent *agent, char *name, size_t size)
{
	struct pids children = {0};
	size_t count = 0;

	children_of(getpid(), &children);
	for (size_t i = 0; i < children.count; i++) {
		if (find_worker(agent, children.items[i]) || pids_have(&agent->given_up, children.items[i]))
			continue;
		if (!count++)
			process_name(children.items[i], name, size);
		kill_tree(children.items[i], NULL);
	}
	pids_free(&children);
	return count;
}

static void finish_jobs(struct agent *agent, const char *why)
{
	struct job *next;

	for (struct job *job = agent->jobs; job; job = next) {
		next = job->next;
		if (job->dead)
			job_finish(job, why);
	}
	agent_flush(agent);
	end_when_idle(agent);
}

/* SIGKILL was not enough: a process of another user, or one that the kernel does not let go. */
static void on_leftovers(uv_timer_t *timer)
{
	struct agent *agent = timer->data;
	struct pids children = {0};
	AUTO_FREE char *why = NULL;
	char name[32] = "?";

	if (end_leftovers(agent, name, sizeof(name)))
		why = xasprintf("the worker left a process behind that cannot be ended: %s", name);
	children_of(getpid(), &children);
	for (size_t i = 0; i < children.count; i++)
		if (!find_worker(agent, children.items[i]) && !pids_have(&agent->given_up, children.items[i]))
			pids_add(&agent->given_up, children.items[i]);
	pids_free(&children);
	finish_jobs(agent, why);
}

static bool any_dead(const struct agent *agent)
{
	for (const struct job *job = agent->jobs; job; job = job->next)
		if (job->dead)
			return true;
	return false;
}

static void reap(struct agent *agent)
{
	siginfo_t info;
	int status;

	for (;;) {
		struct job *job;

		/* Looked at before it is waited for: until then its process group keeps its number. */
		info.si_pid = 0;
		if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || !info.si_pid)
			return;
		job = find_worker(agent, info.si_pid);
		if (job)
			kill(-info.si_pid, SIGKILL);
		if (waitpid(info.si_pid, &status, 0) == info.si_pid && job)
			job_died(job, status);
	}
}

static void children_died(struct agent *agent)
{
	char name[32];

	reap(agent);
	if (!any_dead(agent) && !uv_is_active((uv_handle_t *)&agent->leftovers))
		return;
	if (end_leftovers(agent, name, sizeof(name))) {
		if (!uv_is_active((uv_handle_t *)&agent->leftovers))
			uv_timer_start(&agent->leftovers, on_leftovers, LEFTOVERS_MS, 0);
		return;
	}
	uv_timer_stop(&agent->leftovers);
	finish_jobs(agent, NULL);
}

static void on_signal(uv_poll_t *poll, int status, int events)
{
	struct agent *agent = poll->data;
	struct signalfd_siginfo info;

	while (read(agent->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			children_died(agent);
		else
			end(agent, 128 + (int)info.ssi_signo);
	}
}

static void reject(struct agent *agent, const char *why)
{
	fprintf(stderr, "rdmaspec agent: the runner sent a message that was refused: %s\n", why);
	end(agent, EXIT_FAILURE);
}

static void cancel(struct agent *agent, uint64_t id)
{
	for (struct job *job = agent->jobs; job; job = job->next)
		if (job->id == id)
			job_end(job, xstrdup("it was cancelled"));
}

static void stop(struct agent *agent, uint64_t id)
{
	for (struct job *job = agent->jobs; job; job = job->next)
		if (job->id == id)
			job_stop(job);
}

static void take_request(struct agent *agent, const char *line, size_t length)
{
	AUTO_FREE char *why = NULL;
	uint64_t id;
	int rc = request_read(&agent->partial, line, length, &id, &why);

	if (rc < 0)
		reject(agent, why);
	else if (rc == REQUEST_CANCEL)
		cancel(agent, id);
	else if (rc == REQUEST_STOP)
		stop(agent, id);
	else if (rc == REQUEST_WHOLE) {
		for (struct job *job = agent->jobs; job; job = job->next)
			if (job->id == agent->partial.id)
				rc = -EPROTO;
		if (rc < 0)
			reject(agent, "its id is one that is still running");
		else if (agent->partial.role == ROLE_UNDO)
			reject(agent, "what is to be undone is for the agent to know");
		else
			job_start(agent, &agent->partial);
		request_free(&agent->partial);
	}
}

static void take_line(struct agent *agent, const char *line, size_t length)
{
	struct hello hello = {0};
	AUTO_FREE char *why = NULL;

	if (agent->greeted) {
		take_request(agent, line, length);
		return;
	}
	if (hello_read(&hello, line, length, &why) < 0)
		reject(agent, why);
	agent->greeted = true;
	hello_free(&hello);
}

static void on_request(uv_poll_t *poll, int status, int events)
{
	struct agent *agent = poll->data;
	size_t room, length;
	char *line = lines_room(&agent->requests, &room);
	ssize_t n = read(agent->in_fd, line, room);
	int rc = 0;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		end(agent, EXIT_SUCCESS);
		return;
	}
	lines_filled(&agent->requests, (size_t)n);
	while (!agent->ending && (rc = lines_next(&agent->requests, &line, &length)) > 0)
		take_line(agent, line, length);
	if (rc < 0)
		reject(agent, "it is too long");
	agent_flush(agent);
}

/*
 * Standard input and output go where nobody else finds them; in their places is nothing to read, and standard error to
 * write to. What workers use as WORKER_RESULT_FD is taken, so that no other descriptor gets that number.
 */
static int move_streams(struct agent *agent)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	agent->in_fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, WORKER_RESULT_FD + 1);
	agent->out_fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, WORKER_RESULT_FD + 1);
	if (null < 0 || agent->in_fd < 0 || agent->out_fd < 0)
		return -errno;
	if (dup2(null, STDIN_FILENO) < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		return -errno;
	if (null != WORKER_RESULT_FD) {
		if (dup3(null, WORKER_RESULT_FD, O_CLOEXEC) < 0)
			return -errno;
		close(null);
	}
	return 0;
}

/*
 * Blocked, and read as they come: libuv's way of signals is the process's own, which an agent that was forked by a
 * runner would share with it. One that was ignored when the agent was started ends it all the same.
 */
static int open_signals(struct agent *agent)
{
	static const int numbers[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP};
	sigset_t mask;

	sigemptyset(&mask);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		signal(numbers[i], SIG_DFL);
		sigaddset(&mask, numbers[i]);
	}
	sigprocmask(SIG_BLOCK, &mask, &agent->mask);
	agent->signal_fd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	if (agent->signal_fd < 0)
		return -errno;
	uv_poll_init(&agent->loop, &agent->signals, agent->signal_fd);
	uv_poll_start(&agent->signals, UV_READABLE, on_signal);
	return 0;
}

static int start_loop(struct agent *agent)
{
	int rc = uv_loop_init(&agent->loop);

	if (rc == 0)
		rc = open_signals(agent);
	if (rc < 0)
		return rc;
	uv_timer_init(&agent->loop, &agent->leftovers);
	agent->leftovers.data = agent->in.data = agent->out_poll.data = agent->signals.data = agent;
	agent->out_polled = uv_poll_init(&agent->loop, &agent->out_poll, agent->out_fd) == 0;
	agent->in_polled = uv_poll_init(&agent->loop, &agent->in, agent->in_fd) == 0;
	return 0;
}

/* The names of the plugins that are there; none of them is loaded but by a worker. */
static void greet(struct agent *agent)
{
	AUTO_STRINGS struct strings plugins = {0};

	directory_plugins(registry_directory(agent->registry), &plugins, NULL);
	hello_write(&agent->out, &plugins, false);
	agent_flush(agent);
}

static void free_agent(struct agent *agent)
{
	uv_loop_close(&agent->loop);
	registry_free(agent->registry);
	lines_free(&agent->requests);
	request_free(&agent->partial);
	buf_free(&agent->out);
	undo_free(agent);
	pids_free(&agent->given_up);
	close(agent->in_fd);
	close(agent->out_fd);
	close(agent->signal_fd);
}

/* Workers may have another working directory: what the options name is named from the root. */
static char *absolute(const char *path)
{
	char *real = path ? realpath(path, NULL) : NULL;

	return real || !path ? real : xstrdup(path);
}

int agent_main(const struct agent_options *given)
{
	AUTO_FREE char *plugin_dir = NULL, *sysfs_root = absolute(given->sysfs_root);
	struct agent_options options = {.sysfs_root = sysfs_root};
	struct agent agent = {.options = &options, .registry = registry_new(given->plugin_dir)};
	int rc = move_streams(&agent);

	plugin_dir = absolute(registry_directory(agent.registry));
	options.plugin_dir = plugin_dir;
	if (rc == 0)
		rc = start_loop(&agent);
	if (rc < 0) {
		fprintf(stderr, "rdmaspec agent: %s\n", strerror(-rc));
		return EXIT_FAILURE;
	}
	signal(SIGPIPE, SIG_IGN);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	/* Without a blank: who reads /proc/PID/stat by scanf(), as Slurm's proctrack/linuxproc does, stumbles over one.
	 */
	prctl(PR_SET_NAME, "rdmaspec-agent");
	if (!agent.in_polled) {
		fputs("rdmaspec agent: standard input is no pipe; it is a run that starts agents\n", stderr);
		agent.status = EXIT_FAILURE;
		close_handles(&agent);
	} else {
		uv_poll_start(&agent.in, UV_READABLE, on_request);
		greet(&agent);
	}
	uv_run(&agent.loop, UV_RUN_DEFAULT);
	free_agent(&agent);
	return agent.status;
}
