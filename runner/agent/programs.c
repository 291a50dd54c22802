/* SPDX-License-Identifier: BSD-2-Clause */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/programs.h"
#include "base/cleanup.h"

#define SBIN "/usr/local/sbin:/usr/sbin:/sbin"

static bool runs(const char *path)
{
	struct stat status;

	return access(path, X_OK) == 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static const char *find_in(struct arena *arena, const char *directories, const char *name)
{
	for (const char *from = directories; *from;) {
		size_t length = strcspn(from, ":");
		const char *path = arena_printf(arena, "%.*s/%s", (int)length, from, name);

		if (length && runs(path))
			return path;
		from += length + (from[length] == ':');
	}
	return NULL;
}

const char *program_find(struct arena *arena, const char *name, const char *package, struct diag *diag)
{
	const char *path = getenv("PATH");
	const char *found = path ? find_in(arena, path, name) : NULL;

	if (!found)
		found = find_in(arena, SBIN, name);
	if (!found)
		diag_set(diag, ENOENT, NO_PLACE,
			 "a simulated fabric needs '%s', which is not installed (Debian package %s)", name, package);
	return found;
}

static bool of_our_kind(const char *path)
{
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	AUTO_CLOSE int own = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	Elf64_Ehdr theirs, ours; /* both classes begin alike, up to e_machine */
	size_t head = offsetof(Elf64_Ehdr, e_version);

	return fd >= 0 && own >= 0 && read(fd, &theirs, head) == (ssize_t)head &&
	       read(own, &ours, head) == (ssize_t)head && !memcmp(theirs.e_ident, ours.e_ident, EI_VERSION) &&
	       theirs.e_machine == ours.e_machine;
}

const char *preload_find(struct arena *arena, struct diag *diag)
{
	static const char *const patterns[] = {
		"/usr/lib/*/umad2sim/libumad2sim.so",
		"/usr/lib64/umad2sim/libumad2sim.so",
		"/usr/lib/umad2sim/libumad2sim.so",
		"/usr/local/lib*/umad2sim/libumad2sim.so",
	};
	const char *before = getenv("LD_PRELOAD"), *found = NULL;

	for (size_t i = 0; !found && i < sizeof(patterns) / sizeof(*patterns); i++) {
		glob_t matches = {0};

		glob(patterns[i], 0, NULL, &matches);
		for (size_t j = 0; !found && j < matches.gl_pathc; j++)
			if (of_our_kind(matches.gl_pathv[j]))
				found = arena_printf(arena, "%s%s%s", matches.gl_pathv[j], before && *before ? ":" : "",
						     before ? before : "");
		globfree(&matches);
	}
	if (!found)
		diag_set(
			diag, ENOENT, NO_PLACE,
			"a simulated fabric needs libumad2sim.so, which is not installed (Debian package ibsim-utils)");
	return found;
}

static bool set_by(const char *const *settings, const char *variable)
{
	size_t length = strcspn(variable, "=") + 1;

	for (; *settings; settings++)
		if (!strncmp(*settings, variable, length))
			return true;
	return false;
}

const char *const *environment_with(struct arena *arena, const char *const *settings)
{
	size_t count = 0, extra = 0, n = 0;
	const char **environment;

	while (environ[count])
		count++;
	while (settings[extra])
		extra++;
	environment = arena_alloc(arena, (count + extra + 1) * sizeof(*environment));
	for (size_t i = 0; i < count; i++)
		if (!set_by(settings, environ[i]))
			environment[n++] = environ[i];
	for (size_t i = 0; i < extra; i++)
		environment[n++] = arena_text(arena, settings[i], strlen(settings[i]));
	return environment;
}
