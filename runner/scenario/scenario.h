/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: a scenario, checked: its hosts and steps, with every value that does not hang on a host already in place */
#pragma once

#include "judge/judge.h"
#include "plugin/registry.h"
#include "schema/schema.h"
#include "text/text.h"

enum connect {
	CONNECT_LOCAL,
	CONNECT_SIMULATED,
	CONNECT_SSH,
	CONNECT_SLURM,
	CONNECT_KUBECTL,
	CONNECT_COMMAND,
};

/**
 * struct scenario_way - what "connect" says of the way to a host, with $(host) resolved; NULL: not given
 * @command: of CONNECT_COMMAND: argv, NULL-ended
 * @options: further arguments of ssh, srun or kubectl, NULL-ended
 * @path: the program on the host; @plugin_dir: where it has its plugins
 * @user, @port: of ssh; a port of 0 is not given
 * @context, @namespace, @container: of kubectl; @label: a selector; the pod is the one on the node that is dialled
 */
struct scenario_way {
	const char *const *command;
	const char *const *options;
	const char *path, *plugin_dir;
	const char *user;
	unsigned port;
	const char *context, *namespace, *container, *label;
};

/**
 * struct scenario_host
 * @timeout_ms: for its agent's hello; 0: not given
 * @optional: one that cannot be reached is an expected absence
 */
struct scenario_host {
	const char *name;
	enum connect connect;
	struct scenario_way way;
	const char *connect_to;	  /* default: the name */
	const char *address;	  /* NULL: not given */
	const char *device;	  /* NULL: not given */
	const char *simulated_as; /* default: the name */
	int64_t timeout_ms;
	bool optional;
	struct place place;
};

/** struct scenario_where - the hosts that a nodeset names, each once, as indices into the scenario's */
struct scenario_where {
	size_t count;
	uint32_t hosts[];
};

enum pattern {
	PATTERN_ALL_PAIRS,
	PATTERN_RING,
	PATTERN_HALVES,
	PATTERN_ONE_TO_ALL,
	PATTERN_ALL_TO_ONE,
	PATTERN_RANDOM,
	PATTERN_LISTED, /* no pattern: client and server are named */
};

/**
 * struct scenario_between - the pairs of hosts that a step runs between; pattern_pairs() lists them
 * @hosts: of a pattern; @clients, @servers: of PATTERN_LISTED, as many, and one host may be both
 * @both: each pair once more with its ends exchanged, behind all that go the one way
 * @cross: each value of "each" at the client meets each at the server
 * @npairs: in all
 */
struct scenario_between {
	enum pattern pattern;
	bool both, cross;
	const struct scenario_where *hosts, *clients, *servers;
	uint64_t seed;
	size_t npairs;
};

struct scenario_each {
	const char *name; /* the variable */
	const char *const *values;
	size_t count; /* the same in all of a step's */
};

struct scenario_probe {
	const struct rs_source *source;
	const struct rs_probe *probe;
	const struct node *map; /* global variables resolved; may hold NODE_LATER */
	struct judge_spec spec; /* as far as nothing is NODE_LATER */
	struct place place;
};

struct scenario_waiver {
	const char *reason;
	const char *until; /* YYYY-MM-DD, inclusive, UTC; NULL: without end */
};

struct scenario_step {
	const char *id;	  /* NULL: none */
	const char *name; /* what it is called: name, else id, else "PROBE (line N)" */
	const char *doc;
	const struct node *hosts;		/* as written; NULL: not given */
	const struct scenario_where *where;	/* the same, expanded; NULL: not given */
	const struct scenario_between *between; /* NULL: not given; then, and only then, the probe is one of pairs */
	struct scenario_each *each;
	size_t neach;
	const char *const *needs;   /* ids, each once */
	const uint32_t *need_steps; /* the same, as indices into the scenario's steps */
	size_t nneeds;
	const char *const *around;    /* ids of the steps over which counters are compared, each once */
	const uint32_t *around_steps; /* the same, as indices into the scenario's steps */
	size_t naround;
	const char *const *tags;
	size_t ntags;
	int64_t timeout_ms;
	unsigned retries;
	int64_t delay_ms;
	unsigned repeat;
	bool warning; /* severity: warning */
	bool fresh;
	const struct scenario_waiver *waive; /* NULL: none */
	const struct scenario_probe *when;   /* NULL: always */
	struct scenario_probe probe;
	struct place place;
};

struct scenario {
	struct text text;
	const char *name; /* rdmaspec scenario's "name", else the file's name */
	struct scenario_host *hosts;
	size_t nhosts; /* at least 1: the local machine where the file names none */
	bool hosts_implied;
	struct scenario_step *steps;
	size_t nsteps;
};

/**
 * scenario_load - read and check a file and all that it includes
 * Returns 0, or -EINVAL with everything that is wrong in @diags. @scenario is to be freed either way.
 */
int scenario_load(struct scenario *scenario, const char *path, const struct strings *set, struct registry *registry,
		  struct diags *diags);
void scenario_free(struct scenario *scenario);

/** scenario_schema - the envelope's table, for the JSON Schema and the reference */
extern const struct schema_key scenario_schema[];
