/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: what the files of the agent share: the agent itself, and a job: a worker as its agent sees it */
#pragma once

#include <signal.h>
#include <uv.h>

#include "agent/children.h"
#include "agent/link.h"
#include "agent/request.h"
#include "agent/tail.h"
#include "agent/wire.h"
#include "agent/worker.h"

#define JOBS_MAX 512		       /* workers at once */
#define GRACE_MS 300		       /* between SIGTERM and SIGKILL */
#define LEFTOVERS_MS 2000	       /* for what was left behind to die of SIGKILL */
#define STDOUT_MAX (UINT64_C(1) << 20) /* bytes after which a worker floods */
#define STDERR_MAX (UINT64_C(16) << 20)
#define RESULT_MAX (UINT64_C(512) << 20)
#define OUT_HIGH (256 * 1024) /* bytes that wait for the runner: workers are not read beyond, until there are fewer */
#define OUT_LOW (64 * 1024)

struct agent {
	uv_loop_t loop;
	uv_poll_t in, out_poll, signals;
	uv_timer_t leftovers; /* runs while somebody who was left behind has not died yet */
	int in_fd, out_fd, signal_fd;
	sigset_t mask;		    /* of signals, as workers are to have it */
	bool in_polled, out_polled; /* they are something that can be waited for */

	const struct agent_options *options;
	struct registry *registry;
	struct lines requests;
	struct request partial;
	bool greeted;

	struct buf out;
	size_t out_sent;
	bool out_waiting, held;
	bool ending;
	int status;
	struct job *jobs;
	unsigned njobs;
	struct pids given_up; /* left behind, and not to be ended */

	struct undo *undos; /* what is to be taken back at the end; the newest first */
	uint64_t undo_end;  /* ms of the loop: until when; 0: it has not begun */
	bool closed;	    /* the handles are, or are being */
};

/** agent_flush - write what can be written now; the rest waits */
void agent_flush(struct agent *agent);

/** enum job_stream - what comes from a worker */
enum job_stream { JOB_RESULT, JOB_OUT, JOB_ERR, JOB_STREAMS };

struct job_pipe {
	uv_poll_t poll;
	int fd; /* -1: ended */
};

/**
 * struct job - a worker as its agent sees it
 * @cause: why it failed, as far as the agent can tell; NULL: nothing is known against it
 * @killing: the last signal that its group got for it; 0: none
 * @dead: it was waited for, with @status; the job ends when nothing that it left behind lives
 * @ended: it said its last word
 * @server: it is the server of a pair; @ready: it said where a client may come
 * @stopped: it was told that there is no client any more
 * @stop_fd: of a server: the end of a pipe, closed to tell it that there is no client any more; -1: none
 * @how: of its request, what a worker would need that takes its changes back; not its parameters
 * @undo_failed: of a worker that takes a change back: the reason that it gave; NULL: none
 * @deaf: nothing more can be understood of what it sends
 * @held_ms: what was left until its deadline when the clock was stopped; see agent_flush()
 */
struct job {
	struct job *next;
	struct agent *agent;
	uint64_t id;
	int64_t timeout_ms;
	pid_t pid;
	uint64_t started; /* ns */
	double seconds;
	char *cause;
	int killing;
	int status;
	bool dead, ended, server, ready, stopped;
	int stop_fd;
	uint64_t held_ms;
	unsigned handles;
	uv_timer_t timer;
	struct job_pipe pipes[JOB_STREAMS];
	struct lines lines;
	uint64_t result_bytes;
	struct tail out, err;
	struct request how;
	char *undo_failed;
	bool deaf;
};

/** job_start - fork a worker; where that fails, the request is answered at once */
void job_start(struct agent *agent, struct request *request);

/** job_set_deadline - until when it may take, from now on; not of one that is being ended */
void job_set_deadline(struct job *job, int64_t milliseconds);

/** job_end - end its worker, SIGTERM first; @cause is an own text */
void job_end(struct job *job, char *cause);

/** job_ready - the server said that a client may come: it has as much time from here on as the client. False: again. */
bool job_ready(struct job *job);

/** job_stop - tell a server that there is no client any more, and end it where it does not end by itself */
void job_stop(struct job *job);

/** job_died - its worker was waited for */
void job_died(struct job *job, int status);

/** job_finish - nothing of it lives any more: tell the runner, and let the job go. @why: NULL, or what still lives */
void job_finish(struct job *job, const char *why);

/** job_hold, job_release - stop and go on reading results, with the clock of its deadline */
void job_hold(struct job *job);
void job_release(struct job *job);

/* ---- undo.c: what was changed on this host, and taking it back ---- */

/** undo_keep - a worker is about to change something; false: with a message that is malformed, or once too often */
bool undo_keep(struct job *job, const char *line, size_t length);

/** undo_next - start the worker that takes the newest change back; false: nothing is left to be taken back */
bool undo_next(struct agent *agent);

/** undo_word - the last word of such a worker; false: it is malformed */
bool undo_word(struct job *job, const char *line, size_t length);

/** undo_tell - a change was taken back, or was not: @cause, or NULL */
void undo_tell(struct agent *agent, uint64_t id, const char *source, const char *cause);
void undo_free(struct agent *agent);
