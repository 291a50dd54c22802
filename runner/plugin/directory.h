/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: where plugins are found */
#pragma once

#include "base/diag.h"
#include "base/memory.h"

/** directory_find - @given, else $RDMASPEC_PLUGIN_DIR, else the build tree's that this program is in, else the
 * installed one */
char *directory_find(const char *given);

/** directory_is_name - lower-case letters, digits and _: what a plugin may be called, and safe as part of a path */
bool directory_is_name(const char *name, size_t length);

/** directory_file - DIR/NAME.so, or DIR/NAME/NAME.so where only that is there (the layout of a build tree) */
char *directory_file(const char *directory, const char *name);

/** directory_plugins - names of the plugins in it, sorted; what looks like one but cannot be goes to @diags (may be
 * NULL) */
void directory_plugins(const char *directory, struct strings *names, struct diags *diags);
