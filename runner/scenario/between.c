/* SPDX-License-Identifier: BSD-2-Clause */
/* The two ends of a step: its pairs of hosts, and whether its probe is one of pairs. */
#include "scenario/internal.h"

/* The hosts of one end; NULL where they are not known, and why was said. */
static const struct scenario_where *end_of(struct loader *loader, const struct node *map, const char *key)
{
	const struct node *nodeset = node_get(map, key);

	if (!nodeset || nodeset->kind != NODE_SCALAR || !nodeset->length || nodeset->flags & (NODE_LATER | NODE_WRONG))
		return NULL;
	return load_where(loader, nodeset);
}

void load_between(struct loader *loader, const struct node *node, struct scenario_step *step)
{
	const struct node *map = node_get(node, "between");
	const struct scenario_where *clients, *servers;
	struct scenario_between *between;

	if (map->kind != NODE_MAP)
		return;
	clients = end_of(loader, map, "client");
	servers = end_of(loader, map, "server");
	if (!clients || !servers)
		return;
	if (clients->count != servers->count) {
		diags_error(loader->diags, node_place(loader->text, node_get(map, "server")),
			    "'client' names %zu host%s and 'server' %zu: they pair up in order and need as many",
			    clients->count, clients->count == 1 ? "" : "s", servers->count);
		return;
	}
	between = arena_alloc(loader->arena, sizeof(*between) + clients->count * sizeof(between->pairs[0]));
	for (; between->count < clients->count; between->count++)
		between->pairs[between->count] = (struct scenario_pair){.client = clients->hosts[between->count],
									.server = servers->hosts[between->count]};
	step->between = between;
}

static const struct node *key_of(const struct node *map, const char *name)
{
	const struct node *value = node_get(map, name);

	NODE_PAIRS (key, other, map)
		if (other == value)
			return key;
	return NULL;
}

void load_check_ends(struct loader *loader, const struct node *node, const struct scenario_step *step)
{
	const struct node *between = key_of(node, "between");
	const struct rs_source *source = step->probe.source;

	if (between && node_get(node, "hosts"))
		diags_error(loader->diags, node_place(loader->text, between),
			    "a step has 'hosts' or 'between', not both");
	if (!source)
		return;
	if (between && source->scope != RS_PAIR)
		diags_error(loader->diags, node_place(loader->text, between),
			    "'%s' is not observed between two hosts: 'hosts' says where, not 'between'",
			    step->probe.probe->name);
	if (!between && source->scope == RS_PAIR)
		diags_error(loader->diags, step->probe.place,
			    "'%s' is observed between two hosts: 'between: {client: HOST, server: HOST}' says which",
			    step->probe.probe->name);
}

static void check_fact(struct loader *loader, const struct scenario_probe *probe, unsigned column, struct place place)
{
	const struct rs_fact *fact = &probe->probe->facts[column];

	if (fact->unless && schema_gives(probe->map, fact->unless))
		diags_error(loader->diags, place, "'%s' is not observed with '%s'", fact->name, fact->unless);
}

static void check_list(struct loader *loader, const struct scenario_probe *probe, const struct fact_list *list)
{
	for (unsigned i = 0; i < list->count; i++)
		check_fact(loader, probe, list->columns[i], list->place);
}

void load_check_unless(struct loader *loader, const struct scenario_probe *probe)
{
	const struct judge_spec *spec = &probe->spec;

	for (size_t i = 0; i < spec->nwhere; i++)
		check_fact(loader, probe, spec->where[i].column, spec->where[i].place);
	for (size_t i = 0; i < spec->nexpect; i++)
		check_fact(loader, probe, spec->expect[i].column, spec->expect[i].place);
	check_list(loader, probe, &spec->unique);
	check_list(loader, probe, &spec->same);
}
