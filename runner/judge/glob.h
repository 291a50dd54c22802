/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: globs
 *
 * What a plain text matches: * any characters, ? one, [a-z] and [!a-z] one of a set, \ takes the next literally. One
 * character is one of UTF-8, or one byte where the bytes are not UTF-8. A [ that is never closed stands for itself. The
 * time is at most the product of both lengths (fnmatch() takes exponential time for many stars).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/** glob_special - whether anything in @pattern does not stand for itself */
bool glob_special(const char *pattern, size_t length);

bool glob_match(const char *pattern, size_t pattern_length, const char *text, size_t text_length);

/**
 * glob_set - the first [...] of @pattern from *at on; *at moves behind it
 * Returns false where there is none. @set is what stands between the brackets.
 */
bool glob_set(const char *pattern, size_t length, size_t *at, const char **set, size_t *set_length);
