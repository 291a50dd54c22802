/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: a simulated InfiniBand fabric for one run: ibsim and opensm in a private directory with private socket names
 *
 * Everything is ended and removed by simulator_stop(), and by a keeper process should the runner die by SIGKILL.
 */
#pragma once

#include <uv.h>

#include "base/diag.h"

struct simulator;

#define SIMULATOR_WORKERS 8 /* workers at once: ibsim takes 10 clients, opensm is one, one is kept in reserve */

/** simulator_start - @file: in ibsim's or ibnetdiscover's format. @up comes once: @why NULL when the subnet is up. */
struct simulator *simulator_start(uv_loop_t *loop, const char *file, void (*up)(void *user, const char *why), void *user,
				  struct diag *diag);

/** simulator_node - the node that a host is: by name or node id; NULL where the fabric has none of that name. "" and NULL: the first CA */
const char *simulator_node(const struct simulator *simulator, const char *name);

/** simulator_suggest - the CA most like @name, or NULL */
const char *simulator_suggest(const struct simulator *simulator, const char *name);

/** simulator_environment - what a worker on @node needs; NULL-ended, lives as long as the simulator */
const char *const *simulator_environment(struct simulator *simulator, const char *node);
const char *simulator_directory(const struct simulator *simulator);

/** simulator_forget - free the place of a client that died without saying good-bye */
void simulator_forget(struct simulator *simulator, int64_t pid);

/** simulator_stop - end and remove everything; @stopped follows */
void simulator_stop(struct simulator *simulator, void (*stopped)(void *user), void *user);
