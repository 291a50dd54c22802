/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/utf8.h"

#include <string.h>

static bool is_continuation(unsigned char byte)
{
	return (byte & 0xc0) == 0x80;
}

/* Table 3-7 of the Unicode Standard: well-formed sequences only, so no overlong forms, no surrogates. */
size_t utf8_next(const char *text, size_t length, uint32_t *character)
{
	const unsigned char *s = (const unsigned char *)text;

	if (!length)
		return 0;
	if (s[0] < 0x80) {
		*character = s[0];
		return 1;
	}
	if (s[0] >= 0xc2 && s[0] <= 0xdf) {
		if (length < 2 || !is_continuation(s[1]))
			return 0;
		*character = (uint32_t)(s[0] & 0x1f) << 6 | (s[1] & 0x3f);
		return 2;
	}
	if ((s[0] & 0xf0) == 0xe0) {
		if (length < 3 || !is_continuation(s[1]) || !is_continuation(s[2]))
			return 0;
		if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f))
			return 0;
		*character = (uint32_t)(s[0] & 0x0f) << 12 | (uint32_t)(s[1] & 0x3f) << 6 | (s[2] & 0x3f);
		return 3;
	}
	if (s[0] >= 0xf0 && s[0] <= 0xf4) {
		if (length < 4 || !is_continuation(s[1]) || !is_continuation(s[2]) || !is_continuation(s[3]))
			return 0;
		if ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
			return 0;
		*character = (uint32_t)(s[0] & 0x07) << 18 | (uint32_t)(s[1] & 0x3f) << 12 |
			     (uint32_t)(s[2] & 0x3f) << 6 | (s[3] & 0x3f);
		return 4;
	}
	return 0;
}

bool utf8_valid(const char *text, size_t length)
{
	uint32_t character;

	while (length) {
		uint64_t eight;
		size_t step;

		/* Most text is ASCII: eight bytes at once. */
		while (length >= 8) {
			memcpy(&eight, text, 8);
			if (eight & UINT64_C(0x8080808080808080))
				break;
			text += 8;
			length -= 8;
		}
		if (!length)
			break;
		step = utf8_next(text, length, &character);
		if (!step)
			return false;
		text += step;
		length -= step;
	}
	return true;
}

/*
 * What a terminal, a log or an eye could be deceived by: general categories Cc, Cf, Zl and Zp of Unicode 15, the tag
 * characters, and the noncharacters.
 */
static const struct {
	uint32_t first, last;
} harmful[] = {
	{0x0000, 0x001f},   {0x007f, 0x009f},	{0x00ad, 0x00ad},   {0x0600, 0x0605},	{0x061c, 0x061c},
	{0x06dd, 0x06dd},   {0x070f, 0x070f},	{0x0890, 0x0891},   {0x08e2, 0x08e2},	{0x180e, 0x180e},
	{0x200b, 0x200f},   {0x2028, 0x202e},	{0x2060, 0x206f},   {0xfdd0, 0xfdef},	{0xfeff, 0xfeff},
	{0xfff9, 0xfffb},   {0x110bd, 0x110bd}, {0x110cd, 0x110cd}, {0x13430, 0x1343f}, {0x1bca0, 0x1bca3},
	{0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
};

static bool is_harmful(uint32_t character)
{
	size_t low = 0, high = sizeof(harmful) / sizeof(harmful[0]);

	if (character >= 0x20 && character < 0x7f)
		return false;
	if ((character & 0xfffe) == 0xfffe)
		return true;
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (character > harmful[middle].last)
			low = middle + 1;
		else
			high = middle;
	}
	return low < sizeof(harmful) / sizeof(harmful[0]) && character >= harmful[low].first;
}

static void add_escaped(struct buf *out, const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		buf_printf(out, "\\x%02x", (unsigned char)bytes[i]);
}

void utf8_printable(struct buf *out, const char *text, size_t length)
{
	uint32_t character;

	while (length) {
		size_t step = utf8_next(text, length, &character);

		if (!step)
			add_escaped(out, text, step = 1);
		else if (is_harmful(character))
			add_escaped(out, text, step);
		else
			buf_add(out, text, step);
		text += step;
		length -= step;
	}
}

void utf8_escape(struct buf *out, const char *text, size_t length)
{
	uint32_t character;

	while (length) {
		size_t step = utf8_next(text, length, &character);

		if (!step || !character)
			add_escaped(out, text, step = 1);
		else if (character == '\\')
			buf_add(out, "\\\\", 2);
		else
			buf_add(out, text, step);
		text += step;
		length -= step;
	}
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

bool utf8_unescape(struct buf *out, const char *text, size_t length)
{
	uint32_t character;

	while (length) {
		size_t step = utf8_next(text, length, &character);

		if (!step || !character)
			return false;
		if (character != '\\') {
			buf_add(out, text, step);
		} else if (length >= 2 && text[1] == '\\') {
			buf_putc(out, '\\');
			step = 2;
		} else if (length >= 4 && text[1] == 'x' && hex_digit(text[2]) >= 0 && hex_digit(text[3]) >= 0) {
			buf_putc(out, (char)(hex_digit(text[2]) << 4 | hex_digit(text[3])));
			step = 4;
		} else {
			return false;
		}
		text += step;
		length -= step;
	}
	return true;
}
