/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: inside a worker: one observation, and what stands behind the rs_ functions that the plugin calls */
#pragma once

#include <rdmaspec/plugin.h>

#include "agent/request.h"
#include "plugin/registry.h"

/**
 * struct observe_options - where the worker is
 * @fd: where the answer goes, as messages of the wire format
 * @sysfs_root: NULL for /sys
 * @deadline: CLOCK_MONOTONIC, in milliseconds
 */
struct observe_options {
	struct registry *registry;
	int fd;
	const char *sysfs_root;
	int64_t deadline;
};

/** observe - load the source, bind its parameters, let it observe, and send what it said. Returns an exit status. */
int observe(const struct request *request, const struct observe_options *options);

/* ---- shared by the files that implement the rs_ functions ---- */

#define FACTS_MAX 64
#define PROBES_MAX 32

/** struct evidence_kept - what is kept of one piece of evidence: the head is sent at once, the tail waits for the end
 */
struct evidence_kept {
	char *name;
	uint64_t total;
	struct buf tail; /* a ring of EVIDENCE_KEPT bytes once it is full */
	size_t oldest;	 /* where the ring begins */
};

/** enum cell_state - of a fact of the row that is being set */
enum cell_state { CELL_EMPTY, CELL_VALUE, CELL_LIST };

struct cell {
	enum cell_state state;
	struct buf json; /* of a list: its elements, without the brackets */
};

struct rs_ctx {
	uint64_t id; /* first: the mock plugin, which lies on the wire, reads it there */
	int fd;
	int64_t deadline;
	const char *sysfs_root;
	const struct rs_source *source;
	uint32_t wanted;
	struct arena arena; /* of rs_alloc() */

	/* of a pair */
	enum request_role role;
	struct rs_end self, peer;
	int64_t timeout_ms;
	bool ready; /* rs_ready() was called */

	struct buf out;	 /* messages that are whole, not written yet */
	struct buf rows; /* the message "rows" that is being filled; empty: none */
	int rows_probe;	 /* that it is of */
	int probe;	 /* of the row that is being set; -1: none, or not wanted */
	bool begun;	 /* rs_row_begin() was called, for whatever probe */
	unsigned columns[PROBES_MAX];
	uint64_t counts[PROBES_MAX];
	struct cell cells[FACTS_MAX];

	struct evidence_kept *evidence;
	size_t nevidence;
	unsigned notes, changes;
	enum rs_reason reason; /* 0: no error */
	char *error;
	char *bug; /* what the plugin did wrong; NULL: nothing so far */
};

/** ctx_bug - the plugin broke the rules: the observation will be an error that says so. Only the first one counts. */
void ctx_bug(struct rs_ctx *ctx, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** ctx_flush - write the messages that are whole; the worker ends where nobody reads them any more */
void ctx_flush(struct rs_ctx *ctx);

/** ctx_pair - what the request says of the two ends */
void ctx_pair(struct rs_ctx *ctx, const struct request *request);

/** ctx_serve - the server's part of an observation; returns what serve() returned */
int ctx_serve(struct rs_ctx *ctx, const void *params);

/** ctx_undo - take a change back; returns what undo() returned */
int ctx_undo(struct rs_ctx *ctx, const char *state);

/** rows_end - end the row that is being set, and the message that it is in */
void rows_end(struct rs_ctx *ctx);

/** evidence_end - send what was kept of the tails */
void evidence_end(struct rs_ctx *ctx);
