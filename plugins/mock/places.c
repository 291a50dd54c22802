/* SPDX-License-Identifier: BSD-2-Clause */
/* Who and where the worker is. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "mock/mock.h"

/* ---- counter ---- */

static const struct rs_fact counter_facts[] = {
	{"worker", RS_INTEGER, .doc = "process ID of the worker"},
	{"time", RS_INTEGER, .doc = "nanoseconds of the monotonic clock"},
	{NULL},
};

const struct rs_probe mock_counter_probe = {"mock.counter", "test: another value each time it is observed", NULL,
					    counter_facts};

int mock_counter_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	rs_row_begin(ctx, 0);
	rs_set_integer(ctx, 0, getpid());
	rs_set_integer(ctx, 1, now.tv_sec * 1000000000 + now.tv_nsec);
	return 0;
}

/* ---- worker ---- */

const struct rs_param mock_worker_params[] = {
	{.key = "variable",
	 .type = RS_TEXT,
	 .offset = offsetof(struct mock_worker_params, variable),
	 .value = "SIM_HOST",
	 .doc = "a variable of the environment to look up"},
	{.key = NULL},
};

enum { PID, PARENT, SESSION, GROUP, DIRECTORY, VARIABLE, DESCRIPTORS, STDIN, SYSFS, RECORDED };

static const struct rs_fact worker_facts[] = {
	[PID] = {"pid", RS_INTEGER, RS_F_VOLATILE, .doc = "process ID"},
	[PARENT] = {"parent", RS_INTEGER, RS_F_VOLATILE, .doc = "process ID of its parent, the agent"},
	[SESSION] = {"session", RS_INTEGER, RS_F_VOLATILE, .doc = "its session"},
	[GROUP] = {"group", RS_INTEGER, RS_F_VOLATILE, .doc = "its process group"},
	[DIRECTORY] = {"directory", RS_TEXT, .doc = "its working directory"},
	[VARIABLE] = {"variable", RS_TEXT, .doc = "value of the variable; none where it is not set"},
	[DESCRIPTORS] = {"descriptors", RS_INTEGER, RS_F_LIST, .doc = "its open file descriptors"},
	[STDIN] = {"stdin", RS_TEXT, .doc = "what its standard input is"},
	[SYSFS] = {"sysfs", RS_TEXT, .doc = "what rs_sysfs() says"},
	[RECORDED] = {"recorded", RS_BOOLEAN, .doc = "what rs_recorded() says"},
	{NULL},
};

const struct rs_probe mock_worker_probe = {"mock.worker", "test: who and where the worker is", NULL, worker_facts};

static void set_descriptors(struct rs_ctx *ctx)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.' && atoi(entry->d_name) != dirfd(dir))
			rs_set_integer(ctx, DESCRIPTORS, atoi(entry->d_name));
	if (dir)
		closedir(dir);
}

int mock_worker_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	const struct mock_worker_params *params = data;
	const char *value = getenv(params->variable);
	char path[4096];
	ssize_t length;

	rs_row_begin(ctx, 0);
	rs_set_integer(ctx, PID, getpid());
	rs_set_integer(ctx, PARENT, getppid());
	rs_set_integer(ctx, SESSION, getsid(0));
	rs_set_integer(ctx, GROUP, getpgrp());
	if (getcwd(path, sizeof(path)))
		rs_set_text(ctx, DIRECTORY, path);
	if (value)
		rs_set_text(ctx, VARIABLE, value);
	else
		rs_set_none(ctx, VARIABLE);
	set_descriptors(ctx);
	length = readlink("/proc/self/fd/0", path, sizeof(path) - 1);
	if (length >= 0)
		rs_set_bytes(ctx, STDIN, path, (size_t)length);
	rs_set_text(ctx, SYSFS, rs_sysfs(ctx));
	rs_set_boolean(ctx, RECORDED, rs_recorded(ctx));
	return 0;
}
