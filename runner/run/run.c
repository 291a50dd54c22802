/* SPDX-License-Identifier: BSD-2-Clause */
/* The run as a whole: its loop, its signals, its end. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "run/internal.h"

#define PROGRESS_MS 50

static const int signal_numbers[] = {SIGINT, SIGTERM, SIGHUP};
#define SIGNALS (sizeof(signal_numbers) / sizeof(*signal_numbers))

double run_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void run_timer_free(uv_handle_t *timer)
{
	free(timer);
}

/* ---- Progress ---- */

/* An estimate is worth showing after a while, when some of the work is done. */
#define ESTIMATE_MS 3000
#define ESTIMATE_SHARE 20 /* a twentieth */

static double estimate_left(const struct run *run, const struct run_progress *progress)
{
	double since = (double)(uv_now(&run->loop) - run->begun_at);

	if (!run->begun || since < ESTIMATE_MS || progress->done * ESTIMATE_SHARE < progress->cases)
		return 0;
	return since / 1000 * (double)(progress->cases - progress->done) / (double)progress->done;
}

static void show_progress(struct run *run)
{
	struct run_progress progress = {
		.hosts = run->hosts_used,
		.hosts_connected = run->hosts_connected,
		.hosts_lost = run->hosts_unreached + run->hosts_reached - run->hosts_connected,
		.done = run->cases_done + run->units_out,
		.running = run->operations_running,
		.failed = run->result->failed + run->result->errors,
	};

	for (size_t i = 0; i < run->result->nsteps; i++)
		progress.cases += run->result->steps[i].ncases;
	progress.left = estimate_left(run, &progress);
	run->progressed = uv_now(&run->loop);
	run->options->progress(run->options->user, &progress);
}

static void on_progress(uv_timer_t *timer)
{
	show_progress(timer->data);
}

/* Not more often than somebody can read, and never late by more than that. */
void run_moved(struct run *run)
{
	uint64_t since = uv_now(&run->loop) - run->progressed;

	if (!run->options->progress || !run->progress_open || uv_is_active((uv_handle_t *)&run->progress_timer))
		return;
	if (since >= PROGRESS_MS)
		show_progress(run);
	else
		uv_timer_start(&run->progress_timer, on_progress, PROGRESS_MS - since, 0);
}

/* ---- The end ---- */

static void on_stopped(void *user)
{
	((struct run *)user)->simulator = NULL;
}

/* All steps are judged, or nothing can be: the loop ends when the last handle is closed. */
static void finish(struct run *run)
{
	if (!run->finishing)
		absences_note(run);
	run->finishing = true;
	ways_close(run);
	hosts_close(run);
	if (!hosts_closed(run))
		return;
	for (size_t i = 0; i < SIGNALS; i++)
		if (run->signals[i].loop && !uv_is_closing((uv_handle_t *)&run->signals[i]))
			uv_close((uv_handle_t *)&run->signals[i], NULL);
	if (run->progress_open)
		uv_close((uv_handle_t *)&run->progress_timer, NULL);
	run->progress_open = false;
	if (run->simulator && !run->stopping) {
		run->stopping = true;
		simulator_stop(run->simulator, on_stopped, run);
	}
}

static bool may_begin(const struct run *run)
{
	return !run->error && !run->result->signal && (!run->options->simulate || run->fabric_up) &&
	       absences_settled(run);
}

static void begin(struct run *run)
{
	run->begun = true;
	run->begun_at = uv_now(&run->loop);
	absences_check(run);
	steps_begin(run);
}

/* Everything that can go on does; called at the end of whatever the loop calls. */
void run_pump(struct run *run)
{
	struct waiter *waiter;
	struct step *step;

	if (!run->begun && may_begin(run))
		begin(run);
	do {
		while ((waiter = STAILQ_FIRST(&run->arrived))) {
			STAILQ_REMOVE_HEAD(&run->arrived, next);
			step_arrived(waiter);
		}
		while ((step = STAILQ_FIRST(&run->ready))) {
			STAILQ_REMOVE_HEAD(&run->ready, ready);
			step_judge(step);
		}
		hosts_open(run);
		hosts_kick(run);
	} while (!STAILQ_EMPTY(&run->arrived) || !STAILQ_EMPTY(&run->ready));
	run_moved(run);
	if (run->error || (run->begun && !run->steps_left))
		finish(run);
}

/* ---- Signals ---- */

static void interrupt(struct run *run, int number)
{
	run->result->signal = number;
	steps_interrupt(run);
	hosts_close(run); /* what runs there ends, and arrives as not run */
	if (!run->begun && !run->error) {
		run->begun = true;
		steps_begin(run);
	}
	run_pump(run);
}

/* timeout(1) signals the process and then its group, and a terminal's Ctrl-C may come with a shell's: that is one wish.
 */
#define SAME_SIGNAL_MS 1000

static void on_signal(uv_signal_t *handle, int number)
{
	struct run *run = handle->data;

	uv_update_time(&run->loop);
	if (!run->result->signal) {
		run->interrupted = uv_now(&run->loop);
		interrupt(run, number);
		return;
	}
	if (uv_now(&run->loop) - run->interrupted < SAME_SIGNAL_MS)
		return;
	/* A second one: at once. The agents end on the end of their input, the fabric by its keeper. */
	signal(number, SIG_DFL);
	raise(number);
}

