/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/nodeset.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"

#define NAME_MAX_BYTES 1024			       /* of one name */
#define EXPANSION_MAX_BYTES ((size_t)64 * 1024 * 1024) /* of all names together: a million of 64 bytes */
#define BRACKETS_MAX 16
#define NUMBER_DIGITS 18 /* fits 64 bits with room for adding one */

/* One range of a bracket: 01-16/5 */
struct range {
	uint64_t first, last, step;
	int width; /* zero-padded to it; 1: not padded */
};

/* A piece of a name: text, then (but for the last piece) a bracket. */
struct piece {
	const char *text;
	size_t length;
	struct range *ranges;
	size_t count, capacity;
	uint64_t size; /* numbers in all ranges */
};

struct pattern {
	struct piece pieces[BRACKETS_MAX + 1];
	size_t count;
};

static void pattern_free(struct pattern *pattern)
{
	for (size_t i = 0; i < pattern->count; i++)
		free(pattern->pieces[i].ranges);
	pattern->count = 0;
}

static int refuse(char **why, char *text)
{
	*why = text;
	return -EINVAL;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Digits of a range's end. Returns their number, 0 where there are none or too many. */
static size_t read_number(const char *s, const char *end, uint64_t *value)
{
	size_t count = 0;

	*value = 0;
	for (; s + count < end && is_digit(s[count]); count++) {
		if (count == NUMBER_DIGITS)
			return 0;
		*value = *value * 10 + (uint64_t)(s[count] - '0');
	}
	return count;
}

static bool padded(const char *digits, size_t count)
{
	return count > 1 && digits[0] == '0';
}

/* FIRST, FIRST-LAST or FIRST-LAST/STEP, all of [s, end) */
static bool read_range(const char *s, const char *end, struct range *range)
{
	size_t count = read_number(s, end, &range->first), other;

	if (!count)
		return false;
	range->width = padded(s, count) ? (int)count : 1;
	range->last = range->first;
	range->step = 1;
	s += count;
	if (s == end)
		return true;
	if (*s++ != '-')
		return false;
	other = read_number(s, end, &range->last);
	if (!other || (padded(s, other) && other != count))
		return false;
	s += other;
	if (s == end)
		return true;
	if (*s++ != '/')
		return false;
	other = read_number(s, end, &range->step);
	return other && s + other == end && range->step;
}

static int add_range(struct piece *piece, const char *s, const char *end, char **why)
{
	struct range range;

	if (!read_range(s, end, &range))
		return refuse(why,
			      xasprintf("'%.*s' is no range of numbers such as 7, 1-16 or 01-16", (int)(end - s), s));
	if (range.first > range.last)
		return refuse(why, xasprintf("range [%.*s] runs backwards", (int)(end - s), s));
	GROW(piece->ranges, piece->count, piece->capacity);
	piece->ranges[piece->count++] = range;
	piece->size += (range.last - range.first) / range.step + 1;
	if (piece->size > NODESET_MAX)
		return -E2BIG;
	return 0;
}

/* What is between "[" and "]" */
static int read_bracket(struct piece *piece, const char *s, const char *end, char **why)
{
	for (;;) {
		const char *comma = memchr(s, ',', (size_t)(end - s));
		const char *stop = comma ? comma : end, *first = s;
		int error;

		while (first < stop && *first == ' ')
			first++;
		while (stop > first && stop[-1] == ' ')
			stop--;
		error = add_range(piece, first, stop, why);
		if (error || !comma)
			return error;
		s = comma + 1;
	}
}

/* Operators of ClusterShell that this notation leaves out, and what can be in no name. */
static int check_letters(const char *s, const char *end, char **why)
{
	for (const char *c = s; c < end; c++) {
		if ((unsigned char)*c <= ' ' || *c == 0x7f)
			return refuse(why,
				      xasprintf("a blank in '%.*s': names are separated by commas", (int)(end - s), s));
		if (strchr("&!^@", *c))
			return refuse(why, xasprintf("'%c' in '%.*s': only names, brackets and commas are understood",
						     *c, (int)(end - s), s));
	}
	return 0;
}

/* One name with its brackets, all of [s, end) */
static int read_pattern(struct pattern *pattern, const char *s, const char *end, char **why)
{
	const char *whole = s;

	for (;;) {
		struct piece *piece = &pattern->pieces[pattern->count++];
		const char *open = memchr(s, '[', (size_t)(end - s)), *close;
		const char *stop = open ? open : end;
		int error;

		*piece = (struct piece){.text = s, .length = (size_t)(stop - s)};
		if (memchr(s, ']', piece->length))
			return refuse(why, xasprintf("']' without '[' in '%.*s'", (int)(end - whole), whole));
		error = check_letters(s, stop, why);
		if (error || !open)
			return error;
		close = memchr(open, ']', (size_t)(end - open));
		if (!close)
			return refuse(why, xasprintf("'[' without ']' in '%.*s'", (int)(end - whole), whole));
		if (pattern->count > BRACKETS_MAX)
			return refuse(why, xasprintf("more than %d brackets in one name", BRACKETS_MAX));
		error = read_bracket(piece, open + 1, close, why);
		if (error)
			return error;
		s = close + 1;
	}
}

struct expansion {
	const struct pattern *pattern;
	struct strings *out;
	size_t bytes, count;
	char name[NAME_MAX_BYTES + 1];
};

/* All names from piece @at on, behind the @length bytes that are already in place. */
static int expand_from(struct expansion *expansion, size_t at, size_t length)
{
	const struct piece *piece = &expansion->pattern->pieces[at];

	if (length + piece->length > NAME_MAX_BYTES)
		return -E2BIG;
	memcpy(expansion->name + length, piece->text, piece->length);
	length += piece->length;
	if (at + 1 == expansion->pattern->count) {
		expansion->name[length] = '\0';
		expansion->bytes += length + 1;
		if (expansion->bytes > EXPANSION_MAX_BYTES)
			return -E2BIG;
		strings_add(expansion->out, expansion->name);
		return 0;
	}
	for (size_t i = 0; i < piece->count; i++) {
		const struct range *range = &piece->ranges[i];

		for (uint64_t number = range->first; number <= range->last; number += range->step) {
			char digits[32];
			int count = snprintf(digits, sizeof(digits), "%0*" PRIu64, range->width, number), error;

			if (length + (size_t)count > NAME_MAX_BYTES)
				return -E2BIG;
			memcpy(expansion->name + length, digits, (size_t)count);
			error = expand_from(expansion, at + 1, length + (size_t)count);
			if (error)
				return error;
		}
	}
	return 0;
}

/* The comma that ends the name at @s: none inside brackets counts. */
static const char *end_of_name(const char *s)
{
	bool inside = false;

	for (; *s && (inside || *s != ','); s++)
		inside = *s == '[' || (inside && *s != ']');
	return s;
}

static int expand_one(struct expansion *expansion, const char *s, const char *end, char **why)
{
	__attribute__((cleanup(pattern_free))) struct pattern pattern = {.count = 0};
	uint64_t size = 1;
	int error;

	while (s < end && *s == ' ')
		s++;
	while (end > s && end[-1] == ' ')
		end--;
	if (s == end)
		return refuse(why, xstrdup("a name is empty"));
	error = read_pattern(&pattern, s, end, why);
	if (error)
		return error;
	for (size_t i = 0; i + 1 < pattern.count; i++) {
		size *= pattern.pieces[i].size; /* both at most NODESET_MAX */
		if (size > NODESET_MAX)
			return -E2BIG;
	}
	expansion->count += size;
	if (expansion->count > NODESET_MAX)
		return -E2BIG;
	expansion->pattern = &pattern;
	return expand_from(expansion, 0, 0);
}

int nodeset_expand(const char *text, struct strings *out, char **why)
{
	struct expansion expansion = {.out = out};
	size_t before = out->count;
	int error = 0;

	*why = NULL;
	for (const char *s = text, *end;; s = end + 1) {
		end = end_of_name(s);
		error = expand_one(&expansion, s, end, why);
		if (error || !*end)
			break;
	}
	if (error == -E2BIG)
		*why = xasprintf("more than %d names, or names longer than %d bytes", NODESET_MAX, NAME_MAX_BYTES);
	while (error && out->count > before)
		free(out->items[--out->count]);
	return error;
}
