/* SPDX-License-Identifier: BSD-2-Clause */
/* What a worker must not do. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "mock/mock.h"

static const struct rs_fact no_facts[] = {
	{"nothing", RS_INTEGER, .doc = "always 0"},
	{NULL},
};

#define PROBE(word, text) const struct rs_probe mock_##word##_probe = {"mock." #word, text, NULL, no_facts}

static int one_row(struct rs_ctx *ctx)
{
	rs_row_begin(ctx, 0);
	rs_set_integer(ctx, 0, 0);
	return 0;
}

/* ---- crash ---- */

const struct rs_param mock_crash_params[] = {
	{.key = "signal",
	 .type = RS_INTEGER,
	 .offset = offsetof(struct mock_crash_params, signal),
	 .value = "11",
	 .min = 1,
	 .max = 64,
	 .doc = "number of the signal; 11 is SIGSEGV"},
	{.key = NULL},
};
PROBE(crash, "test: the worker dies by a signal");

int mock_crash_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	const struct mock_crash_params *params = data;
	struct rlimit none = {0};

	/* Nobody wants the core of a crash that was ordered. */
	setrlimit(RLIMIT_CORE, &none);
	one_row(ctx);
	fprintf(stderr, "about to die by signal %d\n", (int)params->signal);
	signal((int)params->signal, SIG_DFL);
	kill(getpid(), (int)params->signal);
	return one_row(ctx);
}

/* ---- exit ---- */

const struct rs_param mock_exit_params[] = {
	{.key = "status",
	 .type = RS_INTEGER,
	 .offset = offsetof(struct mock_exit_params, status),
	 .value = "3",
	 .max = 255,
	 .doc = "exit status"},
	{.key = NULL},
};
PROBE(exit, "test: the worker exits");

int mock_exit_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	const struct mock_exit_params *params = data;

	fputs("about to exit\n", stderr);
	exit((int)params->status);
	return one_row(ctx);
}

/* ---- hang ---- */

const struct rs_param mock_hang_params[] = {
	{.key = "children",
	 .type = RS_BOOLEAN,
	 .offset = offsetof(struct mock_hang_params, children),
	 .value = "false",
	 .doc = "with a child in a session of its own, and that one's child"},
	{.key = NULL},
};
PROBE(hang, "test: the worker hangs, and SIGTERM does not end it");

static void hang(void)
{
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	for (;;)
		poll(NULL, 0, -1);
}

static pid_t fork_session(void)
{
	pid_t pid = fork();

	if (pid == 0)
		setsid();
	return pid;
}

int mock_hang_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	const struct mock_hang_params *params = data;

	if (params->children && fork_session() == 0) {
		fork_session();
		hang();
	}
	fputs("about to hang\n", stderr);
	hang();
	return 0;
}

/* ---- leak ---- */

const struct rs_param mock_leak_params[] = {
	{.key = "children",
	 .type = RS_INTEGER,
	 .offset = offsetof(struct mock_leak_params, children),
	 .value = "2",
	 .min = 1,
	 .max = 100,
	 .doc = "how many"},
	{.key = "stay",
	 .type = RS_BOOLEAN,
	 .offset = offsetof(struct mock_leak_params, stay),
	 .value = "true",
	 .doc = "they are the worker's own; else those of a child that has ended, as a daemon is"},
	{.key = "pause",
	 .type = RS_INTEGER,
	 .offset = offsetof(struct mock_leak_params, pause),
	 .value = "0",
	 .max = 60000,
	 .doc = "milliseconds that the worker lives on"},
	{.key = NULL},
};
PROBE(leak, "test: the worker leaves processes of sessions of their own behind");

int mock_leak_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	const struct mock_leak_params *params = data;
	int64_t i;

	for (i = 0; i < params->children; i++) {
		pid_t pid = fork_session();

		if (pid < 0)
			return rs_error(ctx, RS_FAILED, "fork: %s", strerror(errno));
		if (pid == 0 && !params->stay && fork_session() > 0)
			_exit(0);
		if (pid == 0)
			hang();
	}
	fprintf(stderr, "left %d processes behind\n", (int)i);
	if (params->pause)
		poll(NULL, 0, (int)params->pause);
	return one_row(ctx);
}

/* ---- flood ---- */

static const char *const streams[] = {"stdout", "stderr", "result", NULL};

const struct rs_param mock_flood_params[] = {
	{.key = "stream",
	 .type = RS_ENUM,
	 .choices = streams,
	 .offset = offsetof(struct mock_flood_params, stream),
	 .value = "stdout",
	 .doc = "where it writes to; result: notes without end"},
	{.key = "mebibytes",
	 .type = RS_INTEGER,
	 .offset = offsetof(struct mock_flood_params, mebibytes),
	 .value = "1024",
	 .max = 1000000,
	 .doc = "how much, if it is let"},
	{.key = NULL},
};
PROBE(flood, "test: the worker writes without end");

int mock_flood_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	const struct mock_flood_params *params = data;
	char *line = rs_alloc(ctx, 1025);

	memset(line, 'x', 1023);
	line[1023] = '\n';
	for (int64_t i = 0; i < params->mebibytes * 1024; i++) {
		if (params->stream == 2)
			rs_note(ctx, "%s", line);
		else if (write(params->stream + 1, line, 1024) < 0)
			return rs_error(ctx, RS_FAILED, "write: %s", strerror(errno));
	}
	return one_row(ctx);
}
