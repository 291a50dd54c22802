/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the plan: every observation that a run will make, and which steps wait for which */
#pragma once

#include "scenario/scenario.h"

struct plan_host {
	const struct scenario_host *host;
};

/**
 * struct plan_observe - one observation: a source with parameters on one host
 * @server: of a pair: its server, as @host is its client; SIZE_MAX: on one host
 * @server_params: of a pair, as @params are its client's; NULL: on one host
 * @key: host or pair, source and canonical parameters in one text: equal keys are one observation
 * @wanted: probes that any step of the plan asks of this key
 */
struct plan_observe {
	size_t host; /* index into plan->hosts */
	size_t server;
	const struct rs_source *source;
	const char *params; /* canonical JSON */
	const char *server_params;
	const char *key;
	uint32_t wanted;
};

/** struct plan_part - one observation of a step */
struct plan_part {
	const char *label; /* "node-01", "node-01→node-02"; "node-01 device=mlx5_0" with each; "" where the plan has one
			      implied host and no each */
	size_t observe;	   /* index into plan->observes */
	size_t when;	   /* the same, for the step's "when"; SIZE_MAX: none */
	const struct judge_spec *spec;
	const struct judge_spec *when_spec; /* NULL: none */
};

/** struct plan_step - a selected step (or one that a selected step needs) */
struct plan_step {
	const struct scenario *scenario;
	const struct scenario_step *step;
	struct plan_part *parts; /* without repeats: each is run step->repeat times */
	size_t nparts;
	size_t *needs; /* indices into plan->steps */
	size_t nneeds;
	bool pulled; /* selected only because another step needs it */
};

#define PLAN_PARTS_MAX 10000000

struct plan {
	struct arena arena;
	struct plan_host *hosts;
	size_t nhosts;
	struct plan_observe *observes;
	size_t nobserves;
	struct plan_step *steps; /* in an order in which needs come first, else as written */
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
void plan_print(const struct plan *plan, FILE *out);
void plan_free(struct plan *plan);
