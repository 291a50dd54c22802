/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge/glob.h"

#include <stdint.h>
#include <string.h>

#include "base/utf8.h"

/* One character of [@text, @end), with its length; bytes that are not UTF-8 count by themselves, beyond Unicode. */
static size_t next_character(const char *text, const char *end, uint32_t *character)
{
	size_t length = utf8_next(text, (size_t)(end - text), character);

	if (length)
		return length;
	*character = 0x110000 + (unsigned char)*text;
	return 1;
}

/* Behind the ] that closes the set which begins at @open, or NULL where none does. A ] that comes first is a member. */
static const char *set_end(const char *open, const char *end)
{
	const char *c = open + 1;

	if (c < end && (*c == '!' || *c == '^'))
		c++;
	if (c < end && *c == ']')
		c++;
	for (; c < end; c++) {
		if (*c == '\\' && c + 1 < end)
			c++;
		else if (*c == ']')
			return c + 1;
	}
	return NULL;
}

/* A member of a set, with what it escapes. */
static const char *next_member(const char *c, const char *end, uint32_t *character)
{
	if (*c == '\\' && c + 1 < end)
		c++;
	return c + next_character(c, end, character);
}

static bool set_holds(const char *open, const char *close, uint32_t character)
{
	const char *c = open + 1;
	bool negated = *c == '!' || *c == '^', holds = false;
	uint32_t from, to;

	c += negated;
	while (c < close) {
		c = next_member(c, close, &from);
		to = from;
		if (c + 1 < close && *c == '-')
			c = next_member(c + 1, close, &to);
		holds |= from <= character && character <= to;
	}
	return holds != negated;
}

/* One element of the pattern, a star apart, against one character of the text; both move on where it matches. */
static bool match_one(const char **pattern, const char *pattern_end, const char **text, const char *text_end)
{
	const char *p = *pattern, *close;
	uint32_t character;

	if (*p == '?') {
		*text += next_character(*text, text_end, &character);
		*pattern = p + 1;
		return true;
	}
	close = *p == '[' ? set_end(p, pattern_end) : NULL;
	if (close) {
		size_t length = next_character(*text, text_end, &character);

		if (!set_holds(p, close - 1, character))
			return false;
		*text += length;
		*pattern = close;
		return true;
	}
	if (*p == '\\' && p + 1 < pattern_end)
		p++;
	if (*p != **text)
		return false;
	*pattern = p + 1;
	++*text;
	return true;
}

bool glob_match(const char *pattern, size_t pattern_length, const char *text, size_t text_length)
{
	const char *pattern_end = pattern + pattern_length, *text_end = text + text_length;
	const char *star = NULL, *from = NULL; /* behind the last star, and where the text that follows it is tried */
	uint32_t character;

	for (;;) {
		if (pattern < pattern_end && *pattern == '*') {
			star = ++pattern;
			from = text;
			if (star == pattern_end)
				return true;
		} else if (pattern < pattern_end && text < text_end &&
			   match_one(&pattern, pattern_end, &text, text_end)) {
			continue;
		} else if (pattern == pattern_end && text == text_end) {
			return true;
		} else {
			/* Only the last star needs another try: what stands before it has matched as early as it can.
			 */
			if (!star || from >= text_end)
				return false;
			from += next_character(from, text_end, &character);
			pattern = star;
			text = from;
		}
	}
}

bool glob_special(const char *pattern, size_t length)
{
	const char *end = pattern + length;

	for (const char *c = pattern; c < end; c++)
		if (*c == '*' || *c == '?' || *c == '\\' || (*c == '[' && set_end(c, end)))
			return true;
	return false;
}

bool glob_set(const char *pattern, size_t length, size_t *at, const char **set, size_t *set_length)
{
	const char *end = pattern + length, *close;

	for (const char *c = pattern + *at; c < end; c++) {
		if (*c == '\\') {
			c++;
			continue;
		}
		close = *c == '[' ? set_end(c, end) : NULL;
		if (!close)
			continue;
		*set = c + 1;
		*set_length = (size_t)(close - c) - 2;
		*at = (size_t)(close - pattern);
		return true;
	}
	*at = length;
	return false;
}
