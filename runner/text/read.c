/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "text/internal.h"

#define CHUNK ((size_t)64 * 1024)
#define WRITER_MS 2000 /* how long a FIFO may be without one */

static int refuse(char **why, int error, const char *text)
{
	*why = xstrdup(text);
	return -error;
}

/* Whatever the size was said to be: pipes have none, and a file may grow. */
static int read_all(int fd, struct buf *out, char **why)
{
	AUTO_FREE char *chunk = xmalloc(CHUNK);

	for (;;) {
		ssize_t got = read(fd, chunk, CHUNK);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return refuse(why, errno, strerror(errno));
		if (!got)
			return 0;
		if (out->length + (size_t)got > FILE_MAX_BYTES)
			return refuse(why, EFBIG, "it is larger than 16 MiB");
		buf_add(out, chunk, (size_t)got);
	}
}

/* @fd does not block. A FIFO that nobody has open for writing reads as empty; one that somebody has, as "try again". */
static int wait_for_writer(int fd, struct buf *out, char **why)
{
	struct pollfd wait = {.fd = fd, .events = POLLIN};
	ssize_t got;
	char byte;

	if (poll(&wait, 1, WRITER_MS) > 0)
		return 0;
	got = read(fd, &byte, 1);
	if (!got)
		return refuse(why, EPIPE, "nobody writes to this pipe");
	if (got > 0) /* just now */
		buf_add(out, &byte, 1);
	return 0;
}

int read_bounded(const char *path, struct buf *out, char **why)
{
	AUTO_CLOSE int opened = path ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1;
	int fd = path ? opened : STDIN_FILENO;
	struct stat stat;

	if (fd < 0 || fstat(fd, &stat) < 0)
		return refuse(why, errno, strerror(errno));
	if (S_ISDIR(stat.st_mode))
		return refuse(why, EISDIR, "it is a directory");
	if (S_ISREG(stat.st_mode) && (unsigned long long)stat.st_size > FILE_MAX_BYTES)
		return refuse(why, EFBIG, "it is larger than 16 MiB");
	if (S_ISREG(stat.st_mode) && !out->data && stat.st_size) {
		/* One allocation of the right size instead of doubling up to twice of it. */
		out->capacity = (size_t)stat.st_size + 1;
		out->data = xmalloc(out->capacity);
		out->data[0] = '\0';
	}
	if (path && S_ISFIFO(stat.st_mode) && wait_for_writer(fd, out, why) < 0)
		return -EPIPE;
	if (path && fcntl(fd, F_SETFL, 0) < 0)
		return refuse(why, errno, strerror(errno));
	return read_all(fd, out, why);
}
