/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: programs of the system that are started as they are, and the environment they get */
#pragma once

#include "base/diag.h"
#include "base/memory.h"

/**
 * program_find - a program in $PATH or the system's sbin directories
 * @package: the Debian package that has it, for the message
 */
const char *program_find(struct arena *arena, const char *name, const char *package, struct diag *diag);

/** preload_find - ibsim's preload library of our own architecture, before what LD_PRELOAD holds already */
const char *preload_find(struct arena *arena, struct diag *diag);

/** environment_with - this process's environment with @settings ("NAME=value", NULL-ended) in place of theirs */
const char *const *environment_with(struct arena *arena, const char *const *settings);
