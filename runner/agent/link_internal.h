/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: what the two files of the runner's end share */
#pragma once

#include "agent/answer.h"
#include "agent/children.h"
#include "agent/link.h"
#include "agent/tail.h"
#include "agent/wire.h"

enum link_state {
	LINK_RUNNING,
	LINK_SETTLING, /* its process is reaped; what it left behind is being ended */
	LINK_GONE,
};

/** struct pending - an observation that was asked for */
struct pending {
	struct pending *next;
	uint64_t id;
	struct answer answer;
	int64_t worker; /* its pid; 0: not started yet */
	int64_t timeout_ms;
	uint64_t heard; /* loop time of the last word about it */
	uint64_t bytes;
	bool cancelled;
	bool server, ready; /* of a pair; it said that it listens */
};

/** struct change - of its host, by an observation that may be over */
struct change {
	struct change *next;
	uint64_t id;
	const char *source;
};

/**
 * struct link
 * @why: why it was broken off from here; NULL: it was not
 * @token: NAME=value in the environment of the agent and of all that descends from it
 * @orphans: what it left behind, when it is gone, and is a child of this process; @killed: all that were ended with it
 */
struct link {
	struct link *next;
	struct registry *registry;
	struct link_events events;
	void *user;
	char *host;
	char *program; /* that is started */
	char *path;    /* that it starts on the host; NULL: it is the agent itself */
	char *token;
	int64_t hello_ms, guard_ms;

	pid_t pid;
	uv_process_t process; /* of an agent that is executed */
	uv_poll_t exit;	      /* of one that was forked, on @pidfd */
	int pidfd;	      /* -1: it was executed */
	uv_pipe_t in, out, err;
	uv_timer_t timer; /* of the state that it is in */
	uv_timer_t guard; /* for an agent that is stuck */
	uv_signal_t child;
	unsigned handles;

	enum link_state state;
	bool executed; /* at least tried */
	bool late;     /* its hello is, and it gets a last moment */
	bool greeted, closing, exited, out_ended, err_ended;
	bool guarded; /* something is overdue, and it gets a last moment */
	int spawn_error;
	int64_t exit_status;
	int term_signal;
	char *why;
	struct pids orphans, killed;

	struct lines lines;
	struct tail words, banner;
	char chunk[1024];

	struct pending *pending;
	uint64_t last_id;
	struct change *changes; /* that were not taken back yet; the newest first */
};

/* ---- local.c ---- */

/** local_can - whether agents can be forked here, and their end be waited for */
bool local_can(void);

/** local_spawn - fork the agent of this machine, with its pipes open; 0 or -errno with nothing started */
int local_spawn(struct link *link, uv_loop_t *loop, const struct agent_options *options, char **environment);

/* ---- link.c ---- */

/** link_exited - its process was waited for */
void link_exited(struct link *link, int64_t exit_status, int term_signal);

/** link_fail - break it off: @why is an own text */
void link_fail(struct link *link, char *why);

/** link_patience - it is closed: how long the agent may take to end before it is told to by a signal */
void link_patience(struct link *link);

/* ---- requests.c ---- */

void link_greet(struct link *link);

/** link_compare - what is another version there; lines are added to @differences */
void link_compare(const struct link *link, const struct hello *hello, struct strings *differences);

/** link_take - one line of the agent, after its hello */
void link_take(struct link *link, const char *line, size_t length);

/** link_abandon - every observation that was asked for ends in an error */
void link_abandon(struct link *link, const char *why);

/* ---- link_changes.c ---- */

/** link_changed - the worker of @pending is about to change something; false: once too often */
bool link_changed(struct link *link, const struct pending *pending);

/** link_undone - "undone": a change was taken back, or not; false: malformed, or nothing was changed */
bool link_undone(struct link *link, const char *line, size_t length);

/** link_changes_lost - the agent is gone, and what it has not taken back stays: @why */
void link_changes_lost(struct link *link, const char *why);
