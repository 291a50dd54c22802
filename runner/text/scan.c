/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libyaml names no place for bytes that it cannot read, and takes UTF-16 as well as line breaks that no editor shows.
 * So the bytes are looked at first.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "text/internal.h"

static bool starts_with(const struct source *source, const char *bytes, size_t length)
{
	return source->length >= length && !memcmp(source->data, bytes, length);
}

/* The end of the line break at @offset, or @offset where there is none. */
static size_t skip_break(const struct source *source, size_t offset)
{
	if (source->data[offset] == '\r' && offset + 1 < source->length && source->data[offset + 1] == '\n')
		return offset + 2;
	return offset + (source->data[offset] == '\n' || source->data[offset] == '\r');
}

static bool continues_character(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

struct place source_place(const struct source *source, size_t offset)
{
	struct place place = {.file = source->path, .line = 1, .column = 1};
	size_t start = 0;

	for (size_t i = 0; i < offset && i < source->length;) {
		size_t next = skip_break(source, i);

		if (next > i && next <= offset) {
			place.line++;
			start = next;
		}
		i = next > i ? next : i + 1;
	}
	for (size_t i = start; i < offset && i < source->length; i++)
		place.column += !continues_character(source->data[i]);
	return place;
}

size_t source_offset(const struct source *source, size_t line, size_t column)
{
	size_t at = 0;

	while (line && at < source->length) {
		size_t next = skip_break(source, at);

		line -= next > at;
		at = next > at ? next : at + 1;
	}
	while (column && at < source->length && skip_break(source, at) == at) {
		at++;
		while (at < source->length && continues_character(source->data[at]))
			at++;
		column--;
	}
	return at;
}

static int refuse(const struct source *source, size_t offset, struct diags *diags, uint32_t character)
{
	struct place place = source_place(source, offset);

	if (!character)
		diags_error(diags, place, "a NUL byte: this is no text");
	else if (character == 0x85 || character == 0x2028 || character == 0x2029)
		diags_error(diags, place,
			    "U+%04" PRIX32
			    " ends a line for YAML and for few editors: write it as \"\\%c\" in double quotes",
			    character,
			    character == 0x85	  ? 'N'
			    : character == 0x2028 ? 'L'
						  : 'P');
	else if (character == 0xfeff)
		diags_error(diags, place, "a byte order mark in the middle of the text");
	else
		diags_error(diags, place,
			    "the control character U+%04" PRIX32 ": write it as \"\\%c%0*" PRIX32 "\" in double quotes",
			    character, character > 0xff ? 'u' : 'x', character > 0xff ? 4 : 2, character);
	return -EINVAL;
}

/* What libyaml's reader does not take (YAML 1.1, 5.1), and its line breaks beyond ASCII. */
static bool is_refused(uint32_t character)
{
	if (character < 0x20)
		return character != '\t' && character != '\n' && character != '\r';
	return (character >= 0x7f && character < 0xa0) || character == 0x2028 || character == 0x2029 ||
	       character == 0xfeff || character == 0xfffe || character == 0xffff;
}

/* Whether all of eight bytes are from ' ' to '~'. */
static bool are_plain(const char *bytes)
{
	const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
	uint64_t x, low;

	memcpy(&x, bytes, 8);
	low = x & ~tops;
	/* With the top bit clear, adding 0x60 sets it from 0x20 on, and adding 1 sets it for 0x7f. */
	return !((x | ~(low + ones * 0x60) | (low + ones)) & tops);
}

static int scan_characters(const struct source *source, struct diags *diags)
{
	uint32_t character;

	for (size_t at = 0, step; at < source->length; at += step) {
		if (at + 8 <= source->length && are_plain(source->data + at)) {
			step = 8;
			continue;
		}
		step = utf8_next(source->data + at, source->length - at, &character);
		if (!step) {
			diags_error(diags, source_place(source, at), "the byte 0x%02x is not UTF-8",
				    (unsigned char)source->data[at]);
			return -EINVAL;
		}
		if (is_refused(character))
			return refuse(source, at, diags, character);
	}
	return 0;
}

/* libyaml compares every %TAG with all before it: a file full of them would take hours. No scenario has one. */
static int scan_directives(const struct source *source, struct diags *diags)
{
	static const char word[] = "%TAG";
	const char *at = source->data, *end = source->data + source->length;

	while ((at = memmem(at, (size_t)(end - at), word, sizeof(word) - 1))) {
		if (at == source->data || at[-1] == '\n' || at[-1] == '\r') {
			diags_error(diags, source_place(source, (size_t)(at - source->data)),
				    "tags are refused, and with them '%%TAG'");
			return -EINVAL;
		}
		at += sizeof(word) - 1;
	}
	return 0;
}

int scan_bytes(struct source *source, struct diags *diags)
{
	if (starts_with(source, "\xff\xfe", 2) || starts_with(source, "\xfe\xff", 2)) {
		diags_error(diags, source_place(source, 0), "this is UTF-16: a scenario is UTF-8");
		return -EINVAL;
	}
	if (starts_with(source, "\xef\xbb\xbf", 3)) {
		source->data += 3;
		source->length -= 3;
	}
	if (!source->length)
		return 0;
	if (scan_characters(source, diags) < 0)
		return -EINVAL;
	return scan_directives(source, diags);
}
