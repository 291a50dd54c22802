/* SPDX-License-Identifier: BSD-2-Clause */
#include "agent/tail.h"

#include <string.h>

void tail_add(struct tail *tail, const char *data, size_t length)
{
	struct buf *kept = &tail->kept;

	tail->total += length;
	if (length > TAIL_KEPT) {
		data += length - TAIL_KEPT;
		length = TAIL_KEPT;
	}
	/* Moved down only when twice as much is there, so that many small pieces cost little. */
	if (kept->length + length > (size_t)2 * TAIL_KEPT) {
		size_t keep = TAIL_KEPT - length;

		memmove(kept->data, kept->data + kept->length - keep, keep);
		kept->length = keep;
	}
	buf_add(kept, data, length);
}

void tail_write(const struct tail *tail, struct buf *out)
{
	const char *data = tail->kept.data;
	size_t end = tail->kept.length, start;
	int lines = 0;

	while (end && data[end - 1] == '\n')
		end--;
	start = end;
	while (start && end - start < TAIL_KEPT && (data[start - 1] != '\n' || ++lines < TAIL_LINES))
		start--;
	buf_add(out, data ? data + start : "", end - start);
}

void tail_free(struct tail *tail)
{
	buf_free(&tail->kept);
	*tail = (struct tail){0};
}
