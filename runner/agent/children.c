/* SPDX-License-Identifier: BSD-2-Clause */
#include "agent/children.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

void pids_add(struct pids *pids, pid_t pid)
{
	GROW(pids->items, pids->count, pids->capacity);
	pids->items[pids->count++] = pid;
}

bool pids_have(const struct pids *pids, pid_t pid)
{
	for (size_t i = 0; i < pids->count; i++)
		if (pids->items[i] == pid)
			return true;
	return false;
}

void pids_free(struct pids *pids)
{
	free(pids->items);
	*pids = (struct pids){0};
}

/* A file of /proc as a whole; -errno */
static int read_file(const char *path, struct buf *out)
{
	char chunk[4096];
	ssize_t n;
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	while ((n = read(fd, chunk, sizeof(chunk))) != 0) {
		if (n < 0)
			return -errno;
		buf_add(out, chunk, (size_t)n);
	}
	return 0;
}

/* The lists of all threads of a process. -ENOENT where the kernel keeps none (CONFIG_PROC_CHILDREN). */
static int children_by_list(pid_t parent, struct pids *out)
{
	AUTO_BUF struct buf text = {0};
	AUTO_CLOSEDIR DIR *threads = NULL;
	char path[64];
	struct dirent *entry;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)parent);
	threads = opendir(path);
	if (!threads)
		return 0;
	while ((entry = readdir(threads))) {
		int rc;

		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		snprintf(path, sizeof(path), "/proc/%d/task/%.16s/children", (int)parent, entry->d_name);
		rc = read_file(path, &text);
		/* A thread that has ended meanwhile looks like a kernel without lists; the first thread does not end.
		 */
		if (rc == -ENOENT && atoi(entry->d_name) == parent)
			return rc;
		buf_putc(&text, ' ');
	}
	for (char *at = text.data, *end; at && *at; at = end) {
		long pid = strtol(at, &end, 10);

		if (end == at)
			break;
		pids_add(out, (pid_t)pid);
	}
	return 0;
}

struct stat_line {
	char state;
	pid_t parent, group;
	unsigned flags; /* PF_... of the kernel's include/linux/sched.h */
};
#define PF_EXITING 0x4

/* From /proc/PID/stat. The name between the parentheses may itself hold any of them. */
static bool read_stat(pid_t pid, struct stat_line *line)
{
	AUTO_BUF struct buf text = {0};
	char path[64];
	const char *close;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (read_file(path, &text) < 0 || !text.data)
		return false;
	close = strrchr(text.data, ')');
	return close && sscanf(close + 1, " %c %d %d %*d %*d %*d %u", &line->state, &line->parent, &line->group,
			       &line->flags) == 4;
}

void children_by_scan(pid_t parent, struct pids *out)
{
	AUTO_CLOSEDIR DIR *proc = opendir("/proc");
	struct dirent *entry;

	while (proc && (entry = readdir(proc))) {
		pid_t pid = (pid_t)atoi(entry->d_name);
		struct stat_line line;

		if (pid > 0 && read_stat(pid, &line) && line.parent == parent)
			pids_add(out, pid);
	}
}

void children_of(pid_t parent, struct pids *out)
{
	if (children_by_list(parent, out) == -ENOENT)
		children_by_scan(parent, out);
}

/* Children first found, then killed: they would move to a reaper at once, and be looked for there. */
void kill_tree(pid_t pid, struct pids *killed)
{
	struct pids children = {0};

	children_of(pid, &children);
	kill(pid, SIGKILL);
	if (killed)
		pids_add(killed, pid);
	for (size_t i = 0; i < children.count; i++)
		kill_tree(children.items[i], killed);
	pids_free(&children);
}

void process_name(pid_t pid, char *name, size_t size)
{
	AUTO_BUF struct buf text = {0};
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	if (read_file(path, &text) < 0 || !text.length)
		buf_puts(&text, "?");
	text.data[strcspn(text.data, "\n")] = 0;
	snprintf(name, size, "%s", text.data);
}

bool process_is_dead(pid_t pid)
{
	struct stat_line line;

	return !read_stat(pid, &line) || line.state == 'Z' || line.state == 'X' || (line.flags & PF_EXITING);
}

pid_t process_group(pid_t pid)
{
	struct stat_line line;

	return read_stat(pid, &line) ? line.group : 0;
}

bool process_has_environment(pid_t pid, const char *text)
{
	AUTO_BUF struct buf all = {0};
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/environ", (int)pid);
	if (read_file(path, &all) < 0)
		return false;
	for (size_t at = 0; at < all.length; at += strlen(all.data + at) + 1)
		if (!strcmp(all.data + at, text))
			return true;
	return false;
}
