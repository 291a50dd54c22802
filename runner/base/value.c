/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/value.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/quantity.h"

struct value_type value_type_of_fact(const struct rs_fact *fact)
{
	return (struct value_type){
		.type = fact->type, .flags = fact->flags, .unit = fact->unit, .choices = fact->choices};
}

struct value_type value_type_of_param(const struct rs_param *param)
{
	/* The flags of parameters are others than those of facts: none of them belongs to a scalar. */
	return (struct value_type){.type = param->type, .unit = param->unit, .choices = param->choices};
}

static const struct unit *type_unit(struct value_type type)
{
	return type.unit ? unit_find(type.unit, strlen(type.unit)) : NULL;
}

double value_number(struct value_type type, const struct value *value)
{
	double number;

	switch (type.type) {
	case RS_UNSIGNED:
	case RS_GUID:
		return (double)value->number;
	case RS_NUMBER:
	case RS_QUANTITY:
		return decimal_parse(value->text, type_unit(type), &number) ? number : NAN;
	case RS_INTEGER:
	case RS_BOOLEAN:
	case RS_ENUM:
	case RS_TIME:
		return (double)value->integer;
	default:
		return NAN;
	}
}

static int compare_bytes(const void *a, size_t a_length, const void *b, size_t b_length)
{
	size_t common = a_length < b_length ? a_length : b_length;
	int order = common ? memcmp(a, b, common) : 0;

	return order ? order : (a_length > b_length) - (a_length < b_length);
}

int value_compare(struct value_type type, const struct value *a, const struct value *b, bool *ordered)
{
	double x, y;

	*ordered = value_ordered(type);
	switch (type.type) {
	case RS_TEXT:
	case RS_FILE:
		return compare_bytes(a->text, a->length, b->text, b->length);
	case RS_GID:
		return memcmp(a->address, b->address, 16);
	case RS_IP:
		return compare_bytes(a->address, a->length, b->address, b->length);
	case RS_UNSIGNED:
	case RS_GUID:
		return (a->number > b->number) - (a->number < b->number);
	case RS_NUMBER:
	case RS_QUANTITY:
		x = value_number(type, a);
		y = value_number(type, b);
		/* What is no number equals nothing, itself included. */
		return isnan(x) || isnan(y) ? 1 : (x > y) - (x < y);
	default:
		return (a->integer > b->integer) - (a->integer < b->integer);
	}
}

bool value_ordered(struct value_type type)
{
	switch (type.type) {
	case RS_INTEGER:
	case RS_UNSIGNED:
	case RS_NUMBER:
	case RS_QUANTITY:
	case RS_TIME:
		return true;
	case RS_ENUM:
		return type.flags & RS_F_ORDERED;
	default:
		return false;
	}
}

const char *value_type_name(enum rs_type type)
{
	static const char *const names[] = {
		[RS_TEXT] = "text",	    [RS_INTEGER] = "integer", [RS_UNSIGNED] = "unsigned integer",
		[RS_NUMBER] = "number",	    [RS_BOOLEAN] = "boolean", [RS_ENUM] = "enum",
		[RS_GUID] = "GUID",	    [RS_GID] = "GID",	      [RS_IP] = "IP address",
		[RS_QUANTITY] = "quantity", [RS_TIME] = "time",	      [RS_FILE] = "file",
		[RS_STRUCT] = "map",
	};

	return (unsigned)type < sizeof(names) / sizeof(names[0]) ? names[type] : "value";
}

static void write_integer(struct buf *out, struct value_type type, int64_t integer)
{
	uint64_t magnitude = integer < 0 ? -(uint64_t)integer : (uint64_t)integer;

	if (type.flags & RS_F_HEX)
		buf_printf(out, "%s0x%" PRIx64, integer < 0 ? "-" : "", magnitude);
	else
		buf_printf(out, "%" PRId64, integer);
}

static void write_choice(struct buf *out, struct value_type type, int64_t choice)
{
	int64_t i;

	for (i = 0; type.choices && type.choices[i]; i++) {
		if (i == choice) {
			buf_puts(out, type.choices[i]);
			return;
		}
	}
	buf_printf(out, "choice %" PRId64, choice);
}

static void write_address(struct buf *out, const uint8_t *address, size_t length)
{
	char text[INET6_ADDRSTRLEN];

	if (inet_ntop(length == 4 ? AF_INET : AF_INET6, address, text, sizeof(text)))
		buf_puts(out, text);
}

static void write_time(struct buf *out, int64_t seconds)
{
	time_t time = (time_t)seconds;
	char text[64];
	struct tm tm;

	if (gmtime_r(&time, &tm) && strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm))
		buf_puts(out, text);
	else
		buf_printf(out, "%" PRId64 " s", seconds);
}

static void write_scalar(struct buf *out, struct value_type type, const struct value *value)
{
	switch (type.type) {
	case RS_INTEGER:
		write_integer(out, type, value->integer);
		break;
	case RS_UNSIGNED:
		buf_printf(out, type.flags & RS_F_HEX ? "0x%" PRIx64 : "%" PRIu64, value->number);
		break;
	case RS_BOOLEAN:
		buf_puts(out, value->integer ? "true" : "false");
		break;
	case RS_ENUM:
		write_choice(out, type, value->integer);
		break;
	case RS_GUID:
		buf_printf(out, "0x%016" PRIx64, value->number);
		break;
	case RS_GID:
		write_address(out, value->address, 16);
		break;
	case RS_IP:
		write_address(out, value->address, value->length);
		break;
	case RS_QUANTITY:
		buf_puts(out, value->text);
		if (type.unit && *type.unit)
			buf_printf(out, " %s", type.unit);
		break;
	case RS_TIME:
		write_time(out, value->integer);
		break;
	case RS_NUMBER:
		buf_puts(out, value->text);
		break;
	case RS_TEXT:
	case RS_FILE:
	case RS_STRUCT:
		buf_add(out, value->text, value->length);
		break;
	}
}

void value_write(struct buf *out, struct value_type type, const struct value *value)
{
	struct value_type element = type;
	uint32_t i;

	switch (value->state) {
	case VALUE_NOT_OBSERVED:
		buf_puts(out, "not observed");
		return;
	case VALUE_NONE:
		buf_puts(out, "none");
		return;
	case VALUE_UNKNOWN:
		buf_puts(out, value->text ? value->text : "unknown");
		return;
	default:
		break;
	}
	if (!(type.flags & RS_F_LIST)) {
		write_scalar(out, type, value);
		return;
	}
	element.flags &= ~(unsigned)RS_F_LIST;
	buf_putc(out, '[');
	for (i = 0; i < value->length; i++) {
		if (i)
			buf_puts(out, ", ");
		value_write(out, element, &value->items[i]);
	}
	buf_putc(out, ']');
}
