/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: one plugin's file */
#pragma once

#include <rdmaspec/plugin.h>

#include "base/memory.h"

/**
 * struct loaded - a plugin in this process
 * @plugin: in the form of this rdmaspec's header, whatever the plugin was built with; NULL: not loaded
 */
struct loaded {
	void *handle;
	const struct rs_plugin *plugin;
	struct arena arena; /* of tables that had to be copied */
};

/**
 * plugin_load - @name from @directory, its ABI and tables checked
 * Returns 0; -ENOENT where there is no such file (*why NULL: who asks knows better what to say); else -EINVAL with *why
 * an own text that names the file.
 */
int plugin_load(const char *directory, const char *name, struct loaded *loaded, char **why);
void plugin_unload(struct loaded *loaded);

/**
 * plugin_adapt - the tables as this rdmaspec's structs, from what may have been built with smaller or larger ones
 * Where the sizes are equal that is @plugin itself. NULL with *why where it is of another ABI or too small.
 */
const struct rs_plugin *plugin_adapt(const struct rs_plugin *plugin, struct arena *arena, char **why);
