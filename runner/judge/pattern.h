/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: POSIX extended regular expressions
 *
 * Compiled when first matched, shared by all matchers with the same text, kept until the process ends: an arena runs no
 * destructors, and a spec compiled again for each of a thousand hosts has one compiled expression.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/**
 * pattern_check - whether @text can be compiled
 * @why: on failure what regerror() says, or which limit is passed; the caller frees it
 * Beside mistakes it refuses what would take memory or time without bound: nested repeats that multiply to more than
 * PATTERN_LARGEST states, nesting over PATTERN_DEEPEST, back-references (which POSIX ERE does not have).
 */
#define PATTERN_LARGEST 20000
#define PATTERN_DEEPEST 100
bool pattern_check(const char *text, char **why);

/** struct pattern - @text was checked; @compiled is the pool's, NULL until it is first matched */
struct pattern {
	const char *text;
	const void *compiled;
};

/** pattern_match - 1: somewhere in the text, NULs in it included; 0: nowhere; -1: out of memory */
int pattern_match(struct pattern *pattern, const char *text, size_t length);
