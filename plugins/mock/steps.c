/* SPDX-License-Identifier: BSD-2-Clause */
/* What a worker may do: take its time, fail with a reason, have only a part. */
#include <poll.h>
#include <stdio.h>
#include <time.h>

#include "mock/mock.h"

/* ---- slow ---- */

const struct rs_param mock_slow_params[] = {
	{.key = "seconds",
	 .type = RS_QUANTITY,
	 .unit = "s",
	 .offset = offsetof(struct mock_slow_params, seconds),
	 .value = "0.1 s",
	 .doc = "how long it takes"},
	{.key = NULL},
};

static const struct rs_fact slow_facts[] = {
	{"began", RS_INTEGER, RS_F_VOLATILE, .doc = "milliseconds of the monotonic clock"},
	{"ended", RS_INTEGER, RS_F_VOLATILE, .doc = "milliseconds of the monotonic clock"},
	{"time_left", RS_INTEGER, RS_F_VOLATILE, .doc = "what rs_time_left() said when it began"},
	{NULL},
};

const struct rs_probe mock_slow_probe = {"mock.slow", "test: an observation that takes its time", NULL, slow_facts};
const struct rs_probe mock_exclusive_probe = {"mock.exclusive", "test: the same, and no two of them at once on a host",
					      NULL, slow_facts};

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int mock_slow_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	const struct mock_slow_params *params = data;

	rs_row_begin(ctx, 0);
	rs_set_integer(ctx, 0, now_ms());
	rs_set_integer(ctx, 2, rs_time_left(ctx));
	poll(NULL, 0, (int)(params->seconds * 1000));
	rs_set_integer(ctx, 1, now_ms());
	return 0;
}

/* ---- error ---- */

static const char *const reasons[] = {"failed", "unsupported", "denied", "absent", "timed out", "invalid", NULL};

const struct rs_param mock_error_params[] = {
	{.key = "reason",
	 .type = RS_ENUM,
	 .choices = reasons,
	 .offset = offsetof(struct mock_error_params, reason),
	 .value = "absent",
	 .doc = "the reason, as plugin.h names it"},
	{.key = "text",
	 .type = RS_TEXT,
	 .offset = offsetof(struct mock_error_params, text),
	 .value = "there is no device mock_0",
	 .doc = "the words"},
	{.key = "log",
	 .type = RS_TEXT,
	 .offset = offsetof(struct mock_error_params, log),
	 .value = "",
	 .doc = "what is written to standard error"},
	{.key = "rows",
	 .type = RS_INTEGER,
	 .offset = offsetof(struct mock_error_params, rows),
	 .value = "1",
	 .max = 1000000,
	 .doc = "rows that are set before"},
	{.key = NULL},
};

static const struct rs_fact one_fact[] = {
	{"nothing", RS_INTEGER, .doc = "always 0"},
	{NULL},
};

const struct rs_probe mock_error_probe = {"mock.error", "test: the plugin says why there is no observation", NULL,
					  one_fact};

static int one_row(struct rs_ctx *ctx)
{
	rs_row_begin(ctx, 0);
	rs_set_integer(ctx, 0, 0);
	return 0;
}

int mock_error_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	const struct mock_error_params *params = data;

	fputs(params->log, stderr);
	for (int64_t i = 0; i < params->rows; i++)
		one_row(ctx);
	return rs_error(ctx, (enum rs_reason)(RS_FAILED + params->reason), "%s", params->text);
}

/* ---- partial ---- */

const struct rs_probe mock_partial_probe = {"mock.partial", "test: a table that lacks something", NULL, one_fact};

int mock_partial_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	rs_incomplete(ctx, "%d of %d nodes did not answer", 2, 3);
	rs_note(ctx, "node 2 did not answer");
	return one_row(ctx);
}

/* ---- command ---- */

const struct rs_probe mock_command_probe = {"mock.command", "test: as if it ran what the scenario says", NULL,
					    one_fact};

int mock_command_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	return one_row(ctx);
}
