/* SPDX-License-Identifier: BSD-2-Clause */
#include <arpa/inet.h>
#include <inttypes.h>
#include <string.h>

#include "agent/cell.h"
#include "agent/wire.h"

static void write_address(struct buf *out, const struct value *value)
{
	char text[INET6_ADDRSTRLEN];

	buf_printf(out, "\"%s\"",
		   inet_ntop(value->length == 4 ? AF_INET : AF_INET6, value->address, text, sizeof(text)));
}

static void write_scalar(struct buf *out, const struct rs_fact *fact, const struct value *value)
{
	switch (fact->type) {
	case RS_INTEGER:
	case RS_TIME:
		buf_printf(out, "%" PRId64, value->integer);
		break;
	case RS_BOOLEAN:
		buf_puts(out, value->integer ? "true" : "false");
		break;
	case RS_ENUM:
		wire_string(out, fact->choices[value->integer]);
		break;
	case RS_UNSIGNED:
		buf_printf(out, "\"%" PRIu64 "\"", value->number);
		break;
	case RS_GUID:
		buf_printf(out, "\"0x%016" PRIx64 "\"", value->number);
		break;
	case RS_GID:
	case RS_IP:
		write_address(out, value);
		break;
	default:
		wire_text(out, value->text, value->length);
	}
}

static void write_special(struct buf *out, const char *key, const struct value *value)
{
	buf_printf(out, "{\"%s\":", key);
	wire_string(out, value->text ? value->text : "");
	buf_putc(out, '}');
}

static void write_element(struct buf *out, const struct rs_fact *fact, const struct value *value)
{
	if (value->state == VALUE_UNKNOWN)
		write_special(out, "unknown", value);
	else
		write_scalar(out, fact, value);
}

void cell_write(struct buf *out, const struct rs_fact *fact, const struct value *value)
{
	switch (value->state) {
	case VALUE_NOT_OBSERVED:
		if (value->text)
			write_special(out, "why", value);
		else
			buf_puts(out, "null");
		return;
	case VALUE_NONE:
		buf_puts(out, "[]");
		return;
	case VALUE_UNKNOWN:
		write_special(out, "unknown", value);
		return;
	default:
		break;
	}
	if (!(fact->flags & RS_F_LIST)) {
		write_scalar(out, fact, value);
		return;
	}
	for (uint32_t i = 0; i < value->length; i++) {
		buf_putc(out, i ? ',' : '[');
		write_element(out, fact, &value->items[i]);
	}
	buf_putc(out, ']');
}
