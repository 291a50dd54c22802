/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: between the files of the performance probes */
#pragma once

#include "support/perf.h"
#include "support/process.h"

enum perf_verb { PERF_WRITE, PERF_READ, PERF_SEND, PERF_ATOMIC };

/** perf_verbs - by enum perf_verb; perf_transports - of queue pairs, as perftest calls them: RC first. NULL-ended. */
extern const char *const perf_verbs[], *const perf_transports[];

/**
 * struct perf_run - one end of a measurement
 * @tool: "ib_write_bw"
 * @path: where it is
 * @gid_index: what is given to it; -1: nothing
 */
struct perf_run {
	struct rs_ctx *ctx;
	const struct perf_params *params;
	enum perf_kind kind;
	enum perf_measure measure;
	char tool[32];
	char path[256];
	int gid_index;
	struct process process;
};

/** perf_prepare - the tool, the port, the GID, the CPUs; 0, or what rs_error() returned */
int perf_prepare(struct perf_run *run);

/** perf_gid - the GID index of this end, for @gid_index; 0, or what rs_error() returned */
int perf_gid(struct perf_run *run);

/**
 * perf_argv - the argument list, of rs_alloc()
 * @port: to listen on, or to go to
 * @peer: the server's address; NULL: this is the server
 */
const char *const *perf_argv(struct perf_run *run, unsigned port, const char *peer);

/** perf_check - settings that perftest does not have together; 0, or what rs_error() returned */
int perf_check(struct perf_run *run);

/** perf_check_ipv6 - whether it can connect over IPv6 where it has to; 0, or what rs_error() returned */
int perf_check_ipv6(struct perf_run *run, const char *peer);

/** perf_start - start it, with its argument list as evidence; 0, or what rs_error() returned */
int perf_start(struct perf_run *run, unsigned port, const char *peer);

/**
 * perf_failed - the error for a tool that ended by a signal or with a status that is not 0
 *
 * Its own words first, then what they mean. Returns what rs_error() returned.
 */
int perf_failed(struct perf_run *run);

/** perf_cause - what it says was the matter, of both of its streams */
struct perftest_failure;
void perf_cause(const struct perf_run *run, struct perftest_failure *failure);

/** perf_rows - fill the table from its output; 0, or what rs_error() returned */
int perf_rows(struct perf_run *run);

/** perf_deadline - the error where it had not ended in time; call it while it still runs */
int perf_deadline(struct perf_run *run, uint64_t retries_before);

/** perf_retries - how often the port has sent something again for want of an answer; UINT64_MAX: not told */
uint64_t perf_retries(struct perf_run *run, const char **name);
