/* SPDX-License-Identifier: BSD-2-Clause */
/* "gid: auto": the entry of this end's own address, never a fixed index */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "support/gid.h"
#include "support/perf_internal.h"
#include "support/port.h"

#define ROCE_PORT 4791

struct addresses {
	uint8_t gids[16][16];
	int count;
};

static void add(struct addresses *addresses, const void *address)
{
	uint8_t gid[16];

	if (addresses->count == 16 || !gid_of_address(address, gid))
		return;
	for (int i = 0; i < addresses->count; i++)
		if (!memcmp(addresses->gids[i], gid, 16))
			return;
	memcpy(addresses->gids[addresses->count++], gid, 16);
}

static struct addrinfo *look_up(const char *name)
{
	const struct addrinfo hints = {.ai_socktype = SOCK_DGRAM};
	struct addrinfo *found = NULL;

	return getaddrinfo(name, NULL, &hints, &found) ? NULL : found;
}

static void add_own(struct addresses *addresses, const char *name)
{
	struct addrinfo *all = look_up(name);

	for (const struct addrinfo *one = all; one; one = one->ai_next)
		add(addresses, one->ai_addr);
	if (all)
		freeaddrinfo(all);
}

/* The source address of the kernel's route: what a connected socket has got. Nothing is sent. */
static void add_source(struct addresses *addresses, const struct addrinfo *to)
{
	struct sockaddr_storage peer, own;
	socklen_t length = sizeof(own);
	int fd = socket(to->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	memcpy(&peer, to->ai_addr, to->ai_addrlen);
	if (to->ai_family == AF_INET6)
		((struct sockaddr_in6 *)&peer)->sin6_port = htons(ROCE_PORT);
	else
		((struct sockaddr_in *)&peer)->sin_port = htons(ROCE_PORT);
	if (fd >= 0 && !connect(fd, (struct sockaddr *)&peer, to->ai_addrlen) &&
	    !getsockname(fd, (struct sockaddr *)&own, &length))
		add(addresses, &own);
	if (fd >= 0)
		close(fd);
}

static void add_sources(struct addresses *addresses, const char *peer)
{
	struct addrinfo *all = look_up(peer);

	for (const struct addrinfo *one = all; one; one = one->ai_next)
		add_source(addresses, one);
	if (all)
		freeaddrinfo(all);
}

struct table {
	struct gid_entry *entries;
	int count;
};

/* 1: found; 0: not; else what rs_error() returned */
static int find(struct perf_run *run, const struct table *table, const struct addresses *addresses)
{
	const struct gid_entry *found = NULL, *one;
	const char *device = run->params->device;

	for (int i = 0; i < addresses->count; i++) {
		int matches = gid_find(table->entries, table->count, addresses->gids[i], &one);

		if (matches < 0 || (matches && found))
			return rs_error(
				run->ctx, RS_FAILED,
				"gid auto: several entries of %s carry an address of this end: %s; name one by gid",
				device,
				gid_list(run->ctx, table->entries, table->count,
					 matches < 0 ? addresses->gids[i] : NULL));
		if (matches)
			found = one;
	}
	if (!found)
		return 0;
	run->gid_index = (int)found->index;
	return 1;
}

static int nowhere(struct perf_run *run, const struct table *table, const struct addresses *addresses)
{
	char text[INET6_ADDRSTRLEN];
	const struct rs_end *self = rs_self(run->ctx);

	if (!table->count)
		return rs_error(
			run->ctx, RS_ABSENT,
			"gid auto: the GID table of %s port %u is empty, or holds nothing of this network namespace",
			run->params->device, (unsigned)run->params->port);
	return rs_error(run->ctx, RS_ABSENT,
			"gid auto: no RoCE v2 entry of %s carries %s (%s), which is this end's address; there are %s",
			run->params->device, self->address,
			addresses->count ? gid_text(addresses->gids[0], text) : "which cannot be resolved",
			gid_list(run->ctx, table->entries, table->count, NULL));
}

static int by_address(struct perf_run *run)
{
	struct addresses own = {.count = 0}, sources = {.count = 0};
	struct table table;
	int found;

	table.count = gid_table(run->ctx, run->params->device, (unsigned)run->params->port, &table.entries);
	if (table.count < 0)
		return rs_error(run->ctx, RS_ABSENT, "gid auto: %s port %u has no GID table here: %s",
				run->params->device, (unsigned)run->params->port, strerror(-table.count));
	add_own(&own, rs_self(run->ctx)->address);
	found = find(run, &table, &own);
	if (found)
		return found < 0 ? found : 0;
	add_sources(&sources, rs_peer(run->ctx)->address);
	for (int i = 0; i < sources.count; i++)
		if (gid_link_local(sources.gids[i]))
			return rs_error(
				run->ctx, RS_ABSENT,
				"gid auto: the route to %s leaves from a link-local address, which reaches nothing "
				"behind a router: name the entry by gid if it is meant; there are %s",
				rs_peer(run->ctx)->address, gid_list(run->ctx, table.entries, table.count, NULL));
	found = find(run, &table, &sources);
	if (found)
		return found < 0 ? found : 0;
	return nowhere(run, &table, &own);
}

int perf_gid(struct perf_run *run)
{
	const char *gid = run->params->gid;
	unsigned long index;
	char *end;

	run->gid_index = -1;
	if (!strcmp(gid, "auto")) {
		if (port_is_infiniband(run->ctx, run->params->device, (unsigned)run->params->port))
			return 0;
		return by_address(run);
	}
	index = strtoul(gid, &end, 10);
	if (*gid < '0' || *gid > '9' || *end || index > 65535)
		return rs_error(run->ctx, RS_FAILED, "gid: \"%s\" is neither an index nor \"auto\"", gid);
	run->gid_index = (int)index;
	return 0;
}
