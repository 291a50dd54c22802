/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: what the files of this room share */
#pragma once

#include "agent/scan.h"
#include "record/recording.h"
#include "scenario/names.h"

/** struct recording - @text: all of it; @keys: the first observation of each key */
struct recording {
	struct recording_about about;
	struct arena arena;
	struct buf text;
	struct recorded *items;
	size_t count, capacity;
	struct names keys, hosts, absent;
	struct names asked;   /* host, server and source: the first observation of them */
	const char **reasons; /* of those that are absent */
	size_t nabsent, reasons_capacity;
	struct run_replay replay;
};

/** record_phases - names of enum record_phase, ended by NULL */
extern const char *const record_phases[];

/** record_key - host, server, source and parameters as one text; @server, @server_params: may be NULL */
void record_key(struct buf *out, const char *host, const char *server, const char *source, const char *params,
		const char *server_params, uint32_t at_once);

/** record_asked - the same without parameters */
void record_asked(struct buf *out, const struct recorded *item);

/** json_sorted - JSON on one line with its keys sorted; an own text, NULL where it is none */
char *json_sorted(const char *text, size_t length);

/** packed_open - a stream that compresses what is written into @out, which stays open; NULL: no memory */
FILE *packed_open(FILE *out);

/** packed_read - all of a file, decompressed where it is; -errno with @diag */
int packed_read(const char *path, struct buf *out, struct diag *diag);

/** arena_scan - the text of a string in the escape form, or false where none comes next; null is NULL */
bool arena_scan(struct scan *scan, struct arena *arena, const char **text);
