/* SPDX-License-Identifier: BSD-2-Clause */
/* The parameters in a plugin's tables: what is bound must lie within the plugin's struct, and by itself. */
#include <string.h>

#include "base/quantity.h"
#include "schema/internal.h"
#include "schema/tables.h"

/* What a parameter takes of the struct. */
struct span {
	size_t at, size, align;
};

static size_t count_params(const struct rs_param *params)
{
	size_t count = 0;

	while (params && params[count].key && count <= KEYS_MAX)
		count++;
	return count;
}

static struct span span_of(const struct rs_param *param)
{
	bool pointer = (param->flags & RS_LIST) || param_by_pointer(param);
	size_t size = pointer ? sizeof(void *) : param_size(param);

	return (struct span){.at = param->offset, .size = size, .align = size};
}

static struct span count_span(const struct rs_param *param)
{
	bool list = param->flags & RS_LIST;

	return (struct span){.at = param->count_offset, .size = list ? sizeof(unsigned) : 0, .align = sizeof(unsigned)};
}

static char *check_span(struct span span, size_t size)
{
	if (span.at > size || span.size > size - span.at)
		return xasprintf("is bound at %zu, outside the struct of %zu bytes", span.at, size);
	if (span.at % span.align)
		return xasprintf("is bound at %zu, which is not aligned to %zu", span.at, span.align);
	return NULL;
}

static bool overlap(struct span a, struct span b)
{
	return a.size && b.size && a.at < b.at + b.size && b.at < a.at + a.size;
}

static char *check_place(const struct rs_param *param, const struct rs_param *first, size_t size)
{
	struct span own[] = {span_of(param), count_span(param)};
	char *why = check_span(own[0], size);

	if (!why && own[1].size)
		why = check_span(own[1], size);
	if (why)
		return why;
	if (overlap(own[0], own[1]))
		return xstrdup("has its count where its elements are bound");
	for (const struct rs_param *other = first; other < param; other++)
		for (int i = 0; i < 2; i++)
			if (overlap(own[i], span_of(other)) || overlap(own[i], count_span(other)))
				return xasprintf("is bound over '%s'", other->key);
	return NULL;
}

static char *check_limits(const struct rs_param *param)
{
	if (!param_limited(param))
		return NULL;
	if (param->min > param->max)
		return xasprintf("has a minimum of %lld above its maximum of %lld", (long long)param->min,
				 (long long)param->max);
	switch (param->type) {
	case RS_TEXT:
	case RS_UNSIGNED:
		return param->min < 0 ? xstrdup("has a negative minimum") : NULL;
	case RS_INTEGER:
	case RS_NUMBER:
	case RS_QUANTITY:
		return NULL;
	default:
		return xstrdup("has limits, which its type cannot have");
	}
}

/* A default that is a list, as a scenario would give it. */
static char *check_list_default(const struct rs_param *param)
{
	const struct rs_param params[] = {*param, {0}};
	const struct rs_source source = {.name = "default", .params = params};
	AUTO_FREE char *yaml = xasprintf("%s: %s", param->key, param->value);
	struct diags diags = {0};
	struct text text = {0};
	const struct node *map = text_parse(&text, "default", yaml, strlen(yaml), &diags);
	char *why = NULL;

	if (!map || check_params(&text, &source, map, NULL, false, &diags))
		why = xasprintf("has a wrong default: %s", diags.count ? diags.items[0].text : "it cannot be read");
	diags_free(&diags);
	text_free(&text);
	return why;
}

static char *check_default(const struct rs_param *param)
{
	AUTO_ARENA struct arena arena = {0};
	AUTO_FREE char *why = NULL;
	struct value value;

	if (!param->value)
		return NULL;
	if (param->flags & RS_REQUIRED)
		return xstrdup("is required, and so cannot have a default");
	if (param->type == RS_FILE || param->type == RS_STRUCT)
		return xstrdup("has a default, which its type cannot have");
	if ((param->flags & RS_LIST) && param->value[0] == '[')
		return check_list_default(param);
	if (!param_scalar(param, param->value, strlen(param->value), &arena, &value, &why))
		return NULL;
	return xasprintf("has a wrong default: %s", why);
}

