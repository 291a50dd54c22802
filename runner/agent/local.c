/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The agent of this very machine: forked, and not executed. What the runner has loaded by then its agent has too, and
 * to load it again would take longer than a short run.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/descriptors.h"
#include "agent/link_internal.h"

extern char **environ;

static int open_pidfd(pid_t pid)
{
#ifdef SYS_pidfd_open
	return (int)syscall(SYS_pidfd_open, pid, 0);
#else
	errno = ENOSYS;
	return -1;
#endif
}

/* Since Linux 5.3; valgrind does not know of it. */
bool local_can(void)
{
	int fd = open_pidfd(getpid());

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static void on_exit_seen(uv_poll_t *poll, int status, int events)
{
	struct link *link = poll->data;
	int how;

	if (waitpid(link->pid, &how, WNOHANG) != link->pid)
		return;
	uv_poll_stop(poll);
	link_exited(link, WIFEXITED(how) ? WEXITSTATUS(how) : 0, WIFSIGNALED(how) ? WTERMSIG(how) : 0);
}

/* As in a program that was just started. */
static void reset_signals(const sigset_t *mask)
{
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	sigprocmask(SIG_SETMASK, mask, NULL);
}

static _Noreturn void live(const int ends[3], const struct agent_options *options, const sigset_t *mask,
			   char **environment)
{
	/* A session of its own: a Ctrl-C at the terminal is for the runner to act on. */
	setsid();
	for (int fd = 0; fd < 3; fd++)
		dup2(ends[fd], fd);
	descriptors_close(STDERR_FILENO);
	reset_signals(mask);
	descriptors_restore(0);
	__fpurge(stdout);
	environ = environment;
	_exit(agent_main(options));
}

static void close_ends(int pipes[3][2], bool own)
{
	for (int i = 0; i < 3; i++)
		for (int end = 0; end < 2; end++)
			if (pipes[i][end] >= 0 && (end == (i == 0)) == own)
				close(pipes[i][end]);
}

static int make_pipes(int pipes[3][2])
{
	for (int i = 0; i < 3; i++)
		if (pipe2(pipes[i], O_CLOEXEC) < 0)
			return -errno;
	return 0;
}

static int fork_agent(struct link *link, const int ends[3], const struct agent_options *options, char **environment)
{
	sigset_t all, before;
	int rc;

	/* Until the child has taken the runner's handlers off, none of them may run in it. */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	link->pid = fork();
	if (link->pid == 0)
		live(ends, options, &before, environment);
	rc = link->pid < 0 ? -errno : 0;
	sigprocmask(SIG_SETMASK, &before, NULL);
	return rc;
}

static int watch(struct link *link, uv_loop_t *loop)
{
	link->pidfd = open_pidfd(link->pid);
	if (link->pidfd < 0)
		return -errno;
	link->exit.data = link;
	uv_poll_init(loop, &link->exit, link->pidfd);
	link->handles++;
	return uv_poll_start(&link->exit, UV_READABLE, on_exit_seen);
}

static void give_up(struct link *link)
{
	kill(link->pid, SIGKILL);
	waitpid(link->pid, NULL, 0);
	link->pid = 0;
}

int local_spawn(struct link *link, uv_loop_t *loop, const struct agent_options *options, char **environment)
{
	int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
	int rc = make_pipes(pipes);

	if (rc == 0)
		rc = fork_agent(link, (int[3]){pipes[0][0], pipes[1][1], pipes[2][1]}, options, environment);
	close_ends(pipes, false);
	if (rc < 0) {
		close_ends(pipes, true);
		link->pid = 0;
		return rc;
	}
	uv_pipe_open(&link->in, pipes[0][1]);
	uv_pipe_open(&link->out, pipes[1][0]);
	uv_pipe_open(&link->err, pipes[2][0]);
	rc = watch(link, loop);
	if (rc < 0)
		give_up(link);
	return rc;
}
