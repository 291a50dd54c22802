/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: recordings: what a run observed, kept in a file, to be judged again, compared and drawn later
 *
 * A recording is one JSON document (schemas/recording.schema.json), compressed with zstd where its name ends in ".zst".
 * It is written as the run goes, observation by observation, and read without ever being a tree in memory: what
 * recording_load() keeps of an observation is its key, and where it stands in the file.
 */
#pragma once

#include "judge/table.h"
#include "plugin/registry.h"
#include "scenario/plan.h"

#define RECORDING_FORMAT "rdmaspec.recording"
#define RECORDING_FORMAT_VERSION 1

/** enum record_phase - of a step that compares counters: read before the others, or after them */
enum record_phase { RECORD_PLAIN, RECORD_BEFORE, RECORD_AFTER };

/**
 * struct record_key - which observation it is; @host to @attempt are its identity
 * @server, @server_params: of a pair; NULL: on one host. @server_params NULL: those of the client
 * @params: JSON with the defaults in place, all its maps in the order of their keys (recording_params())
 * @at_once: of a pair that is observed with others as one operation: how many; 0: by itself
 * @run, @attempt: from 1
 * @shared: made once for all steps that asked for it; else @step is the one that it was made for: its id or name
 * @when: for the step's condition
 */
struct record_key {
	const char *host, *server;
	const char *source;
	const char *params, *server_params;
	uint32_t at_once;
	enum record_phase phase;
	uint32_t run, attempt;
	bool shared, when;
	const char *step;
};

/** struct record_host - @lost: why it could not be reached, or was lost; NULL: it was not. @reached: it answered once
 */
struct record_host {
	const char *name, *address;
	const char *lost;
	bool reached;
};

struct record_version {
	const char *name, *version;
};

/** struct record_file - of a scenario */
struct record_file {
	const char *path, *sha256;
	uint64_t bytes;
};

/** struct record_scenario - @files: itself, then what it includes */
struct record_scenario {
	const char *name;
	const struct record_file *files;
	size_t nfiles;
};

/** struct record_head - what a recording says of its run; times in seconds since 1970 */
struct record_head {
	const char *rdmaspec; /* version */
	const char *hostname;
	const char *simulated; /* the topology's file; NULL: none */
	double started, seconds;
	int64_t signal; /* that ended it early; 0: none */
	uint32_t min_hosts;
	const struct record_scenario *scenarios;
	size_t nscenarios;
	const struct record_version *plugins;
	size_t nplugins;
	const struct record_host *hosts;
	size_t nhosts;
	const char *const *notes; /* of what was different on the hosts */
	size_t nnotes;
};

/** struct recorded - an observation of a recording */
struct recorded {
	struct record_key key;
	size_t next;	   /* the next one with the same host, server, source and parameters; SIZE_MAX: none */
	size_t begin, end; /* bytes of the document */
	bool used;	   /* recording_find() gave it out before */
};

struct recording;

/**
 * recording_load - read and check a file; NULL with @diag, whose text names the file
 * Whether rows fit their facts is seen when an observation is read.
 */
struct recording *recording_load(const char *path, struct diag *diag);
void recording_free(struct recording *recording);
const char *recording_path(const struct recording *recording);
const struct record_head *recording_head(const struct recording *recording);
struct recorded *recording_list(const struct recording *recording, size_t *count); /* as they were made */

/**
 * recording_observe - an observation with all tables of @source that it holds; never NULL
 * Facts that the recording does not have are not observed, those that @source does not have are dropped, both with a
 * note. What does not fit its facts is an observation with an error.
 * @tables: if not NULL, the bits of the probes whose tables are wanted; others are passed over
 */
struct observation *recording_observe(const struct recording *recording, const struct recorded *recorded,
				      const struct rs_source *source, uint32_t tables);

/**
 * recording_find - the observation of @key that has the tables of @wanted, or an error: the one made for the same step
 * first, then one that was not given out before; NULL with *why an own text that says what there is instead
 */
struct observation *recording_find(struct recording *recording, const struct record_key *key,
				   const struct rs_source *source, uint32_t wanted, char **why);

/** recording_has - whether there is one of @key, whatever it holds */
bool recording_has(struct recording *recording, const struct record_key *key);

/** recording_params - canonical JSON in the order in which keys have it; an own text */
char *recording_params(const char *params);

/* ---- Writing ---- */

struct recorder;

/** recorder_check - whether a recording can be written to @path, which is "-" for none; -errno with @diag */
int recorder_check(const char *path, struct diag *diag);

/** recorder_open - a temporary file beside @path; NULL with @diag */
struct recorder *recorder_open(const char *path, struct diag *diag);

/** recorder_begin - what is known when a run begins: of @head, up to @nplugins, but @seconds and @signal */
void recorder_begin(struct recorder *recorder, const struct record_head *head);
void recorder_add(struct recorder *recorder, const struct record_key *key, const struct observation *observation);

/** recorder_end - the rest of @head; the file takes its place. Frees @recorder. -errno with @diag: nothing was written.
 */
int recorder_end(struct recorder *recorder, const struct record_head *head, struct diag *diag);
void recorder_abandon(struct recorder *recorder); /* NULL is fine */
