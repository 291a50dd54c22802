/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: a request for one observation, on its way from the runner over the agent to a worker */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

#define REQUEST_PARAMS_MAX (64 * 1024 * 1024) /* bytes of canonical JSON: an included file is at most 16 MiB of it */

/** enum request_role - what the worker is in a pair, or one that takes a change back */
enum request_role { ROLE_ALONE, ROLE_SERVER, ROLE_CLIENT, ROLE_UNDO };

static inline bool role_of_pair(enum request_role role)
{
	return role == ROLE_SERVER || role == ROLE_CLIENT;
}

struct request_end {
	char *host;
	char *address;
};

/**
 * struct request - {0} is an empty one
 * @wanted: names of probes
 * @timeout_ms: from the worker's start
 * @exec: start an rdmaspec of its own for it, with @environment ("NAME=value") besides the agent's
 * @directory: working directory; NULL: the agent's
 * @self, @peer: the two ends of a pair
 * @port: where the server is; a client's
 * @state: of ROLE_UNDO, which no runner asks for: what the source said ahead of its change
 */
struct request {
	uint64_t id;
	char *source;
	struct strings wanted;
	int64_t timeout_ms;
	struct buf params;
	bool exec;
	struct strings environment;
	char *directory;
	enum request_role role;
	struct request_end self, peer;
	unsigned port;
	char *state;
};

/** enum request_kind - what a line was */
enum request_kind {
	REQUEST_PART,	/* more has to come */
	REQUEST_WHOLE,	/* a request is whole */
	REQUEST_CANCEL, /* of an earlier one */
	REQUEST_STOP,	/* to the server of a pair: there is no client any more */
};

/** request_write - the messages of a request: params in chunks, then observe */
void request_write(struct buf *out, const struct request *request);

/**
 * request_read - take one line of them
 * Returns enum request_kind (*other is the id of what is cancelled or stopped), or -EPROTO with *why an own text.
 * Chunks of params are those of the observe that follows them.
 */
int request_read(struct request *request, const char *line, size_t length, uint64_t *other, char **why);
void request_free(struct request *request);

/* ---- request_pair.c: that part of an observe that is about the two ends of a pair ---- */

void request_pair_write(struct buf *out, const struct request *request);

/** request_pair_read - false where it is malformed */
bool request_pair_read(struct request *request, const json_t *json);
