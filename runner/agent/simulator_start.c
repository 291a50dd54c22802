/* SPDX-License-Identifier: BSD-2-Clause */
/* From a topology file to the processes that serve it. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/programs.h"
#include "agent/simulator_internal.h"
#include "base/cleanup.h"

#define LIDS_DEFAULT 30000
#define LIDS_MAX "49152"
#define START_MS 30000 /* a subnet manager: those that start at once may take turns at who is the master */
#define START_MS_A_NODE 100

/** struct ends - a pipe: what the child gets, and what stays here */
struct ends {
	int child, ours;
};

struct start {
	struct simulator *simulator;
	struct keeper_process processes[KEEPER_PROCESSES];
	size_t count;
	struct ends ibsim[3]; /* stdin, stdout, stderr */
	struct ends sms[SIMULATOR_SMS], nulls[SIMULATOR_SMS];
	struct diag *diag;
};

static int make_directory(struct simulator *simulator, struct diag *diag)
{
	const char *parent = getenv("TMPDIR");
	AUTO_FREE char *directory = xasprintf("%s/rdmaspec-XXXXXX", parent && *parent == '/' ? parent : "/tmp");

	if (!mkdtemp(directory))
		return diag_set(diag, errno, NO_PLACE, "cannot make a directory '%s': %s", directory, strerror(errno));
	simulator->directory = directory;
	directory = NULL;
	simulator->workers = arena_printf(&simulator->arena, "%s/workers", simulator->directory);
	if (mkdir(simulator->workers, 0700) < 0)
		return diag_set(diag, errno, NO_PLACE, "cannot make '%s': %s", simulator->workers, strerror(errno));
	return 0;
}

static int high_pipe(int ends[2])
{
	int made[2];

	if (pipe2(made, O_CLOEXEC) < 0)
		return -errno;
	for (int i = 0; i < 2; i++) {
		ends[i] = made[i] > 2 ? made[i] : fcntl(made[i], F_DUPFD_CLOEXEC, 3);
		if (ends[i] != made[i])
			close(made[i]);
	}
	return 0;
}

static int make_pipe(struct start *start, struct ends *ends, bool to_child)
{
	int made[2];
	int error = high_pipe(made);

	if (error)
		return diag_set(start->diag, -error, NO_PLACE, "cannot make a pipe: %s", strerror(-error));
	ends->child = made[to_child ? 0 : 1];
	ends->ours = made[to_child ? 1 : 0];
	return 0;
}

static int plan_ibsim(struct start *start)
{
	struct simulator *simulator = start->simulator;
	const struct topology *topology = &simulator->topology;
	struct arena *arena = &simulator->arena;
	const char *path = program_find(arena, "ibsim", "ibsim-utils", start->diag);
	const char *environment[] = {arena_printf(arena, "IBSIM_SOCKNAME=%s", simulator->socket_name),
				     "IBSIM_SERVER_NAME=", NULL};
	const char **argv = arena_alloc(arena, 13 * sizeof(*argv));
	size_t n = 0;

	if (!path)
		return -ENOENT;
	if (make_pipe(start, &start->ibsim[0], true) < 0 || make_pipe(start, &start->ibsim[1], false) < 0 ||
	    make_pipe(start, &start->ibsim[2], false) < 0)
		return -EMFILE;
	argv[n++] = "ibsim";
	argv[n++] = "-s";
	argv[n++] = "-N";
	argv[n++] = arena_printf(arena, "%zu", topology->count + 1);
	argv[n++] = "-S";
	argv[n++] = arena_printf(arena, "%zu", topology->switches + 1);
	argv[n++] = "-P";
	argv[n++] = arena_printf(arena, "%zu", topology->ports + 1);
	if (topology->ports > LIDS_DEFAULT) {
		argv[n++] = "-L";
		argv[n++] = LIDS_MAX;
	}
	argv[n++] = "--";
	argv[n++] = arena_text(arena, simulator->file, strlen(simulator->file));
	start->processes[start->count++] = (struct keeper_process){
		.path = path,
		.argv = argv,
		.envp = environment_with(arena, environment),
		.in = start->ibsim[0].child,
		.out = start->ibsim[1].child,
		.err = start->ibsim[2].child,
	};
	return 0;
}

