/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: what the simulator's files share: simulator.c (its life), simulator_ibsim.c, simulator_sm.c (what the two say)
 */
#pragma once

#include <sys/queue.h>

#include "agent/keeper.h"
#include "agent/simulator.h"
#include "agent/topology.h"

#define IBSIM_CLIENTS 10
#define SIMULATOR_SMS (KEEPER_PROCESSES - 1)

/** struct console_command - one line for ibsim's console; @answered gets all that it said */
struct console_command {
	STAILQ_ENTRY(console_command) next;
	char *text;
	void (*answered)(struct simulator *simulator, const char *command, const char *answer);
};

enum sm_state { SM_STARTING, SM_MASTER, SM_UP, SM_STANDBY };

struct simulator_sm {
	struct simulator *simulator;
	const struct topology_node *node;
	int priority; /* -1: opensm's default */
	enum sm_state state;
	bool started, reported; /* reported: was SM_UP or SM_STANDBY once */
	uv_pipe_t output;
	struct buf line;
	char *last; /* what it said last, for when it ends or does not come up */
};

enum phase { PHASE_LOADING, PHASE_SUBNET, PHASE_COMMANDS, PHASE_UP, PHASE_FAILED, PHASE_STOPPING };

struct simulator {
	struct simulator_events events;
	void *user;
	enum phase phase;
	struct arena arena;
	struct topology topology;
	const char *file;
	char *directory;
	const char *workers; /* a folder in it */
	const char *socket_name, *preload;
	struct strings commands;

	struct keeper keeper;
	uv_pipe_t keeper_socket;
	struct buf reports;
	bool keeper_gone;

	uv_pipe_t console; /* ibsim's stdin */
	uv_pipe_t output, errors;
	STAILQ_HEAD(, console_command) queue; /* the first one is being answered */
	bool asking;
	struct buf answer, warnings;

	struct simulator_sm sms[SIMULATOR_SMS];
	size_t nsms;

	uv_timer_t deadline, grace;
	int64_t deadline_ms;
	int64_t *forget; /* pids */
	size_t nforget, forget_capacity, forgetting;

	size_t open_handles;
	void (*stopped)(void *user);
	void *stopped_user;
};

/* simulator.c */
void simulator_failed(struct simulator *simulator, const char *format, ...) __attribute__((format(printf, 2, 3)));
void simulator_on_report(uv_stream_t *stream, ssize_t got, const uv_buf_t *buf);
void simulator_free(struct simulator *simulator);
void simulator_arm(struct simulator *simulator, int64_t milliseconds); /* the one deadline */

/* simulator_ibsim.c */
int ibsim_open(struct simulator *simulator, uv_loop_t *loop, int in, int out, int err);
void ibsim_ended(struct simulator *simulator, int status);
void ibsim_free(struct simulator *simulator);
void ibsim_loaded(struct simulator *simulator);	   /* called by it: the first prompt */
void ibsim_commanded(struct simulator *simulator); /* called by it: all commands of the user were carried out */
void ibsim_run_commands(struct simulator *simulator);
/** ibsim_check_command - whether ibsim's console can take that line at all */
int ibsim_check_command(const char *text, struct diag *diag);

/* simulator_sm.c */
int sm_parse(struct simulator *simulator, const struct strings *texts, struct diag *diag);
int sm_write_config(const struct simulator *simulator, const struct simulator_sm *sm, const char *directory,
		    struct diag *diag);
int sm_open(struct simulator_sm *sm, uv_loop_t *loop, int out);
void sm_ended(struct simulator_sm *sm, int status);
/** sm_start - the one that will be master: the others follow when it is */
void sm_start(struct simulator *simulator);
void sm_free(struct simulator_sm *sm);
void sm_settled(struct simulator *simulator); /* called by it: every SM has its place */
/** sm_unsettled - the SM that is to blame where the time is over, or NULL */
const struct simulator_sm *sm_unsettled(const struct simulator *simulator);

/** drain - what is left in a pipe whose writer has ended, through its reader */
void simulator_drain(uv_pipe_t *pipe, uv_read_cb read);
void simulator_allocate(uv_handle_t *handle, size_t suggested, uv_buf_t *buf);
/** ended_how - "ended with status 1", "died by signal 11 (Segmentation fault)" */
void simulator_ended_how(struct buf *out, int status);
