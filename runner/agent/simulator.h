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

#define SIMULATOR_WORKERS 8 /* at once, at most: ibsim takes 10 clients, opensm is one, one is kept in reserve */

/**
 * struct simulator_options - what to simulate; only read while simulator_start() runs
 * @file: in ibsim's or ibnetdiscover's format
 * @commands: for ibsim's console, given one after another when the subnet is up; NULL: none
 * @sms: "NODE[:PRIORITY]" each: where an opensm runs; "none" alone: nowhere; NULL or empty: on the first CA
 */
struct simulator_options {
	const char *file;
	const struct strings *commands;
	const struct strings *sms;
};

struct simulator_events {
	/** up - once: every SM is master with "SUBNET UP" or standby, every command is carried out */
	void (*up)(void *user);
	/** failed - once, before or after up(): the fabric is not (or no longer) there; @why one sentence */
	void (*failed)(void *user, const char *why);
	/** freed - simulator_places() may have risen */
	void (*freed)(void *user);
};

/** simulator_start - NULL with @diag where the file is no fabric or a program is missing (-EINVAL, -ENOENT, ...) */
struct simulator *simulator_start(uv_loop_t *loop, const struct simulator_options *options,
				  const struct simulator_events *events, void *user, struct diag *diag);

/**
 * simulator_node - the node that a host is, as SIM_HOST takes it
 * By description or node id, or the one CA whose description starts with the word @name; "" and NULL: the first CA.
 * Returns NULL with *why an own text ("no node of the fabric is called ...; did you mean ...?").
 */
const char *simulator_node(const struct simulator *simulator, const char *name, char **why);

/** simulator_environment - what a worker on @node needs; NULL-ended, lives as long as the simulator */
const char *const *simulator_environment(struct simulator *simulator, const char *node);

/** simulator_directory - the working directory of such a worker: umad2sim makes a folder there */
const char *simulator_directory(const struct simulator *simulator);

/** simulator_places - how many workers may be on the fabric now: falls while the place of a dead one is being freed */
unsigned simulator_places(const struct simulator *simulator);

/** simulator_forget - free the place of a client that may have died without saying good-bye (0: whichever did) */
void simulator_forget(struct simulator *simulator, int64_t pid);

/** simulator_stop - end and remove everything; @stopped follows, with the simulator freed */
void simulator_stop(struct simulator *simulator, void (*stopped)(void *user), void *user);
