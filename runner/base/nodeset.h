/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: nodesets, as Slurm and ClusterShell write them: node-[01-16,20],login[1-2] */
#pragma once

#include "base/diag.h"
#include "base/memory.h"

#define NODESET_MAX 1000000 /* names in one expansion */

/**
 * nodeset_expand - "node-[01-03,7],login" into names, in the order written; several brackets in one name multiply
 * @out: names are appended
 * @why: on failure one line that names the spot ("range [9-1] runs backwards"); the caller frees it
 * Returns 0, -EINVAL, or -E2BIG beyond NODESET_MAX (*why says so too). On failure nothing is appended. Zero padding is
 * kept: [01-16] gives 01. [0-10/2] counts by two. A name that is written twice comes out twice.
 */
int nodeset_expand(const char *text, struct strings *out, char **why);

/** nodeset_fold - the names as one short nodeset ("node-[01-14],login"), each once; appends to @out */
void nodeset_fold(struct buf *out, const char *const *names, size_t count);
