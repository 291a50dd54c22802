/* SPDX-License-Identifier: BSD-2-Clause */
/* One scalar of a parameter: how it is bound, parsed and limited. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/quantity.h"
#include "schema/internal.h"

bool param_by_pointer(const struct rs_param *param)
{
	return !(param->flags & (RS_REQUIRED | RS_LIST)) && !param->value;
}

size_t param_size(const struct rs_param *param)
{
	switch (param->type) {
	case RS_INTEGER:
		return sizeof(int64_t);
	case RS_UNSIGNED:
	case RS_GUID:
		return sizeof(uint64_t);
	case RS_NUMBER:
	case RS_QUANTITY:
		return sizeof(double);
	case RS_BOOLEAN:
		return sizeof(bool);
	case RS_ENUM:
		return sizeof(int);
	case RS_STRUCT:
		return param->fields_size;
	default:
		return sizeof(char *);
	}
}

/* A limit as a message shows it; NULL where it is none. */
static const char *limit_text(struct buf *out, const struct rs_param *param, int64_t limit)
{
	if (limit == INT64_MIN || limit == INT64_MAX ||
	    (limit == 0 && (param->type == RS_UNSIGNED || param->type == RS_TEXT)))
		return NULL;
	buf_printf(out, "%" PRId64, limit);
	if (param->unit)
		buf_printf(out, " %s", param->unit);
	return out->data;
}

static bool within(const struct rs_param *param, const struct value *value)
{
	double number;

	switch (param->type) {
	case RS_INTEGER:
		return value->integer >= param->min && value->integer <= param->max;
	case RS_UNSIGNED:
		return value->number >= (uint64_t)param->min &&
		       (param->max == INT64_MAX || value->number <= (uint64_t)param->max);
	case RS_NUMBER:
	case RS_QUANTITY: /* its digits are in the parameter's unit */
		return decimal_parse(value->text, NULL, &number) && number >= (double)param->min &&
		       number <= (double)param->max;
	case RS_TEXT:
		return value->length >= (uint64_t)param->min && value->length <= (uint64_t)param->max;
	default:
		return true;
	}
}

static char *outside_limits(const struct rs_param *param, const char *text, size_t length)
{
	AUTO_BUF struct buf low = {0}, high = {0};
	const char *least = limit_text(&low, param, param->min), *most = limit_text(&high, param, param->max);
	AUTO_FREE char *words = NULL;

	if (param->type != RS_TEXT)
		words = outside(least, most, brief(text, length).text);
	else if (length < (uint64_t)param->min)
		words = xasprintf("must have at least %s bytes; it has %zu", least, length);
	else
		words = xasprintf("must have at most %s bytes; it has %zu", most, length);
	return xasprintf("'%s' %s", param->key, words);
}

/* A word exactly as it is in the table, without an allocation. */
static bool exact_choice(const struct rs_param *param, const char *text, size_t length, struct value *out)
{
	for (int i = 0; param->choices[i]; i++) {
		if (strncmp(param->choices[i], text, length) || param->choices[i][length])
			continue;
		*out = (struct value){.state = VALUE_SET, .integer = i};
		return true;
	}
	return false;
}

int param_scalar(const struct rs_param *param, const char *text, size_t length, struct arena *arena, struct value *out,
		 char **why)
{
	AUTO_FREE char *reason = NULL;

	if (param->type == RS_TEXT) { /* any text is one, and @text outlives the value */
		*out = (struct value){.state = VALUE_SET, .text = text, .length = (uint32_t)length};
	} else if (param->type == RS_ENUM && exact_choice(param, text, length, out)) {
		return 0;
	} else if (value_parse(value_type_of_param(param), text, length, arena, out, &reason)) {
		*why = xasprintf("%s: %s", param->key, reason);
		return -EINVAL;
	}
	if (!param_limited(param) || within(param, out))
		return 0;
	*why = outside_limits(param, text, length);
	return -EINVAL;
}

void param_limits(struct buf *out, const struct rs_param *param)
{
	AUTO_BUF struct buf low = {0}, high = {0};
	const char *least = limit_text(&low, param, param->min), *most = limit_text(&high, param, param->max);
	const char *bytes = param->type == RS_TEXT ? " bytes" : "";

	if (!param_limited(param) || (!least && !most))
		return;
	if (least && most)
		buf_printf(out, "%s to %s%s", least, most, bytes);
	else if (least)
		buf_printf(out, "at least %s%s", least, bytes);
	else
		buf_printf(out, "at most %s%s", most, bytes);
}

void param_write(struct buf *out, const struct rs_param *param, const struct value *value)
{
	double number;

	/* 1.50 and 1.5 are one number, and so one observation. */
	if (param->type == RS_NUMBER && decimal_parse(value->text, NULL, &number))
		decimal_write(out, number, NULL);
	else
		value_write(out, value_type_of_param(param), value);
}

const struct node *param_node(struct text *scratch, const struct node *map, const struct rs_param *param,
			      struct node *fill)
{
	const struct node *given = node_get(map, param->key);
	struct diags ignored = {0};

	if (given || !param->value)
		return given;
	if ((param->flags & RS_LIST) && param->value[0] == '[') {
		given = text_parse(scratch, "default", param->value, strlen(param->value), &ignored);
		diags_free(&ignored);
		return given;
	}
	*fill = (struct node){.kind = NODE_SCALAR, .flags = NODE_QUOTED};
	fill->length = (uint32_t)strlen(param->value);
	fill->text = param->value;
	return fill;
}
