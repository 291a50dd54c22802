/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pairs that are one operation: it waits until all of its hosts are free, holds them until the last pair is through,
 * and no client starts before every server is ready (or will never be: then the others go on, and that pair is an
 * error).
 */
#include <stdlib.h>

#include "run/internal.h"

/** struct group_seat - a host of a group that waits; in the host's list */
struct group_seat {
	TAILQ_ENTRY(group_seat) next;
	struct group *group;
	struct host *host;
};

struct group {
	struct operation **members; /* NULL: through */
	size_t count, capacity, left;
	size_t silent; /* servers that are not yet ready */
	struct group_seat *seats;
	size_t nseats;
	bool waiting;
};

struct group *group_new(void)
{
	return xcalloc(1, sizeof(struct group));
}

void group_add(struct group *group, struct operation *operation)
{
	GROW(group->members, group->count, group->capacity);
	operation->pair->group = group;
	operation->pair->member = group->count;
	group->members[group->count++] = operation;
	group->left++;
}

static void leave_seats(struct group *group)
{
	for (size_t i = 0; i < group->nseats && group->waiting; i++)
		TAILQ_REMOVE(&group->seats[i].host->groups, &group->seats[i], next);
	group->waiting = false;
}

static void group_free(struct group *group)
{
	leave_seats(group);
	free(group->seats);
	free(group->members);
	free(group);
}

static void take_seat(struct group *group, struct host *host)
{
	if (host->seated == group)
		return;
	host->seated = group;
	group->seats[group->nseats].group = group;
	group->seats[group->nseats++].host = host;
}

/* Without those that cannot run; false where nobody is left, and the group is gone. */
static bool drop_lost(struct group *group)
{
	for (size_t i = 0; i < group->count; i++) {
		struct operation *operation = group->members[i];

		if (!operation || (!operation_replayed(operation) && !pair_end_lost(operation)))
			continue;
		group->members[i] = NULL;
		group->left--;
	}
	if (group->left)
		return true;
	group_free(group);
	return false;
}

void group_queue(struct group *group)
{
	if (!drop_lost(group))
		return;
	group->seats = xcalloc(2 * group->left, sizeof(*group->seats));
	for (size_t i = 0; i < group->count; i++) {
		if (!group->members[i])
			continue;
		take_seat(group, group->members[i]->pair->client.host);
		take_seat(group, group->members[i]->pair->server.host);
	}
	for (size_t i = 0; i < group->nseats; i++) {
		group->seats[i].host->seated = NULL;
		TAILQ_INSERT_TAIL(&group->seats[i].host->groups, &group->seats[i], next);
	}
	group->waiting = true;
	host_kick_later(group->seats[0].host, 0);
}

/* @host is lost, or the run was ended: the groups that wait for it go on without it. */
void groups_fail(struct host *host)
{
	struct group_seat *seat;

	while ((seat = TAILQ_FIRST(&host->groups))) {
		struct group *group = seat->group;

		leave_seats(group);
		free(group->seats);
		group->seats = NULL;
		group->nseats = 0;
		group_queue(group);
	}
}

static void start(struct group *group)
{
	leave_seats(group);
	for (size_t i = 0; i < group->nseats; i++)
		host_hold(group->seats[i].host);
	group->silent = group->left;
	for (size_t i = 0; i < group->count; i++)
		if (group->members[i])
			pair_begin(group->members[i]);
}

bool group_start_one(struct host *host)
{
	struct group_seat *seat;

	if (!host_is_free(host))
		return false;
	TAILQ_FOREACH(seat, &host->groups, next)
	{
		struct group *group = seat->group;
		size_t ready = 0;

		while (ready < group->nseats && host_is_free(group->seats[ready].host))
			ready++;
		if (ready < group->nseats)
			continue;
		start(group);
		return true;
	}
	return false;
}

/* One server more is ready, or never will be. */
void group_heard(struct group *group)
{
	if (--group->silent)
		return;
	for (size_t i = 0; i < group->count; i++)
		if (group->members[i] && group->members[i]->pair->port)
			pair_begin_client(group->members[i]->pair);
}

void group_through(struct pair *pair)
{
	struct group *group = pair->group;

	group->members[pair->member] = NULL;
	if (!pair->port)
		group_heard(group);
	if (--group->left)
		return;
	for (size_t i = 0; i < group->nseats; i++)
		host_release(group->seats[i].host);
	group_free(group);
}
