/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugin/registry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "plugin/directory.h"
#include "plugin/load.h"

struct entry {
	char *name;
	struct loaded loaded; /* plugin NULL: could not be loaded */
	char *why;	      /* then an own text */
	bool told;	      /* by registry_load_all() */
};

struct registry {
	char *directory;
	struct entry *entries;
	size_t count, capacity;
	const struct rs_plugin **plugins; /* those of entries that could be loaded, by name */
	size_t nplugins;
	struct strings names; /* of all in the directory, once somebody asked for one that is not there */
	bool listed;
};

struct registry *registry_new(const char *directory)
{
	struct registry *registry = xcalloc(1, sizeof(*registry));

	registry->directory = directory_find(directory);
	return registry;
}

void registry_free(struct registry *registry)
{
	if (!registry)
		return;
	for (size_t i = 0; i < registry->count; i++) {
		plugin_unload(&registry->entries[i].loaded);
		free(registry->entries[i].name);
		free(registry->entries[i].why);
	}
	free(registry->entries);
	free(registry->plugins);
	strings_free(&registry->names);
	free(registry->directory);
	free(registry);
}

const char *registry_directory(const struct registry *registry)
{
	return registry->directory;
}

static void add_plugin(struct registry *registry, const struct rs_plugin *plugin)
{
	size_t at = registry->nplugins;

	registry->plugins = xrealloc(registry->plugins, at + 1, sizeof(*registry->plugins));
	for (; at && strcmp(registry->plugins[at - 1]->name, plugin->name) > 0; at--)
		registry->plugins[at] = registry->plugins[at - 1];
	registry->plugins[at] = plugin;
	registry->nplugins++;
}

/* Once a name, however the loading ends: a scenario may name a broken plugin in 100,000 steps. */
static struct entry *entry_of(struct registry *registry, const char *name, size_t length)
{
	struct entry *entry;

	for (size_t i = 0; i < registry->count; i++)
		if (!strncmp(registry->entries[i].name, name, length) && !registry->entries[i].name[length])
			return &registry->entries[i];
	GROW(registry->entries, registry->count, registry->capacity);
	entry = &registry->entries[registry->count++];
	*entry = (struct entry){.name = xasprintf("%.*s", (int)length, name)};
	if (!plugin_load(registry->directory, entry->name, &entry->loaded, &entry->why))
		add_plugin(registry, entry->loaded.plugin);
	return entry;
}

static const struct rs_probe *probe_of(const struct rs_plugin *plugin, const char *name,
				       const struct rs_source **source)
{
	for (size_t i = 0; i < plugin->nsources; i++) {
		for (size_t j = 0; j < plugin->sources[i].nprobes; j++) {
			if (strcmp(plugin->sources[i].probes[j].name, name))
				continue;
			if (source)
				*source = &plugin->sources[i];
			return &plugin->sources[i].probes[j];
		}
	}
	return NULL;
}

static void probe_names(const struct rs_plugin *plugin, struct strings *names)
{
	for (size_t i = 0; i < plugin->nsources; i++)
		for (size_t j = 0; j < plugin->sources[i].nprobes; j++)
			strings_add(names, plugin->sources[i].probes[j].name);
}

static char *no_probe(const struct rs_plugin *plugin, const char *name)
{
	AUTO_STRINGS struct strings names = {0};
	AUTO_BUF struct buf list = {0};
	const char *like;

	probe_names(plugin, &names);
	like = suggest(name, (const char *const *)names.items, names.count);
	if (like)
		return xasprintf("plugin '%s' has no probe '%s'; did you mean '%s'?", plugin->name, name, like);
	for (size_t i = 0; i < names.count; i++)
		buf_printf(&list, "%s%s", i ? ", " : "", names.items[i]);
	return xasprintf("plugin '%s' has no probe '%s'; it has %s", plugin->name, name, list.data);
}

