/* SPDX-License-Identifier: BSD-2-Clause */
/* The client's end: it measures */
#include <string.h>

#include "support/perf_internal.h"
#include "support/perftest.h"

/* What rdma_cm says when everything was measured and only its own objects could not be taken down */
static bool is_teardown(const char *line, size_t length)
{
	static const char *const words[] = {
		"ailed to destroy",    "ailed to deallocate", "ailed to dealloc",	   "nable to destroy",
		"ailed to deregister", "ailed to disconnect", "ailed to close connection", NULL};

	for (size_t i = 0; words[i]; i++)
		if (memmem(line, length, words[i], strlen(words[i])))
			return true;
	return false;
}

/* Whether every line of stderr is such a one, and there is one */
static bool only_teardown(const struct process_text *text, const char **first, size_t *first_length)
{
	const char *at = text->data, *end = at + text->length;

	*first = NULL;
	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t length = newline ? (size_t)(newline - at) : (size_t)(end - at);
		size_t blank = 0;

		while (blank < length && strchr(" \t\r", at[blank]))
			blank++;
		if (blank < length && !is_teardown(at, length))
			return false;
		if (blank < length && !*first) {
			*first = at + blank;
			*first_length = length - blank;
		}
		at += length + (newline != NULL);
	}
	return *first;
}

static int judge_end(struct perf_run *run)
{
	const struct process *process = &run->process;
	const char *line;
	size_t length = 0;

	if (!process->signal && !process->status)
		return perf_rows(run);
	if (process->signal || !run->params->rdma_cm || !process->out[PROCESS_STDOUT].length ||
	    !only_teardown(&process->out[PROCESS_STDERR], &line, &length))
		return perf_failed(run);
	rs_note(run->ctx, "%s measured, and then could not take its connection down: %.*s", run->tool,
		(int)(length < 200 ? length : 200), line);
	return perf_rows(run);
}

int perf_observe(struct rs_ctx *ctx, const struct perf_params *params, enum perf_kind kind, enum perf_measure measure)
{
	struct perf_run run = {.ctx = ctx, .params = params, .kind = kind, .measure = measure};
	const struct rs_end *peer = rs_peer(ctx);
	const char *name;
	uint64_t retries;
	int error = perf_prepare(&run);

	if (!error)
		error = perf_check_ipv6(&run, peer->address);
	if (error)
		return error;
	retries = perf_retries(&run, &name);
	error = perf_start(&run, peer->port, peer->address);
	if (error)
		return error;
	if (process_wait(&run.process, process_margin(ctx))) {
		process_evidence(ctx, &run.process, run.tool);
		error = judge_end(&run);
	} else {
		error = perf_deadline(&run, retries);
		process_stop(&run.process);
		process_evidence(ctx, &run.process, run.tool);
	}
	process_free(&run.process);
	return error;
}
