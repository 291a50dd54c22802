/* SPDX-License-Identifier: BSD-2-Clause */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/quantity.h"
#include "base/value.h"

/* As much of a text as a message shows of it. */
#define SHOWN 60

struct parse {
	struct value_type type;
	const char *text; /* NUL-ended, without NUL inside */
	size_t length;
	struct arena *arena;
	struct value *out;
	struct buf why;
};

/* "'TEXT'": cut between two characters, never inside one. */
static void quote(struct parse *parse)
{
	size_t length = parse->length;

	if (length > SHOWN) {
		length = SHOWN;
		while (length && ((unsigned char)parse->text[length] & 0xc0) == 0x80)
			length--;
	}
	buf_putc(&parse->why, '\'');
	buf_add(&parse->why, parse->text, length);
	buf_puts(&parse->why, length < parse->length ? "...'" : "'");
}

static int refuse(struct parse *parse, const char *what)
{
	quote(parse);
	buf_putc(&parse->why, ' ');
	buf_puts(&parse->why, what);
	return -EINVAL;
}

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

/* Digits of decimal or 0x hex up to the text's end. -EINVAL: other characters or none; -ERANGE: over 64 bits. */
static int parse_digits(const char *text, uint64_t *number)
{
	unsigned base = 10;
	uint64_t sum = 0;
	bool over = false;

	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		base = 16;
		text += 2;
	}
	if (!*text)
		return -EINVAL;
	for (; *text; text++) {
		unsigned digit = (unsigned)digit_value(*text);

		if (digit >= base)
			return -EINVAL;
		over |= __builtin_mul_overflow(sum, (uint64_t)base, &sum);
		over |= __builtin_add_overflow(sum, (uint64_t)digit, &sum);
	}
	*number = sum;
	return over ? -ERANGE : 0;
}

static int parse_integer(struct parse *parse)
{
	bool negative = parse->text[0] == '-';
	uint64_t limit = negative ? (uint64_t)INT64_MAX + 1 : INT64_MAX;
	uint64_t magnitude;
	int result = parse_digits(parse->text + negative, &magnitude);

	if (result == -EINVAL)
		return refuse(parse, "is not an integer");
	if (result || magnitude > limit)
		return refuse(parse, negative ? "is too small: at least -9223372036854775808"
					      : "is too large: at most 9223372036854775807");
	parse->out->integer = negative ? (int64_t)-magnitude : (int64_t)magnitude;
	return 0;
}

static int parse_unsigned(struct parse *parse)
{
	bool negative = parse->text[0] == '-';
	int result = parse_digits(parse->text + negative, &parse->out->number);

	if (result == -EINVAL)
		return refuse(parse, "is not an integer");
	if (negative)
		return refuse(parse, "is negative: at least 0");
	return result ? refuse(parse, "is too large: at most 18446744073709551615") : 0;
}

static int set_text(struct parse *parse, const char *text, size_t length)
{
	parse->out->text = arena_text(parse->arena, text, length);
	parse->out->length = (uint32_t)length;
	return 0;
}

static int parse_number(struct parse *parse)
{
	double number;

	if (!decimal_parse(parse->text, NULL, &number))
		return refuse(parse, "is not a number");
	return set_text(parse, parse->text, parse->length);
}

static int parse_boolean(struct parse *parse)
{
	static const char *const words[] = {"false", "true", "no", "yes", "off", "on"};
	int i;

	for (i = 0; i < 6; i++) {
		if (!strcasecmp(parse->text, words[i])) {
			parse->out->integer = i & 1;
			return 0;
		}
	}
	return refuse(parse, "is neither true (yes, on) nor false (no, off)");
}

static int parse_enum(struct parse *parse)
{
	const char *const *choices = parse->type.choices;
	const char *near;
	size_t count;

	for (count = 0; choices[count]; count++) {
		if (!strcmp(parse->text, choices[count])) {
			parse->out->integer = (int64_t)count;
			return 0;
		}
	}
	for (count = 0; choices[count]; count++) {
		if (!strcasecmp(parse->text, choices[count])) {
			parse->out->integer = (int64_t)count;
			return 0;
		}
	}
	refuse(parse, "is not one of ");
	for (size_t i = 0; i < count; i++)
		buf_printf(&parse->why, "%s%s", i ? ", " : "", choices[i]);
	near = suggest(parse->text, choices, count);
	if (near)
		buf_printf(&parse->why, "; did you mean '%s'?", near);
	return -EINVAL;
}

/* Up to @width hex digits, at least one; moves *text behind them. */
static bool read_group(const char **text, unsigned width, uint64_t *group)
{
	unsigned digits;

	*group = 0;
	for (digits = 0; digit_value(**text) < 16; digits++, ++*text)
		*group = *group << 4 | (uint64_t)digit_value(**text);
	return digits && digits <= width;
}

/* Four groups of up to four hex digits or eight of up to two, between colons; else one of up to sixteen. */
static bool read_guid(const char *text, uint64_t *guid)
{
	unsigned groups = 1, i;
	uint64_t group;
	const char *c;

	for (c = text; *c; c++)
		groups += *c == ':';
	if (groups == 1) {
		if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
			text += 2;
		return read_group(&text, 16, guid) && !*text;
	}
	if (groups != 4 && groups != 8)
		return false;
	for (i = 0, *guid = 0; i < groups; i++) {
		if (!read_group(&text, 16 / groups, &group) || *text != (i + 1 < groups ? ':' : '\0'))
			return false;
		text++;
		*guid = *guid << (64 / groups) | group;
	}
	return true;
}

