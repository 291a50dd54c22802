/* SPDX-License-Identifier: BSD-2-Clause */
#include "agent/cell.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "agent/wire.h"
#include "base/cleanup.h"
#include "base/quantity.h"

#define SHOWN 60 /* bytes of what is wrong that a message shows */
#define NUMBER_MAX 256

/* struct text_view - bytes of a string; not NUL-ended */
struct text_view {
	const char *data;
	size_t length;
};

static int bad_text(char **why, struct text_view text, const char *what)
{
	size_t shown = wire_chunk(text.data, text.length, SHOWN);

	*why = xasprintf("is '%.*s%s', which is %s", (int)shown, text.data, shown < text.length ? "..." : "", what);
	return -EPROTO;
}

/* Something else is there; or nothing that could be a value, which is for the caller to say. */
static int bad_type(struct scan *scan, char **why, const char *what)
{
	*why = scan_is_value(scan) ? xasprintf("is not %s", what) : NULL;
	return -EPROTO;
}

bool decimal_valid(const char *text, size_t length)
{
	double base;

	return !memchr(text, 0, length) && decimal_parse(text, NULL, &base);
}

static bool read_decimal(struct text_view text)
{
	char copy[NUMBER_MAX];

	if (text.length >= sizeof(copy))
		return false;
	memcpy(copy, text.data, text.length);
	copy[text.length] = 0;
	return decimal_valid(copy, text.length);
}

static bool read_unsigned(struct text_view text, uint64_t *out)
{
	uint64_t value = 0;

	if (!text.length || (text.length > 1 && *text.data == '0'))
		return false;
	for (size_t i = 0; i < text.length; i++) {
		char c = text.data[i];

		if (c < '0' || c > '9' || __builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(c - '0'), &value))
			return false;
	}
	*out = value;
	return true;
}

static bool read_guid(struct text_view text, uint64_t *out)
{
	uint64_t value = 0;

	if (text.length != 18 || text.data[0] != '0' || text.data[1] != 'x')
		return false;
	for (size_t i = 2; i < 18; i++) {
		char c = text.data[i];

		if (c >= '0' && c <= '9')
			value = value << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			value = value << 4 | (uint64_t)(c - 'a' + 10);
		else
			return false;
	}
	*out = value;
	return true;
}

static bool read_address(bool only_gid, struct text_view text, struct arena *arena, struct value *value)
{
	char copy[INET6_ADDRSTRLEN];
	uint8_t bytes[16], *kept;
	int length = 16;

	if (text.length >= sizeof(copy) || memchr(text.data, 0, text.length))
		return false;
	memcpy(copy, text.data, text.length);
	copy[text.length] = 0;
	if (inet_pton(AF_INET6, copy, bytes) != 1) {
		if (only_gid || inet_pton(AF_INET, copy, bytes) != 1)
			return false;
		length = 4;
	}
	kept = arena_alloc(arena, (size_t)length);
	memcpy(kept, bytes, (size_t)length);
	value->address = kept;
	value->length = (uint32_t)length;
	return true;
}

static int no_choice(const struct rs_fact *fact, struct text_view text, char **why)
{
	AUTO_BUF struct buf choices = {0};

	for (int i = 0; fact->choices[i]; i++)
		buf_printf(&choices, "%s%s", i ? ", " : "none of ", fact->choices[i]);
	return bad_text(why, text, choices.data);
}

static int read_choice(const struct rs_fact *fact, struct text_view text, struct value *value, char **why)
{
	for (int i = 0; fact->choices[i]; i++) {
		if (strlen(fact->choices[i]) == text.length && !memcmp(fact->choices[i], text.data, text.length)) {
			value->integer = i;
			return 0;
		}
	}
	return no_choice(fact, text, why);
}

/* Of a column, one row says again and again what the row above it does: that is kept once. */
static const char *keep_text(struct text_view text, const struct value *above, struct arena *arena)
{
	if (above && above->state == VALUE_SET && above->length == text.length &&
	    !memcmp(above->text, text.data, text.length))
		return above->text;
	return arena_text(arena, text.data, text.length);
}

static int read_string(const struct rs_fact *fact, struct text_view text, const struct value *above,
		       struct arena *arena, struct value *value, char **why)
{
	switch (fact->type) {
	case RS_TEXT:
		break;
	case RS_NUMBER:
	case RS_QUANTITY:
		if (!read_decimal(text))
			return bad_text(why, text, "no decimal number");
		break;
	case RS_UNSIGNED:
		return read_unsigned(text, &value->number) ? 0 : bad_text(why, text, "no unsigned 64-bit number");
	case RS_GUID:
		return read_guid(text, &value->number) ? 0 : bad_text(why, text, "no GUID");
	case RS_ENUM:
		return read_choice(fact, text, value, why);
	case RS_GID:
		return read_address(true, text, arena, value) ? 0 : bad_text(why, text, "no GID");
	case RS_IP:
		return read_address(false, text, arena, value) ? 0 : bad_text(why, text, "no IP address");
	default:
		return bad_text(why, text, "not of a type that a fact can have");
	}
	value->text = keep_text(text, above, arena);
	value->length = (uint32_t)text.length;
	return 0;
}

