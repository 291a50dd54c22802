/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugin/load.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "plugin/directory.h"
#include "schema/schema.h"

/* The structs as they were when this major version began; what a plugin has less than this, it cannot do without. */
#define PLUGIN_LEAST (offsetof(struct rs_plugin, nsources) + sizeof(size_t))
#define SOURCE_LEAST (offsetof(struct rs_source, observe) + sizeof(void *))

/* How far to look for the symbol of another major version, to be able to say so. */
#define ABI_LOOKED_FOR 32

static const struct rs_source *adapt_sources(const struct rs_plugin *plugin, size_t size, struct arena *arena)
{
	struct rs_source *sources = arena_alloc(arena, plugin->nsources * sizeof(*sources));

	for (size_t i = 0; i < plugin->nsources; i++)
		memcpy(&sources[i], (const char *)plugin->sources + i * size,
		       size < sizeof(*sources) ? size : sizeof(*sources));
	return sources;
}

const struct rs_plugin *plugin_adapt(const struct rs_plugin *plugin, struct arena *arena, char **why)
{
	size_t size, source_size;
	struct rs_plugin *own;

	if (plugin->abi != RS_ABI) {
		*why = xasprintf("it is built for plugin interface %u, this rdmaspec has interface %u", plugin->abi,
				 RS_ABI);
		return NULL;
	}
	size = plugin->size;
	source_size = plugin->source_size;
	if (size < PLUGIN_LEAST || source_size < SOURCE_LEAST) {
		*why = xasprintf("its structs have %zu and %zu bytes, plugin interface %u has at least %zu and %zu",
				 size, source_size, RS_ABI, PLUGIN_LEAST, SOURCE_LEAST);
		return NULL;
	}
	if (source_size % _Alignof(struct rs_source)) {
		*why = xasprintf("its source struct has %zu bytes, which cannot be", source_size);
		return NULL;
	}
	if (size >= sizeof(*plugin) && source_size == sizeof(struct rs_source))
		return plugin;
	own = arena_alloc(arena, sizeof(*own));
	memcpy(own, plugin, size < sizeof(*own) ? size : sizeof(*own));
	if (plugin->sources && plugin->nsources)
		own->sources = adapt_sources(plugin, source_size, arena);
	return own;
}

static char *no_symbol(void *handle)
{
	for (unsigned abi = 1; abi < ABI_LOOKED_FOR; abi++) {
		char symbol[32];

		snprintf(symbol, sizeof(symbol), "rs_plugin_v%u", abi);
		if (abi != RS_ABI && dlsym(handle, symbol))
			return xasprintf(
				"it is built for plugin interface %u (%s), this rdmaspec has interface %u (%s)", abi,
				symbol, RS_ABI, RS_PLUGIN_SYMBOL);
	}
	return xstrdup("it is no rdmaspec plugin: it has no symbol " RS_PLUGIN_SYMBOL);
}

/* dlopen() would wait for a writer of a FIFO, and speaks of a directory in riddles. */
static char *no_file(const char *path)
{
	struct stat status;

	if (stat(path, &status))
		return errno == ENOENT ? xstrdup("it is a symbolic link to a file that is not there")
				       : xstrdup(strerror(errno));
	if (!S_ISREG(status.st_mode))
		return xstrdup(S_ISDIR(status.st_mode) ? "it is a directory" : "it is no regular file");
	if (access(path, R_OK))
		return xstrdup(strerror(errno));
	return NULL;
}

/* dlerror() begins with the path, which the message has already. */
static char *why_not(const char *path)
{
	const char *said = dlerror();
	size_t length = strlen(path);

	if (!said)
		return xstrdup("dlopen() failed");
	if (!strncmp(said, path, length) && !strncmp(said + length, ": ", 2))
		said += length + 2;
	return xstrdup(said);
}

static char *load_file(const char *path, const char *name, struct loaded *loaded)
{
	const struct rs_plugin *plugin;
	char *why = no_file(path);

	if (why)
		return why;
	loaded->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!loaded->handle)
		return why_not(path);
	plugin = dlsym(loaded->handle, RS_PLUGIN_SYMBOL);
	if (!plugin)
		return no_symbol(loaded->handle);
	plugin = plugin_adapt(plugin, &loaded->arena, &why);
	if (plugin && !schema_check_plugin(plugin, name, &why))
		loaded->plugin = plugin;
	return why;
}

int plugin_load(const char *directory, const char *name, struct loaded *loaded, char **why)
{
	AUTO_FREE char *path = directory_file(directory, name);
	AUTO_FREE char *reason = NULL;
	struct stat status;

	*loaded = (struct loaded){0};
	*why = NULL;
	if (lstat(path, &status) && (errno == ENOENT || errno == ENOTDIR))
		return -ENOENT;
	reason = load_file(path, name, loaded);
	if (!reason)
		return 0;
	plugin_unload(loaded);
	*why = xasprintf("'%s' cannot be loaded: %s", path, reason);
	return -EINVAL;
}

void plugin_unload(struct loaded *loaded)
{
	if (loaded->handle)
		dlclose(loaded->handle);
	arena_free(&loaded->arena);
	*loaded = (struct loaded){0};
}
