/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: clean-up attributes: a local that frees itself at the end of its scope */
#pragma once

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"

#define CLEANUP(function) __attribute__((cleanup(function)))

static inline void cleanup_free(void *pointer)
{
	free(*(void **)pointer);
}

static inline void cleanup_close(const int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void cleanup_fclose(FILE **file)
{
	if (*file)
		fclose(*file);
}

static inline void cleanup_closedir(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

#define AUTO_FREE CLEANUP(cleanup_free)
#define AUTO_CLOSE CLEANUP(cleanup_close)
#define AUTO_FCLOSE CLEANUP(cleanup_fclose)
#define AUTO_CLOSEDIR CLEANUP(cleanup_closedir)
#define AUTO_BUF CLEANUP(buf_free)
#define AUTO_ARENA CLEANUP(arena_free)
#define AUTO_STRINGS CLEANUP(strings_free)
