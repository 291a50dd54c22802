/* SPDX-License-Identifier: BSD-2-Clause */
#include "agent/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "agent/descriptors.h"
#include "agent/observe.h"
#include "agent/wire.h"
#include "base/cleanup.h"

extern char **environ;

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void write_all(int fd, const char *data, size_t length)
{
	while (length) {
		ssize_t n = write(fd, data, length);

		if (n < 0 && errno != EINTR)
			_exit(EXIT_FAILURE);
		data += n > 0 ? n : 0;
		length -= n > 0 ? (size_t)n : 0;
	}
}

/* Why it never came to observing. */
static _Noreturn void give_up(uint64_t id, const char *what)
{
	AUTO_BUF struct buf message = {0};
	AUTO_FREE char *text = xasprintf("the worker cannot %s: %s", what, strerror(errno));

	wire_begin(&message, id, "failed");
	wire_string(&message, text);
	wire_end(&message);
	write_all(WORKER_RESULT_FD, message.data, message.length);
	_exit(EXIT_SUCCESS);
}

static void reset_signals(const sigset_t *mask)
{
	/* Those that an agent handles; the others were never touched. */
	static const int numbers[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGPIPE};
	struct sigaction action = {.sa_handler = SIG_DFL};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sigaction(numbers[i], &action, NULL);
	sigprocmask(SIG_SETMASK, mask, NULL);
}

/* The number may be that of one of the others, which are in their places by now. */
static void keep_stop_fd(int stop)
{
	if (stop == WORKER_STOP_FD)
		fcntl(stop, F_SETFD, 0);
	else
		dup2(stop, WORKER_STOP_FD);
}

/* The request as an exec'd worker finds it: on its standard input. */
static void hand_over_request(const struct request *request)
{
	struct request plain = *request;
	AUTO_BUF struct buf text = {0};
	int fd = memfd_create("request", MFD_CLOEXEC);

	if (fd < 0)
		give_up(request->id, "keep its request");
	plain.exec = false;
	plain.directory = NULL;
	request_write(&text, &plain);
	write_all(fd, text.data, text.length);
	if (lseek(fd, 0, SEEK_SET) < 0 || dup2(fd, STDIN_FILENO) < 0)
		give_up(request->id, "keep its request");
	close(fd);
}

static _Noreturn void execute(const struct worker_start *start)
{
	const struct request *request = start->request;
	const char *argv[8] = {"rdmaspec", "worker"};
	size_t n = 2;

	if (start->options->plugin_dir) {
		argv[n++] = "--plugin-dir";
		argv[n++] = start->options->plugin_dir;
	}
	if (start->options->sysfs_root) {
		argv[n++] = "--sysfs-root";
		argv[n++] = start->options->sysfs_root;
	}
	hand_over_request(request);
	for (size_t i = 0; i < request->environment.count; i++)
		if (putenv(request->environment.items[i]) != 0)
			give_up(request->id, "set its environment");
	execve("/proc/self/exe", (char *const *)argv, environ);
	give_up(request->id, "start rdmaspec again");
}

_Noreturn void worker_live(const struct worker_start *start)
{
	const struct request *request = start->request;
	struct observe_options options = {.registry = start->registry,
					  .fd = WORKER_RESULT_FD,
					  .sysfs_root = start->options->sysfs_root,
					  .deadline = now_ms() + request->timeout_ms};

	/*
	 * A session of its own, for the agent to end as a group; it dies with the agent; and whatever it leaves
	 * orphaned stays its child, so that at its own death all of that falls to the agent.
	 */
	setsid();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != start->agent)
		_exit(EXIT_FAILURE);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prctl(PR_SET_NAME, "rdmaspec-worker");
	dup2(start->out, STDOUT_FILENO);
	dup2(start->err, STDERR_FILENO);
	dup2(start->result, WORKER_RESULT_FD);
	if (start->stop >= 0)
		keep_stop_fd(start->stop);
	descriptors_close(start->stop >= 0 ? WORKER_STOP_FD : WORKER_RESULT_FD);
	reset_signals(&start->mask);
	if (request->directory && chdir(request->directory) < 0)
		give_up(request->id, "change to its directory");
	if (request->exec)
		execute(start);
	/* The plugin's own children are not to hold the pipes. */
	fcntl(WORKER_RESULT_FD, F_SETFD, FD_CLOEXEC);
	if (start->stop >= 0)
		fcntl(WORKER_STOP_FD, F_SETFD, FD_CLOEXEC);
	_exit(observe(request, &options));
}

static int read_request(struct request *request)
{
	struct lines lines = {0};
	AUTO_FREE char *why = NULL;
	size_t room, length;
	uint64_t other;
	ssize_t n;
	char *line;
	int rc = 0;

	while (rc == REQUEST_PART) {
		rc = lines_next(&lines, &line, &length);
		if (rc == 1) {
			rc = request_read(request, line, length, &other, &why);
			continue;
		}
		line = lines_room(&lines, &room);
		n = read(STDIN_FILENO, line, room);
		if (n <= 0)
			rc = -EPROTO;
		else
			lines_filled(&lines, (size_t)n);
	}
	lines_free(&lines);
	if (rc != REQUEST_WHOLE)
		fprintf(stderr, "rdmaspec worker: no request on standard input%s%s\n", why ? ": " : "", why ? why : "");
	return rc == REQUEST_WHOLE ? 0 : -EPROTO;
}

/* Only an agent starts this, with the group, the directory, the signals and the descriptors as they should be. */
int worker_main(const struct agent_options *options)
{
	struct request request = {0};
	struct observe_options where = {.fd = WORKER_RESULT_FD, .sysfs_root = options->sysfs_root};
	int status = EXIT_FAILURE, null;

	signal(SIGPIPE, SIG_DFL);
	prctl(PR_SET_NAME, "rdmaspec-worker");
	if (fcntl(WORKER_RESULT_FD, F_SETFD, FD_CLOEXEC) < 0) {
		fputs("rdmaspec worker: started by hand; it is an agent that does that\n", stderr);
		return EXIT_FAILURE;
	}
	if (read_request(&request) == 0) {
		null = open("/dev/null", O_RDWR | O_CLOEXEC);
		if (null >= 0) {
			dup2(null, STDIN_FILENO);
			close(null);
		}
		if (request.role == ROLE_SERVER)
			fcntl(WORKER_STOP_FD, F_SETFD, FD_CLOEXEC);
		where.deadline = now_ms() + request.timeout_ms;
		where.registry = registry_new(options->plugin_dir);
		status = observe(&request, &where);
		registry_free(where.registry);
	}
	request_free(&request);
	return status;
}
