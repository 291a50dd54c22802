/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: what a process's children are, from /proc: to find and end those that were left behind */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/** struct pids - {0} is an empty list */
struct pids {
	pid_t *items;
	size_t count, capacity;
};

void pids_add(struct pids *pids, pid_t pid);
bool pids_have(const struct pids *pids, pid_t pid);
void pids_free(struct pids *pids);

/** children_of - append the children of a process, dead ones that were not waited for among them */
void children_of(pid_t parent, struct pids *out);

/** children_by_scan - the same by a walk through /proc, for kernels that do not list children */
void children_by_scan(pid_t parent, struct pids *out);

/** kill_tree - SIGKILL to a process and everything below it; @killed: all of them are added there, or NULL */
void kill_tree(pid_t pid, struct pids *killed);

/** process_name - as ps shows it ("ib_write_bw"); "?" where it cannot be read */
void process_name(pid_t pid, char *name, size_t size);

/** process_is_dead - whether it is ending (no environment is left then), only waits to be waited for, or is gone */
bool process_is_dead(pid_t pid);

/** process_group - its process group, also of a dead one that was not waited for; 0 where it is not there */
pid_t process_group(pid_t pid);

/** process_has_environment - whether it was started with exactly this NAME=value in its environment */
bool process_has_environment(pid_t pid, const char *text);
