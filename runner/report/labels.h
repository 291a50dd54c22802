/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: names that stay apart in one report. Private to the room. */
#pragma once

#include "base/memory.h"

/** struct labels - a hash of texts that are kept elsewhere; {0} is an empty one, labels_free() frees the hash */
struct labels {
	const char **slots;
	size_t count, nslots;
};

/**
 * labels_unique - @name, or "NAME (2)", ...: what was not yet taken together with @space; lives in @arena
 * Neither text holds a newline.
 */
const char *labels_unique(struct labels *labels, struct arena *arena, const char *space, const char *name);
void labels_free(struct labels *labels);
