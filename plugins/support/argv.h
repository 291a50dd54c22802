/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: an argument list that grows word by word */
#pragma once

#include <rdmaspec/plugin.h>

/**
 * struct argv - of rs_alloc(): it lives as long as the observation
 * @words: ended by NULL
 */
struct argv {
	struct rs_ctx *ctx;
	const char **words;
	size_t count, capacity;
};

/** argv_add - one word */
void argv_add(struct argv *argv, const char *format, ...) __attribute__((format(printf, 2, 3)));
