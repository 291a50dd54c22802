/* SPDX-License-Identifier: BSD-2-Clause */
/* What a worker must not do. */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
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
		/* Who starts a daemon waits for the one between: else that may still be there, as one more. */
		if (!params->stay)
			waitpid(pid, NULL, 0);
	}
	fprintf(stderr, "left %d processes behind\n", (int)i);
	if (params->pause)
		poll(NULL, 0, (int)params->pause);
	return one_row(ctx);
}

/* ---- flood ---- */

static const char *const streams[] = {"stdout", "stderr", "notes", "rows", NULL};
enum { STDOUT, STDERR, NOTES, ROWS };

const struct rs_param mock_flood_params[] = {
	{.key = "stream",
	 .type = RS_ENUM,
	 .choices = streams,
	 .offset = offsetof(struct mock_flood_params, stream),
	 .value = "stdout",
	 .doc = "where it writes to; notes, rows: messages of its answer"},
	{.key = "mebibytes",
	 .type = RS_INTEGER,
	 .offset = offsetof(struct mock_flood_params, mebibytes),
	 .value = "1024",
	 .max = 1000000,
	 .doc = "how much, if it is let"},
	{.key = NULL},
};
PROBE(flood, "test: the worker writes without end");

/* Lines of 1 KiB, past rs_note() and rs_row_begin(): these would keep it in bounds. */
static void fill_line(struct rs_ctx *ctx, int stream, char *line)
{
	uint64_t id;
	int start;

	memset(line, stream == ROWS ? ' ' : 'x', 1024);
	line[1023] = '\n';
	if (stream < NOTES)
		return;
	memcpy(&id, ctx, sizeof(id)); /* see garbage.c */
	start = snprintf(line, 1024, "{\"id\":%" PRIu64 ",%s", id,
			 stream == NOTES ? "\"note\":\"" : "\"rows\":[\"mock.flood\",[0");
	line[start] = stream == NOTES ? 'x' : ' ';
	memcpy(line + 1019, stream == NOTES ? "xx\"}" : " ]]}", 4);
}

int mock_flood_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	static const int descriptors[] = {STDOUT_FILENO, STDERR_FILENO, 3, 3};
	const struct mock_flood_params *params = data;
	char *line = rs_alloc(ctx, 1025);

	rs_note(ctx, "about to flood");
	fill_line(ctx, params->stream, line);
	for (int64_t i = 0; i < params->mebibytes * 1024; i++)
		if (write(descriptors[params->stream], line, 1024) < 0)
			return rs_error(ctx, RS_FAILED, "write: %s", strerror(errno));
	return one_row(ctx);
}
