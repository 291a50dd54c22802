/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: the scheduler's inside
 *
 * An operation is one observation on one host, or between two: queued, running in a worker (or one at each end), done.
 * Units (a part of a step, in one of its runs) wait for operations; several may wait for one. What arrives is put into
 * run->arrived and taken out by run_pump(), so that nothing recurses, however long a chain of steps is.
 */
#pragma once

#include <sys/queue.h>

#include "agent/link.h"
#include "agent/simulator.h"
#include "run/run.h"

struct run;
struct step;
struct group;
struct gather;

/** struct waiter - one that an operation serves; @observation: what came (NULL: it was not run) */
struct waiter {
	STAILQ_ENTRY(waiter) next;
	struct step *step;
	uint32_t unit;
	bool when;   /* it is the step's condition that is waited for */
	bool shared; /* another one had it observed: it cost nothing */
	struct observation *observation;
};
STAILQ_HEAD(waiters, waiter);

/** struct pair_end - one end of an operation between two hosts; @observation: what came of it */
struct pair_end {
	TAILQ_ENTRY(pair_end) next; /* among those that wait for its host, or that run there */
	struct operation *operation;
	struct host *host;
	const char *params;
	uint64_t id; /* at the link; 0: not running */
	struct observation *observation;
};
TAILQ_HEAD(pair_ends, pair_end);

/** struct pair - both; @grace: runs while a client may notice that its server failed; @cancelled: it did not */
struct pair {
	struct pair_end client, server;
	uv_timer_t *grace;
	bool cancelled;
	unsigned port;	     /* where the server listens; 0: it does not yet */
	struct group *group; /* that it is observed with; NULL: by itself */
	size_t member;
};

struct operation {
	TAILQ_ENTRY(operation) next; /* in a queue of its host, or among those that run there */
	struct host *host;	     /* of a pair, its client's */
	struct pair *pair;	     /* NULL: on one host */
	const struct rs_source *source;
	const char *params;
	uint32_t wanted;
	int64_t timeout_ms;
	uint64_t id; /* at the link; 0: not running */
	bool kept;   /* in run->shared: not freed with its end */
	bool done;
	struct result_record record; /* what it is called in a recording */
	struct observation *observation;
	struct waiters waiters;
};
TAILQ_HEAD(operations, operation);

/** struct change_made - by observation @id of the link; @observation: what came of it, NULL: it was not run */
struct change_made {
	STAILQ_ENTRY(change_made) next;
	uint64_t id;
	struct observation *observation;
};
STAILQ_HEAD(changes, change_made);

enum { QUEUE_EXCLUSIVE = 1, QUEUE_PLACE = 2, QUEUES = 4 };

enum host_state { HOST_UNUSED, HOST_WAITING, HOST_OPENING, HOST_READY, HOST_LOST };

struct host {
	struct run *run;
	const struct scenario_host *scenario;
	enum host_state state;
	struct link *link;
	bool closing, reached;		/* it said hello once */
	char *lost;			/* why it is; HOST_LOST */
	const char *const *environment; /* of its workers on a simulated fabric */
	struct operations queues[QUEUES];
	struct operations running;
	struct pair_ends pairs, pairs_running;
	TAILQ_HEAD(, group_seat) groups; /* that wait for it */
	const struct group *seated;	 /* the one that is just being queued */
	struct changes changes;		 /* of it, that may have to be taken back at the end */
	unsigned jobs, exclusive;	 /* that run */
	TAILQ_ENTRY(host) waiting, placing;
	bool is_waiting, is_placing;
};
TAILQ_HEAD(hosts, host);

/** enum unit_phase - of a step that compares counters: what is read of them */
enum unit_phase { PHASE_BEFORE, PHASE_BETWEEN, PHASE_AFTER };

enum unit_state {
	UNIT_IDLE,    /* not yet asked for, or judged */
	UNIT_TO_COME, /* of this attempt, after the one before it in its part */
	UNIT_RUNNING,
	UNIT_IN,      /* @observation came, or its condition is an error (@why) */
	UNIT_SKIPPED, /* for good: its case says why */
	UNIT_NOT_RUN, /* the run ended first */
};

struct unit {
	struct waiter waiter;
	enum unit_state state;
	bool again;    /* in this attempt */
	bool gathered; /* of a group: it asked for its observation, or will not */
	enum unit_phase phase;
	struct observation *before; /* of PHASE_BETWEEN and PHASE_AFTER */
	struct observation *observation;
	char *why;
	double seconds;
};

