/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: a process that keeps others: their parent, which ends them when it is told to, or when its own maker is gone
 *
 * It is forked (not exec'd) into a session of its own and reads a socket whose other end only the runner has: an end of
 * file there, however it came about, makes the keeper kill the process groups of all it started, remove their directory
 * and exit. Should the keeper itself be killed, the kernel kills what it started.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/diag.h"

/**
 * struct keeper_process - one process to keep
 * @path: the program's file; @argv, @envp: as for execve()
 * @directory: its working directory; NULL: the keeper's
 * @in, @out, @err: its standard descriptors, none of them below 3
 * @later: started only by keeper_go()
 */
struct keeper_process {
	const char *path;
	const char *const *argv;
	const char *const *envp;
	const char *directory;
	int in, out, err;
	bool later;
};

#define KEEPER_PROCESSES 10

/** struct keeper_report - what comes from the keeper: a process ended, or (@error) could not be started */
struct keeper_report {
	int32_t process; /* its number */
	int32_t error;	 /* errno of its start; 0: it was started */
	int32_t status;	 /* of waitpid() */
};

/**
 * struct keeper - the runner's side
 * @socket: keeper_report structs come from it, and its end when the keeper is gone; close-on-exec
 */
struct keeper {
	pid_t pid;
	int socket;
};

/** keeper_start - at most KEEPER_PROCESSES; the caller closes its own copies of their descriptors */
int keeper_start(struct keeper *keeper, const struct keeper_process *processes, size_t count, const char *directory,
		 struct diag *diag);

/** keeper_go - start the process of that number, one that was to come later */
void keeper_go(const struct keeper *keeper, uint8_t process);

/** keeper_end - tell the keeper to end all; the socket comes to its end when that is done */
void keeper_end(const struct keeper *keeper);

/** keeper_reap - after the socket's end: wait for the keeper's own exit */
void keeper_reap(const struct keeper *keeper);

/** remove_tree - a directory and all below, no link followed; false where something is left */
bool remove_tree(const char *path);
