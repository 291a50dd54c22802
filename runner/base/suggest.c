/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "base/diag.h"

#define LONGEST 64 /* nobody mistypes longer names by a letter or two and needs help to see it */

/* Case and the kind of dash are no difference. */
static char fold(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c - 'A' + 'a');
	return c == '-' || c == ' ' ? '_' : c;
}

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/*
 * The distance of Damerau and Levenshtein (insertions, deletions, replacements, swaps of neighbours), restricted to one
 * edit a place. Returns something above @limit as soon as it must be.
 */
static unsigned distance(const char *a, size_t a_length, const char *b, size_t b_length, unsigned limit)
{
	unsigned rows[3][LONGEST + 1], *before = rows[0], *last = rows[1], *row = rows[2];

	if (a_length > b_length + limit || b_length > a_length + limit)
		return limit + 1;
	for (size_t j = 0; j <= b_length; j++)
		last[j] = (unsigned)j;
	for (size_t i = 1; i <= a_length; i++) {
		unsigned best = row[0] = (unsigned)i, *free_row = before;

		for (size_t j = 1; j <= b_length; j++) {
			unsigned replace = last[j - 1] + (fold(a[i - 1]) != fold(b[j - 1]));

			row[j] = least(replace, least(last[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) && fold(a[i - 2]) == fold(b[j - 1]))
				row[j] = least(row[j], before[j - 2] + 1);
			best = least(best, row[j]);
		}
		if (best > limit)
			return limit + 1;
		before = last;
		last = row;
		row = free_row;
	}
	return last[b_length];
}

/* "ports" for "ib.ports": the last word of just one candidate. */
static const char *by_last_word(const char *text, size_t length, const char *const *candidates, size_t count)
{
	const char *found = NULL;

	for (size_t i = 0; i < count; i++) {
		const char *dot = candidates[i] ? strrchr(candidates[i], '.') : NULL;

		if (!dot || strlen(dot + 1) != length || distance(text, length, dot + 1, length, 0))
			continue;
		if (found)
			return NULL;
		found = candidates[i];
	}
	return found;
}

const char *suggest(const char *text, const char *const *candidates, size_t count)
{
	size_t length = strlen(text);
	unsigned limit = length < 3 ? 1 : (unsigned)length / 3; /* a third of the letters may be wrong */
	const char *best = NULL;

	if (!length || length > LONGEST)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		size_t other = candidates[i] ? strlen(candidates[i]) : 0;
		unsigned edits;

		if (!other || other > LONGEST)
			continue;
		edits = distance(text, length, candidates[i], other, limit);
		if (!edits)
			return candidates[i];
		/* Names without a letter in common are not alike, however short they are. */
		if (edits > limit || edits >= least((unsigned)length, (unsigned)other))
			continue;
		best = candidates[i];
		limit = edits - 1;
	}
	return best || length < 2 ? best : by_last_word(text, length, candidates, count);
}
