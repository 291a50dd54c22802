/* SPDX-License-Identifier: BSD-2-Clause */
/* What both ends of a measurement do */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "support/perf_internal.h"
#include "support/perftest.h"
#include "support/place.h"
#include "support/port.h"
#include "support/rdma.h"
#include "support/sysfs.h"

static int find_tool(struct perf_run *run)
{
	snprintf(run->tool, sizeof(run->tool), "ib_%s_%s", perf_verbs[run->params->verb],
		 run->measure == PERF_BANDWIDTH ? "bw" : "lat");
	if (process_find(run->tool, run->path, sizeof(run->path)))
		return 0;
	return rs_error(run->ctx, RS_UNSUPPORTED, "this host has no %s: the package is perftest", run->tool);
}

/* A device that is not there is left to perftest, which says so */
static int check_port(struct perf_run *run)
{
	const struct perf_params *params = run->params;
	char layer[32], driver[32];

	if (sysfs_read(run->ctx, layer, sizeof(layer), "class/infiniband/%s/ports/%u/link_layer", params->device,
		       (unsigned)params->port) < 0)
		return 0;
	if (run->kind == PERF_INFINIBAND && strcmp(layer, "InfiniBand"))
		return rs_error(run->ctx, RS_UNSUPPORTED, "%s port %u is on %s: roce.* and rxe.* are for that",
				params->device, (unsigned)params->port, layer);
	if (run->kind != PERF_INFINIBAND && !strcmp(layer, "InfiniBand"))
		return rs_error(run->ctx, RS_UNSUPPORTED, "%s port %u is on InfiniBand: ib.* is for that",
				params->device, (unsigned)params->port);
	if (run->kind == PERF_SOFT && rdma_driver(run->ctx, params->device, driver, sizeof(driver)) &&
	    strcmp(driver, "rxe"))
		return rs_error(run->ctx, RS_UNSUPPORTED, "%s is no Soft RoCE device but one of %s: roce.* is for that",
				params->device, driver);
	return 0;
}

int perf_prepare(struct perf_run *run)
{
	const struct place place = {run->params->cpus, run->params->numa_node, run->params->device};
	int error;

	if (rs_recorded(run->ctx))
		return rs_error(run->ctx, RS_UNSUPPORTED, "a recorded tree has no performance: it needs a live host");
	error = perf_check(run);
	if (!error)
		error = find_tool(run);
	if (!error)
		error = check_port(run);
	if (!error)
		error = perf_gid(run);
	if (!error)
		error = place_here(run->ctx, &place);
	return error;
}

int perf_start(struct perf_run *run, unsigned port, const char *peer)
{
	const char *const *argv = perf_argv(run, port, peer);
	int error = process_start(&run->process, argv);

	process_tell(run->ctx, argv);
	if (error)
		return rs_error(run->ctx, error == -EACCES ? RS_DENIED : RS_FAILED, "cannot start %s: %s", run->path,
				strerror(-error));
	return 0;
}

void perf_cause(const struct perf_run *run, struct perftest_failure *failure)
{
	const struct process_text *out = &run->process.out[PROCESS_STDOUT], *err = &run->process.out[PROCESS_STDERR];
	struct perftest_failure other;

	perftest_failure(err->data, err->length, failure);
	perftest_failure(out->data, out->length, &other);
	if (other.cause && (!failure->cause || (other.cause < failure->cause && other.cause < PERFTEST_OTHER)))
		*failure = other;
}

/* ", and the memlock limit is 64 KiB here" */
static const char *memlock(enum perftest_cause cause, char *text, size_t size)
{
	struct rlimit limit;

	text[0] = '\0';
	if (cause == PERFTEST_MEMORY && !getrlimit(RLIMIT_MEMLOCK, &limit) && limit.rlim_cur != RLIM_INFINITY)
		snprintf(text, size, "; the memlock limit is %llu KiB here", (unsigned long long)limit.rlim_cur >> 10);
	return text;
}

static enum rs_reason reason_of(enum perftest_cause cause)
{
	switch (cause) {
	case PERFTEST_DEVICE:
		return RS_ABSENT;
	default:
		return RS_FAILED;
	}
}

int perf_failed(struct perf_run *run)
{
	const struct process *process = &run->process;
	struct perftest_failure failure;
	char hint[80], first[PERFTEST_TEXT];
	const char *said;

	perf_cause(run, &failure);
	said = failure.cause ? failure.text : process_said(process, first, sizeof(first));
	memlock(failure.cause, hint, sizeof(hint));
	if (process->signal)
		return rs_error(run->ctx, RS_FAILED, "%s was ended by signal %d (%s)%s%s%s", run->tool, process->signal,
				strsignal(process->signal), *said ? ": " : "", said, hint);
	return rs_error(run->ctx, reason_of(failure.cause), "%s: %s%s%s", run->tool, said,
			*said ? hint : "ended without a word, with exit status ",
			*said ? "" : (snprintf(first, sizeof(first), "%d", process->status), first));
}
