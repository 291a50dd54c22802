/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "scenario/internal.h"

static bool is_loaded(const struct loader *loader, const char *plugin)
{
	size_t count;
	const struct rs_plugin *const *plugins = registry_plugins(loader->registry, &count);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(plugins[i]->name, plugin))
			return true;
	return false;
}

/* Says why there is no such probe: of a plugin that is not there once, of its probes wherever they are asked for. */
static void say_unknown(struct loader *loader, const struct node *key, const struct loaded_probe *unknown)
{
	const char *plugin = arena_text(loader->arena, key->text, strcspn(key->text, "."));

	if (is_loaded(loader, plugin) || names_add(&loader->missing, plugin, 0) == NAMES_NONE)
		diags_error(loader->diags, node_place(loader->text, key), "%s", unknown->why);
}

/* A scenario asks for the same few probes again and again. */
static const struct loaded_probe *find_probe(struct loader *loader, const char *name)
{
	size_t before = names_find(&loader->probe_names, name);
	struct loaded_probe found = {0};
	AUTO_FREE char *why = NULL;

	if (before != NAMES_NONE)
		return &loader->probes[before];
	found.probe = registry_probe(loader->registry, name, &found.source, &why);
	if (!found.probe)
		found.why = arena_text(loader->arena, why, strlen(why));
	names_add(&loader->probe_names, name, loader->nprobes);
	GROW(loader->probes, loader->nprobes, loader->probes_capacity);
	loader->probes[loader->nprobes] = found;
	return &loader->probes[loader->nprobes++];
}

/* "ib.sm:" with nothing behind it is a map without keys. */
static const struct node *probe_map(struct loader *loader, const struct node *key, const struct node *value)
{
	struct node *map;

	if (value->kind == NODE_MAP)
		return value;
	if (value->kind != NODE_SCALAR || value->length || value->flags & NODE_QUOTED) {
		diags_error(loader->diags, node_place(loader->text, value),
			    "'%s' takes a map of parameters and expectations", key->text);
		return NULL;
	}
	map = arena_alloc(loader->arena, sizeof(*map));
	*map = *value;
	map->kind = NODE_MAP;
	map->first = NULL;
	map->length = 0;
	return map;
}

static int load_one(struct loader *loader, const struct node *key, const struct node *value,
		    struct scenario_probe *probe)
{
	const struct loaded_probe *found = find_probe(loader, key->text);

	probe->place = node_place(loader->text, key);
	if (!found->probe) {
		say_unknown(loader, key, found);
		return -EINVAL;
	}
	probe->probe = found->probe;
	probe->source = found->source;
	probe->map = probe_map(loader, key, value);
	return probe->map ? 0 : -EINVAL;
}

/* Whether the step has a key that is not known, and may be the probe with a typing error. */
static bool has_unknown_key(const struct node *step)
{
	NODE_PAIRS (key, value, step) {
		const struct schema_key *known = step_schema;

		while (known->name && strcmp(known->name, key->text))
			known++;
		if (!known->name)
			return true;
	}
	return false;
}

int load_probe(struct loader *loader, const struct node *step, struct scenario_probe *probe)
{
	const struct node *first = NULL, *map = NULL;

	NODE_PAIRS (key, value, step) {
		if (!strchr(key->text, '.'))
			continue;
		if (first) {
			diags_error(loader->diags, node_place(loader->text, key),
				    "a step has one probe, and this one has '%s' already (line %u)", first->text,
				    first->line);
			continue;
		}
		first = key;
		map = value;
	}
	if (!first && !has_unknown_key(step))
		diags_error(loader->diags, node_place(loader->text, step),
			    "the step has no probe, as in 'ib.ports: {expect: {state: Active}}'");
	if (!first || load_one(loader, first, map, probe) < 0)
		return -EINVAL;
	schema_check_params(loader->text, probe->source, probe->map, judge_keys, loader->diags);
	if (judge_compile(loader->text, loader->arena, probe->source, probe->probe, probe->map, &probe->spec,
			  loader->diags) < 0)
		return -EINVAL;
	load_check_unless(loader, probe);
	return 0;
}

const struct scenario_probe *load_when(struct loader *loader, const struct node *when)
{
	struct scenario_probe *probe;

	if (when->kind != NODE_MAP || when->length != 2) {
		diags_error(loader->diags, node_place(loader->text, when),
			    "'when' takes one probe, as in '{ib.ports: {where: {state: Active}}}'");
		return NULL;
	}
	probe = arena_alloc(loader->arena, sizeof(*probe));
	if (load_one(loader, when->first, when->first->next, probe) < 0)
		return NULL;
	if (probe->source->scope == RS_PAIR) {
		diags_error(loader->diags, probe->place,
			    "'%s' is observed between two hosts: a condition is looked at on one", when->first->text);
		return NULL;
	}
	schema_check_params(loader->text, probe->source, probe->map, judge_keys, loader->diags);
	judge_compile_when(loader->text, loader->arena, probe->source, probe->probe, probe->map, &probe->spec,
			   loader->diags);
	return probe;
}
