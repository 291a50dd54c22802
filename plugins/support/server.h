/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the server's end of a measurement: a port that is free, a tool that listens there, until its client is through
 */
#pragma once

#include "support/process.h"

/**
 * struct server - a tool that serves one client, and what is particular to it
 * @tool: its name, for messages and evidence
 * @process: it, once started
 * @user: of whoever fills this
 * @start: start @process on that port; 0, or what rs_error() returned
 * @listens: more than 0: it listens there; 0: not yet; else the negative errno of a kernel that does not tell. NULL: it
 *           has a TCP socket there.
 * @worth_another: it ended before it listened, for a reason that another port would be without
 * @ended: it ended by itself: 0 where that was the right end, or what rs_error() returned
 */
struct server {
	struct rs_ctx *ctx;
	const char *tool;
	struct process *process;
	void *user;
	int (*start)(struct server *server, unsigned port);
	int (*listens)(struct server *server, unsigned port);
	bool (*worth_another)(const struct server *server);
	int (*ended)(struct server *server);
};

/** server_run - what serve() of a plugin's source does; 0, or what rs_error() returned */
int server_run(struct server *server);
