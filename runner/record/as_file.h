/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: a table of a recorded run where a parameter takes a file: the plan that the run was */
#pragma once

#include <stdbool.h>

#include "base/memory.h"

/** recording_is - whether a file begins as a recording does, or compressed data */
bool recording_is(const char *path);

/**
 * recording_as_csv - one table of a recording as CSV (RFC 4180), a line of column names first
 * @table: the probe and its facts, in the order of the columns: "fabric.links description port ..."
 * What is none or was not observed is empty; control characters are \xNN. Of several attempts the last one counts.
 * Returns 0, or -EINVAL with *why an own text that follows the file's name.
 */
int recording_as_csv(const char *path, const char *table, struct buf *out, char **why);
