/* SPDX-License-Identifier: BSD-2-Clause */
#include "agent/scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

#define SKIP_DEPTH_MAX 64

void scan_begin(struct scan *scan, const char *data, size_t length)
{
	scan->start = scan->at = data;
	scan->end = data + length;
}

void scan_free(struct scan *scan)
{
	buf_free(&scan->scratch);
	buf_free(&scan->text);
}

char scan_peek(struct scan *scan)
{
	while (scan->at < scan->end &&
	       (*scan->at == ' ' || *scan->at == '\t' || *scan->at == '\r' || *scan->at == '\n'))
		scan->at++;
	return scan->at < scan->end ? *scan->at : 0;
}

bool scan_take(struct scan *scan, char c)
{
	if (scan_peek(scan) != c)
		return false;
	scan->at++;
	return true;
}

bool scan_is_value(struct scan *scan)
{
	char c = scan_peek(scan);

	return c && strchr("\"[{-0123456789tfn", c);
}

bool scan_word(struct scan *scan, const char *word)
{
	size_t length = strlen(word);

	if (scan_peek(scan) != *word || (size_t)(scan->end - scan->at) < length || memcmp(scan->at, word, length) != 0)
		return false;
	scan->at += length;
	return true;
}

static bool is_digit(const struct scan *scan, const char *at)
{
	return at < scan->end && *at >= '0' && *at <= '9';
}

bool scan_integer(struct scan *scan, int64_t *value)
{
	bool negative = scan_peek(scan) == '-';
	const char *at = scan->at + negative;
	bool zero = is_digit(scan, at) && *at == '0';
	int64_t sum = 0;

	if (!is_digit(scan, at))
		return false;
	/* Summed up below zero, where there is room for one more. */
	for (; is_digit(scan, at); at++)
		if (__builtin_mul_overflow(sum, 10, &sum) || __builtin_sub_overflow(sum, *at - '0', &sum))
			return false;
	if ((zero && at - scan->at > 1 + negative) || (at < scan->end && (*at == '.' || *at == 'e' || *at == 'E')))
		return false;
	if (!negative && __builtin_sub_overflow(0, sum, &sum))
		return false;
	scan->at = at;
	*value = sum;
	return true;
}

static bool read_hex(const struct scan *scan, const char *at, uint32_t *out)
{
	uint32_t value = 0;

	if (scan->end - at < 4)
		return false;
	for (int i = 0; i < 4; i++) {
		char c = at[i];

		if (c >= '0' && c <= '9')
			value = value << 4 | (uint32_t)(c - '0');
		else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
			value = value << 4 | (uint32_t)((c | 0x20) - 'a' + 10);
		else
			return false;
	}
	*out = value;
	return true;
}

static void add_character(struct buf *out, uint32_t c)
{
	if (c < 0x80) {
		buf_putc(out, (char)c);
	} else if (c < 0x800) {
		buf_putc(out, (char)(0xc0 | c >> 6));
		buf_putc(out, (char)(0x80 | (c & 0x3f)));
	} else if (c < 0x10000) {
		buf_putc(out, (char)(0xe0 | c >> 12));
		buf_putc(out, (char)(0x80 | (c >> 6 & 0x3f)));
		buf_putc(out, (char)(0x80 | (c & 0x3f)));
	} else {
		buf_putc(out, (char)(0xf0 | c >> 18));
		buf_putc(out, (char)(0x80 | (c >> 12 & 0x3f)));
		buf_putc(out, (char)(0x80 | (c >> 6 & 0x3f)));
		buf_putc(out, (char)(0x80 | (c & 0x3f)));
	}
}

/* \uXXXX, @at being behind the u; where it is the first half of a pair, the second as well. NULL: no character */
static const char *unescape_unicode(struct scan *scan, const char *at)
{
	uint32_t c, low;

	if (!read_hex(scan, at, &c) || !c || (c >= 0xdc00 && c <= 0xdfff))
		return NULL;
	at += 4;
	if (c >= 0xd800 && c <= 0xdbff) {
		if (scan->end - at < 6 || at[0] != '\\' || at[1] != 'u' || !read_hex(scan, at + 2, &low) ||
		    low < 0xdc00 || low > 0xdfff)
			return NULL;
		c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
		at += 6;
	}
	add_character(&scan->scratch, c);
	return at;
}