static int plan_sm(struct start *start, struct simulator_sm *sm, const char *program)
{
	struct simulator *simulator = start->simulator;
	struct arena *arena = &simulator->arena;
	size_t number = sm - simulator->sms;
	struct ends *ends = &start->sms[number], *null = &start->nulls[number];
	const char *directory = arena_printf(arena, "%s/sm-%zu", simulator->directory, number);
	const char *const *node = simulator_environment(simulator, sm->node->id);
	const char *environment[] = {node[0],
				     node[1],
				     node[2],
				     node[3],
				     arena_printf(arena, "OSM_TMP_DIR=%s", directory),
				     arena_printf(arena, "OSM_CACHE_DIR=%s", directory),
				     NULL};
	const char **argv = arena_alloc(arena, 6 * sizeof(*argv));
	int error;

	if (mkdir(directory, 0700) < 0)
		return diag_set(start->diag, errno, NO_PLACE, "cannot make '%s': %s", directory, strerror(errno));
	error = sm_write_config(simulator, sm, directory, start->diag);
	if (error || (error = make_pipe(start, ends, false)) || (error = make_pipe(start, null, true)))
		return error;
	close(null->ours); /* opensm's stdin is at its end */
	null->ours = -1;
	argv[0] = "opensm";
	argv[1] = "-F";
	argv[2] = arena_printf(arena, "%s/opensm.conf", directory);
	argv[3] = "-f";
	argv[4] = "stdout";
	start->processes[start->count++] = (struct keeper_process){
		.path = program,
		.argv = argv,
		.envp = environment_with(arena, environment),
		.directory = directory,
		.in = null->child,
		.out = ends->child,
		.err = ends->child,
		.later = true,
	};
	return 0;
}

static int plan_sms(struct start *start)
{
	struct simulator *simulator = start->simulator;
	const char *program;

	if (!simulator->nsms)
		return 0;
	program = program_find(&simulator->arena, "opensm", "opensm", start->diag);
	if (!program)
		return -ENOENT;
	for (size_t i = 0; i < simulator->nsms; i++) {
		int error = plan_sm(start, &simulator->sms[i], program);

		if (error)
			return error;
	}
	return 0;
}

static void close_one(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* The children's ends are the keeper's; @all: there is none, and ours go too. */
static void close_ends(const struct ends *ends, size_t count, bool all)
{
	for (size_t i = 0; i < count; i++) {
		close_one(ends[i].child);
		if (all)
			close_one(ends[i].ours);
	}
}

static void open_timers(struct simulator *simulator, uv_loop_t *loop)
{
	uv_timer_init(loop, &simulator->deadline);
	uv_timer_init(loop, &simulator->grace);
	simulator->deadline.data = simulator->grace.data = simulator;
	simulator->open_handles += 2;
}

static void open_streams(struct start *start, uv_loop_t *loop)
{
	struct simulator *simulator = start->simulator;

	open_timers(simulator, loop);
	uv_pipe_init(loop, &simulator->keeper_socket, 0);
	simulator->keeper_socket.data = simulator;
	simulator->open_handles++;
	uv_pipe_open(&simulator->keeper_socket, simulator->keeper.socket);
	uv_read_start((uv_stream_t *)&simulator->keeper_socket, simulator_allocate, simulator_on_report);
	ibsim_open(simulator, loop, start->ibsim[0].ours, start->ibsim[1].ours, start->ibsim[2].ours);
	for (size_t i = 0; i < simulator->nsms; i++)
		sm_open(&simulator->sms[i], loop, start->sms[i].ours);
}

static int prepare(struct simulator *simulator, const struct simulator_options *options, struct diag *diag)
{
	uint64_t random = 0;
	int error = topology_load(&simulator->topology, simulator->file, diag);

	if (error || (error = sm_parse(simulator, options->sms, diag)))
		return error;
	for (size_t i = 0; options->commands && i < options->commands->count; i++) {
		error = ibsim_check_command(options->commands->items[i], diag);
		if (error)
			return error;
		strings_add(&simulator->commands, options->commands->items[i]);
	}
	simulator->preload = preload_find(&simulator->arena, diag);
	if (!simulator->preload)
		return -ENOENT;
	if (getrandom(&random, sizeof(random), 0) < 0)
		random = uv_hrtime();
	simulator->socket_name = arena_printf(&simulator->arena, "rdmaspec-%d-%016" PRIx64, (int)getpid(), random);
	return make_directory(simulator, diag);
}

struct simulator *simulator_start(uv_loop_t *loop, const struct simulator_options *options,
				  const struct simulator_events *events, void *user, struct diag *diag)
{
	struct simulator *simulator = xcalloc(1, sizeof(*simulator));
	struct start start = {.simulator = simulator, .diag = diag};
	int error;

	memset(start.ibsim, 0xff, sizeof(start.ibsim)); /* -1: none */
	memset(start.sms, 0xff, sizeof(start.sms));
	memset(start.nulls, 0xff, sizeof(start.nulls));

	simulator->events = *events;
	simulator->user = user;
	simulator->file = options->file;
	STAILQ_INIT(&simulator->queue);
	error = prepare(simulator, options, diag);
	if (!error)
		error = plan_ibsim(&start);
	if (!error)
		error = plan_sms(&start);
	if (!error)
		error = keeper_start(&simulator->keeper, start.processes, start.count, simulator->directory, diag);
	close_ends(start.ibsim, 3, error);
	close_ends(start.sms, SIMULATOR_SMS, error);
	close_ends(start.nulls, SIMULATOR_SMS, error);
	if (error) {
		simulator_free(simulator);
		return NULL;
	}
	open_streams(&start, loop);
	simulator_arm(simulator, START_MS * (int64_t)(simulator->nsms ? simulator->nsms : 1) +
					 START_MS_A_NODE * (int64_t)simulator->topology.count);
	return simulator;
}
