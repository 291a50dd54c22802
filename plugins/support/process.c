/* SPDX-License-Identifier: BSD-2-Clause */
#include "support/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define GRACE_MS 300	  /* between SIGTERM and SIGKILL */
#define LATE_OUTPUT_MS 50 /* what was in the pipes when it ended */
#define OLD_KERNEL_MS 20  /* how often to ask after the end where there is no pidfd */

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* What the child needs; it shares its parent's memory until exec(), and so changes none */
struct birth {
	const char *const *argv;
	char **environment;
	int null, out, err, failed;
	pid_t parent;
};

static _Noreturn void child(const struct birth *birth)
{
	sigset_t none;
	int error;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != birth->parent)
		_exit(127);
	signal(SIGPIPE, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (dup2(birth->null, STDIN_FILENO) >= 0 && dup2(birth->out, STDOUT_FILENO) >= 0 &&
	    dup2(birth->err, STDERR_FILENO) >= 0)
		execvpe(birth->argv[0], (char *const *)birth->argv, birth->environment);
	error = errno;
	if (write(birth->failed, &error, sizeof(error)) < 0)
		_exit(126);
	_exit(127);
}

/* The environment with LC_ALL=C; an array to free, its strings are the environment's own */
static char **plain_environment(void)
{
	static char plain[] = "LC_ALL=C";
	size_t count = 0, kept = 0;
	char **copy;

	while (environ[count])
		count++;
	copy = malloc((count + 2) * sizeof(*copy));
	if (!copy)
		return NULL;
	for (size_t i = 0; i < count; i++)
		if (strncmp(environ[i], "LC_ALL=", 7))
			copy[kept++] = environ[i];
	copy[kept++] = plain;
	copy[kept] = NULL;
	return copy;
}

/*
 * vfork() and not fork(): the latter runs what libraries have asked to be run in every child, and libuv's share of that
 * closes descriptors by numbers that in a worker have become others.
 */
static int give_birth(struct process *process, const struct birth *birth)
{
	process->pid = vfork();
	if (!process->pid)
		child(birth);
	return process->pid < 0 ? -errno : 0;
}

static void close_pair(int pair[2])
{
	if (pair[0] >= 0)
		close(pair[0]);
	if (pair[1] >= 0)
		close(pair[1]);
}

/* Above the standard three, so that the child's dup2() does not run over them */
static int open_pipe(int pair[2])
{
	int raw[2];

	pair[0] = pair[1] = -1;
	if (pipe2(raw, O_CLOEXEC) < 0)
		return -errno;
	pair[0] = fcntl(raw[0], F_DUPFD_CLOEXEC, 3);
	pair[1] = fcntl(raw[1], F_DUPFD_CLOEXEC, 3);
	close_pair(raw);
	return pair[0] < 0 || pair[1] < 0 ? -EMFILE : 0;
}

/* What exec() said, which comes through a pipe that a successful one closes */
static int exec_error(int fd)
{
	int error = 0;
	ssize_t n;

	do
		n = read(fd, &error, sizeof(error));
	while (n < 0 && errno == EINTR);
	return n == sizeof(error) ? -error : 0;
}

/* From here on the pipes are the process's */
static void take_pipes(struct process *process, int pairs[3][2])
{
	for (int i = 0; i < 2; i++) {
		process->pipes[i] = pairs[i][0];
		pairs[i][0] = -1;
		fcntl(process->pipes[i], F_SETFL, O_NONBLOCK);
	}
	process->pidfd = (int)syscall(SYS_pidfd_open, process->pid, 0);
}

static int start(struct process *process, struct birth *birth, int pairs[3][2])
{
	int error = 0;

	for (int i = 0; i < 3 && !error; i++)
		error = open_pipe(pairs[i]);
	if (error)
		return error;
	birth->out = pairs[0][1];
	birth->err = pairs[1][1];
	birth->failed = pairs[2][1];
	error = give_birth(process, birth);
	if (error)
		return error;
	close(pairs[2][1]);
	pairs[2][1] = -1;
	error = exec_error(pairs[2][0]);
	if (error)
		waitpid(process->pid, NULL, 0);
	else
		take_pipes(process, pairs);
	return error;
}

