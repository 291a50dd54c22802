/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugin/directory.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"

#define SUFFIX ".so"

/*
 * A program that was not installed finds the plugins that were built with it: meson puts each into plugins/NAME/ of the
 * build directory, and the program one or two folders below that directory. NULL where it is not in one.
 */
static char *build_directory(void)
{
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	if (length <= 0)
		return NULL;
	self[length] = 0;
	slash = strrchr(self, '/');
	for (int up = 0; slash && slash != self && up < 3; up++, slash = strrchr(self, '/')) {
		AUTO_FREE char *mark = NULL;

		*slash = 0;
		mark = xasprintf("%s/meson-private", self);
		if (!access(mark, F_OK))
			return xasprintf("%s/plugins", self);
	}
	return NULL;
}

char *directory_find(const char *given)
{
	const char *environment = getenv("RDMASPEC_PLUGIN_DIR");
	char *build;

	if (given)
		return xstrdup(given);
	if (environment && *environment)
		return xstrdup(environment);
	build = build_directory();
	return build ? build : xstrdup(PLUGIN_DIR);
}

bool directory_is_name(const char *name, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!(name[i] >= 'a' && name[i] <= 'z') &&
		    (!i || (name[i] != '_' && !(name[i] >= '0' && name[i] <= '9'))))
			return false;
	return length > 0 && length < 64;
}

char *directory_file(const char *directory, const char *name)
{
	char *flat = xasprintf("%s/%s" SUFFIX, directory, name);
	char *nested = xasprintf("%s/%s/%s" SUFFIX, directory, name, name);
	struct stat status;
	bool use_nested = lstat(flat, &status) && !lstat(nested, &status);

	free(use_nested ? flat : nested);
	return use_nested ? nested : flat;
}

static void add_file(const char *directory, const char *file, struct strings *names, struct diags *diags)
{
	size_t length = strlen(file) - strlen(SUFFIX);
	AUTO_FREE char *name = xasprintf("%.*s", (int)length, file);

	if (directory_is_name(name, length))
		strings_add(names, name);
	else if (diags)
		diags_error(diags, NO_PLACE,
			    "'%s/%s' is not called as a plugin can be: lower-case letters, digits and _, then .so",
			    directory, file);
}

static void add_folder(const char *directory, const char *folder, struct strings *names)
{
	AUTO_FREE char *file = xasprintf("%s/%s/%s" SUFFIX, directory, folder, folder);

	if (directory_is_name(folder, strlen(folder)) && !access(file, F_OK) && !strings_have(names, folder))
		strings_add(names, folder);
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void directory_plugins(const char *directory, struct strings *names, struct diags *diags)
{
	AUTO_CLOSEDIR DIR *dir = opendir(directory);
	struct dirent *entry;

	if (!dir) {
		if (diags)
			diags_error(diags, NO_PLACE, "the plugin directory '%s' cannot be read: %s", directory,
				    strerror(errno));
		return;
	}
	while ((entry = readdir(dir))) {
		size_t length = strlen(entry->d_name);

		if (entry->d_name[0] == '.')
			continue;
		if (length > strlen(SUFFIX) && !strcmp(entry->d_name + length - strlen(SUFFIX), SUFFIX))
			add_file(directory, entry->d_name, names, diags);
	}
	rewinddir(dir);
	while ((entry = readdir(dir)))
		add_folder(directory, entry->d_name, names);
	if (names->count)
		qsort(names->items, names->count, sizeof(*names->items), compare);
}
