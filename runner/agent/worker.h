/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: a worker: the child that makes one observation and may do whatever it likes without harm */
#pragma once

#include <signal.h>
#include <sys/types.h>

#include "agent/link.h"
#include "agent/request.h"

#define WORKER_STOP_FD 4   /* of the server of a pair: at its end once there is no client any more */
#define WORKER_RESULT_FD 3 /* in the worker, beside stdin (nothing), stdout and stderr (both caught) */

/** struct worker_start - what a worker is born with; the descriptors are above WORKER_RESULT_FD */
struct worker_start {
	const struct request *request;
	const struct agent_options *options; /* with absolute paths */
	struct registry *registry;
	pid_t agent;
	sigset_t mask;
	int result, out, err;
	int stop; /* -1: it is no server */
};

/** worker_live - in the child of fork(): the whole life of a worker */
_Noreturn void worker_live(const struct worker_start *start);