/** struct step - its way through the run; units of a part lie together, one a run */
struct step {
	STAILQ_ENTRY(step) ready;
	struct run *run;
	const struct plan_step *plan;
	struct result_step *result;
	struct unit *units;
	size_t nunits, outstanding;
	size_t waits;	/* for so many steps that it needs, and so many that are around it and read counters first */
	size_t befores; /* units that have counters to read first */
	size_t around_left;
	const size_t *dependents; /* steps that need it */
	size_t ndependents;
	const size_t *arounds; /* steps that are around it */
	size_t narounds;
	unsigned attempt;
	bool done, ran;
	uint8_t *hosts; /* enum host_outcome by host, where somebody needs it */
	uv_timer_t *delay;
	struct gather *gathers; /* by group and run; NULL: it has no groups */
};
STAILQ_HEAD(steps, step);

struct run {
	uv_loop_t loop;
	const struct plan *plan;
	const struct run_options *options;
	struct result *result;
	struct diag *diag;
	int error; /* nothing was started, or the fabric did not come up */

	struct arena arena;
	char *self;		    /* this program */
	struct agent_options agent; /* how a local one is */
	const char **argv;	    /* of a local agent that is executed */
	struct host *hosts;
	size_t hosts_used, hosts_opening, hosts_connected, next_host, links;
	size_t hosts_reached, hosts_unreached; /* those that said hello once, those that never did */
	bool too_few;			       /* hosts: nothing is observed */
	struct hosts waiting;		       /* hosts that may start something */
	struct hosts placing;		       /* hosts that have something for the simulated fabric, in turns */
	unsigned places_used;

	struct operation **shared; /* by observation of the plan */
	int64_t *timeouts;	   /* of these */
	unsigned *made;		   /* how often, of these */
	struct step *steps;
	size_t *dependents;
	size_t steps_left;
	struct steps ready;
	struct waiters arrived;

	struct pods **pods; /* that were asked for, each by its label */
	size_t npods, pods_capacity;

	struct simulator *simulator;
	bool fabric_up;
	char *fabric_lost;

	uv_signal_t signals[3];
	uint64_t interrupted; /* ms of uv_now(), where a signal came */
	uv_timer_t progress_timer;
	uint64_t progressed, begun_at; /* ms */
	size_t cases_done, operations_running;
	size_t units_out; /* of steps that are not judged yet */
	bool begun, progress_open, finishing, stopping;
};

/* run.c */
void run_pump(struct run *run);
void run_moved(struct run *run); /* there is something to show */
double run_now(void);
void run_timer_free(uv_handle_t *timer);

/* check.c */
int run_check(const struct plan *plan, const struct run_options *options, struct diag *diag);
int run_check_hosts(struct run *run); /* that each is a node of the simulated fabric */

/* host.c */
void hosts_init(struct run *run);
void hosts_replay(struct run *run); /* they are as they were when it was recorded */
void hosts_open(struct run *run);   /* as many as may be opened at once */
void host_kick_later(struct host *host, unsigned queue);
bool host_is_open(const struct host *host); /* it can be asked */
bool host_is_free(const struct host *host); /* for a pair */
void host_hold(struct host *host);	    /* for one */
void host_release(struct host *host);
void hosts_kick(struct run *run);
void hosts_close(struct run *run);
void hosts_leave_fabric(struct run *run); /* it is gone: what is on it, or would be, is an error */
void hosts_free(struct run *run);
bool hosts_closed(const struct run *run);

/* undone.c */
void changes_keep(struct host *host, uint64_t id, struct observation *observation);
void changes_undone(struct host *host, uint64_t id, const char *source, const char *why);
void changes_free(struct host *host);

/* way.c */
int64_t host_timeout(const struct host *host); /* for its agent to answer */
/** host_way - words are added to @argv; none: it is no program that leads there; -EAGAIN: later; -ENOENT with *why */
int host_way(const struct host *host, struct strings *argv, char **why);
void ways_close(struct run *run);

