/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: between the files of roce.path: the way to one peer, what the kernel says of it and what comes back over it */
#pragma once

#include <net/if.h>
#include <netinet/in.h>
#include <rdmaspec/plugin.h>
#include <sys/socket.h>

#define PATH_WINDOW 64 /* peers at once */

/** struct path_params - what a scenario says; NULL where nothing was given */
struct path_params {
	const char *const *peers;
	unsigned npeers;
	const char *source, *netdev;
	int64_t echoes;
	double wait;
	int64_t *traffic_class;
	bool *ipv6;
};

/** struct path_address - of either family; @family 0: none */
struct path_address {
	int family;
	uint8_t bytes[16];
};

enum path_state { PATH_ECHO, PATH_SIZES, PATH_DONE };

/**
 * struct path - one peer
 * @to, @to_length: where it is; 0: its name says nothing
 * @routed: the kernel has a way; @netdev to @same_subnet are of it
 * @link_mtu: of the netdev; 0: not told
 * @problem: why it is not reachable; ""
 * @fd, @raw, @id: its socket; a raw one sees what is for others too
 * @sequence: of the last request; @first: of the first one of this size
 * @sent_ns, @due_ms: of the last request: when, and until when an answer is waited for
 * @size, @tries: of the packet that is out, with its IP header, and how often
 * @good, @bad: a size that came through, and one that did not
 * @path_mtu: what that came to; 0: nothing
 */
struct path {
	const char *peer;
	struct sockaddr_storage to;
	socklen_t to_length;

	bool routed, same_subnet;
	char netdev[IF_NAMESIZE];
	int link_mtu;
	struct path_address source, gateway;
	char problem[192];

	int fd;
	bool raw;
	uint16_t id, sequence, first;
	int64_t sent_ns, due_ms;
	enum path_state state;
	unsigned sent, received;
	double rtt_least, rtt_sum, rtt_most;
	int size, tries, good, bad, path_mtu;
};

/** path_address_of - out of a socket's address */
struct path_address path_address_of(const struct sockaddr_storage *address);

/** path_header - bytes of the IP and the ICMP header */
int path_header(const struct path *path);

/** path_route - ask the kernel for the way; 0, or what rs_error() returned where it cannot be asked */
int path_route(struct rs_ctx *ctx, const struct path_params *params, struct path *path);

/** path_open - a socket for its echoes; 0, or a negative errno (-EACCES: neither kind is allowed) */
int path_open(const struct path_params *params, struct path *path);

/** path_send - one request of @size bytes, headers and all; 0, or a negative errno */
int path_send(struct path *path);

enum path_event { PATH_NOTHING, PATH_ANSWER, PATH_TOO_BIG, PATH_UNREACHABLE };

/**
 * path_receive - what has come, one at a time
 * @rtt: of PATH_ANSWER, in microseconds
 * @mtu: of PATH_TOO_BIG: what the router (or this host) lets through; 0: it does not say
 *
 * PATH_UNREACHABLE has @problem filled.
 */
enum path_event path_receive(struct path *path, double *rtt, int *mtu);

/** path_probe - all of them, a window at a time; 0, or what rs_error() returned */
int path_probe(struct rs_ctx *ctx, const struct path_params *params, struct path *paths, unsigned count);

int64_t path_now_ns(void);
