/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Checked parameters as the plainest YAML there is: one quoted scalar a line, in forms that strtoll() and its like take
 * as they are meant, so that libcyaml has nothing left to interpret.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/quantity.h"
#include "schema/emit.h"
#include "schema/internal.h"

/* A double exactly, without a decimal point that the locale could have a say in: 0x18000000000000p-52. */
static void write_double(struct buf *out, double number)
{
	int exponent;
	double fraction = frexp(fabs(number), &exponent);

	buf_printf(out, "%s0x%" PRIx64 "p%d", number < 0 ? "-" : "", (uint64_t)ldexp(fraction, 53), exponent - 53);
}

static void write_value(struct buf *out, const struct rs_param *param, const struct value *value)
{
	double number = 0;

	switch (param->type) {
	case RS_UNSIGNED:
	case RS_GUID:
		buf_printf(out, "%" PRIu64, value->number);
		break;
	case RS_NUMBER:
	case RS_QUANTITY:
		decimal_parse(value->text, NULL, &number);
		write_double(out, number);
		break;
	default:
		param_write(out, param, value);
		break;
	}
}

static void note_line(struct emit *emit, const struct node *node)
{
	GROW(emit->lines, emit->nlines, emit->capacity);
	emit->lines[emit->nlines++] = node;
}

static void emit_scalar(struct emit *emit, const struct rs_param *param, const struct node *node)
{
	AUTO_FREE char *why = NULL;
	struct value value;

	buf_clear(&emit->word);
	if (param->type == RS_FILE)
		buf_add(&emit->word, node->text, node->length); /* unescaped when it is bound */
	else if (!param_scalar(param, node->text, node->length, &emit->arena, &value, &why))
		write_value(&emit->word, param, &value);
	quoted(&emit->out, emit->word.data, emit->word.length);
	buf_putc(&emit->out, '\n');
	note_line(emit, node);
}

static bool emit_fields(struct emit *emit, const struct rs_param *params, const struct node *map, bool element);

static void emit_element(struct emit *emit, const struct rs_param *param, const struct node *node)
{
	buf_puts(&emit->out, "- ");
	if (param->type != RS_STRUCT) {
		emit_scalar(emit, param, node);
	} else if (!emit_fields(emit, param->fields, node, true)) {
		buf_puts(&emit->out, "{}\n");
		note_line(emit, node);
	}
}

static void emit_list(struct emit *emit, const struct rs_param *param, const struct node *node)
{
	if (node->kind == NODE_LIST && !node->length) {
		buf_puts(&emit->out, " []\n");
		note_line(emit, node);
		return;
	}
	buf_putc(&emit->out, '\n');
	note_line(emit, node);
	if (node->kind != NODE_LIST) {
		emit_element(emit, param, node);
		return;
	}
	NODE_EACH (item, node)
		emit_element(emit, param, item);
}

/* @element: the first key goes behind "- ", the others line up with it */
static bool emit_fields(struct emit *emit, const struct rs_param *params, const struct node *map, bool element)
{
	bool any = false;

	for (const struct rs_param *param = params; param && param->key; param++) {
		struct node *fill = arena_alloc(&emit->arena, sizeof(*fill));
		const struct node *node = param_node(&emit->scratch, map, param, fill);

		if (!node)
			continue;
		buf_printf(&emit->out, "%s%s:", element && any ? "  " : "", param->key);
		any = true;
		if (param->flags & RS_LIST) {
			emit_list(emit, param, node);
		} else {
			buf_putc(&emit->out, ' ');
			emit_scalar(emit, param, node);
		}
	}
	return any;
}

void emit_params(struct emit *emit, const struct rs_param *params, const struct node *map)
{
	if (!emit_fields(emit, params, map, false)) {
		buf_puts(&emit->out, "{}\n");
		note_line(emit, map);
	}
}

void emit_free(struct emit *emit)
{
	text_free(&emit->scratch);
	arena_free(&emit->arena);
	buf_free(&emit->out);
	buf_free(&emit->word);
	free(emit->lines);
}
