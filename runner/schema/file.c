/* SPDX-License-Identifier: BSD-2-Clause */
/* A parameter that is a file: read here, on the user's side, so that the host that observes needs no copy of it. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "record/as_file.h"
#include "schema/internal.h"

/* @name relative to the folder of @beside */
static char *resolve(const char *beside, const char *name)
{
	const char *slash = beside ? strrchr(beside, '/') : NULL;

	if (name[0] == '/' || !slash)
		return xstrdup(name);
	return xasprintf("%.*s%s", (int)(slash + 1 - beside), beside, name);
}

static int read_all(int fd, struct buf *out)
{
	char block[16384];
	ssize_t count;

	while ((count = read(fd, block, sizeof(block)))) {
		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0)
			return -errno;
		buf_add(out, block, (size_t)count);
		if (out->length > FILE_MAX)
			return -EFBIG;
	}
	return 0;
}

/* O_NONBLOCK: a FIFO without a writer must not hold up the check. */
static int read_file(const char *path, struct buf *out, const char **reason)
{
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;
	int result;

	if (fd < 0 || fstat(fd, &status)) {
		*reason = strerror(errno);
		return -EINVAL;
	}
	if (!S_ISREG(status.st_mode)) {
		*reason = S_ISDIR(status.st_mode) ? "it is a directory" : "it is no regular file";
		return -EINVAL;
	}
	result = status.st_size > FILE_MAX ? -EFBIG : read_all(fd, out);
	if (result == -EFBIG)
		*reason = "it is larger than 16 MiB";
	else if (result)
		*reason = strerror(-result);
	else if (out->length && memchr(out->data, 0, out->length))
		*reason = "a NUL byte is in it";
	return *reason ? -EINVAL : 0;
}

/* Of a recorded run, only what the plugin asks for: the rest is many times as much. */
static int take_recording(const struct rs_param *param, const char *path, struct buf *out, char **why)
{
	AUTO_FREE char *reason = NULL;

	if (recording_as_csv(path, param->table, out, &reason) == 0 && out->length > FILE_MAX)
		reason = xstrdup("holds more than 16 MiB of what is asked of it");
	if (!reason)
		return 0;
	*why = xasprintf("%s: '%s' %s", param->key, path, reason);
	return -EINVAL;
}

int param_file(const struct text *text, const struct rs_param *param, const struct node *node, struct buf *out,
	       char **why)
{
	AUTO_FREE char *path = resolve(text->files[node->file].path, node->text);
	const char *reason = NULL;

	if (param->table && recording_is(path))
		return take_recording(param, path, out, why);
	if (!read_file(path, out, &reason))
		return 0;
	*why = xasprintf("%s: '%s' cannot be read: %s", param->key, path, reason);
	return -EINVAL;
}
