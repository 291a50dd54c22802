/* SPDX-License-Identifier: BSD-2-Clause */
/* A source that changes its host: it makes a file, which undo() takes away. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mock/mock.h"

static const char *const afters[] = {"answer", "crash", "hang", "error", "too late", "garbage", NULL};
enum { ANSWER, CRASH, HANG, ERROR, TOO_LATE, GARBAGE };
static const char *const undos[] = {"well", "fails", "hangs", "crashes", "changes", NULL};
enum { WELL, FAILS, HANGS, CRASHES, CHANGES };

const struct rs_param mock_change_params[] = {
	{.key = "path",
	 .type = RS_TEXT,
	 .offset = offsetof(struct mock_change_params, path),
	 .value = "",
	 .doc = "the file; empty: nothing is changed"},
	{.key = "after",
	 .type = RS_ENUM,
	 .choices = afters,
	 .offset = offsetof(struct mock_change_params, after),
	 .value = "answer",
	 .doc = "what the worker does then; too late: it makes the file only when it is told to end"},
	{.key = "undo",
	 .type = RS_ENUM,
	 .choices = undos,
	 .offset = offsetof(struct mock_change_params, undo),
	 .value = "well",
	 .doc = "what taking it back is like"},
	{.key = NULL},
};

static const struct rs_fact facts[] = {
	{"nothing", RS_INTEGER, .doc = "always 0"},
	{NULL},
};

const struct rs_probe mock_change_probe = {"mock.change", "test: changes its host: makes a file", NULL, facts};

static volatile sig_atomic_t told;

static void on_term(int number)
{
	told = number;
}

static void wait_for_term(void)
{
	struct sigaction action = {.sa_handler = on_term};
	sigset_t blocked, before;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTERM);
	sigprocmask(SIG_BLOCK, &blocked, &before);
	sigaction(SIGTERM, &action, NULL);
	while (!told)
		ppoll(NULL, 0, NULL, &before);
}

static int make_file(struct rs_ctx *ctx, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

	if (fd < 0)
		return rs_error(ctx, RS_FAILED, "cannot make %s: %s", path, strerror(errno));
	close(fd);
	return 0;
}

static int go_on(struct rs_ctx *ctx, int after)
{
	if (after == CRASH)
		raise(SIGKILL);
	while (after == HANG)
		poll(NULL, 0, -1);
	if (after == ERROR)
		return rs_error(ctx, RS_FAILED, "as the parameters say");
	if (after == GARBAGE && write(3, "garbage\n", 8) < 0)
		return rs_error(ctx, RS_FAILED, "write: %s", strerror(errno));
	rs_row_begin(ctx, 0);
	rs_set_integer(ctx, 0, 0);
	return 0;
}

int mock_change_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	const struct mock_change_params *params = data;
	size_t size = strlen(params->path) + 16;
	char *state = rs_alloc(ctx, size);
	int rc;

	if (!*params->path)
		return go_on(ctx, params->after);
	if (params->after == TOO_LATE)
		wait_for_term();
	snprintf(state, size, "%d %s", params->undo, params->path);
	rc = rs_changing(ctx, state);
	if (!rc)
		rc = make_file(ctx, params->path);
	return rc ? rc : go_on(ctx, params->after);
}

/* Each leaves a line in the file "undone" beside it, so that a test sees how often and in which order it was done. */
static void leave_line(struct rs_ctx *ctx, const char *path)
{
	size_t size = strlen(path) + 16;
	char *log = rs_alloc(ctx, size);
	const char *slash = strrchr(path, '/');
	FILE *file;

	snprintf(log, size, "%.*sundone", slash ? (int)(slash - path + 1) : 0, path);
	file = fopen(log, "ae");
	if (!file)
		return;
	fprintf(file, "%s\n", slash ? slash + 1 : path);
	fclose(file);
}

int mock_change_undo(struct rs_ctx *ctx, const char *state)
{
	const char *path = state + 2;

	leave_line(ctx, path);
	if (*state == '0' + FAILS)
		return rs_error(ctx, RS_DENIED, "%s does not want to go", path);
	while (*state == '0' + HANGS)
		poll(NULL, 0, -1);
	if (*state == '0' + CRASHES)
		raise(SIGKILL);
	if (*state == '0' + CHANGES)
		return rs_changing(ctx, state);
	if (unlink(path) < 0 && errno != ENOENT)
		return rs_error(ctx, RS_FAILED, "cannot remove %s: %s", path, strerror(errno));
	return 0;
}
