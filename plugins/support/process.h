/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: running a tool: an argument list, never a shell; its two streams apart; its whole group ended at a deadline
 *
 * The tool gets /dev/null as its input, LC_ALL=C, a process group of its own, and dies with the worker that started it.
 */
#pragma once

#include <rdmaspec/plugin.h>
#include <sys/types.h>

enum process_stream { PROCESS_STDOUT, PROCESS_STDERR };

/** How much of each stream is kept; what comes after it is read and dropped */
#define PROCESS_KEPT (64u << 20)

/**
 * struct process_text - what came out of one stream so far
 * @data: ended by NUL (which the stream itself may contain too)
 * @total: how many bytes came; more than @length where some were dropped
 */
struct process_text {
	char *data;
	size_t length;
	uint64_t total;
};

/**
 * struct process - a tool that runs, or that ran
 * @out: by enum process_stream
 * @ended: it was waited for: either @signal, or @status is its exit status
 * @stopped: process_stop() had to end it
 */
struct process {
	pid_t pid;
	struct process_text out[2];
	bool ended, stopped;
	int status, signal;
	int pipes[2]; /* -1: at its end */
	int pidfd;    /* -1: this kernel has none */
};

/** process_start - returns 0, or the negative errno of pipe(), fork() or exec() (-ENOENT: there is no such program) */
int process_start(struct process *process, const char *const *argv);

/**
 * process_wait - collect output until it has ended, or for so long
 *
 * Returns true once it has ended; what its own children still write then is not waited for.
 */
bool process_wait(struct process *process, int64_t milliseconds);

/** process_wait_or - the same, and also until descriptor @fd is readable or hung up */
bool process_wait_or(struct process *process, int fd, int64_t milliseconds);

/** process_stop - end its group: SIGTERM, and SIGKILL where that is not enough */
void process_stop(struct process *process);

/** process_free - forget its output; stops it where it still runs */
void process_free(struct process *process);

/**
 * process_run - start, wait for the end, stop at the deadline
 * @milliseconds: at most so long; 0: until shortly before the worker's own end
 *
 * Returns 0, -ETIMEDOUT, or what process_start() returned. Free it in any case but the last.
 */
int process_run(const struct rs_ctx *ctx, struct process *process, const char *const *argv, int64_t milliseconds);

/** process_margin - milliseconds left to the worker, but for those that it needs to say what it has seen */
int64_t process_margin(const struct rs_ctx *ctx);

/** process_evidence - both streams as evidence, "NAME stdout" and "NAME stderr", where they are not empty */
void process_evidence(struct rs_ctx *ctx, const struct process *process, const char *name);

/** process_tell - an argument list as evidence, "command" */
void process_tell(struct rs_ctx *ctx, const char *const *argv);

/** process_said - the first line of stderr that is not blank (or of stdout), for a message; "" where there is none */
const char *process_said(const struct process *process, char *line, size_t size);

/**
 * process_find - where a program is: in $PATH, then in the sbin directories, which users' paths often lack
 *
 * Returns false where it is nowhere.
 */
bool process_find(const char *name, char *path, size_t size);
