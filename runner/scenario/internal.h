/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: what the files of this room share */
#pragma once

#include "scenario/names.h"
#include "scenario/scenario.h"

#define FORMAT_VERSION 1

extern const char *const connect_names[];
extern const struct schema_key connect_schema[], host_schema[], defaults_schema[], step_schema[], between_schema[];

/** struct scopes - what $(name) means in a step, from the inner to the outer; not to be copied: they point at each
 * other */
struct scopes {
	struct scope each, settings, host, vars;
};

/** scopes_set - fill @scopes; the innermost is returned. Variables without a value have it later. */
const struct scope *scopes_set(struct scopes *scopes, const struct text *text, const struct variable *each,
			       size_t neach, const struct variable *host, size_t nhost);

/** vars_have - whether the scenario's files have a variable @name */
bool vars_have(const struct text *text, const char *name);

/** later_use - the first scalar in or below @node that waits for the variable @name (NULL: for any), or NULL */
const struct node *later_use(const struct node *node, const char *name);

/** struct loader - one scenario while it is read */
struct loader {
	struct scenario *scenario;
	struct text *text;
	struct arena *arena;
	struct registry *registry;
	struct diags *diags;
	bool all_hosts, all_ids; /* all could be read: one that is not found is really not there */
	bool given[2];		 /* whether any host (or variable) gives $(address), $(device) */
	struct names host_names; /* to indices into scenario->hosts */
	struct names ids;	 /* to indices into scenario->steps */
	struct names nodesets;	 /* to indices into wheres */
	struct loaded_where {
		const struct scenario_where *where; /* NULL: not all of them are hosts */
		const char *wrong;		    /* then why not; "": cannot be known */
	} * wheres;
	size_t nwheres, wheres_capacity;
	size_t names_expanded;	  /* from all nodesets */
	struct names probe_names; /* to indices into probes */
	struct loaded_probe {
		const struct rs_probe *probe; /* NULL: there is none, and that was said */
		const struct rs_source *source;
		const char *why;
	} * probes;
	size_t nprobes, probes_capacity;
	struct names missing; /* plugins that were said not to be there */
	size_t hosts_capacity;
	size_t comparisons; /* left to make for suggestions: each looks at every candidate */
	struct load_need {
		size_t step;
		const struct node *ids;
		bool around;
	} * needs; /* of "needs" and "around" */
	size_t nneeds, needs_capacity;
};

/** host_name_wrong - why that cannot be the name of a host, which reaches command lines, paths and reports; NULL: fine
 */
const char *host_name_wrong(const char *name);

/** host_value - the value of a key of a host's map; what uses $(host) has another one on every host */
const struct node *host_value(struct loader *loader, const struct node *item, const char *key, const char *name);

/** load_check_connect - said once for all hosts of an item; 0 or -EINVAL */
int load_check_connect(struct loader *loader, const struct node *connect);

/** load_connect - the way to @host, whose name and connect_to are there, from its checked map */
void load_connect(struct loader *loader, const struct node *item, struct scenario_host *host);

/** load_slurm_nodes - the nodes of the allocation that this runs in; an own text says why there are none */
char *load_slurm_nodes(struct strings *names);

/** load_hosts - the hosts of one document: appends to scenario->hosts, which is on the heap meanwhile */
void load_hosts(struct loader *loader, const struct node *list);

/** load_step - one step of a document; @defaults: the document's, over those of the tables */
void load_step(struct loader *loader, const struct node *node, const struct scenario_step *defaults,
	       struct scenario_step *step);

/** load_step_defaults - what @map (checked; may be NULL) says, into @step */
void load_step_defaults(const struct node *map, const struct scenario_step *fallback, struct scenario_step *step);

/** load_each - the values of "each" of @node, a step's map */
void load_each(struct loader *loader, const struct node *node, struct scenario_step *step);

/** load_nodeset - the names of a nodeset; returns NULL, or what is wrong with it, which the caller frees */
char *load_nodeset(struct loader *loader, const char *text, struct strings *names);

/** load_where - the hosts of a nodeset; NULL where something is wrong with it */
const struct scenario_where *load_where(struct loader *loader, const struct node *nodeset);

/** load_between - the pairs of "between" of @node, a step's map that has one */
void load_between(struct loader *loader, const struct node *node, struct scenario_step *step);

/** load_check_ends - whether the probe of @node, a step's map, and where it is to be observed go together */
void load_check_ends(struct loader *loader, const struct node *node, const struct scenario_step *step);

/** load_check_unless - facts that are asked for beside a parameter with which they are not observed */
void load_check_unless(struct loader *loader, const struct scenario_probe *probe);

/** load_probe - the one probe of a step's map. load_when - the one of its "when". */
int load_probe(struct loader *loader, const struct node *step, struct scenario_probe *probe);
const struct scenario_probe *load_when(struct loader *loader, const struct node *when);

/** load_around - what goes with "around" of @node, a step's map that has it */
void load_around(struct loader *loader, const struct node *node, struct scenario_step *step);

/** load_needs - ids of all steps to steps; unknown ones and cycles */
void load_needs(struct loader *loader);

/** load_list - the scalars of a list, or a scalar as a list of one */
const char **load_list(struct loader *loader, const struct node *node, size_t *count);

/** load_hint - "; did you mean 'X'?" or ""; valid until the next call */
const char *load_hint(struct loader *loader, const char *text, const char *const *candidates, size_t count);
