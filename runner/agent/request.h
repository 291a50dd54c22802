/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: a request for one observation, on its way from the runner over the agent to a worker */
#pragma once

#include <stdint.h>

#include "base/memory.h"

#define REQUEST_PARAMS_MAX (64 * 1024 * 1024) /* bytes of canonical JSON: an included file is at most 16 MiB of it */

/**
 * struct request - {0} is an empty one
 * @wanted: names of probes
 * @timeout_ms: from the worker's start
 * @exec: start an rdmaspec of its own for it, with @environment ("NAME=value") besides the agent's
 * @directory: working directory; NULL: the agent's
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
};

/** request_write - the messages of a request: params in chunks, then observe */
void request_write(struct buf *out, const struct request *request);

/**
 * request_read - take one line of them
 * Returns 1 when @request is whole, 0 when more has to come, 2 for a cancel (*cancel is its id), -EPROTO with *why an
 * own text. Chunks of params are those of the observe that follows them.
 */
int request_read(struct request *request, const char *line, size_t length, uint64_t *cancel, char **why);
void request_free(struct request *request);
