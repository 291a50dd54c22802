/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: values within a sentence, where a text must not melt into the words around it, nor end or flood it */
#pragma once

#include "base/value.h"

#define WORDS_LONGEST 300 /* bytes of one value; what is longer is cut */

/** words_add - observed bytes into what will be a C string: NULs as \x00, cut between characters with "..." behind */
void words_add(struct buf *out, const char *bytes, size_t length, size_t longest);

/** words_text - in quotes where it is empty, has a blank or comma in it, or reads like a word of ours */
void words_text(struct buf *out, const char *text, size_t length);

/** words_value - value_write() with words_text() for texts */
void words_value(struct buf *out, struct value_type type, const struct value *value);

/** words_rows - "1 row", "128 rows" */
void words_rows(struct buf *out, size_t rows);
