/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: recordings: every observation of a run in a file, to be judged again and compared
 *
 * One JSON document (schemas/recording.schema.json), compressed by zstd where it is asked for. It is read into memory
 * as a whole; its tables are taken apart when they are asked for.
 */
#pragma once

#include "base/diag.h"
#include "run/run.h"

struct recording;

#define RECORDING_FORMAT 1

/** recording_write - a result whose run had "record" set; 0 or -errno */
int recording_write(FILE *out, const struct result *result, struct registry *registry, bool compress);

/**
 * recording_load - read a file, whatever compressed it, and find what is in it
 * Returns NULL with @diag, whose text names the file and what is wrong with it.
 */
struct recording *recording_load(const char *path, struct diag *diag);
void recording_free(struct recording *recording);

/** struct recording_about - what a recording says of itself; lives as long as it */
struct recording_about {
	const char *path;
	const char *version;   /* of rdmaspec */
	const char *hostname;  /* where the run was started */
	const char *simulated; /* NULL: no */
	double started, seconds;
	unsigned min_hosts;
	int signal; /* that ended it early; 0: none */
	const char *const *notes;
	size_t nnotes;
};
const struct recording_about *recording_about(const struct recording *recording);

/**
 * struct recorded - an observation of a recording, without its tables
 * @server: NULL: on one host
 * @params, @server_params: JSON with its keys sorted
 * @step: that it was made for; NULL: for all that ask the same
 * @next: the next one of the same key; SIZE_MAX: none. @last: of the first one of a key: the last
 */
struct recorded {
	const char *host, *server, *source, *params, *server_params, *step;
	uint32_t at_once;
	unsigned run, attempt;
	enum record_phase phase;
	double started, seconds;
	size_t next, last;
	bool varies; /* of the first of a host and source: others have other parameters */
	/* where it is in the text, for recorded_observation() */
	size_t at, length;
};
const struct recorded *recording_observations(const struct recording *recording, size_t *count);

/** recording_last - of those with the key of @like, whichever recording that is from, the one that counted: the last
 * table; NULL: there is none */
const struct recorded *recording_last(const struct recording *recording, const struct recorded *like);

/** recording_asks_otherwise - whether the same source was asked on the same host with other parameters as well */
bool recording_asks_otherwise(const struct recording *recording, const struct recorded *item);

/** recording_absence - why a host was never reached; NULL: it was */
const char *recording_absence(const struct recording *recording, const char *host);

/**
 * recorded_observation - with those tables that @wanted (bits of @source's probes) names; one of its own
 * One that cannot be read, or lacks a table, is an error. RECORDED_ALL: those that there are.
 */
#define RECORDED_ALL 0
struct observation *recorded_observation(const struct recording *recording, const struct recorded *recorded,
					 const struct rs_source *source, uint32_t wanted);

/** recording_replay - what run_plan() takes in place of hosts; lives as long as the recording */
const struct run_replay *recording_replay(struct recording *recording);

/** recording_find - the observation that a run of @plan would make for @record, or NULL */
const struct recorded *recording_find(const struct recording *recording, const struct plan *plan,
				      const struct result_record *record);
