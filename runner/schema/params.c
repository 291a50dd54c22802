/* SPDX-License-Identifier: BSD-2-Clause */
/* The parameters in a probe's map against the plugin's table. Nothing is allocated where nothing is wrong. */
#include <errno.h>
#include <string.h>

#include "base/utf8.h"
#include "schema/internal.h"

struct check {
	const struct text *text;
	const struct rs_source *source;
	const char *const *also;
	bool wire;
	struct diags *diags;
	struct arena arena;
	bool bad;
};

#define COMPLAIN(check, node, ...)                                                                                     \
	do {                                                                                                           \
		(check)->bad = true;                                                                                   \
		diags_error((check)->diags, node_place((check)->text, node), __VA_ARGS__);                             \
	} while (0)

static int check_file(struct check *check, const struct rs_param *param, const struct node *value, char **why)
{
	AUTO_BUF struct buf contents = {0};

	if (!check->wire)
		return param_file(check->text, param, value, &contents, why);
	if (utf8_unescape(&contents, value->text, value->length) &&
	    (!contents.length || !memchr(contents.data, 0, contents.length)))
		return 0;
	*why = xasprintf("%s: not the contents of a file", param->key);
	return -EINVAL;
}

static void check_scalar(struct check *check, const struct rs_param *param, const struct node *value)
{
	AUTO_FREE char *why = NULL;
	struct value parsed;
	int result;

	if (value->kind != NODE_SCALAR) {
		COMPLAIN(check, value, "'%s' takes one value, not %s", param->key, kind_name(value));
		return;
	}
	if (no_value(value)) {
		COMPLAIN(check, value, "'%s' has no value", param->key);
		return;
	}
	if (value->flags & NODE_LATER)
		return;
	if (param->type == RS_FILE)
		result = check_file(check, param, value, &why);
	else
		result = param_scalar(param, value->text, value->length, &check->arena, &parsed, &why);
	if (result)
		COMPLAIN(check, value, "%s", why);
}

static void check_fields(struct check *check, const struct rs_param *params, const struct node *map, bool top);

static void check_element(struct check *check, const struct rs_param *param, const struct node *value)
{
	if (param->type != RS_STRUCT) {
		if (value->kind == NODE_SCALAR)
			check_scalar(check, param, value);
		else
			COMPLAIN(check, value, "'%s' takes a list of values; this is %s", param->key, kind_name(value));
	} else if (value->kind == NODE_MAP) {
		check_fields(check, param->fields, value, false);
	} else {
		COMPLAIN(check, value, "'%s' takes a list of maps; this is %s", param->key, kind_name(value));
	}
}

static void check_param(struct check *check, const struct rs_param *param, const struct node *value)
{
	if (!(param->flags & RS_LIST)) {
		check_scalar(check, param, value);
		return;
	}
	if (value->kind != NODE_LIST) { /* one is a list of one */
		check_element(check, param, value);
		return;
	}
	if (!value->length && (param->flags & RS_REQUIRED))
		COMPLAIN(check, value, "'%s' is an empty list", param->key);
	NODE_EACH (item, value)
		check_element(check, param, item);
}

static bool is_fact(const struct rs_source *source, const struct node *key)
{
	for (size_t i = 0; i < source->nprobes; i++)
		for (const struct rs_fact *fact = source->probes[i].facts; fact->name; fact++)
			if (node_is(key, fact->name))
				return true;
	return false;
}

static void check_unknown(struct check *check, const struct rs_param *params, const struct node *key, bool top)
{
	AUTO_STRINGS struct strings known = {0};

	if (top && !check->wire && is_fact(check->source, key)) {
		COMPLAIN(check, key, "'%s' is a fact, not a parameter: put it into 'where' or 'expect'", BRIEF(key));
		return;
	}
	for (; params && params->key; params++)
		strings_add(&known, params->key);
	for (size_t i = 0; top && check->also && check->also[i]; i++)
		strings_add(&known, check->also[i]);
	check->bad = true;
	unknown_key(check->text, key, &known, check->diags);
}

static bool is_also(const struct check *check, const struct node *key)
{
	for (size_t i = 0; check->also && check->also[i]; i++)
		if (node_is(key, check->also[i]))
			return true;
	return false;
}

/* The keys that there are; returns a bit for each parameter seen. */
static uint64_t check_keys(struct check *check, const struct rs_param *params, const struct node *map, bool top)
{
	uint64_t seen = 0;

	NODE_PAIRS (key, value, map) {
		const struct rs_param *param = params;

		while (param && param->key && !node_is(key, param->key))
			param++;
		if (param && param->key) {
			seen |= UINT64_C(1) << (param - params);
			check_param(check, param, value);
		} else if (!top || !is_also(check, key)) {
			check_unknown(check, params, key, top);
		}
	}
	return seen;
}

bool schema_gives(const struct node *map, const char *key)
{
	const struct node *value = node_get(map, key);

	return value && !(value->kind == NODE_SCALAR && (node_is(value, "false") || node_is(value, "no")));
}

/* Whatever the variables come to: "unless" is about what is written. */
static void check_unless(struct check *check, const struct rs_param *params, const struct node *map)
{
	for (const struct rs_param *param = params; param && param->key; param++)
		if (param->unless && schema_gives(map, param->key) && schema_gives(map, param->unless))
			COMPLAIN(check, node_get(map, param->key), "'%s' and '%s' exclude each other", param->key,
				 param->unless);
}

static void check_fields(struct check *check, const struct rs_param *params, const struct node *map, bool top)
{
	uint64_t seen = map->kind == NODE_MAP ? check_keys(check, params, map, top) : 0;

	for (const struct rs_param *param = params; param && param->key; param++)
		if ((param->flags & RS_REQUIRED) && !(seen >> (param - params) & 1))
			COMPLAIN(check, map, "missing key '%s'", param->key);
	/* On the wire defaults are filled in: what was given is no longer known. */
	if (map->kind == NODE_MAP && !check->wire)
		check_unless(check, params, map);
}

int check_params(const struct text *text, const struct rs_source *source, const struct node *map,
		 const char *const *also, bool wire, struct diags *diags)
{
	struct check check = {.text = text, .source = source, .also = also, .wire = wire, .diags = diags};

	if (map->kind == NODE_MAP || no_value(map)) /* a probe without any key is an empty map */
		check_fields(&check, source->params, map, true);
	else
		COMPLAIN(&check, map, "a map of parameters is needed here, not %s", kind_name(map));
	arena_free(&check.arena);
	return check.bad ? -EINVAL : 0;
}

int schema_check_params(const struct text *text, const struct rs_source *source, const struct node *map,
			const char *const *also, struct diags *diags)
{
	return check_params(text, source, map, also, false, diags);
}