/* absent.c */
/** absences_settled - whether as many hosts are known to be there, or not to be, as a run must know of that begins */
bool absences_settled(const struct run *run);
/** absences_check - where there are too few hosts, all of them are lost, with a note why */
void absences_check(struct run *run);
/** absences_note - which hosts were absent, at the end of a run */
void absences_note(struct run *run);
/** absence_excuse - why @part, which is on a host whose absence is expected, is to be skipped, an own text, or NULL */
char *absence_excuse(const struct run *run, const struct plan_part *part);
/** absence_optional - whether the scenario says so of a host of @part */
bool absence_optional(const struct run *run, const struct plan_part *part);

/* operation.c */
/** operation_ask - have observation @observe of the plan made for @waiter; @fresh: anew, and for it alone */
void operation_ask(struct run *run, size_t observe, uint32_t wanted, int64_t timeout_ms, bool fresh,
		   struct waiter *waiter);
/** operation_alone - the same, for a group to queue */
struct operation *operation_alone(struct run *run, size_t observe, uint32_t wanted, int64_t timeout_ms,
				  struct waiter *waiter);
void operation_end(struct operation *operation,
		   struct observation *observation); /* takes the reference; NULL: not run */
void operation_end_error(struct operation *operation, const char *why);
struct observation *operation_error(const struct operation *operation, const char *why); /* that could not be made */
unsigned operation_queue(const struct operation *operation);
bool operation_replayed(struct operation *operation); /* its observation was recorded; true: it was ended */
void operations_fail(struct run *run, struct operations *list, const char *why); /* why NULL: not run */
void operations_free(struct run *run);

/* around.c: steps that compare counters */
static inline bool step_compares(const struct step *step)
{
	return step->plan->naround > 0;
}
void around_let_go(struct step *step);	  /* the steps that it is around */
void around_unit_read(struct unit *unit); /* what it had to read first came, or will not */
void around_arrived(struct unit *unit, struct observation *observation); /* takes the reference */
void around_note(struct step *step); /* it is done: those that are around it may go on */

/* pair.c */
struct pair *pair_new(struct operation *operation, struct host *server, const char *server_params);
void pair_free(struct pair *pair);
void pair_queue(struct operation *operation);
bool pair_start_one(struct host *host); /* of those that wait for it */
void pairs_fail(struct host *host);	/* those that wait for it, which is lost, or the run ended */
bool pair_done(struct host *host, uint64_t id, struct observation *observation); /* false: it is of no pair */
void pair_listening(struct host *host, uint64_t id, unsigned port);

bool pair_end_lost(struct operation *operation); /* one that waits, where an end of it is; true: it was ended */
void pair_begin(struct operation *operation);
void pair_begin_client(struct pair *pair);

/* group.c */
struct group *group_new(void);
void group_add(struct group *group, struct operation *operation);
void group_queue(struct group *group);
bool group_start_one(struct host *host);
void groups_fail(struct host *host);
void group_heard(struct group *group);
void group_through(struct pair *pair); /* one of it is */

/* gather.c */
void gathers_init(struct step *step);
void gathers_begin(struct step *step); /* an attempt: its units are to come */
void gathers_again(struct step *step);
void gather_join(struct unit *unit, struct operation *operation);
void gather_leave(struct unit *unit); /* it will not come; more than once does no harm */

/* step.c */
void steps_init(struct run *run);
void steps_begin(struct run *run); /* those that need none */
void step_start(struct step *step);
void step_ask(struct step *step, struct unit *unit);				       /* for its observation, anew */
void step_unit_in(struct unit *unit, struct observation *observation, double seconds); /* takes the reference */
void step_skip(struct step *step, const char *why);				       /* the parts that still wait */
void step_not_run(struct step *step);
void step_waited(struct step *step); /* for one of those that it waits for */
void step_arrived(struct waiter *waiter);
void step_retry(struct step *step);    /* the units marked "again" */
void steps_interrupt(struct run *run); /* those that wait for another try */
void steps_free(struct run *run);

/* judging.c */
void step_judge(struct step *step); /* everything of this attempt is in */
void step_conclude(struct step *step);

/* needs.c */
/** need_unmet - why @part is to be skipped, an own text, or NULL */
char *need_unmet(const struct step *step, const struct plan_part *part);
void needs_note(struct step *step); /* what this one came to, for those that need it */

/* cases.c */
void cases_init(struct result *result, const struct plan *plan);
static inline struct result_case *step_case(const struct step *step, size_t unit)
{
	return &step->result->cases[unit];
}
bool step_across(const struct plan_step *step); /* has cases of all hosts together, behind those of its units */