/* "bi.prots": the probe that is meant, in the plugin that is meant */
static const char *meant(struct registry *registry, const char *plugin, const char *name)
{
	const struct entry *entry = entry_of(registry, plugin, strlen(plugin));
	AUTO_FREE char *full = xasprintf("%s%s", plugin, strchr(name, '.'));
	AUTO_STRINGS struct strings names = {0};
	const struct rs_probe *probe;
	const char *like;

	if (!entry->loaded.plugin)
		return NULL;
	probe_names(entry->loaded.plugin, &names);
	like = suggest(full, (const char *const *)names.items, names.count);
	probe = like ? probe_of(entry->loaded.plugin, like, NULL) : NULL;
	return probe ? probe->name : NULL;
}

static char *no_plugin(struct registry *registry, const char *name, size_t length)
{
	AUTO_FREE char *plugin = xasprintf("%.*s", (int)length, name);
	const char *like, *probe;

	if (!registry->listed)
		directory_plugins(registry->directory, &registry->names, NULL);
	registry->listed = true;
	if (!registry->names.count)
		return xasprintf("there is no plugin '%s': no plugins in '%s'", plugin, registry->directory);
	like = suggest(plugin, (const char *const *)registry->names.items, registry->names.count);
	probe = like ? meant(registry, like, name) : NULL;
	if (!like)
		return xasprintf("there is no plugin '%s' in '%s'", plugin, registry->directory);
	return xasprintf("there is no plugin '%s'; did you mean '%s'?", plugin, probe ? probe : like);
}

static const struct rs_plugin *plugin_of_name(struct registry *registry, const char *name, char **why)
{
	size_t length = strcspn(name, ".");
	struct entry *entry;

	if (name[length] != '.' || !directory_is_name(name, length)) {
		*why = xasprintf("'%s' is not the name of a probe: PLUGIN.PROBE, such as ib.ports", name);
		return NULL;
	}
	entry = entry_of(registry, name, length);
	if (entry->loaded.plugin)
		return entry->loaded.plugin;
	*why = entry->why ? xstrdup(entry->why) : no_plugin(registry, name, length);
	return NULL;
}

const struct rs_probe *registry_probe(struct registry *registry, const char *name, const struct rs_source **source,
				      char **why)
{
	const struct rs_plugin *plugin = plugin_of_name(registry, name, why);
	const struct rs_probe *probe = plugin ? probe_of(plugin, name, source) : NULL;

	if (plugin && !probe)
		*why = no_probe(plugin, name);
	return probe;
}

const struct rs_source *registry_source(struct registry *registry, const char *name, char **why)
{
	const struct rs_plugin *plugin = plugin_of_name(registry, name, why);

	if (!plugin)
		return NULL;
	for (size_t i = 0; i < plugin->nsources; i++)
		if (!strcmp(plugin->sources[i].name, name))
			return &plugin->sources[i];
	*why = xasprintf("plugin '%s' has no source '%s'", plugin->name, name);
	return NULL;
}

int registry_load_all(struct registry *registry, struct diags *diags)
{
	AUTO_STRINGS struct strings names = {0};
	size_t errors = diags->errors;

	directory_plugins(registry->directory, &names, diags);
	if (!names.count && diags->errors == errors)
		diags_error(diags, NO_PLACE, "no plugins in '%s'", registry->directory);
	for (size_t i = 0; i < names.count; i++) {
		struct entry *entry = entry_of(registry, names.items[i], strlen(names.items[i]));

		if (entry->loaded.plugin || entry->told)
			continue;
		entry->told = true;
		diags_error(diags, NO_PLACE, "%s", entry->why ? entry->why : "a plugin went away while it was loaded");
	}
	return diags->errors > errors ? -EINVAL : 0;
}

const struct rs_plugin *const *registry_plugins(const struct registry *registry, size_t *count)
{
	*count = registry->nplugins;
	return registry->plugins;
}

const struct rs_plugin *registry_plugin_of(const struct registry *registry, const struct rs_source *source)
{
	for (size_t i = 0; i < registry->nplugins; i++)
		for (size_t j = 0; j < registry->plugins[i]->nsources; j++)
			if (source == &registry->plugins[i]->sources[j])
				return registry->plugins[i];
	return NULL;
}
