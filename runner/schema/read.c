/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reading what schema_check_map() accepted. A text that is only known later (NODE_LATER) comes with its variables in
 * it, all else that is only known later as the fallback.
 */
#include <math.h>
#include <stdlib.h>

#include "base/quantity.h"
#include "schema/internal.h"

const char *schema_text(const struct node *map, const char *key, const char *fallback)
{
	const struct node *value = node_get(map, key);

	return value && value->kind == NODE_SCALAR ? value->text : fallback;
}

static const struct node *scalar(const struct node *map, const char *key)
{
	const struct node *value = node_get(map, key);

	return value && value->kind == NODE_SCALAR && !(value->flags & NODE_LATER) ? value : NULL;
}

static int64_t read_value(const struct node *map, const char *key, enum rs_type type, int64_t fallback)
{
	const struct node *value = scalar(map, key);
	AUTO_ARENA struct arena arena = {0};
	AUTO_FREE char *why = NULL;
	struct value parsed;

	if (!value || value_parse((struct value_type){.type = type}, value->text, value->length, &arena, &parsed, &why))
		return fallback;
	return parsed.integer;
}

int64_t schema_integer(const struct node *map, const char *key, int64_t fallback)
{
	return read_value(map, key, RS_INTEGER, fallback);
}

bool schema_boolean(const struct node *map, const char *key, bool fallback)
{
	return read_value(map, key, RS_BOOLEAN, fallback) != 0;
}

int64_t schema_milliseconds(const struct node *map, const char *key, int64_t fallback)
{
	const struct node *value = scalar(map, key);
	const char *why;
	double seconds;

	if (!value || quantity_parse(value->text, DIMENSION_TIME, &seconds, &why))
		return fallback;
	if (seconds >= 9e15) /* as milliseconds it would leave int64_t */
		return INT64_MAX;
	return llround(seconds * 1000);
}