static char *check_params_of(const struct rs_param *params, size_t size, bool element);

static char *check_struct(const struct rs_param *param, bool element)
{
	if (element)
		return xstrdup("is a struct within a struct");
	if (!(param->flags & RS_LIST))
		return xstrdup("is a struct, but no list of them");
	if (!param->fields || !param->fields[0].key || !param->fields_size)
		return xstrdup("is a struct without fields");
	return check_params_of(param->fields, param->fields_size, true);
}

static bool is_judging(const char *key)
{
	for (const struct schema_key *known = judging_schema; known->name; known++)
		if (!strcmp(known->name, key))
			return true;
	return false;
}

static bool is_time(const struct rs_param *param)
{
	const struct unit *unit = param->unit ? unit_find(param->unit, strlen(param->unit)) : NULL;

	return unit && unit->dimension == DIMENSION_TIME;
}

#define PARAM_FLAGS (RS_REQUIRED | RS_LIST | RS_ADDS_TIME)

static char *check_param(const struct rs_param *param, const struct rs_param *first, size_t size, bool element)
{
	char *why = tables_line(param->doc, "doc");

	if (why)
		return why;
	if (!tables_word(param->key, strlen(param->key)))
		return xstrdup("has a name that is not of lower-case letters, digits and _");
	if (!element && is_judging(param->key))
		return xstrdup("has the name of a judging key");
	for (const struct rs_param *other = first; other < param; other++)
		if (!strcmp(other->key, param->key))
			return xstrdup("is there twice");
	if ((unsigned)param->type > RS_STRUCT || param->type == RS_TIME)
		return xasprintf("has the type %u, which no parameter can have", (unsigned)param->type);
	if (param->flags & ~(unsigned)PARAM_FLAGS)
		return xasprintf("has the flags 0x%x, which this rdmaspec does not know",
				 param->flags & ~(unsigned)PARAM_FLAGS);
	if (param->flags & RS_ADDS_TIME && (param->type != RS_QUANTITY || param->flags & RS_LIST || !is_time(param)))
		return xstrdup("adds time, but is no quantity of it");
	if (param->table && param->type != RS_FILE)
		return xstrdup("names the table of a recorded run, but is no file");
	if (element && (param->flags & RS_LIST))
		return xstrdup("is a list within a list");
	why = param->type == RS_STRUCT ? check_struct(param, element) : tables_type(value_type_of_param(param));
	if (!why)
		why = check_limits(param);
	if (!why)
		why = check_place(param, first, size);
	return why ? why : check_default(param);
}

static char *check_unless(const struct rs_param *params, const struct rs_param *param)
{
	if (!param->unless || (strcmp(param->unless, param->key) && tables_param(params, param->unless)))
		return NULL;
	return xasprintf("is not to be given beside '%s', which is no other parameter", param->unless);
}

const struct rs_param *tables_param(const struct rs_param *params, const char *key)
{
	while (params && params->key && strcmp(params->key, key))
		params++;
	return params && params->key ? params : NULL;
}

static char *check_params_of(const struct rs_param *params, size_t size, bool element)
{
	const char *what = element ? "field" : "parameter";

	if (count_params(params) > KEYS_MAX)
		return xasprintf("has more than %d %ss", KEYS_MAX, what);
	for (const struct rs_param *param = params; param && param->key; param++) {
		char *why = check_param(param, params, size, element);

		if (!why)
			why = check_unless(params, param);
		if (why)
			return tables_within(why, what, param->key);
	}
	return NULL;
}

char *tables_params(const struct rs_source *source)
{
	return check_params_of(source->params, source->params_size, false);
}
