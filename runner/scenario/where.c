/* SPDX-License-Identifier: BSD-2-Clause */
/* Nodesets, and the hosts that those of a step name. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/nodeset.h"
#include "scenario/internal.h"

#define NAMES_MAX 10000000 /* in all nodesets of a scenario: no more observations are planned either */

char *load_nodeset(struct loader *loader, const char *text, struct strings *names)
{
	AUTO_FREE char *why = NULL;

	if (loader->names_expanded > NAMES_MAX)
		return xasprintf("all nodesets together have more than %d names", NAMES_MAX);
	if (nodeset_expand(text, names, &why) < 0)
		return xasprintf("'%.100s' is no nodeset: %s", text, why);
	loader->names_expanded += names->count;
	return NULL;
}

static const char *keep(struct loader *loader, const char *text)
{
	return arena_text(loader->arena, text, strlen(text));
}

/* What to say of names that are no hosts; "" where the hosts are not all known. */
static const char *wrong_with_unknown(struct loader *loader, const struct strings *unknown)
{
	const struct scenario *scenario = loader->scenario;
	AUTO_BUF struct buf folded = {0};
	AUTO_FREE const char **known = NULL;

	if (!loader->all_hosts)
		return "";
	nodeset_fold(&folded, (const char *const *)unknown->items, unknown->count);
	if (scenario->hosts_implied)
		return arena_printf(loader->arena, "unknown host%s '%s': without 'hosts' there is only '%s'",
				    plural(unknown->count), folded.data, scenario->hosts[0].name);
	if (unknown->count > 1)
		return arena_printf(loader->arena, "%zu unknown hosts: '%s'", unknown->count, folded.data);
	known = xcalloc(scenario->nhosts, sizeof(*known));
	for (size_t i = 0; i < scenario->nhosts; i++)
		known[i] = scenario->hosts[i].name;
	return arena_printf(loader->arena, "unknown host '%s'%s", unknown->items[0],
			    load_hint(loader, unknown->items[0], known, scenario->nhosts));
}

static void find_hosts(struct loader *loader, const struct strings *names, struct loaded_where *found)
{
	AUTO_FREE bool *seen = xcalloc(loader->scenario->nhosts, sizeof(*seen));
	AUTO_STRINGS struct strings unknown = {0};
	struct scenario_where *where;

	where = arena_alloc(loader->arena, sizeof(*where) + names->count * sizeof(where->hosts[0]));
	for (size_t i = 0; i < names->count; i++) {
		size_t host = names_find(&loader->host_names, names->items[i]);

		if (host == NAMES_NONE) {
			strings_add(&unknown, names->items[i]);
		} else if (!seen[host]) {
			seen[host] = true;
			where->hosts[where->count++] = (uint32_t)host;
		}
	}
	if (unknown.count)
		found->wrong = wrong_with_unknown(loader, &unknown);
	else
		found->where = where;
}

/* Steps name the same few sets of hosts again and again: each is looked up once. */
static const struct loaded_where *find_where(struct loader *loader, const char *nodeset)
{
	size_t before = names_find(&loader->nodesets, nodeset);
	AUTO_STRINGS struct strings names = {0};
	struct loaded_where found = {0};
	AUTO_FREE char *wrong = NULL;

	if (before != NAMES_NONE)
		return &loader->wheres[before];
	wrong = load_nodeset(loader, nodeset, &names);
	if (wrong)
		found.wrong = keep(loader, wrong);
	else
		find_hosts(loader, &names, &found);
	names_add(&loader->nodesets, nodeset, loader->nwheres);
	GROW(loader->wheres, loader->nwheres, loader->wheres_capacity);
	loader->wheres[loader->nwheres] = found;
	return &loader->wheres[loader->nwheres++];
}

const struct scenario_where *load_where(struct loader *loader, const struct node *nodeset)
{
	const struct loaded_where *found = find_where(loader, nodeset->text);

	if (found->wrong && *found->wrong)
		diags_error(loader->diags, node_place(loader->text, nodeset), "%s", found->wrong);
	return found->where;
}
