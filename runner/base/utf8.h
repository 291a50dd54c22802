/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: hostile text: UTF-8 checked, and made harmless for a terminal or one line of a log */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

/** utf8_next - decode one character of @text; returns its length in bytes, or 0 where the bytes are not UTF-8 */
size_t utf8_next(const char *text, size_t length, uint32_t *character);
bool utf8_valid(const char *text, size_t length);

/**
 * utf8_printable - append @text to @out as one harmless line: controls (C0, C1, DEL), bidirectional and other format
 * characters, noncharacters and bytes that are not UTF-8 as \xNN (by byte); everything else as it is
 */
void utf8_printable(struct buf *out, const char *text, size_t length);

/** utf8_escape, utf8_unescape - the wire's form: bytes that are not UTF-8 (and NUL) as \xNN, a backslash doubled */
void utf8_escape(struct buf *out, const char *text, size_t length);
bool utf8_unescape(struct buf *out, const char *text, size_t length); /* false: not of that form */