static const char *unescape(struct scan *scan, const char *at)
{
	static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
	const char *name;

	if (at == scan->end || !*at)
		return NULL;
	if (*at == 'u')
		return unescape_unicode(scan, at + 1);
	name = strchr(names, *at);
	if (!name)
		return NULL;
	buf_putc(&scan->scratch, values[name - names]);
	return at + 1;
}

/* The end of what stands for itself; *ascii is cleared where not all of it is ASCII. */
static const char *skip_plain(const struct scan *scan, const char *at, bool *ascii)
{
	for (; at < scan->end; at++) {
		unsigned char c = (unsigned char)*at;

		if (c < 0x20 || c == '"' || c == '\\')
			break;
		if (c >= 0x80)
			*ascii = false;
	}
	return at;
}

bool scan_string(struct scan *scan, const char **text, size_t *length)
{
	const char *start, *at;
	bool ascii = true;

	if (scan_peek(scan) != '"')
		return false;
	start = scan->at + 1;
	at = skip_plain(scan, start, &ascii);
	if (at < scan->end && *at == '\\') {
		buf_clear(&scan->scratch);
		while (at && at < scan->end && *at == '\\') {
			buf_add(&scan->scratch, start, (size_t)(at - start));
			start = unescape(scan, at + 1);
			at = start ? skip_plain(scan, start, &ascii) : NULL;
		}
		if (!at)
			return false;
		buf_add(&scan->scratch, start, (size_t)(at - start));
		*text = scan->scratch.data;
		*length = scan->scratch.length;
	} else {
		*text = start;
		*length = (size_t)(at - start);
	}
	if (at == scan->end || *at != '"' || (!ascii && !utf8_valid(*text, *length)))
		return false;
	scan->at = at + 1;
	return true;
}

bool scan_text(struct scan *scan, const char **text, size_t *length)
{
	if (!scan_string(scan, text, length))
		return false;
	/* Only what had a backslash in JSON can have one now. */
	if (*text != scan->scratch.data || !memchr(*text, '\\', *length))
		return true;
	buf_clear(&scan->text);
	if (!utf8_unescape(&scan->text, *text, *length))
		return false;
	*text = scan->text.data;
	*length = scan->text.length;
	return true;
}

bool scan_number(struct scan *scan, double *value)
{
	char first = scan_peek(scan), copy[64];
	const char *at = scan->at;
	size_t length = 0;
	char *end;

	if (first != '-' && (first < '0' || first > '9'))
		return false;
	while (at + length < scan->end && at[length] && strchr("+-.0123456789eE", at[length]))
		length++;
	if (length >= sizeof(copy))
		return false;
	memcpy(copy, at, length);
	copy[length] = '\0';
	*value = strtod(copy, &end);
	/* What is too large for a double is no number that anybody could use. */
	if (*end || !isfinite(*value))
		return false;
	scan->at = at + length;
	return true;
}

static bool skip(struct scan *scan, unsigned depth);

/* Behind the opening bracket. */
static bool skip_items(struct scan *scan, char close, unsigned depth)
{
	const char *text;
	size_t length;

	if (scan_take(scan, close))
		return true;
	do {
		if (close == '}' && (!scan_string(scan, &text, &length) || !scan_take(scan, ':')))
			return false;
		if (!skip(scan, depth + 1))
			return false;
	} while (scan_take(scan, ','));
	return scan_take(scan, close);
}

static bool skip(struct scan *scan, unsigned depth)
{
	const char *text;
	size_t length;
	double number;

	if (depth > SKIP_DEPTH_MAX)
		return false;
	switch (scan_peek(scan)) {
	case '{':
		scan->at++;
		return skip_items(scan, '}', depth);
	case '[':
		scan->at++;
		return skip_items(scan, ']', depth);
	case '"':
		return scan_string(scan, &text, &length);
	case 't':
		return scan_word(scan, "true");
	case 'f':
		return scan_word(scan, "false");
	case 'n':
		return scan_word(scan, "null");
	}
	return scan_number(scan, &number);
}

bool scan_skip(struct scan *scan)
{
	return skip(scan, 0);
}
