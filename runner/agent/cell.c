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

#define SHOWN 60 /* characters of what is wrong that a message shows */

static int bad_text(char **why, const struct buf *text, const char *what)
{
	size_t shown = wire_chunk(text->data, text->length, SHOWN);

	*why = xasprintf("is '%.*s%s', which is %s", (int)shown, text->data, shown < text->length ? "..." : "", what);
	return -EPROTO;
}

static int bad_type(char **why, const char *what)
{
	*why = xasprintf("is not %s", what);
	return -EPROTO;
}

bool decimal_valid(const char *text, size_t length)
{
	double base;

	return !memchr(text, 0, length) && decimal_parse(text, NULL, &base);
}

static bool read_unsigned(const char *text, size_t length, uint64_t *out)
{
	uint64_t value = 0;

	if (!length || (length > 1 && *text == '0'))
		return false;
	for (size_t i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9' || __builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(text[i] - '0'), &value))
			return false;
	}
	*out = value;
	return true;
}

static bool read_guid(const char *text, size_t length, uint64_t *out)
{
	uint64_t value = 0;

	if (length != 18 || text[0] != '0' || text[1] != 'x')
		return false;
	for (size_t i = 2; i < 18; i++) {
		char c = text[i];

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

static bool read_address(bool only_gid, const struct buf *text, struct arena *arena, struct value *value)
{
	uint8_t bytes[16], *copy;
	int length = 16;

	if (memchr(text->data, 0, text->length))
		return false;
	if (inet_pton(AF_INET6, text->data, bytes) != 1) {
		if (only_gid || inet_pton(AF_INET, text->data, bytes) != 1)
			return false;
		length = 4;
	}
	copy = arena_alloc(arena, (size_t)length);
	memcpy(copy, bytes, (size_t)length);
	value->address = copy;
	value->length = (uint32_t)length;
	return true;
}

static int read_choice(const struct rs_fact *fact, const struct buf *text, struct value *value, char **why)
{
	AUTO_BUF struct buf choices = {0};

	for (int i = 0; fact->choices[i]; i++) {
		if (!strcmp(fact->choices[i], text->data) && strlen(fact->choices[i]) == text->length) {
			value->integer = i;
			return 0;
		}
		buf_printf(&choices, "%s%s", i ? ", " : "none of ", fact->choices[i]);
	}
	return bad_text(why, text, choices.data);
}

static int read_string(const struct rs_fact *fact, const struct buf *text, struct arena *arena, struct value *value,
		       char **why)
{
	switch (fact->type) {
	case RS_TEXT:
		break;
	case RS_NUMBER:
	case RS_QUANTITY:
		if (!decimal_valid(text->data, text->length))
			return bad_text(why, text, "no decimal number");
		break;
	case RS_UNSIGNED:
		return read_unsigned(text->data, text->length, &value->number)
			       ? 0
			       : bad_text(why, text, "no unsigned 64-bit number");
	case RS_GUID:
		return read_guid(text->data, text->length, &value->number) ? 0 : bad_text(why, text, "no GUID");
	case RS_ENUM:
		return read_choice(fact, text, value, why);
	case RS_GID:
		return read_address(true, text, arena, value) ? 0 : bad_text(why, text, "no GID");
	case RS_IP:
		return read_address(false, text, arena, value) ? 0 : bad_text(why, text, "no IP address");
	default:
		return bad_type(why, "of a type that a fact can have");
	}
	value->text = arena_text(arena, text->data, text->length);
	value->length = (uint32_t)text->length;
	return 0;
}

static int read_value(const struct rs_fact *fact, const json_t *json, struct arena *arena, struct buf *scratch,
		      struct value *value, char **why)
{
	value->state = VALUE_SET;
	if (fact->type == RS_INTEGER || fact->type == RS_TIME) {
		if (!json_is_integer(json))
			return bad_type(why, "a whole number");
		value->integer = json_integer_value(json);
		return 0;
	}
	if (fact->type == RS_BOOLEAN) {
		if (!json_is_boolean(json))
			return bad_type(why, "a boolean");
		value->integer = json_is_true(json);
		return 0;
	}
	if (!json_is_string(json))
		return bad_type(why, "a string");
	if (!wire_get_text(json, scratch))
		return bad_type(why, "a text in the escape form");
	return read_string(fact, scratch, arena, value, why);
}

/* {"unknown": TEXT} and, not inside a list, {"why": TEXT} */
static int read_special(const json_t *json, bool element, struct arena *arena, struct buf *scratch, struct value *value,
			char **why)
{
	const json_t *unknown = json_object_get(json, "unknown");
	const json_t *reason = element ? NULL : json_object_get(json, "why");

	if (json_object_size(json) != 1 || (!unknown && !reason) || !wire_get_text(unknown ? unknown : reason, scratch))
		return bad_type(why, "a cell of the wire format");
	value->state = unknown ? VALUE_UNKNOWN : VALUE_NOT_OBSERVED;
	value->text = arena_text(arena, scratch->data, scratch->length);
	value->length = (uint32_t)scratch->length;
	return 0;
}

static int read_element(const struct rs_fact *fact, const json_t *json, struct arena *arena, struct buf *scratch,
			struct value *value, char **why)
{
	if (json_is_object(json))
		return read_special(json, true, arena, scratch, value, why);
	return read_value(fact, json, arena, scratch, value, why);
}

int cell_read(const struct rs_fact *fact, const json_t *json, struct arena *arena, struct buf *scratch,
	      struct value *value, char **why)
{
	struct value *items;
	size_t count;

	*value = (struct value){.state = VALUE_NOT_OBSERVED};
	if (json_is_null(json))
		return 0;
	if (json_is_object(json))
		return read_special(json, false, arena, scratch, value, why);
	count = json_array_size(json);
	if (json_is_array(json) && !count) {
		value->state = VALUE_NONE;
		return 0;
	}
	if (json_is_array(json) != !!(fact->flags & RS_F_LIST))
		return bad_type(why, fact->flags & RS_F_LIST ? "a list" : "a single value");
	if (!json_is_array(json))
		return read_value(fact, json, arena, scratch, value, why);
	items = arena_alloc(arena, count * sizeof(*items));
	for (size_t i = 0; i < count; i++) {
		int rc = read_element(fact, json_array_get(json, i), arena, scratch, &items[i], why);

		if (rc < 0)
			return rc;
	}
	value->state = VALUE_SET;
	value->length = (uint32_t)count;
	value->items = items;
	return 0;
}
