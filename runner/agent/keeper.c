/* SPDX-License-Identifier: BSD-2-Clause */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/keeper.h"

#define REMOVE_TRIES 200
#define REMOVE_PAUSE_MS 10

static bool remove_below(int parent, const char *name)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return unlinkat(parent, name, 0) == 0 || errno == ENOENT;
	}
	while ((entry = readdir(dir))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		if (unlinkat(fd, entry->d_name, 0) < 0 && errno != ENOENT)
			remove_below(fd, entry->d_name);
	}
	closedir(dir);
	return unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT;
}

bool remove_tree(const char *path)
{
	return remove_below(AT_FDCWD, path);
}

/* ---- In the keeper ---- */

struct keeping {
	const struct keeper_process *processes;
	size_t count;
	pid_t pids[KEEPER_PROCESSES];
	bool started[KEEPER_PROCESSES];
	int socket, signals;
};

static void report(const struct keeping *keeping, size_t process, int error, int status)
{
	struct keeper_report line = {.process = process, .error = error, .status = status};

	send(keeping->socket, &line, sizeof(line), MSG_NOSIGNAL); /* where the runner is gone, the next read says so */
}

/* Never returns where it succeeds; what it returns is the reason why not. */
static int become(const struct keeper_process *process, pid_t keeper)
{
	sigset_t none;

	setpgid(0, 0);
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != keeper)
		return errno ? errno : ESRCH;
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (process->directory && chdir(process->directory) < 0)
		return errno;
	if (dup2(process->in, 0) < 0 || dup2(process->out, 1) < 0 || dup2(process->err, 2) < 0)
		return errno;
	execve(process->path, (char *const *)process->argv, (char *const *)process->envp);
	return errno;
}

/* A process that runs is the only one to hold its descriptors: their ends tell of it. */
static void close_own(const struct keeper_process *process)
{
	close(process->in);
	close(process->out);
	if (process->err != process->out)
		close(process->err);
}

static void start(struct keeping *keeping, size_t number)
{
	pid_t keeper = getpid();
	pid_t pid = fork();

	keeping->started[number] = true;
	if (pid < 0) {
		report(keeping, number, errno, 0);
		return;
	}
	if (!pid) {
		report(keeping, number, become(&keeping->processes[number], keeper), 0);
		_exit(127);
	}
	setpgid(pid, pid); /* in both, so that it holds before either goes on */
	keeping->pids[number] = pid;
	close_own(&keeping->processes[number]);
}

static void start_first(struct keeping *keeping)
{
	for (size_t i = 0; i < keeping->count; i++)
		if (!keeping->processes[i].later)
			start(keeping, i);
}

static void reap(struct keeping *keeping, int flags)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, flags)) > 0) {
		for (size_t i = 0; i < keeping->count; i++) {
			if (keeping->pids[i] != pid)
				continue;
			keeping->pids[i] = 0;
			report(keeping, i, 0, status);
		}
	}
}

static void watch(struct keeping *keeping)
{
	struct pollfd fds[] = {{.fd = keeping->socket, .events = POLLIN}, {.fd = keeping->signals, .events = POLLIN}};

	for (;;) {
		struct signalfd_siginfo info;
		uint8_t order;

		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return;
		if (fds[1].revents && read(keeping->signals, &info, sizeof(info)) > 0)
			reap(keeping, WNOHANG);
		if (!fds[0].revents)
			continue;
		if (read(keeping->socket, &order, 1) != 1)
			return;
		if (order < keeping->count && !keeping->started[order])
			start(keeping, order);
	}
}

static void end_all(struct keeping *keeping)
{
	for (size_t i = 0; i < keeping->count; i++)
		if (keeping->pids[i])
			kill(-keeping->pids[i], SIGKILL);
	reap(keeping, 0);
}

/* A worker that is ending too may still make files in there: each round of it is short. */
static void remove_directory(const char *directory)
{
	for (int i = 0; i < REMOVE_TRIES && !remove_tree(directory); i++)
		poll(NULL, 0, REMOVE_PAUSE_MS);
}

static int compare_ints(const void *left, const void *right)
{
	return *(const int *)left - *(const int *)right;
}

static void leave_stdio(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = 0; fd <= 2; fd++)
		dup2(null, fd);
}

/* Nothing of the runner's may stay open here: neither its files nor the other ends of its pipes. */
static void keep_only(const struct keeping *keeping)
{
	int keep[3 * KEEPER_PROCESSES + 3] = {2, keeping->socket, keeping->signals};
	int count = 3;

	for (size_t i = 0; i < keeping->count; i++) {
		keep[count++] = keeping->processes[i].in;
		keep[count++] = keeping->processes[i].out;
		keep[count++] = keeping->processes[i].err;
	}
	qsort(keep, count, sizeof(*keep), compare_ints);
	for (int i = 1; i < count; i++)
		if (keep[i] > keep[i - 1] + 1)
			close_range(keep[i - 1] + 1, keep[i] - 1, 0);
	close_range(keep[count - 1] + 1, ~0U, 0);
}

static void keep(struct keeping *keeping, const char *directory)
{
	sigset_t child;

	setsid();
	prctl(PR_SET_NAME, "rdmaspec-keeper");
	for (int number = 1; number < NSIG; number++)
		if (number != SIGCHLD)
			signal(number, SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_SETMASK, &child, NULL);
	leave_stdio();
	keeping->signals = signalfd(-1, &child, SFD_CLOEXEC);
	keep_only(keeping);
	start_first(keeping);
	watch(keeping);
	end_all(keeping);
	remove_directory(directory);
	_exit(0);
}

/* ---- In the runner ---- */

/* Blocked, so that no handler of the runner's runs in the keeper before it has put them all aside. */
static pid_t fork_blocked(void)
{
	sigset_t all, before;
	pid_t pid;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid = fork();
	if (pid)
		sigprocmask(SIG_SETMASK, &before, NULL);
	return pid;
}

int keeper_start(struct keeper *keeper, const struct keeper_process *processes, size_t count, const char *directory,
		 struct diag *diag)
{
	struct keeping keeping = {.processes = processes, .count = count};
	int ends[2], error;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return diag_set(diag, errno, NO_PLACE, "cannot make a socket: %s", strerror(errno));
	keeper->pid = fork_blocked();
	error = errno;
	if (!keeper->pid) {
		close(ends[0]);
		keeping.socket = fcntl(ends[1], F_DUPFD_CLOEXEC, 3); /* the first three are about to be replaced */
		keep(&keeping, directory);
	}
	close(ends[1]);
	keeper->socket = ends[0];
	if (keeper->pid < 0) {
		close(ends[0]);
		return diag_set(diag, error, NO_PLACE, "cannot start a process: %s", strerror(error));
	}
	return 0;
}

void keeper_go(const struct keeper *keeper, uint8_t process)
{
	send(keeper->socket, &process, 1, MSG_NOSIGNAL); /* a keeper that is gone shows at the socket's end */
}

void keeper_end(const struct keeper *keeper)
{
	shutdown(keeper->socket, SHUT_WR);
}

void keeper_reap(const struct keeper *keeper)
{
	while (waitpid(keeper->pid, NULL, 0) < 0 && errno == EINTR)
		;
}
