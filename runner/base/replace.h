/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: files that take the place of others whole or not at all */
#pragma once

#include <stdbool.h>

/**
 * replace_resolve - the path that is really written: behind symbolic links, also one that leads to nothing yet
 * @directory: the folder that the file is in, an own text; may be NULL
 * @regular: whether it is (or would be) a regular file, which is replaced as a whole
 * Returns 0 with *resolved an own text, or -errno.
 */
int replace_resolve(const char *path, char **resolved, char **directory, bool *regular);

/**
 * replace_beside - a new file in @directory, to be written and then renamed
 * Its name is one that nobody has, its rights are those that umask leaves. Returns a descriptor with *path an own text,
 * or -errno.
 */
int replace_beside(const char *directory, char **path);
