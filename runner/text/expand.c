/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * $(name) in one scalar. "$$" is a dollar sign, a "$" without parenthesis stands for itself. What was put in is not
 * looked at again: a value cannot bring variables of its own.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"
#include "text/internal.h"

#define TEXT_MAX ((size_t)1024 * 1024) /* of one scalar */
#define NAMES_MAX 10000		       /* in one scalar, patterns included */
#define PATTERNS_MAX 16		       /* within one another */
#define NAME_SHOWN 60

#define WRONG(expander, ...) (diags_error((expander)->diags, (expander)->place, __VA_ARGS__), FOUND_WRONG)

static bool is_letter(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

bool variable_name(const char *name, size_t length)
{
	if (!length || !is_letter(name[0]))
		return false;
	for (size_t i = 1; i < length; i++)
		if (!is_letter(name[i]) && !(name[i] >= '0' && name[i] <= '9') && name[i] != '-' && name[i] != '.')
			return false;
	return true;
}

static enum found find_environment(struct expander *expander, const char *name, const char **value)
{
	if (!variable_name(name, strlen(name)) || strpbrk(name, "-."))
		return WRONG(expander, "'%s' is no name of an environment variable", name);
	*value = getenv(name);
	if (!*value)
		return WRONG(expander, "the environment variable '%s' is not set", name);
	if (!utf8_valid(*value, strlen(*value)))
		return WRONG(expander, "the environment variable '%s' is not UTF-8", name);
	return FOUND_VALUE;
}

static enum found find_name(struct expander *expander, const char *name, size_t length, const char **value)
{
	AUTO_FREE char *copy = NULL;

	if (++expander->names > NAMES_MAX)
		return WRONG(expander, "more than %d variables in one scalar", NAMES_MAX);
	copy = xmalloc(length + 1);
	memcpy(copy, name, length);
	copy[length] = '\0';
	if (!strncmp(copy, "env:", 4))
		return find_environment(expander, copy + 4, value);
	if (!variable_name(copy, length))
		return WRONG(expander,
			     "'$(%.*s)' is no variable: a name has letters, digits, '_', '-' and '.'; "
			     "for a literal '$(' write '$$('",
			     NAME_SHOWN, copy);
	return expander->find(expander, copy, value);
}

/* In a pattern, a dollar sign of a value is doubled: the pattern is read again. */
static void add_value(struct buf *out, const char *value, size_t length, bool pattern)
{
	const char *end = value + length, *dollar;

	for (; pattern && (dollar = memchr(value, '$', (size_t)(end - value))); value = dollar + 1) {
		buf_add(out, value, (size_t)(dollar - value));
		buf_add(out, "$$", 2);
	}
	buf_add(out, value, (size_t)(end - value));
}

static enum found expand_as(struct expander *expander, const char *source, bool pattern, struct buf *out);

/* One $(name): @s is behind the parenthesis. *end is left behind the other one. */
static enum found expand_name(struct expander *expander, const char *s, bool pattern, struct buf *out, const char **end)
{
	size_t length = strcspn(s, "()\n");
	const char *value = NULL;
	enum found found;

	if (s[length] != ')')
		return WRONG(expander, "'$(' without ')'; for a literal '$(' write '$$('");
	*end = s + length + 1;
	found = find_name(expander, s, length, &value);
	if (found == FOUND_VALUE)
		add_value(out, value, strlen(value), pattern);
	else if (found == FOUND_LATER && pattern)
		buf_printf(out, "$(%.*s)", (int)length, s);
	if (found != FOUND_PATTERN)
		return found;
	if (expander->depth == PATTERNS_MAX)
		return WRONG(expander, "variables refer to one another more than %d deep", PATTERNS_MAX);
	expander->depth++;
	found = expand_as(expander, value, pattern, out);
	expander->depth--;
	return found;
}

static enum found expand_as(struct expander *expander, const char *source, bool pattern, struct buf *out)
{
	enum found all = FOUND_VALUE;

	for (const char *s = source, *dollar;; s = dollar) {
		enum found found;

		dollar = strchrnul(s, '$');
		buf_add(out, s, (size_t)(dollar - s));
		if (out->length > TEXT_MAX)
			return WRONG(expander, "with its variables replaced this is longer than 1 MiB");
		if (!*dollar)
			return all;
		if (dollar[1] != '(') {
			buf_puts(out, pattern ? "$$" : "$");
			dollar += dollar[1] == '$' ? 2 : 1;
			continue;
		}
		found = expand_name(expander, dollar + 2, pattern, out, &dollar);
		if (found == FOUND_WRONG)
			return found;
		if (found == FOUND_LATER)
			all = found;
	}
}

enum found expand(struct expander *expander, const char *source, struct buf *out)
{
	size_t before = out->length;
	enum found found;

	expander->names = 0;
	found = expand_as(expander, source, false, out);
	if (found != FOUND_LATER)
		return found;
	out->length = before;
	expander->names = 0;
	return expand_as(expander, source, true, out);
}
