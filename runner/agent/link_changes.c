/* SPDX-License-Identifier: BSD-2-Clause */
/* What was changed on a host, as its agent tells, until it is taken back. */
#include <stdlib.h>
#include <string.h>

#include "agent/link_internal.h"
#include "base/cleanup.h"

#define CHANGES_MAX 1024

bool link_changed(struct link *link, const struct pending *pending)
{
	struct change *change;
	size_t count = 0;

	for (change = link->changes; change; change = change->next)
		count++;
	if (count >= CHANGES_MAX)
		return false;
	change = xcalloc(1, sizeof(*change));
	change->id = pending->id;
	change->source = pending->answer.observation->source->name;
	change->next = link->changes;
	link->changes = change;
	if (link->closing)
		link_patience(link);
	return true;
}

/* Out of the list, and told. */
static void tell(struct link *link, struct change **at, const char *why)
{
	struct change *change = *at;

	*at = change->next;
	if (link->events.undone)
		link->events.undone(link, link->user, change->id, change->source, why);
	free(change);
}

bool link_undone(struct link *link, const char *line, size_t length)
{
	AUTO_FREE char *error = NULL, *why = NULL;
	const char *kind;
	uint64_t id;
	json_t *body, *message = wire_message(line, length, &id, &kind, &body, &error);
	struct change **at = &link->changes;
	bool good;

	if (!message)
		return false;
	good = json_is_true(body) || (why = wire_get_string(body));
	json_decref(message);
	while (*at && (*at)->id != id)
		at = &(*at)->next;
	if (!good || !*at)
		return false;
	tell(link, at, why);
	return true;
}

void link_changes_lost(struct link *link, const char *why)
{
	while (link->changes)
		tell(link, &link->changes, why);
}
