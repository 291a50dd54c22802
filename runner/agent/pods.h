/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the pods of a label, asked of kubectl once: which one is on which node */
#pragma once

#include <uv.h>

#include "scenario/scenario.h"

struct pods;

/**
 * pods_ask - ask for the pods that the way to @host speaks of; never calls back from inside
 * @answered: kubectl ended, well or not, or its time was over
 */
struct pods *pods_ask(uv_loop_t *loop, const struct scenario_host *host, int64_t timeout_ms,
		      void (*answered)(void *user), void *user);

/** pods_serve - whether the same question would be asked for @host */
bool pods_serve(const struct pods *pods, const struct scenario_host *host);
bool pods_answered(const struct pods *pods);

/** pods_find - the running pod on @node; NULL with *why an own text; only of what was answered */
const char *pods_find(const struct pods *pods, const char *node, char **why);

/** pods_close - kubectl is ended where it still runs; all is freed when the loop has seen to it */
void pods_close(struct pods *pods);