/* One that was ignored when we were started (nohup, a shell's background) stays so. */
static bool is_ignored(int number)
{
	struct sigaction action;

	return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

static void open_signals(struct run *run)
{
	for (size_t i = 0; i < SIGNALS; i++) {
		if (is_ignored(signal_numbers[i]))
			continue;
		uv_signal_init(&run->loop, &run->signals[i]);
		run->signals[i].data = run;
		uv_signal_start(&run->signals[i], on_signal, signal_numbers[i]);
	}
}

/* ---- The simulated fabric ---- */

static void on_fabric_up(void *user)
{
	struct run *run = user;

	run->fabric_up = true;
	run_pump(run);
}

static void on_fabric_failed(void *user, const char *why)
{
	struct run *run = user;

	if (!run->begun) {
		run->error = diag_set(run->diag, EIO, NO_PLACE, "%s", why);
		run_pump(run);
		return;
	}
	run->fabric_lost = xstrdup(why);
	hosts_leave_fabric(run);
	run_pump(run);
}

static void on_fabric_freed(void *user)
{
	run_pump(user);
}

static const struct simulator_events fabric_events = {
	.up = on_fabric_up,
	.failed = on_fabric_failed,
	.freed = on_fabric_freed,
};

static int open_fabric(struct run *run)
{
	const struct simulator_options options = {
		.file = run->options->simulate,
		.commands = &run->options->simulate_commands,
		.sms = &run->options->simulate_sms,
	};
	AUTO_DIAG struct diag diag = {0};
	struct place place;

	run->simulator = simulator_start(&run->loop, &options, &fabric_events, run, &diag);
	if (run->simulator)
		return run_check_hosts(run);
	place = diag.place;
	if (place.file && place.line)
		return diag_set(run->diag, EINVAL, place, "%s:%u:%u: %s", place.file, place.line, place.column,
				diag.text);
	return diag_set(run->diag, EINVAL, place, "%s%s%s", place.file ? place.file : "", place.file ? ": " : "",
			diag.text);
}

/* ---- The whole ---- */

/* The agent is this very program: where its file has been replaced meanwhile, the one that runs. */
static char *own_path(void)
{
	char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (length <= 0)
		return xstrdup("/proc/self/exe");
	path[length] = '\0';
	return xstrdup(access(path, X_OK) == 0 ? path : "/proc/self/exe");
}

static void init_argv(struct run *run)
{
	size_t n = 0;

	run->agent = (struct agent_options){.plugin_dir = registry_directory(run->options->registry),
					    .sysfs_root = run->options->sysfs_root};
	run->self = own_path();
	run->argv = arena_alloc(&run->arena, 7 * sizeof(*run->argv));
	run->argv[n++] = run->self;
	run->argv[n++] = "agent";
	run->argv[n++] = "--plugin-dir";
	run->argv[n++] = registry_directory(run->options->registry);
	if (run->options->sysfs_root) {
		run->argv[n++] = "--sysfs-root";
		run->argv[n++] = run->options->sysfs_root;
	}
}

static void init_replayed(struct result *result, const struct run_replay *replay)
{
	result->started = replay->started;
	result->hostname = xstrdup(replay->hostname);
	result->simulated = replay->simulated ? xstrdup(replay->simulated) : NULL;
	for (size_t i = 0; i < replay->nnotes; i++)
		strings_add(&result->notes, replay->notes[i]);
}

static void init_result(struct run *run)
{
	struct result *result = run->result;
	char hostname[256] = "";

	result->min_hosts = run->options->min_hosts;
	result->survey = run->options->survey;
	if (run->options->replay) {
		init_replayed(result, run->options->replay);
	} else {
		gethostname(hostname, sizeof(hostname) - 1);
		result->started = run_now();
		result->hostname = xstrdup(hostname);
		result->simulated = run->options->simulate ? xstrdup(run->options->simulate) : NULL;
	}
	cases_init(result, run->plan);
}

static void open_progress(struct run *run)
{
	if (!run->options->progress)
		return;
	uv_timer_init(&run->loop, &run->progress_timer);
	uv_unref((uv_handle_t *)&run->progress_timer);
	run->progress_timer.data = run;
	run->progress_open = true;
}

static void carry_out(struct run *run)
{
	double began = run_now();

	init_argv(run);
	hosts_init(run);
	if (run->options->replay)
		hosts_replay(run);
	if (run->options->simulate && run->plan->nsteps)
		run->error = open_fabric(run);
	/* The agents come first: they take their time, and ours passes meanwhile. */
	if (!run->error)
		hosts_open(run);
	if (!run->error && run->options->opened)
		run->error = run->options->opened(run->options->user, run->diag);
	init_result(run);
	steps_init(run);
	open_signals(run);
	open_progress(run);
	run_pump(run);
	uv_run(&run->loop, UV_RUN_DEFAULT);
	run->result->seconds = run_now() - began;
}

static void run_free(struct run *run)
{
	steps_free(run);
	operations_free(run);
	hosts_free(run);
	free(run->self);
	free(run->pods);
	free(run->fabric_lost);
	arena_free(&run->arena);
}

int run_plan(const struct plan *plan, const struct run_options *options, struct result *result, struct diag *diag)
{
	struct run run = {.plan = plan, .options = options, .result = result, .diag = diag};
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
	int error = run_check(plan, options, diag);

	*result = (struct result){0};
	if (error)
		return error;
	error = uv_loop_init(&run.loop);
	if (error)
		return diag_set(diag, -error, NO_PLACE, "cannot start: %s", uv_strerror(error));
	sigaction(SIGPIPE, &ignore, &before);
	carry_out(&run);
	sigaction(SIGPIPE, &before, NULL);
	uv_loop_close(&run.loop);
	run_free(&run);
	return run.error;
}
