/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"

static char *directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return xstrdup(".");
	return slash == path ? xstrdup("/") : strndup(path, (size_t)(slash - path));
}

/* One link followed, relative to the folder it is in. */
static char *follow(const char *path)
{
	char text[PATH_MAX];
	ssize_t length = readlink(path, text, sizeof(text) - 1);
	AUTO_FREE char *directory = directory_of(path);

	if (length < 0)
		return NULL;
	text[length] = '\0';
	return text[0] == '/' ? xstrdup(text) : xasprintf("%s/%s", directory, text);
}

int replace_resolve(const char *path, char **resolved, char **directory, bool *regular)
{
	AUTO_FREE char *at = xstrdup(path);
	struct stat status;
	int links = 0;

	/* A device or a pipe first: what /dev/fd/N leads to has no name to be followed to. */
	*regular = stat(path, &status) < 0 || S_ISREG(status.st_mode);
	while (*regular && lstat(at, &status) == 0 && S_ISLNK(status.st_mode)) {
		char *next = links++ < 40 ? follow(at) : NULL;

		if (!next)
			return -ELOOP;
		free(at);
		at = next;
	}
	if (directory)
		*directory = directory_of(at);
	*resolved = at;
	at = NULL;
	return 0;
}

int replace_beside(const char *directory, char **path)
{
	for (unsigned i = 0; i < 1000; i++) {
		char *name = xasprintf("%s/.rdmaspec-%ld-%u.tmp", directory, (long)getpid(), i);
		int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);

		if (fd >= 0) {
			*path = name;
			return fd;
		}
		free(name);
		if (errno != EEXIST)
			return -errno;
	}
	return -EEXIST;
}
