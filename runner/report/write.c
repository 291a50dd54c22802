/* SPDX-License-Identifier: BSD-2-Clause */
/* A report onto its place: whole or not at all. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/replace.h"
#include "record/recording.h"
#include "report/target.h"
#include "report/view.h"
#include "survey/survey.h"

/* Without O_NONBLOCK a FIFO that nobody reads would be waited for without end. */
static int open_special(const char *path)
{
	int fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	int flags;

	if (fd < 0)
		return -errno;
	flags = fcntl(fd, F_GETFL);
	if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) < 0) {
		close(fd);
		return -EIO;
	}
	return fd;
}

static bool is_packed(const char *path)
{
	size_t length = strlen(path);

	return length > 4 && !strcmp(path + length - 4, ".zst");
}

static int render_kind(const struct report_target *target, FILE *out, const struct result *result,
		       struct registry *registry, struct diag *diag)
{
	switch (target->kind) {
	case REPORT_JSON:
		return json_write(out, result, registry);
	case REPORT_HTML:
		return html_write(out, result, registry);
	case REPORT_TAP:
		return tap_write(out, result);
	case REPORT_PROMETHEUS:
		return prometheus_write(out, result);
	case REPORT_MARKDOWN:
		return markdown_write(out, result);
	case REPORT_SCENARIO:
		return survey_write(out, result);
	case REPORT_RECORDING:
		return recording_write(out, result, registry, is_packed(target->path));
	case REPORT_JUNIT:
		break;
	}
	return junit_write(out, result, registry, target->positions, diag);
}

static int render(const struct report_target *target, FILE *out, const struct result *result, struct registry *registry,
		  struct diag *diag)
{
	int error = render_kind(target, out, result, registry, diag);

	if (error < 0)
		return error;
	errno = 0;
	if (fflush(out) != 0 || ferror(out))
		return errno ? -errno : -EIO;
	return 0;
}

/* Takes @fd over. @durable: on the disk before the old report goes. */
static int render_to(int fd, bool durable, const struct report_target *target, const struct result *result,
		     struct registry *registry, struct diag *diag)
{
	FILE *out = fdopen(fd, "w");
	AUTO_FREE char *buffer = xmalloc(1 << 16);
	int error;

	if (!out) {
		error = -errno;
		close(fd);
		return error;
	}
	setvbuf(out, buffer, _IOFBF, 1 << 16);
	error = render(target, out, result, registry, diag);
	if (!error && durable && fsync(fd) < 0 && errno != EINVAL && errno != ENOTSUP)
		error = -errno;
	if (fclose(out) != 0 && !error)
		error = -errno;
	return error;
}

static int write_regular(const struct report_target *target, const char *path, const char *directory,
			 const struct result *result, struct registry *registry, struct diag *diag)
{
	AUTO_FREE char *temporary = NULL;
	int error = replace_beside(directory, &temporary);

	if (error < 0)
		return error;
	error = render_to(error, true, target, result, registry, diag);
	if (!error && rename(temporary, path) < 0)
		error = -errno;
	if (error < 0)
		unlink(temporary);
	return error;
}

static int write_to(const struct report_target *target, const struct result *result, struct registry *registry,
		    struct diag *diag)
{
	AUTO_FREE char *path = NULL, *directory = NULL;
	bool regular;
	int error;

	if (!strcmp(target->path, "-"))
		return render(target, stdout, result, registry, diag);
	error = replace_resolve(target->path, &path, &directory, &regular);
	if (error < 0)
		return error;
	if (regular)
		return write_regular(target, path, directory, result, registry, diag);
	error = open_special(path);
	return error < 0 ? error : render_to(error, false, target, result, registry, diag);
}

int report_write(const struct report_target *target, const struct result *result, struct registry *registry,
		 struct diag *diag)
{
	AUTO_DIAG struct diag why = {0};
	int error = write_to(target, result, registry, &why);

	if (!error)
		return 0;
	if (why.text)
		return diag_set(diag, -error, NO_PLACE, "report '%s': %s", target->path, why.text);
	if (error == -ENXIO)
		return diag_set(diag, ENXIO, NO_PLACE, "cannot write report '%s': nobody reads it", target->path);
	return diag_set(diag, -error, NO_PLACE, "cannot write report '%s': %s", target->path, strerror(-error));
}
