/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the scheduler: carries a plan out over agents, retries, judges each step when its observations are in */
#pragma once

#include "run/result.h"

/**
 * struct run_progress
 * @hosts_lost: of @hosts; they could not be reached, or are gone
 * @left: seconds until the end, if the rest takes as long as what is done took; 0: it is too early to say
 */
struct run_progress {
	size_t hosts, hosts_connected, hosts_lost;
	size_t cases, done, running, failed;
	double left;
};

/**
 * struct run_replay - a run that was recorded, in place of hosts: nothing is started
 * @started: when it began, @hostname: where, @simulated: on which fabric, or NULL; @notes: about it
 * @absent: why a host was never reached; NULL: it was
 * @recall: the observation that it made for @record; where there is none, one that is an error. A reference of its own.
 */
struct run_replay {
	void *user;
	double started;
	const char *hostname, *simulated;
	const char *const *notes;
	size_t nnotes;
	const char *(*absent)(void *user, const char *host);
	struct observation *(*recall)(void *user, const struct plan *plan, const struct result_record *record,
				      uint32_t wanted);
	/** refer - the one that counted in the end, of whatever attempt; NULL: there is none */
	struct observation *(*refer)(void *user, const struct plan *plan, const struct result_record *record,
				     uint32_t wanted);
};

struct run_options {
	struct registry *registry;
	unsigned jobs;			   /* workers at once on a host */
	unsigned fanout;		   /* connections opened at once */
	int64_t connect_timeout_ms;	   /* for every host's agent to answer; 0: as the scenario says */
	unsigned min_hosts;		   /* so many suffice: the others are expected absences; 0: none is */
	const char *simulate;		   /* a topology file; takes the place of "connect"; NULL: no */
	struct strings simulate_commands;  /* for ibsim's console, before the first step */
	struct strings simulate_sms;	   /* "NODE[:PRIORITY]" each, or "none"; empty: one, on the first CA */
	const char *sysfs_root;		   /* NULL: no */
	struct strings allow;		   /* sources that may change a host or run commands */
	bool survey;			   /* nothing is to be judged */
	bool record;			   /* keep every observation in the result */
	const struct run_replay *replay;   /* NULL: observe */
	const struct run_replay *baseline; /* for "of: baseline"; NULL: no step asks for it */
	/** opened - the agents are on their way: the moment to do what takes a while; -errno with @diag ends the run */
	int (*opened)(void *user, struct diag *diag);
	/** step_done - a step is judged; for the console */
	void (*step_done)(void *user, const struct result *result, const struct result_step *step);
	/** progress - something moved; at most 20 times a second */
	void (*progress)(void *user, const struct run_progress *progress);
	void *user;
};

/**
 * run_plan - carry out @plan; ends early on SIGINT, SIGTERM and SIGHUP, with the steps not run as such
 *
 * A second signal ends the process at once. Every agent, the simulated fabric and all their files are gone when this
 * returns. @result is to be freed either way.
 * Returns 0 with @result filled; where nothing was started, -EPERM (a step needs --allow), -EINVAL (a host or an option
 * does not fit the fabric) or another -errno, with @diag, whose text is whole without its place.
 */
int run_plan(const struct plan *plan, const struct run_options *options, struct result *result, struct diag *diag);
