/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * "rack #4" is "rack" to YAML. A comment that stands behind a value and begins without a blank ("#4", not "# 4") was
 * probably none. Such places are looked up in the bytes one ahead of the parser, which costs one memchr() of the file.
 */
#include <string.h>

#include "text/internal.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (unsigned char)c >= 0x80;
}

/* Go on to @offset, counting lines and the characters of the last one. */
static void go_to(struct cut *cut, size_t offset)
{
	const char *data = cut->source->data;

	for (; cut->at < offset; cut->at++) {
		char c = data[cut->at];

		if (c == '\n' || (c == '\r' && data[cut->at + 1] != '\n')) {
			cut->at_line++;
			cut->at_column = 0;
			cut->line_start = cut->at + 1;
		} else {
			cut->at_column += ((unsigned char)c & 0xc0) != 0x80;
		}
	}
}

/* The next " #word" with something before it on its line. */
static void find_next(struct cut *cut)
{
	const struct source *source = cut->source;
	const char *data = source->data, *end = data + source->length;
	size_t from = cut->at;

	while (from < source->length) {
		const char *hash = memchr(data + from, '#', source->length - from);
		size_t offset, stop;

		if (!hash)
			break;
		offset = (size_t)(hash - data);
		from = offset + 1;
		if (!offset || !is_blank(hash[-1]) || hash + 1 == end || !is_word(hash[1]))
			continue;
		go_to(cut, offset);
		for (stop = offset; stop > cut->line_start && is_blank(data[stop - 1]);)
			stop--;
		if (stop == cut->line_start)
			continue;
		cut->line = cut->at_line;
		cut->column = cut->at_column - (uint32_t)(offset - stop);
		go_to(cut, from);
		return;
	}
	cut->line = UINT32_MAX;
}

void cut_begin(struct cut *cut, const struct source *source)
{
	*cut = (struct cut){.source = source};
	find_next(cut);
}

bool cut_matches(struct cut *cut, yaml_mark_t end)
{
	while (cut->line < end.line || (cut->line == end.line && cut->column < end.column))
		find_next(cut);
	return cut->line == end.line && cut->column == end.column;
}
