/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the kernel's table of TCP sockets, and whose they are */
#pragma once

#include <rdmaspec/plugin.h>
#include <sys/types.h>

enum socket_state { SOCKET_ESTABLISHED = 1, SOCKET_LISTEN = 10 };

/**
 * socket_has - whether a process has a TCP socket of that state
 * @port: of this end where it listens, of the other end where it is established
 */
bool socket_has(pid_t pid, enum socket_state state, unsigned port);

/** socket_in_table - the same in one file in the form of /proc/net/tcp; calls @owned for the inode of each that fits */
bool socket_in_table(const char *path, enum socket_state state, unsigned port,
		     bool (*owned)(unsigned long inode, void *user), void *user);

/** socket_free_port - one that nobody listens on now; 0 where there is none */
unsigned socket_free_port(void);

/**
 * socket_cm_listens - whether a process listens with rdma_cm, by RDMA netlink
 * @port: on this one
 *
 * Returns 1, 0, or a negative errno where this kernel does not tell.
 */
int socket_cm_listens(struct rs_ctx *ctx, pid_t pid, unsigned port);
