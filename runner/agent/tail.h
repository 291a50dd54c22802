/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: the last lines of a stream of any length */
#pragma once

#include <stdint.h>

#include "base/memory.h"

#define TAIL_KEPT (8 * 1024) /* bytes */
#define TAIL_LINES 20

/** struct tail - {0} is an empty one; @total: bytes that there were */
struct tail {
	struct buf kept;
	uint64_t total;
};

void tail_add(struct tail *tail, const char *data, size_t length);

/** tail_write - append the last TAIL_LINES lines, without the newline at the end */
void tail_write(const struct tail *tail, struct buf *out);
void tail_free(struct tail *tail);
