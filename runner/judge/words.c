/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge/words.h"

#include <string.h>

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

void words_text(struct buf *out, const char *text, size_t length)
{
	bool quotes = needs_quotes(text, length);

	if (quotes)
		buf_putc(out, '\'');
	buf_add(out, text, length);
	if (quotes)
		buf_putc(out, '\'');
}

void words_value(struct buf *out, struct value_type type, const struct value *value)
{
	struct value_type element = type;

	if (type.type != RS_TEXT || value->state != VALUE_SET) {
		value_write(out, type, value);
	} else if (!(type.flags & RS_F_LIST)) {
		words_text(out, value->text, value->length);
	} else {
		element.flags &= ~(unsigned)RS_F_LIST;
		buf_putc(out, '[');
		for (uint32_t i = 0; i < value->length; i++) {
			if (i)
				buf_puts(out, ", ");
			words_value(out, element, &value->items[i]);
		}
		buf_putc(out, ']');
	}
}

void words_rows(struct buf *out, size_t rows)
{
	buf_printf(out, "%zu row%s", rows, rows == 1 ? "" : "s");
}
