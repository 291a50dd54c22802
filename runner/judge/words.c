/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge/words.h"

#include <string.h>

#include "base/cleanup.h"

static bool needs_quotes(const char *text, size_t length)
{
	static const char *const ours[] = {"none", "and", "or", "not", "median"};
	size_t i;

	if (!length)
		return true;
	for (i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		if (strlen(ours[i]) == length && !memcmp(ours[i], text, length))
			return true;
	for (i = 0; i < length; i++)
		if ((unsigned char)text[i] <= ' ' || strchr(",;'()[]", text[i]))
			return true;
	return false;
}

void words_add(struct buf *out, const char *bytes, size_t length, size_t longest)
{
	size_t end = length;

	if (end > longest) {
		end = longest;
		while (end && ((unsigned char)bytes[end] & 0xc0) == 0x80)
			end--;
	}
	for (size_t i = 0; i < end; i++) {
		if (bytes[i])
			buf_putc(out, bytes[i]);
		else
			buf_puts(out, "\\x00");
	}
	if (end < length)
		buf_puts(out, "...");
}

void words_text(struct buf *out, const char *text, size_t length)
{
	bool quotes = needs_quotes(text, length);

	if (quotes)
		buf_putc(out, '\'');
	words_add(out, text, length, WORDS_LONGEST);
	if (quotes)
		buf_putc(out, '\'');
}

static void write_list(struct buf *out, struct value_type type, const struct value *list)
{
	type.flags &= ~(unsigned)RS_F_LIST;
	buf_putc(out, '[');
	for (uint32_t i = 0; i < list->length; i++) {
		if (i)
			buf_puts(out, ", ");
		if (out->length > WORDS_LONGEST) {
			buf_printf(out, "... %u in all", list->length);
			break;
		}
		words_value(out, type, &list->items[i]);
	}
	buf_putc(out, ']');
}

void words_value(struct buf *out, struct value_type type, const struct value *value)
{
	AUTO_BUF struct buf text = {0};

	if (value->state == VALUE_SET && type.flags & RS_F_LIST) {
		write_list(&text, type, value);
		buf_add(out, text.data, text.length);
		return;
	}
	if (value->state == VALUE_SET && type.type == RS_TEXT) {
		words_text(out, value->text, value->length);
		return;
	}
	value_write(&text, type, value);
	words_add(out, text.data, text.length, WORDS_LONGEST);
}

void words_rows(struct buf *out, size_t rows)
{
	buf_printf(out, "%zu row%s", rows, plural(rows));
}
