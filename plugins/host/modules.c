/* SPDX-License-Identifier: BSD-2-Clause */
/* host.modules: one row a kernel module, from sysfs, and for those not loaded from /lib/modules */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "host/host.h"
#include "support/sysfs.h"

enum { NAME, LOADED, BUILTIN, AVAILABLE, VERSION_FACT, SRCVERSION, REFERENCES, USED_BY, SETTINGS, FACTS };

#define NEEDS_LOADED "needs a module that is loaded, and that says so"

static const struct rs_fact facts[] = {
	[NAME] = {.name = "name", .type = RS_TEXT, .flags = RS_F_KEY, .doc = "name of the module, with underscores"},
	[LOADED] = {.name = "loaded",
		    .type = RS_BOOLEAN,
		    .doc = "loaded and live (/sys/module/NAME/initstate), or built into the kernel"},
	[BUILTIN] = {.name = "builtin",
		     .type = RS_BOOLEAN,
		     .doc = "built into the kernel: has /sys/module/NAME without initstate, or is in modules.builtin"},
	[AVAILABLE] = {.name = "available",
		       .type = RS_BOOLEAN,
		       .doc = "could be loaded: is in modules.dep of the running kernel, or loaded already",
		       .observed_by = "needs the running kernel's /lib/modules"},
	[VERSION_FACT] =
		{.name = "version",
		 .type = RS_TEXT,
		 .doc = "file version: what the module calls its own version (an out-of-tree driver's release)",
		 .observed_by = NEEDS_LOADED},
	[SRCVERSION] = {.name = "srcversion",
			.type = RS_TEXT,
			.doc = "file srcversion: checksum of the module's source",
			.observed_by = NEEDS_LOADED},
	[REFERENCES] = {.name = "references",
			.type = RS_INTEGER,
			.flags = RS_F_VOLATILE,
			.doc = "file refcnt: how often it is in use",
			.observed_by = NEEDS_LOADED},
	[USED_BY] = {.name = "used_by",
		     .type = RS_TEXT,
		     .flags = RS_F_LIST,
		     .doc = "folder holders: modules that need this one",
		     .observed_by = NEEDS_LOADED},
	[SETTINGS] = {.name = "settings",
		      .type = RS_TEXT,
		      .flags = RS_F_LIST,
		      .doc = "folder parameters: NAME=VALUE of each that can be read",
		      .observed_by = NEEDS_LOADED},
	[FACTS] = {0},
};

/* modules.dep and modules.builtin of the running kernel; NULL where they cannot be read */
struct index {
	char *dependencies, *builtin;
};

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "re");
	char *text = NULL;
	size_t size = 0;

	if (!file)
		return NULL;
	if (getdelim(&text, &size, '\0', file) < 0) {
		free(text);
		text = NULL;
	}
	fclose(file);
	return text;
}

static void read_index(struct index *index)
{
	struct utsname kernel;
	char path[256];

	*index = (struct index){0};
	if (uname(&kernel) < 0)
		return;
	snprintf(path, sizeof(path), "/lib/modules/%s/modules.dep", kernel.release);
	index->dependencies = read_file(path);
	snprintf(path, sizeof(path), "/lib/modules/%s/modules.builtin", kernel.release);
	index->builtin = read_file(path);
}

static void underscores(char *name)
{
	for (; *name; name++)
		if (*name == '-')
			*name = '_';
}

/* Whether a line begins with ".../NAME.ko", perhaps compressed */
static bool listed(const char *index, const char *name)
{
	char base[128];

	for (const char *line = index; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		size_t length = strcspn(line, ":\n");
		const char *start = memrchr(line, '/', length), *end;

		start = start ? start + 1 : line;
		end = memmem(start, (size_t)(line + length - start), ".ko", 3);
		if (!end || (size_t)(end - start) >= sizeof(base))
			continue;
		snprintf(base, sizeof(base), "%.*s", (int)(end - start), start);
		underscores(base);
		if (!strcmp(base, name))
			return true;
	}
	return false;
}

static void set_text_file(struct rs_ctx *ctx, unsigned fact, const char *name, const char *file)
{
	char text[256];
	int length = sysfs_read(ctx, text, sizeof(text), "module/%s/%s", name, file);

	if (length >= 0)
		rs_set_bytes(ctx, fact, text, (size_t)length);
	else if (length == -ENOENT)
		rs_set_none(ctx, fact); /* the module has none */
}