static int parse_address(struct parse *parse)
{
	uint8_t address[16];
	uint8_t *copy;
	size_t length;

	if (parse->type.type == RS_IP && inet_pton(AF_INET, parse->text, address) == 1)
		length = 4;
	else if (inet_pton(AF_INET6, parse->text, address) == 1)
		length = 16;
	else
		return refuse(parse, parse->type.type == RS_IP
					     ? "is not an IP address"
					     : "is not a GID (128 bits, such as fe80::2:c903:45:f121)");
	copy = arena_alloc(parse->arena, 16);
	memcpy(copy, address, length);
	parse->out->address = copy;
	parse->out->length = (uint32_t)length;
	return 0;
}

/* "; did you mean 'Gb/s'?" for a unit that is nearly one of @units, a list "b/s, kb/s, ...". */
static void suggest_unit(struct parse *parse, const char *units)
{
	AUTO_FREE char *copy = xstrdup(units);
	const char *names[64];
	const char *unit = parse->text, *near;
	char *rest = copy, *name;
	size_t count = 0;

	unit += strspn(unit, "+-0123456789.eE ");
	while (count < 64 && (name = strsep(&rest, ", ")))
		if (*name)
			names[count++] = name;
	near = *unit ? suggest(unit, names, count) : NULL;
	if (near)
		buf_printf(&parse->why, "; did you mean '%s'?", near);
}

static int parse_quantity(struct parse *parse)
{
	const struct unit *unit = unit_find(parse->type.unit, strlen(parse->type.unit));
	AUTO_BUF struct buf units = {0};
	AUTO_BUF struct buf digits = {0};
	const char *why = NULL;
	double base;

	if (!unit)
		return refuse(parse, "cannot be read: the plugin names a unit that is unknown");
	if (quantity_parse(parse->text, unit->dimension, &base, &why)) {
		units_of(unit->dimension, &units);
		quote(parse);
		buf_printf(&parse->why, ": %s (one of %s)", why, units.data ? units.data : "");
		if (!strcmp(why, "unknown unit"))
			suggest_unit(parse, units.data ? units.data : "");
		return -EINVAL;
	}
	decimal_write(&digits, base, unit);
	/* "180 Gb/s": the digits alone are kept, the unit is the type's. */
	return set_text(parse, digits.data, strcspn(digits.data, " "));
}

/* YYYY-MM-DD, then nothing or T (or a blank), HH:MM:SS and perhaps Z: always UTC. */
static int parse_time(struct parse *parse)
{
	static const char *const forms[] = {"%Y-%m-%d", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S"};
	size_t i;

	for (i = 0; i < 3; i++) {
		struct tm tm = {0}, normal;
		const char *end = strptime(parse->text, forms[i], &tm);
		time_t time;

		if (!end || strcmp(end, i && *end ? "Z" : ""))
			continue;
		normal = tm;
		time = timegm(&normal);
		/* timegm() turns 31 February into March: such a day is a mistake. */
		if (normal.tm_mday != tm.tm_mday || normal.tm_mon != tm.tm_mon)
			break;
		parse->out->integer = time;
		return 0;
	}
	return refuse(parse, "is not a time (UTC, such as 2026-05-31 or 2026-05-31T12:00:00Z)");
}

static int parse_scalar(struct parse *parse)
{
	switch (parse->type.type) {
	case RS_TEXT:
	case RS_FILE:
		return set_text(parse, parse->text, parse->length);
	case RS_INTEGER:
		return parse_integer(parse);
	case RS_UNSIGNED:
		return parse_unsigned(parse);
	case RS_NUMBER:
		return parse_number(parse);
	case RS_BOOLEAN:
		return parse_boolean(parse);
	case RS_ENUM:
		return parse_enum(parse);
	case RS_GUID:
		return read_guid(parse->text, &parse->out->number)
			       ? 0
			       : refuse(parse, "is not a GUID (64 bits in hex, such as 0x0002c9030045f121)");
	case RS_GID:
	case RS_IP:
		return parse_address(parse);
	case RS_QUANTITY:
		return parse_quantity(parse);
	case RS_TIME:
		return parse_time(parse);
	case RS_STRUCT:
		break;
	}
	return refuse(parse, "is a scalar where a map is needed");
}

int value_parse(struct value_type type, const char *text, size_t length, struct arena *arena, struct value *out,
		char **why)
{
	AUTO_FREE char *copy = NULL;
	struct value value = {.state = VALUE_SET};
	struct parse parse = {.type = type, .text = text, .length = length, .arena = arena, .out = &value};
	int result;

	/* The readers below run to a NUL: one inside would hide what comes after it. */
	if (type.type != RS_TEXT && memchr(text, 0, length)) {
		*why = xstrdup("a NUL byte is in it");
		return -EINVAL;
	}
	copy = xmalloc(length + 1);
	memcpy(copy, text, length);
	copy[length] = 0;
	parse.text = copy;
	result = parse_scalar(&parse);
	if (result)
		*why = buf_take(&parse.why);
	else
		*out = value;
	buf_free(&parse.why);
	return result;
}
