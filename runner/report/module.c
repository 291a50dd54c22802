/* SPDX-License-Identifier: BSD-2-Clause */
/* Finding and loading report_junit.so. */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "report/target.h"
#include "report/view.h"

#define MODULE "report/report_junit.so"

/* Beside the plugins that were named, in the build tree beside the program, where it was installed: the first there is.
 */
static char *find(void)
{
	const char *named = getenv("RDMASPEC_PLUGIN_DIR");
	char program[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
	char *path;

	if (named && *named) {
		path = xasprintf("%s/" MODULE, named);
		if (access(path, F_OK) == 0)
			return path;
		free(path);
	}
	if (length > 0) {
		program[length] = '\0';
		path = xasprintf("%.*s/" MODULE, (int)(strrchr(program, '/') - program), program);
		if (access(path, F_OK) == 0)
			return path;
		free(path);
	}
	return xstrdup(PLUGIN_DIR "/" MODULE);
}

bool module_is_there(struct diag *diag)
{
	AUTO_FREE char *path = find();

	if (access(path, R_OK) == 0)
		return true;
	diag_set(diag, errno, NO_PLACE, "cannot load the JUnit report: %s: %m", path);
	return false;
}

const struct junit_module *module_load(struct diag *diag)
{
	static const struct junit_module *module;
	const struct junit_module *found;
	AUTO_FREE char *path = NULL;
	void *handle;

	if (module)
		return module;
	path = find();
	handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!handle) {
		diag_set(diag, ENOENT, NO_PLACE, "cannot load the JUnit report: %s", dlerror());
		return NULL;
	}
	found = dlsym(handle, JUNIT_SYMBOL_NAME);
	if (!found || strcmp(found->version, VERSION) != 0) {
		if (found)
			diag_set(diag, ENOENT, NO_PLACE, "%s is of rdmaspec %s, this is rdmaspec " VERSION, path,
				 found->version);
		else
			diag_set(diag, ENOENT, NO_PLACE, "%s has no symbol '" JUNIT_SYMBOL_NAME "'", path);
		dlclose(handle);
		return NULL;
	}
	/* Never closed: it is needed until the last report is written, and that is the end of the process. */
	module = found;
	return module;
}
