/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: JSON read straight through, for rows
 *
 * A table is most of what is ever sent. Its cells are checked against their facts as they are read, so that no tree of
 * them is built first. What is accepted is JSON as RFC 8259 has it, with integers of 64 bits, and without U+0000.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

/**
 * struct scan - where the reading is
 * @scratch: for strings with escapes, reused from one to the next
 */
struct scan {
	const char *start, *at, *end;
	struct buf scratch, text;
};

/** scan_begin - read these bytes; the buffers stay as they are */
void scan_begin(struct scan *scan, const char *data, size_t length);
void scan_free(struct scan *scan);

/** scan_peek - the character that the next value or sign begins with; 0 at the end. A digit stands for a number, too.
 */
char scan_peek(struct scan *scan);

/** scan_take - step over the sign @c ('[', ',', ...), if it is what comes next */
bool scan_take(struct scan *scan, char c);

/** scan_is_value - whether something that can be a value comes next */
bool scan_is_value(struct scan *scan);

/** scan_word - step over true, false or null, if it is what comes next */
bool scan_word(struct scan *scan, const char *word);

/** scan_integer - false where no integer of 64 bits comes next */
bool scan_integer(struct scan *scan, int64_t *value);

/** scan_number - a number of any kind, as a finite double; false where none comes next */
bool scan_number(struct scan *scan, double *value);

/** scan_skip - step over a value, whatever it is, nested at most 64 deep; false where none comes next */
bool scan_skip(struct scan *scan);

/**
 * scan_string - the bytes that a string stands for, not NUL-ended, until the next call
 * Returns false where none comes next, and where it is no JSON.
 */
bool scan_string(struct scan *scan, const char **text, size_t *length);

/** scan_text - the bytes that a string in the escape form of base/utf8.h stands for; as scan_string() */
bool scan_text(struct scan *scan, const char **text, size_t *length);
