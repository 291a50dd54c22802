/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: what a run came to: the one tree that every report renders */
#pragma once

#include <time.h>

#include "judge/judge.h"
#include "scenario/plan.h"

/** struct result_attempt - one try of one part */
struct result_attempt {
	struct observation *observation; /* NULL: not run */
	struct judgement judgement;
	double seconds;
};

/**
 * struct result_case - the verdict on one part and run of a step, or on all of them together
 * @label: "" where the step has one part without a name of its own; "all hosts" or, of one part, "all rows" for same
 * and unique
 * @verdict: after waiver; @raw: what was judged, before waiver
 * @gating: counts for the exit status: not a warning, not waived, not skipped by its own "when". A gating skip is one
 * for an unmet need, or of a step that a signal kept from running: it could not be judged.
 * @absent: it was skipped because its host is not there, which was expected
 * @reason: why it was skipped or waived, one sentence; NULL else
 * @note: a remark of the runner ("the waiver can go: the step passes"); NULL: none
 */
struct result_case {
	const char *name; /* unique in its scenario: "sm [node-01]" */
	const char *label;
	unsigned run; /* from 1; 0: the step is not repeated */
	bool across;
	enum verdict verdict, raw;
	bool gating, absent;
	char *reason;
	char *note;
	struct result_attempt *attempts; /* the last one counts; across: one without observation */
	size_t nattempts;
	double seconds;
};

/** enum record_phase - what of a step an observation was made for: its table, its condition, counters before it */
enum record_phase { RECORD_TABLE, RECORD_CONDITION, RECORD_BEFORE, RECORD_AFTER };

/**
 * struct result_record - an observation of the run, and what tells it from the others of the same key
 * @observe: index into the plan's
 * @step: that it was made for; NULL: for all that ask the same
 * @run: of the step, from 1; 0: for all
 * @attempt: of the step, from 1; of one for all: how often it was made, as a change of its host makes it be made anew
 */
struct result_record {
	struct observation *observation;
	size_t observe;
	const struct plan_step *step;
	unsigned run, attempt;
	enum record_phase phase;
};

struct result_step {
	const struct plan_step *plan;
	struct result_case *cases;
	size_t ncases;
	double started; /* seconds since 1970; 0: never */
	double seconds;
};

struct result {
	struct arena arena;
	const struct plan *plan;
	struct result_step *steps; /* as plan->steps */
	size_t nsteps;
	size_t passed, failed, errors, skipped, waived; /* cases, by verdict */
	size_t gating_judged;				/* gating cases that passed or failed */
	struct result_record *records;			/* where all observations are to be kept */
	size_t nrecords, records_capacity;
	struct strings absent; /* names of hosts that were never reached, each with the reason behind it */
	unsigned min_hosts;    /* so many suffice; 0: none may be absent but where the scenario says so */
	struct strings notes;  /* about the run: plugin versions that differ, ... */
	size_t changes_left;   /* on hosts, that could not be taken back: said in notes */
	int signal;	       /* that ended it early; 0: none */
	double started, seconds;
	char *hostname;
	char *simulated; /* the file, or NULL */
	bool survey;	 /* nothing was to be judged */
};

/**
 * result_exit_status - 0, 1, 2, 3 or 128+signal
 * 0: every gating case passed. 1: one failed. 2: none failed, one is an error or was skipped for an unmet need, or what
 * the run changed on a host could not be taken back. 3: there was no error either, and no gating case was judged: an
 * empty run, or all were skipped.
 */
int result_exit_status(const struct result *result);

/** result_waiver_holds - on the day of @now (UTC), the last one included */
bool result_waiver_holds(const struct scenario_waiver *waiver, time_t now);
void result_free(struct result *result);
