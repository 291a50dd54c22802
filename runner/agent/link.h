/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: the runner's end of an agent
 *
 * One link a host for the whole run: a process (the agent itself, or what leads to it: ssh, srun, kubectl, a command)
 * on three pipes, spoken to in the wire format. Both ends distrust each other.
 */
#pragma once

#include <uv.h>

#include "base/diag.h"
#include "judge/table.h"
#include "plugin/registry.h"

struct link;

#define LINK_HELLO_MS 30000

/** struct agent_options - where an agent finds what it needs */
struct agent_options {
	const char *plugin_dir;
	const char *sysfs_root; /* NULL: /sys */
};

/**
 * struct link_target - how an agent is reached
 * @argv: NULL-ended; the local one is {self, "agent", ...}
 * @local: of the local one: how it is, where it is forked instead; NULL: @argv is executed
 * @path: where @argv leads to a host: the program that it starts there; NULL: the agent is started by itself
 * @unreachable: why there is nothing to start; NULL: there is
 * @environment: "NAME=value" texts that are set for it besides the runner's own; NULL-ended or NULL
 * @hello_ms: how long its hello may take; 0: LINK_HELLO_MS
 * @guard_ms: how long an observation may be overdue before the agent is taken to be stuck; 0: 10 s
 */
struct link_target {
	const char *host;
	const char *const *argv;
	const struct agent_options *local;
	const char *path;
	const char *unreachable;
	const char *const *environment;
	int64_t hello_ms;
	int64_t guard_ms;
};

/** SERVER_MS - what a server has beyond its client's time: for the client to be started, and to be seen ended */
#define SERVER_MS 5000

/** UNDO_ALL_MS - what an agent that ends has for taking back what was changed */
#define UNDO_ALL_MS 30000

/**
 * struct link_pair - what a worker is to know of the two ends of a pair
 * @port: where the server is; of a server itself: 0
 */
struct link_pair {
	bool server;
	const char *host, *address;
	const char *peer_host, *peer_address;
	unsigned port;
};

/** struct link_request - one observation to make */
struct link_request {
	const struct rs_source *source;
	uint32_t wanted;
	const char *params;		/* canonical JSON */
	int64_t timeout_ms;		/* from the worker's start */
	const char *const *environment; /* of the worker, which is then exec'd ("LD_PRELOAD=..."); NULL: forked only */
	const char *directory;		/* the worker's working directory; NULL: the agent's */
	const struct link_pair *pair;	/* NULL: observed on one host */
};

struct link_events {
	/**
	 * ready - the agent said hello; @differences: lines, may be empty: another version of rdmaspec, plugins that
	 * are not there. Another version of a plugin is a note of each observation that was made with it.
	 */
	void (*ready)(struct link *link, void *user, const struct strings *differences);
	/**
	 * done - an observation ended, one way or another; the callee takes the reference. Once for each
	 * link_observe(), never from inside it.
	 * @worker_pid: of a worker that a signal ended (on that host), which could not take its leave of anybody; else
	 * 0
	 */
	void (*done)(struct link *link, void *user, uint64_t id, struct observation *observation, int64_t worker_pid);
	/**
	 * lost - the agent is gone, or never came; @why one sentence with its last words. All its requests got done()
	 * before, and nothing that it had started on this machine is left. It stays to be closed.
	 */
	void (*lost)(struct link *link, void *user, const char *why);
	/**
	 * closed - after link_close(): the process is reaped, the link freed when this returns. What was still asked
	 * for got done() before, with an error.
	 */
	void (*closed)(struct link *link, void *user);
	/**
	 * listening - a server waits for its client at @port. Once, before its done(); from here on it has timeout_ms
	 * and SERVER_MS.
	 */
	void (*listening)(struct link *link, void *user, uint64_t id, unsigned port);
	/**
	 * undone - what that observation of @source changed on the host was taken back, at the end of the agent; or
	 * @why it was not, or may not have been. May be NULL.
	 */
	void (*undone)(struct link *link, void *user, uint64_t id, const char *source, const char *why);
};

/**
 * link_reserve - see to it that so many links can be open at once, which takes three descriptors each; what is started
 * has the limit that was there before
 */
void link_reserve(size_t links);

/** link_open - start an agent; what goes wrong is told by lost(), never from inside. Requests need not wait for
 * ready(). */
struct link *link_open(uv_loop_t *loop, struct registry *registry, const struct link_target *target,
		       const struct link_events *events, void *user);

/** link_observe - queue a request; returns its id (never 0) */
uint64_t link_observe(struct link *link, const struct link_request *request);
void link_cancel(struct link *link, uint64_t id); /* done() still comes, with an error */

/** link_stop - tell a server that there is no client any more; done() comes when it has ended, or was ended for it */
void link_stop(struct link *link, uint64_t id);

/** link_close - end the agent: its stdin is closed, then SIGTERM, then SIGKILL to its process group; closed() follows
 */
void link_close(struct link *link);
const char *link_host(const struct link *link);

/** agent_main - the agent's whole life, on stdin and stdout; worker_main - an exec'd worker's. Both return an exit
 * status. */
int agent_main(const struct agent_options *options);
int worker_main(const struct agent_options *options);
