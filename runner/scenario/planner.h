/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: what the files that make a plan share */
#pragma once

#include "scenario/internal.h"
#include "scenario/plan.h"

struct planner {
	struct plan *plan;
	struct scenario *const *scenarios;
	size_t count;
	struct diags *diags;
	struct names hosts; /* to indices into plan->hosts */
	size_t hosts_capacity, observes_capacity;
	struct found_observes {
		struct found_slot {
			uint32_t hash;
			uint32_t number; /* index into plan->observes, from 1; 0: free */
		} * slots;
		size_t size; /* a power of two */
	} found;
	struct names texts; /* canonical parameters, each once: to themselves */
	size_t *first; /* of each scenario: the number of its first step, counted over all of them; one more ends it */
	uint32_t *owner; /* of each of these steps, its scenario */
	struct default_params {
		const struct rs_source *source;
		const char *params;
	} * defaults; /* canonical, of sources asked for without parameters */
	size_t ndefaults, defaults_capacity;
};

/** plan_select - the steps that the filter (NULL: all) takes, and those that they need, in the order of the plan */
void plan_select(struct planner *planner, const struct plan_filter *filter);

/** plan_fits - whether the observations of all steps are not too many; else an error */
bool plan_fits(struct planner *planner);

/** each_values - how many values "each" has; 1 where the step has none */
static inline size_t each_values(const struct scenario_step *step)
{
	return step->neach ? step->each[0].count : 1;
}

/** plan_parts - the observations of one step; @text: its scenario's */
void plan_parts(struct planner *planner, struct plan_step *step, struct text *text);

#define COMPLAINTS_KEPT 32 /* of one step */

/** struct complaints - what is wrong with a step on some hosts: a thousand may well have the same problem */
struct complaints {
	struct complaint {
		struct diag diag;
		struct strings hosts;
	} items[COMPLAINTS_KEPT];
	size_t count;
};

/** complaints_take - what was @found on @host and not said @before; empties @found. -EINVAL where it had an error. */
int complaints_take(struct complaints *complaints, struct diags *found, const char *host, const struct diags *before);

/** complaints_report - add each to @diags, with the hosts where it was found if @name_hosts */
void complaints_report(struct complaints *complaints, bool name_hosts, struct diags *diags);
void complaints_free(struct complaints *complaints);

/**
 * struct binding - a probe of a step, and what of it is the same for all parts
 * @probe: NULL: the step has none ("when")
 * @params: canonical; NULL where a parameter has another value from part to part
 */
struct binding {
	const struct scenario_probe *probe;
	bool when;
	bool params_later, judging_later;
	const char *params;
};

/** struct values - what a probe's map came to on one host */
struct values {
	const char *params;
	const struct judge_spec *spec;
};

/** struct end - a host of a step's pairs, and what its probe came to there for each value of "each" */
struct end {
	size_t host; /* index into plan->hosts */
	struct end_values {
		enum { END_UNKNOWN, END_GOOD, END_WRONG } state;
		struct values values;
	} * values;
};

/** struct expansion - one step on its way to parts */
struct expansion {
	struct planner *planner;
	struct plan_step *step;
	struct text *text;
	struct binding probe, when;
	struct complaints complaints;
	struct buf label;
	uint32_t *places; /* of pairs: by host of the scenario, its place among the ends, from 1; 0: none yet */
	struct end *ends;
	size_t nends, ends_capacity;
};

/** struct part_scope - what $(name) means in one part; @each has room for as many as the step has */
struct part_scope {
	struct scopes scopes;
	struct variable host[3];
	struct variable *each;
	const struct scope *scope;
	bool has_address, has_device; /* the scenario has variables of these names */
};

/** struct bound - what a probe came to in one part */
struct bound {
	size_t observe;
	const struct judge_spec *spec;
};

/** binding_open - set @binding up for @probe; -EINVAL where its parameters cannot be read */
int binding_open(struct expansion *expansion, struct binding *binding, const struct scenario_probe *probe);

/** binding_varies - whether anything of it hangs on the host or on "each" */
bool binding_varies(const struct binding *binding);

/** bind_scope - the variables on @host, for number @value of "each" */
void bind_scope(struct part_scope *part, const struct text *text, const struct scenario_step *step,
		const struct scenario_host *host, size_t value);

/** bind_values - the probe's parameters, and what it expects, with the variables of @part */
int bind_values(struct expansion *expansion, const struct binding *binding, const struct part_scope *part,
		const struct scenario_host *host, struct values *values);

/** plan_host - the place of @host in the plan */
size_t plan_host(struct planner *planner, const struct scenario_host *host);

/** plan_text - @text as all that is equal to it is kept; takes it over */
const char *plan_text(struct planner *planner, char *text);

/** plan_observe - an observation of @probe's source, which may be there already; its index */
size_t plan_observe(struct planner *planner, const struct scenario_probe *probe, const struct plan_observe *wanted);

/** struct part_place - a part of a pair: who, and which values of "each" */
struct part_place {
	const struct scenario_host *client, *server;
	size_t client_value, server_value;
	uint32_t at_once;
};

/** bind_pair - the same as bind_part() between two hosts, each with its own variables */
int bind_pair(struct expansion *expansion, struct part_scope *part, const struct part_place *place,
	      struct bound *bound);

/** bind_part - the probe on @host with those variables; what is wrong goes to the expansion's complaints */
int bind_part(struct expansion *expansion, const struct binding *binding, const struct part_scope *part,
	      const struct scenario_host *host, struct bound *bound);
