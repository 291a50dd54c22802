/* SPDX-License-Identifier: BSD-2-Clause */
/* host.processes: one row a name, from /proc */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/host.h"

enum { NAME, COUNT, PIDS, FACTS };

#define NEEDS_PROC "needs a /proc that shows the processes of other users too (root, or no hidepid)"

static const struct rs_fact facts[] = {
	[NAME] = {.name = "name",
		  .type = RS_TEXT,
		  .flags = RS_F_KEY,
		  .doc = "the program's file name: from /proc/PID/comm, and where that is cut off at 15 bytes from "
			 "argv[0]"},
	[COUNT] = {.name = "count",
		   .type = RS_INTEGER,
		   .doc = "processes of this name; 0 for one that was asked for and does not run",
		   .observed_by = NEEDS_PROC},
	[PIDS] = {.name = "pids",
		  .type = RS_INTEGER,
		  .flags = RS_F_LIST | RS_F_VOLATILE,
		  .doc = "their process ids, rising",
		  .observed_by = NEEDS_PROC},
	[FACTS] = {0},
};

struct seen {
	char name[64];
	int pid;
};

static int read_proc(int pid, const char *file, char *buf, size_t size)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = read(fd, buf, size - 1);
	close(fd);
	buf[n > 0 ? n : 0] = '\0';
	return n < 0 ? -errno : (int)n;
}

/* TASK_COMM_LEN - 1 bytes at most: longer names are cut off there */
#define COMM_MAX 15

/* False where it has ended meanwhile, or may not be seen */
static bool read_name(int pid, char *name, size_t size)
{
	char comm[64], arguments[1024];
	const char *base;

	if (read_proc(pid, "comm", comm, sizeof(comm)) <= 0)
		return false;
	comm[strcspn(comm, "\n")] = '\0';
	snprintf(name, size, "%s", comm);
	if (strlen(comm) < COMM_MAX || read_proc(pid, "cmdline", arguments, sizeof(arguments)) <= 0)
		return true;
	base = strrchr(arguments, '/') ? strrchr(arguments, '/') + 1 : arguments;
	if (!strncmp(base, comm, COMM_MAX))
		snprintf(name, size, "%.63s", base);
	return true;
}

static int by_name_and_pid(const void *a, const void *b)
{
	const struct seen *left = a, *right = b;
	int order = strcmp(left->name, right->name);

	return order ? order : (left->pid > right->pid) - (left->pid < right->pid);
}

struct processes {
	struct seen *items;
	size_t count;
};

static int read_all(struct processes *all)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	size_t capacity = 0;

	if (!proc)
		return -errno;
	while ((entry = readdir(proc))) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		if (all->count == capacity) {
			struct seen *larger;

			capacity = capacity ? 2 * capacity : 256;
			larger = realloc(all->items, capacity * sizeof(*larger));
			if (!larger)
				break;
			all->items = larger;
		}
		all->items[all->count].pid = atoi(entry->d_name);
		all->count += read_name(all->items[all->count].pid, all->items[all->count].name,
					sizeof(all->items[all->count].name));
	}
	closedir(proc);
	if (all->count)
		qsort(all->items, all->count, sizeof(*all->items), by_name_and_pid);
	return 0;
}

/* With hidepid, other users' processes look as if they were not there: then no count can be trusted */
static bool some_hidden(void)
{
	char comm[64];

	return geteuid() && read_proc(1, "comm", comm, sizeof(comm)) <= 0;
}

/* Every process from @first on that has its name; returns how many */
static size_t add_row(struct rs_ctx *ctx, const struct seen *first, size_t left, const char *name)
{
	size_t count = 0;

	while (count < left && !strcmp(first[count].name, name))
		count++;
	rs_row_begin(ctx, 0);
	rs_set_text(ctx, NAME, name);
	if (some_hidden())
		return count;
	rs_set_integer(ctx, COUNT, (int64_t)count);
	if (!count)
		rs_set_none(ctx, PIDS);
	for (size_t i = 0; i < count; i++)
		rs_set_integer(ctx, PIDS, first[i].pid);
	return count;
}

static bool is_asked_for(const char *pattern, const char *name)
{
	return !strcmp(pattern, name) || !fnmatch(pattern, name, 0);
}

static bool asked_for(const struct host_names *params, const char *name)
{
	for (unsigned i = 0; i < params->count; i++)
		if (is_asked_for(params->names[i], name))
			return true;
	return !params->count;
}

/* Those that do not run get their row too */
static void add_absent(struct rs_ctx *ctx, const struct host_names *params, const struct processes *all)
{
	for (unsigned i = 0; i < params->count; i++) {
		bool runs = false, said = false;

		for (size_t j = 0; j < all->count && !runs; j++)
			runs = is_asked_for(params->names[i], all->items[j].name);
		for (unsigned j = 0; j < i; j++)
			said |= !strcmp(params->names[i], params->names[j]);
		if (!runs && !said)
			add_row(ctx, NULL, 0, params->names[i]);
	}
}

int host_processes_observe(struct rs_ctx *ctx, const void *data, uint32_t wanted)
{
	const struct host_names *params = data;
	struct processes all = {0};
	int error;

	if (rs_recorded(ctx))
		return rs_error(ctx, RS_UNSUPPORTED, "processes are not part of a recorded tree");
	error = read_all(&all);
	if (error)
		return rs_error(ctx, error == -EACCES ? RS_DENIED : RS_FAILED, "/proc: %s", strerror(-error));
	for (size_t i = 0; i < all.count;) {
		const char *name = all.items[i].name;

		if (asked_for(params, name))
			i += add_row(ctx, &all.items[i], all.count - i, name);
		else
			i++;
	}
	add_absent(ctx, params, &all);
	free(all.items);
	return 0;
}

const struct rs_param host_processes_params[] = {
	{.key = "names",
	 .type = RS_TEXT,
	 .flags = RS_LIST,
	 .min = 1,
	 .max = 64,
	 .offset = offsetof(struct host_names, names),
	 .count_offset = offsetof(struct host_names, count),
	 .doc = "names of programs, or globs; one that does not run is a row with count 0; without it every name"},
	{0},
};

const struct rs_probe host_processes_probe = {
	.name = "host.processes",
	.summary = "processes by name: whether opensm runs where it should, and nowhere else",
	.row = "process {name}",
	.facts = facts,
};
