/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the plan: every observation that a run will make, and which steps wait for which */
#pragma once

#include "scenario/scenario.h"

struct plan_host {
	const struct scenario_host *host;
};

/**
 * struct plan_observe - one observation: a source with parameters on one host; no two of a plan are equal
 * @server: of a pair: its server, as @host is its client; SIZE_MAX: on one host
 * @params: canonical JSON; equal texts are one pointer
 * @server_params: of a pair, as @params are its client's; NULL: on one host
 * @at_once: of a pair: how many are observed at the same time, where they are one operation; 0: it is by itself
 * @wanted: probes that any step of the plan asks of it
 */
struct plan_observe {
	size_t host; /* index into plan->hosts */
	size_t server;
	const struct rs_source *source;
	const char *params;
	const char *server_params;
	uint32_t at_once;
	int64_t extra_ms; /* that it takes by intention, beside the step's time-out */
	uint32_t wanted;
};

/**
 * struct plan_part - one observation of a step
 * @round: of a pair, from 0; no host is in two pairs of a round, but for those of a group
 * @group: parts of the step that are one operation, all started together, have the same number, from 1; 0: by itself
 */
struct plan_part {
	const char *label; /* "node-01", "node-01→node-02"; "node-01 device=mlx5_0" with each; "" where the plan has one
			      implied host and no each */
	size_t observe;	   /* index into plan->observes */
	size_t when;	   /* the same, for the step's "when"; SIZE_MAX: none */
	const struct judge_spec *spec;
	const struct judge_spec *when_spec; /* NULL: none */
	uint32_t round, group;
};

/** struct plan_step - a selected step (or one that a selected step needs) */
struct plan_step {
	const struct scenario *scenario;
	const struct scenario_step *step;
	struct plan_part *parts; /* without repeats: each is run step->repeat times */
	size_t nparts;
	uint32_t rounds, groups; /* of pairs */
	size_t *needs;		 /* indices into plan->steps */
	size_t nneeds;
	size_t *around; /* the same, of the steps around which it compares counters */
	size_t naround;
	bool pulled; /* selected only because another step needs it, or is around it */
};

/** plan_runs - how often each part of a step is run */
static inline unsigned plan_runs(const struct plan_step *step)
{
	return step->step->repeat > 1 ? step->step->repeat : 1;
}

#define PLAN_PARTS_MAX 10000000

struct plan {
	struct arena arena;
	struct plan_host *hosts;
	size_t nhosts;
	struct plan_observe *observes;
	size_t nobserves;
	struct plan_step *steps; /* in an order in which what a step needs or is around comes first, else as written */
	size_t nsteps;
	size_t filtered; /* steps of the scenarios that were not selected */
};

struct plan_filter {
	struct strings tags;	  /* any of them; empty: all */
	struct strings skip_tags; /* none of them */
	struct strings steps;	  /* ids or names, as globs; empty: all */
};

/**
 * plan_build - from scenarios (each checked) to operations; nothing is touched
 * Returns 0, or -EINVAL with errors in @diags (values that only a host's variables showed wrong, need cycles, ids that
 * are unknown). The scenarios must outlive the plan.
 */
int plan_build(struct plan *plan, struct scenario *const *scenarios, size_t count, const struct plan_filter *filter,
	       struct diags *diags);

/**
 * plan_key - what makes an observation that one, as a text: "node-01 ib.ports {...}", "node-01→node-02 ib.bandwidth
 * {...}", with the server's parameters behind where they differ, "node-01→node-09 (of 8 at once) ..."; appends to @out
 */
void plan_key(const struct plan *plan, size_t observe, struct buf *out);
void plan_print(const struct plan *plan, FILE *out);
void plan_free(struct plan *plan);