/* scan_text(), or why not: no string, not in the escape form, or no JSON */
static int read_text(struct scan *scan, struct text_view *text, char **why)
{
	bool is_string = scan_peek(scan) == '"';
	const char *start = scan->at;

	if (scan_text(scan, &text->data, &text->length))
		return 0;
	if (!is_string)
		return bad_type(scan, why, "a string");
	/* Stepped over, it was JSON. */
	*why = scan->at != start ? xstrdup("is not a text in the escape form") : NULL;
	return -EPROTO;
}

static int read_value(const struct rs_fact *fact, struct scan *scan, const struct value *above, struct arena *arena,
		      struct value *value, char **why)
{
	struct text_view text;
	int rc;

	value->state = VALUE_SET;
	if (fact->type == RS_INTEGER || fact->type == RS_TIME)
		return scan_integer(scan, &value->integer) ? 0 : bad_type(scan, why, "a whole number");
	if (fact->type == RS_BOOLEAN) {
		value->integer = scan_word(scan, "true");
		return value->integer || scan_word(scan, "false") ? 0 : bad_type(scan, why, "a boolean");
	}
	rc = read_text(scan, &text, why);
	return rc < 0 ? rc : read_string(fact, text, above, arena, value, why);
}

static bool is_key(struct text_view key, const char *name)
{
	return key.length == strlen(name) && !memcmp(key.data, name, key.length);
}

/* {"unknown": TEXT} and, not inside a list, {"why": TEXT} */
static int read_special(bool element, struct scan *scan, struct arena *arena, struct value *value, char **why)
{
	struct text_view text;

	scan_take(scan, '{');
	if (!scan_string(scan, &text.data, &text.length)) {
		*why = scan_peek(scan) == '}' ? xstrdup("is not a cell of the wire format") : NULL;
		return -EPROTO;
	}
	value->state = is_key(text, "unknown") ? VALUE_UNKNOWN : VALUE_NOT_OBSERVED;
	if ((value->state != VALUE_UNKNOWN && (element || !is_key(text, "why"))) || !scan_take(scan, ':') ||
	    !scan_text(scan, &text.data, &text.length)) {
		*why = xstrdup("is not a cell of the wire format");
		return -EPROTO;
	}
	value->text = arena_text(arena, text.data, text.length);
	value->length = (uint32_t)text.length;
	if (!scan_take(scan, '}')) {
		*why = xstrdup("is not a cell of the wire format");
		return -EPROTO;
	}
	return 0;
}

/* Elements that are no pointers: numbers, choices */
static bool same_items(enum rs_type type, const struct value *above, const struct value *items, size_t count)
{
	if (type != RS_ENUM && type != RS_INTEGER && type != RS_UNSIGNED && type != RS_GUID)
		return false;
	if (!above || above->state != VALUE_SET || above->length != count)
		return false;
	for (size_t i = 0; i < count; i++)
		if (items[i].state != VALUE_SET || above->items[i].state != VALUE_SET ||
		    items[i].number != above->items[i].number)
			return false;
	return true;
}

/* What follows the bracket of a list that has elements. They are counted by collecting them first. */
static int read_list(const struct rs_fact *fact, struct scan *scan, const struct value *above, struct arena *arena,
		     struct value *value, char **why)
{
	struct value few[16];
	const struct value *kept;
	struct value *items = few;
	size_t count = 0, capacity = sizeof(few) / sizeof(few[0]);
	int rc;

	do {
		if (count == capacity) {
			struct value *more = arena_alloc(arena, 2 * capacity * sizeof(*more));

			memcpy(more, items, count * sizeof(*more));
			items = more;
			capacity *= 2;
		}
		items[count] = (struct value){0};
		rc = scan_peek(scan) == '{' ? read_special(true, scan, arena, &items[count], why)
					    : read_value(fact, scan, NULL, arena, &items[count], why);
		if (rc < 0)
			return rc;
		count++;
	} while (scan_take(scan, ','));
	if (!scan_take(scan, ']')) {
		*why = NULL;
		return -EPROTO;
	}
	kept = items;
	if (same_items(fact->type, above, items, count))
		kept = above->items;
	else if (items == few)
		kept = memcpy(arena_alloc(arena, count * sizeof(*items)), few, count * sizeof(*items));
	value->state = VALUE_SET;
	value->length = (uint32_t)count;
	value->items = kept;
	return 0;
}

int cell_read(const struct rs_fact *fact, struct scan *scan, const struct value *above, struct arena *arena,
	      struct value *value, char **why)
{
	char first = scan_peek(scan);

	*value = (struct value){.state = VALUE_NOT_OBSERVED};
	*why = NULL;
	if (first == 'n' && scan_word(scan, "null"))
		return 0;
	if (first == '{')
		return read_special(false, scan, arena, value, why);
	if (first == '[') {
		scan_take(scan, '[');
		if (scan_take(scan, ']')) {
			value->state = VALUE_NONE;
			return 0;
		}
		if (fact->flags & RS_F_LIST)
			return read_list(fact, scan, above, arena, value, why);
		return bad_type(scan, why, "a single value");
	}
	if (fact->flags & RS_F_LIST)
		return bad_type(scan, why, "a list");
	return read_value(fact, scan, above, arena, value, why);
}
