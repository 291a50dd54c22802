/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/process.h"

#define MARGIN_MS 700 /* SIGTERM, its grace, and sending what was seen */

int64_t process_margin(const struct rs_ctx *ctx)
{
	int64_t left = rs_time_left(ctx);

	return left > 2 * MARGIN_MS ? left - MARGIN_MS : left / 2;
}

int process_run(const struct rs_ctx *ctx, struct process *process, const char *const *argv, int64_t milliseconds)
{
	int64_t most = process_margin(ctx);
	int error = process_start(process, argv);

	if (error)
		return error;
	if (!milliseconds || milliseconds > most)
		milliseconds = most;
	if (process_wait(process, milliseconds))
		return 0;
	process_stop(process);
	return -ETIMEDOUT;
}

void process_evidence(struct rs_ctx *ctx, const struct process *process, const char *name)
{
	static const char *const streams[] = {"stdout", "stderr"};
	char label[128];

	for (int i = 0; i < 2; i++) {
		const struct process_text *text = &process->out[i];

		snprintf(label, sizeof(label), "%s%s%s", name, *name ? " " : "", streams[i]);
		if (text->length)
			rs_evidence(ctx, label, text->data, text->length);
		if (text->total > text->length)
			rs_note(ctx, "%s: only the first %zu of %llu bytes were kept", label, text->length,
				(unsigned long long)text->total);
	}
}

void process_tell(struct rs_ctx *ctx, const char *const *argv)
{
	char line[2048];
	size_t used = 0;

	for (; *argv && used < sizeof(line) - 2; argv++) {
		int wrote = snprintf(line + used, sizeof(line) - used, "%s%s", used ? " " : "", *argv);

		used += (size_t)wrote;
	}
	if (used > sizeof(line) - 2)
		used = sizeof(line) - 2;
	line[used++] = '\n';
	rs_evidence(ctx, "command", line, used);
}

const char *process_said(const struct process *process, char *line, size_t size)
{
	line[0] = '\0';
	for (int i = PROCESS_STDERR; i >= PROCESS_STDOUT && !line[0]; i--) {
		const char *text = process->out[i].data;

		if (!text)
			continue;
		text += strspn(text, " \t\r\n");
		snprintf(line, size, "%.*s", (int)strcspn(text, "\r\n"), text);
	}
	return line;
}

static bool is_program(const char *path)
{
	struct stat seen;

	return !stat(path, &seen) && S_ISREG(seen.st_mode) && !access(path, X_OK);
}

bool process_find(const char *name, char *path, size_t size)
{
	const char *places[] = {getenv("PATH"), "/usr/local/sbin:/usr/sbin:/sbin"};

	if (strchr(name, '/')) {
		snprintf(path, size, "%s", name);
		return is_program(path);
	}
	for (int i = 0; i < 2; i++)
		for (const char *place = places[i]; place && *place;) {
			size_t length = strcspn(place, ":");
			int needed = snprintf(path, size, "%.*s/%s", (int)length, place, name);

			if (length && needed > 0 && (size_t)needed < size && is_program(path))
				return true;
			place += length + (place[length] == ':');
		}
	return false;
}