static void set_lists(struct rs_ctx *ctx, const char *name)
{
	char **names, text[512];
	int count = sysfs_list(ctx, &names, "module/%s/holders", name);

	if (count <= 0 && count != -EACCES)
		rs_set_none(ctx, USED_BY);
	for (int i = 0; i < count; i++)
		rs_set_text(ctx, USED_BY, names[i]);
	count = sysfs_list(ctx, &names, "module/%s/parameters", name);
	if (count <= 0 && count != -EACCES)
		rs_set_none(ctx, SETTINGS);
	for (int i = 0; i < count; i++) {
		int length = snprintf(text, sizeof(text), "%s=", names[i]);

		if (length < (int)sizeof(text) && sysfs_read(ctx, text + length, sizeof(text) - (size_t)length,
							     "module/%s/parameters/%s", name, names[i]) >= 0)
			rs_set_text(ctx, SETTINGS, text);
	}
}

static void set_loaded(struct rs_ctx *ctx, const char *name)
{
	uint64_t references;

	set_text_file(ctx, VERSION_FACT, name, "version");
	set_text_file(ctx, SRCVERSION, name, "srcversion");
	if (!sysfs_number(ctx, &references, "module/%s/refcnt", name))
		rs_set_integer(ctx, REFERENCES, (int64_t)references);
	set_lists(ctx, name);
}

static void add_row(struct rs_ctx *ctx, const char *name, const struct index *index)
{
	char state[32], **entries;
	int length = sysfs_read(ctx, state, sizeof(state), "module/%s/initstate", name);
	bool there = sysfs_list(ctx, &entries, "module/%s", name) >= 0;
	bool builtin = there ? length < 0 : listed(index->builtin, name);
	bool loaded = builtin || (length > 0 && !strcmp(state, "live"));

	rs_row_begin(ctx, 0);
	rs_set_text(ctx, NAME, name);
	rs_set_boolean(ctx, LOADED, loaded);
	rs_set_boolean(ctx, BUILTIN, builtin);
	if (there || builtin || index->dependencies)
		rs_set_boolean(ctx, AVAILABLE, there || builtin || listed(index->dependencies, name));
	if (there)
		set_loaded(ctx, name);
}

static int add_loaded(struct rs_ctx *ctx, const struct index *index)
{
	char **names, state[32];
	int count = sysfs_list(ctx, &names, "module");

	if (count < 0)
		return rs_error(ctx, count == -ENOENT ? RS_ABSENT : RS_FAILED, "%s/module: %s", rs_sysfs(ctx),
				strerror(-count));
	for (int i = 0; i < count; i++)
		if (sysfs_read(ctx, state, sizeof(state), "module/%s/initstate", names[i]) >= 0)
			add_row(ctx, names[i], index);
	return 0;
}

int host_modules_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	const struct host_names *params = data;
	struct index index = {0};
	int error = 0;

	if (params->count && !rs_recorded(ctx))
		read_index(&index);
	if (!params->count)
		error = add_loaded(ctx, &index);
	for (unsigned i = 0; i < params->count && !error; i++) {
		char *name = rs_alloc(ctx, strlen(params->names[i]) + 1);

		strcpy(name, params->names[i]);
		underscores(name);
		if (!*name || strchr(name, '/') || !strcmp(name, ".."))
			error = rs_error(ctx, RS_INVALID, "\"%s\" is no name of a module", name);
		else
			add_row(ctx, name, &index);
	}
	free(index.dependencies);
	free(index.builtin);
	return error;
}

const struct rs_param host_modules_params[] = {
	{.key = "names",
	 .type = RS_TEXT,
	 .flags = RS_LIST,
	 .min = 1,
	 .max = 64,
	 .offset = offsetof(struct host_names, names),
	 .count_offset = offsetof(struct host_names, count),
	 .doc = "modules to look for, loaded or not; without it, all that are loaded"},
	{0},
};

const struct rs_probe host_modules_probe = {
	.name = "host.modules",
	.summary = "kernel modules: loaded, built in, or at least there; their version and settings",
	.row = "module {name}",
	.facts = facts,
};
