/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts made fit to be shown: what is harmless is decided in base/utf8.h, what is a line and how wide it is, here. */
#include <string.h>

#include "base/utf8.h"
#include "report/view.h"

void text_line(struct buf *out, const char *text)
{
	if (text)
		utf8_printable(out, text, strlen(text));
}

void text_words(struct buf *out, const char *text)
{
	static const char white[] = " \t\r\n";
	bool first = true;

	for (text = text ? text + strspn(text, white) : ""; *text; text += strspn(text, white)) {
		size_t length = strcspn(text, white);

		if (!first)
			buf_putc(out, ' ');
		first = false;
		utf8_printable(out, text, length);
		text += length;
	}
}

void text_block(struct buf *out, const char *text, size_t length)
{
	while (length) {
		size_t piece = 0;

		while (piece < length && text[piece] != '\n' && text[piece] != '\t')
			piece++;
		/* The carriage return of a CR LF says nothing. */
		if (piece && piece < length && text[piece] == '\n' && text[piece - 1] == '\r')
			utf8_printable(out, text, piece - 1);
		else
			utf8_printable(out, text, piece);
		if (piece < length)
			buf_putc(out, text[piece++]);
		text += piece;
		length -= piece;
	}
}

struct range {
	uint32_t first, last;
};

/* Marks that take no column of their own (general category Mn of the blocks that hold nothing else). */
static const struct range zero[] = {
	{0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x064b, 0x065f}, {0x1ab0, 0x1aff},
	{0x1dc0, 0x1dff}, {0x20d0, 0x20f0}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f},
};

/* East Asian Width W and F, as UAX #11 gives them block by block. */
static const struct range wide[] = {
	{0x1100, 0x115f},   {0x2e80, 0x303e},	{0x3041, 0xa4cf},   {0xa960, 0xa97c}, {0xac00, 0xd7a3},
	{0xf900, 0xfaff},   {0xfe30, 0xfe6f},	{0xff00, 0xff60},   {0xffe0, 0xffe6}, {0x1f300, 0x1f64f},
	{0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
};

static bool in(const struct range *ranges, size_t count, uint32_t character)
{
	for (size_t i = 0; i < count && character >= ranges[i].first; i++)
		if (character <= ranges[i].last)
			return true;
	return false;
}

/* One character: its bytes and its columns. */
static size_t measure(const char *text, size_t length, size_t *columns)
{
	uint32_t character = 0;
	size_t bytes = utf8_next(text, length, &character);

	*columns = 1;
	if (in(zero, sizeof(zero) / sizeof(zero[0]), character))
		*columns = 0;
	else if (in(wide, sizeof(wide) / sizeof(wide[0]), character))
		*columns = 2;
	return bytes ? bytes : 1;
}

size_t text_width(const char *text, size_t length)
{
	size_t width = 0, columns;

	for (size_t at = 0; at < length; width += columns)
		at += measure(text + at, length - at, &columns);
	return width;
}

size_t text_cut(const char *text, size_t length, size_t columns)
{
	size_t at = 0, width;

	while (at < length) {
		size_t bytes = measure(text + at, length - at, &width);

		if (width > columns)
			break;
		columns -= width;
		at += bytes;
	}
	return at;
}
