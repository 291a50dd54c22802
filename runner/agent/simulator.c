/* SPDX-License-Identifier: BSD-2-Clause */
/* A simulated fabric's life once it is started: its phases, what the scheduler asks of it, its end. */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/simulator_internal.h"
#include "base/cleanup.h"

#define SIM_HOST_MAX 31 /* what a client of ibsim can say of its node */
#define STOP_MS 10000

/* ---- What both sides use ---- */

void simulator_allocate(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
	static char memory[65536]; /* read and used up before the next read */

	*buf = uv_buf_init(memory, sizeof(memory));
}

void simulator_drain(uv_pipe_t *pipe, uv_read_cb read_cb)
{
	uv_buf_t buf;
	ssize_t got;
	int fd;

	if (uv_is_closing((uv_handle_t *)pipe) || uv_fileno((uv_handle_t *)pipe, &fd) < 0)
		return;
	simulator_allocate(NULL, 0, &buf);
	while ((got = read(fd, buf.base, buf.len)) > 0)
		read_cb((uv_stream_t *)pipe, got, &buf);
}

void simulator_ended_how(struct buf *out, int status)
{
	if (WIFSIGNALED(status))
		buf_printf(out, "died by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		buf_printf(out, "ended with status %d", WEXITSTATUS(status));
}

void simulator_failed(struct simulator *simulator, const char *format, ...)
{
	AUTO_BUF struct buf why = {0};
	va_list args;

	if (simulator->phase >= PHASE_FAILED)
		return;
	simulator->phase = PHASE_FAILED;
	uv_timer_stop(&simulator->deadline);
	uv_timer_stop(&simulator->grace);
	va_start(args, format);
	buf_vprintf(&why, format, args);
	va_end(args);
	simulator->events.failed(simulator->user, why.data);
}

/* ---- Phases ---- */

static void on_deadline(uv_timer_t *timer)
{
	struct simulator *simulator = timer->data;
	const struct simulator_sm *sm = sm_unsettled(simulator);
	double seconds = simulator->deadline_ms / 1000.0;

	if (simulator->phase == PHASE_STOPPING)
		kill(simulator->keeper.pid, SIGKILL);
	else if (simulator->phase == PHASE_SUBNET)
		simulator_failed(simulator,
				 "the simulated subnet did not come up within %g s; opensm on '%s' said last: %s",
				 seconds, sm->node->description, sm->last ? sm->last : "nothing");
	else
		simulator_failed(simulator, "ibsim did not answer within %g s", seconds);
}

void simulator_arm(struct simulator *simulator, int64_t milliseconds)
{
	if (simulator->phase == PHASE_FAILED)
		return;
	simulator->deadline_ms = milliseconds;
	if (milliseconds)
		uv_timer_start(&simulator->deadline, on_deadline, milliseconds, 0);
	else
		uv_timer_stop(&simulator->deadline);
}

void ibsim_loaded(struct simulator *simulator)
{
	simulator->phase = PHASE_SUBNET;
	if (!simulator->nsms) {
		sm_settled(simulator);
		return;
	}
	sm_start(simulator);
}

void sm_settled(struct simulator *simulator)
{
	uv_timer_stop(&simulator->grace);
	simulator_arm(simulator, 0);
	simulator->phase = PHASE_COMMANDS;
	ibsim_run_commands(simulator);
}

void ibsim_commanded(struct simulator *simulator)
{
	simulator->phase = PHASE_UP;
	simulator->events.up(simulator->user);
}

/* ---- The keeper's reports ---- */

static const char *process_name(const struct simulator *simulator, size_t process)
{
	return process ? "opensm" : "ibsim";
}

static void take_report(struct simulator *simulator, const struct keeper_report *report)
{
	size_t process = report->process;

	if (report->error)
		simulator_failed(simulator, "cannot start %s: %s", process_name(simulator, process),
				 strerror(report->error));
	else if (!process)
		ibsim_ended(simulator, report->status);
	else
		sm_ended(&simulator->sms[process - 1], report->status);
}

static void close_keeper(struct simulator *simulator);

void simulator_on_report(uv_stream_t *stream, ssize_t got, const uv_buf_t *buf)
{
	struct simulator *simulator = stream->data;
	struct keeper_report report;
	size_t taken = 0;

	if (got < 0) {
		uv_read_stop(stream);
		simulator->keeper_gone = true;
		if (simulator->phase == PHASE_STOPPING)
			close_keeper(simulator);
		else
			simulator_failed(simulator, "the process that keeps the simulated fabric is gone");
		return;
	}
	buf_add(&simulator->reports, buf->base, got);
	for (; simulator->reports.length - taken >= sizeof(report); taken += sizeof(report)) {
		memcpy(&report, simulator->reports.data + taken, sizeof(report));
		if (simulator->phase < PHASE_FAILED)
			take_report(simulator, &report);
	}
	memmove(simulator->reports.data, simulator->reports.data + taken, simulator->reports.length - taken);
	simulator->reports.length -= taken;
}

/* ---- What the scheduler asks ---- */

const char *simulator_node(const struct simulator *simulator, const char *name, char **why)
{
	const struct topology_node *node =
		name && *name ? topology_find(&simulator->topology, name, why) : topology_first(&simulator->topology);

	if (!node)
		return NULL;
	if (strlen(node->id) > SIM_HOST_MAX) {
		*why = xasprintf("node '%s' cannot be a host: ibsim takes ids of at most %d bytes for that", node->id,
				 SIM_HOST_MAX);
		return NULL;
	}
	return node->id;
}

const char *const *simulator_environment(struct simulator *simulator, const char *node)
{
	struct arena *arena = &simulator->arena;
	const char **environment = arena_alloc(arena, 5 * sizeof(*environment));

	environment[0] = arena_printf(arena, "LD_PRELOAD=%s", simulator->preload);
	environment[1] = arena_printf(arena, "IBSIM_SOCKNAME=%s", simulator->socket_name);
	environment[2] = arena_printf(arena, "SIM_HOST=%s", node);
	environment[3] = "IBSIM_SERVER_NAME=";
	return environment;
}

const char *simulator_directory(const struct simulator *simulator)
{
	return simulator->workers;
}

unsigned simulator_places(const struct simulator *simulator)
{
	size_t places = IBSIM_CLIENTS - 1 - simulator->nsms;

	if (places > SIMULATOR_WORKERS)
		places = SIMULATOR_WORKERS;
	return places > simulator->forgetting ? places - simulator->forgetting : 0;
}

/* ---- Stopping ---- */

void simulator_free(struct simulator *simulator)
{
	if (simulator->directory)
		remove_tree(simulator->directory);
	free(simulator->directory);
	ibsim_free(simulator);
	for (size_t i = 0; i < simulator->nsms; i++)
		sm_free(&simulator->sms[i]);
	buf_free(&simulator->reports);
	strings_free(&simulator->commands);
	topology_free(&simulator->topology);
	arena_free(&simulator->arena);
	free(simulator);
}

static void on_closed(uv_handle_t *handle)
{
	struct simulator *simulator = handle->data;
	void (*stopped)(void *) = simulator->stopped;
	void *user = simulator->stopped_user;

	if (--simulator->open_handles)
		return;
	keeper_reap(&simulator->keeper);
	simulator_free(simulator);
	stopped(user);
}

static void on_sm_closed(uv_handle_t *handle)
{
	handle->data = ((struct simulator_sm *)handle->data)->simulator;
	on_closed(handle);
}

static void close_handle(uv_handle_t *handle)
{
	if (!uv_is_closing(handle))
		uv_close(handle, on_closed);
}

/* The last to go: what the deadline guards. */
static void close_keeper(struct simulator *simulator)
{
	close_handle((uv_handle_t *)&simulator->deadline);
	close_handle((uv_handle_t *)&simulator->keeper_socket);
}

void simulator_stop(struct simulator *simulator, void (*stopped)(void *user), void *user)
{
	simulator->stopped = stopped;
	simulator->stopped_user = user;
	simulator->phase = PHASE_STOPPING;
	keeper_end(&simulator->keeper);
	close_handle((uv_handle_t *)&simulator->console);
	close_handle((uv_handle_t *)&simulator->output);
	close_handle((uv_handle_t *)&simulator->errors);
	close_handle((uv_handle_t *)&simulator->grace);
	for (size_t i = 0; i < simulator->nsms; i++)
		uv_close((uv_handle_t *)&simulator->sms[i].output, on_sm_closed);
	if (simulator->keeper_gone)
		close_keeper(simulator);
	else
		simulator_arm(simulator, STOP_MS);
}