int process_start(struct process *process, const char *const *argv)
{
	struct birth birth = {.argv = argv, .environment = plain_environment(), .parent = getpid()};
	int pairs[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}}, error;

	*process = (struct process){.pid = -1, .pipes = {-1, -1}, .pidfd = -1};
	birth.null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (birth.null < 0)
		error = -errno;
	else if (!birth.environment)
		error = -ENOMEM;
	else
		error = start(process, &birth, pairs);
	if (birth.null >= 0)
		close(birth.null);
	free(birth.environment);
	for (int i = 0; i < 3; i++)
		close_pair(pairs[i]);
	return error;
}

static bool append(struct process_text *text, const char *data, size_t length)
{
	size_t room = PROCESS_KEPT - text->length, capacity = 4096;
	char *larger;

	text->total += length;
	if (length > room)
		length = room;
	if (!length)
		return true;
	while (capacity < text->length + 1)
		capacity *= 2;
	if (!text->data || capacity < text->length + length + 1) {
		while (capacity < text->length + length + 1)
			capacity *= 2;
		larger = realloc(text->data, capacity);
		if (!larger)
			return false;
		text->data = larger;
	}
	memcpy(text->data + text->length, data, length);
	text->length += length;
	text->data[text->length] = '\0';
	return true;
}

/* Everything that is there now */
static void drain(struct process *process, int stream)
{
	char block[65536];
	ssize_t n;

	if (process->pipes[stream] < 0)
		return;
	while ((n = read(process->pipes[stream], block, sizeof(block))) > 0)
		if (!append(&process->out[stream], block, (size_t)n))
			break;
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	close(process->pipes[stream]);
	process->pipes[stream] = -1;
}

static void reap(struct process *process)
{
	int status;

	if (process->ended || waitpid(process->pid, &status, WNOHANG) != process->pid)
		return;
	process->ended = true;
	if (WIFSIGNALED(status))
		process->signal = WTERMSIG(status);
	else
		process->status = WEXITSTATUS(status);
}

/* Wait for output, the end, or @other (-1: nothing), at most so long; returns whether there is something in @other */
static bool turn_or(struct process *process, int other, int64_t milliseconds)
{
	struct pollfd fds[4] = {{process->pipes[0], POLLIN, 0},
				{process->pipes[1], POLLIN, 0},
				{process->ended ? -1 : process->pidfd, POLLIN, 0},
				{other, POLLIN, 0}};

	if (process->pidfd < 0 && !process->ended && milliseconds > OLD_KERNEL_MS)
		milliseconds = OLD_KERNEL_MS;
	poll(fds, 4, (int)(milliseconds > INT32_MAX ? INT32_MAX : milliseconds));
	drain(process, PROCESS_STDOUT);
	drain(process, PROCESS_STDERR);
	reap(process);
	return fds[3].revents;
}

static void turn(struct process *process, int64_t milliseconds)
{
	turn_or(process, -1, milliseconds);
}

static bool streams_open(const struct process *process)
{
	return process->pipes[0] >= 0 || process->pipes[1] >= 0;
}

bool process_wait_or(struct process *process, int fd, int64_t milliseconds)
{
	int64_t deadline = now_ms() + milliseconds, late, now;

	while (!process->ended && (now = now_ms()) <= deadline)
		if (turn_or(process, fd, deadline - now))
			break;
	if (!process->ended)
		return false;
	for (late = now_ms() + LATE_OUTPUT_MS; streams_open(process) && (now = now_ms()) < late;)
		turn(process, late - now);
	return true;
}

bool process_wait(struct process *process, int64_t milliseconds)
{
	return process_wait_or(process, -1, milliseconds);
}

void process_stop(struct process *process)
{
	if (process->pid <= 0)
		return;
	if (!process->ended) {
		process->stopped = true;
		kill(-process->pid, SIGTERM);
		process_wait(process, GRACE_MS);
	}
	kill(-process->pid, SIGKILL); /* also what it left behind */
	while (!process->ended)
		turn(process, 1000);
}

void process_free(struct process *process)
{
	process_stop(process);
	for (int i = 0; i < 2; i++) {
		if (process->pipes[i] >= 0)
			close(process->pipes[i]);
		free(process->out[i].data);
	}
	if (process->pidfd >= 0)
		close(process->pidfd);
	*process = (struct process){.pid = -1, .pipes = {-1, -1}, .pidfd = -1};
}
