/* SPDX-License-Identifier: BSD-2-Clause */
/* The two ends of a step: its pairs of hosts, and whether its probe is one of pairs. */
#include <errno.h>
#include <string.h>

#include "scenario/internal.h"
#include "scenario/pattern.h"
#include "scenario/plan.h"

/* A value that can be read; NULL where it is not there, or why not was said. */
static const struct node *value_of(const struct node *map, const char *key)
{
	const struct node *value = node_get(map, key);

	if (!value || value->kind != NODE_SCALAR || value->flags & (NODE_LATER | NODE_WRONG))
		return NULL;
	return value->length || value->flags & NODE_QUOTED ? value : NULL;
}

/* The hosts that a key names; NULL where they are not known, and why was said. */
static const struct scenario_where *hosts_of(struct loader *loader, const struct node *map, const char *key)
{
	const struct node *nodeset = value_of(map, key);

	return nodeset ? load_where(loader, nodeset) : NULL;
}

static int load_ends(struct loader *loader, const struct node *map, struct scenario_between *between)
{
	between->pattern = PATTERN_LISTED;
	between->clients = hosts_of(loader, map, "client");
	between->servers = hosts_of(loader, map, "server");
	if (!between->clients || !between->servers)
		return -EINVAL;
	between->npairs = between->clients->count;
	if (between->npairs == between->servers->count)
		return 0;
	diags_error(loader->diags, node_place(loader->text, node_get(map, "server")),
		    "'client' names %zu host%s and 'server' %zu: they pair up in order and need as many",
		    between->npairs, plural(between->npairs), between->servers->count);
	return -EINVAL;
}

/* "count" and "seed" choose among all pairs. */
static int check_random(struct loader *loader, const struct node *map, enum pattern pattern)
{
	static const char *const keys[] = {"count", "seed"};
	int result = 0;

	for (size_t i = 0; i < 2; i++) {
		if (pattern == PATTERN_RANDOM || !node_get(map, keys[i]))
			continue;
		diags_error(loader->diags, node_place(loader->text, node_key(map, keys[i])),
			    "'%s' is for 'pattern: random'; %s makes the pairs that it makes", keys[i],
			    pattern_names[pattern]);
		result = -EINVAL;
	}
	if (pattern != PATTERN_RANDOM || node_get(map, "count"))
		return result;
	diags_error(loader->diags, node_place(loader->text, map),
		    "'pattern: random' needs 'count', the number of pairs");
	return -EINVAL;
}

/* How many pairs there are to be; 0 where that is wrong, and why was said. */
static uint64_t count_pairs(struct loader *loader, const struct node *map, const struct scenario_between *between)
{
	const struct node *hosts = node_get(map, "hosts"), *wanted = node_get(map, "count");
	uint64_t most = pattern_most(between->pattern, between->hosts->count), count = most;

	if (between->hosts->count < 2) {
		diags_error(loader->diags, node_place(loader->text, hosts),
			    "a pattern needs two hosts or more, and '%.100s' is %s", hosts->text,
			    between->hosts->count ? "one" : "none");
		return 0;
	}
	if (between->pattern == PATTERN_RANDOM)
		count = (uint64_t)schema_integer(map, "count", 0);
	if (count > most) {
		diags_error(loader->diags, node_place(loader->text, wanted),
			    "'count' is %llu, and there are only %llu pairs of %zu hosts", (unsigned long long)count,
			    (unsigned long long)most, between->hosts->count);
		return 0;
	}
	if (count * (between->both ? 2 : 1) <= PLAN_PARTS_MAX)
		return count;
	diags_error(loader->diags, node_place(loader->text, hosts), "%s of %zu hosts: more than %d pairs",
		    pattern_names[between->pattern], between->hosts->count, PLAN_PARTS_MAX);
	return 0;
}

static int load_pattern(struct loader *loader, const struct node *map, struct scenario_between *between)
{
	const struct node *name = value_of(map, "pattern");
	unsigned pattern = 0;

	between->hosts = hosts_of(loader, map, "hosts");
	if (!name)
		return -EINVAL;
	while (pattern < PATTERN_LISTED && strcmp(pattern_names[pattern], name->text))
		pattern++;
	if (pattern == PATTERN_LISTED)
		return -EINVAL;
	between->pattern = (enum pattern)pattern;
	between->seed = (uint64_t)schema_integer(map, "seed", 1);
	if (check_random(loader, map, between->pattern) < 0 || !between->hosts)
		return -EINVAL;
	between->npairs = count_pairs(loader, map, between);
	return between->npairs ? 0 : -EINVAL;
}

void load_between(struct loader *loader, const struct node *node, struct scenario_step *step)
{
	const struct node *map = node_get(node, "between");
	struct scenario_between *between;
	bool pattern;

	if (map->kind != NODE_MAP)
		return;
	between = arena_alloc(loader->arena, sizeof(*between));
	between->both = !strcmp(schema_text(map, "directions", "one"), "both");
	between->cross = schema_boolean(map, "cross", false);
	pattern = node_get(map, "hosts") || node_get(map, "pattern");
	if (pattern && (node_get(map, "client") || node_get(map, "server")))
		return;
	if (pattern ? load_pattern(loader, map, between) < 0 : load_ends(loader, map, between) < 0)
		return;
	between->npairs *= between->both ? 2 : 1;
	step->between = between;
}

void load_check_ends(struct loader *loader, const struct node *node, const struct scenario_step *step)
{
	const struct node *between = node_key(node, "between");
	const struct rs_source *source = step->probe.source;

	if (between && node_get(node, "hosts"))
		diags_error(loader->diags, node_place(loader->text, between),
			    "a step has 'hosts' or 'between', not both");
	if (step->between && step->between->cross && !node_get(node, "each"))
		diags_error(loader->diags, node_place(loader->text, node_key(node_get(node, "between"), "cross")),
			    "'cross' is about the values of 'each', and the step has none");
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
