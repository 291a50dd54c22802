/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "schema/json.h"

/* Limits where JSON Schema can say them: it counts characters where we count bytes, and knows no units. */
static json_t *scalar(struct json_defs *defs, const struct rs_param *param)
{
	bool number = param->type == RS_INTEGER || param->type == RS_UNSIGNED || param->type == RS_NUMBER;

	if (number && param_limited(param))
		return json_limited(param->type, param->min, param->max);
	return json_scalar(defs, value_type_of_param(param));
}

static json_t *params_map(struct json_defs *defs, const struct rs_param *params, json_t *properties)
{
	json_t *map = json_map(properties), *required = json_array();

	for (const struct rs_param *param = params; param && param->key; param++) {
		json_object_set_new(properties, param->key, json_param(defs, param));
		if (param->flags & RS_REQUIRED)
			json_array_append_new(required, json_string(param->key));
	}
	if (json_array_size(required))
		json_object_set(map, "required", required);
	json_decref(required);
	return map;
}

json_t *json_param(struct json_defs *defs, const struct rs_param *param)
{
	json_t *schema;

	if (param->type == RS_STRUCT)
		schema = params_map(defs, param->fields, json_object());
	else
		schema = scalar(defs, param);
	if (param->flags & RS_LIST) {
		json_t *list = json_list(json_incref(schema));

		if (param->flags & RS_REQUIRED)
			json_object_set_new(list, "minItems", json_integer(1));
		schema = json_any(schema, list, NULL);
	}
	if (param->value)
		json_object_set_new(schema, "default", json_default(value_type_of_param(param), param->value));
	return json_doc(schema, param->doc);
}

/* The facts of a probe with a matcher each: what where and expect take. */
static json_t *facts_ref(struct json_defs *defs, const struct rs_probe *probe)
{
	AUTO_FREE char *name = xasprintf("facts-%s", probe->name);
	json_t *properties;

	if (!json_object_get(defs->defs, name)) {
		properties = json_object();
		json_object_set_new(defs->defs, name, json_map(properties));
		for (const struct rs_fact *fact = probe->facts; fact->name; fact++)
			json_object_set_new(properties, fact->name, json_matcher(defs, probe, fact));
	}
	return json_ref(name);
}

static json_t *fact_names(const struct rs_probe *probe)
{
	const char *names[65] = {0}; /* a probe has at most 64 facts */
	json_t *name;

	for (size_t i = 0; probe->facts[i].name && i < 64; i++)
		names[i] = probe->facts[i].name;
	name = json_choice(names, false);
	return json_any(name, json_list(json_incref(name)), NULL);
}

static json_t *judging_key(struct json_defs *defs, const struct rs_probe *probe, const struct schema_key *key)
{
	switch (key->kind) {
	case SCHEMA_NAMES:
		return fact_names(probe);
	case SCHEMA_BOOLEAN:
		return json_scalar(defs, (struct value_type){.type = RS_BOOLEAN});
	default:
		return strcmp(key->name, "count") ? facts_ref(defs, probe) : json_count(defs);
	}
}

/* A step that expects nothing is refused. */
static json_t *expects_something(void)
{
	static const char *const keys[] = {"expect", "count", "unique", "same", "observe_only"};
	json_t *list = json_array();

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		json_array_append_new(list, json_pack("{s:s, s:{s:b}, s:[s]}", "type", "object", "properties", keys[i],
						      1, "required", keys[i]));
	return list;
}

json_t *json_probe(struct json_defs *defs, const struct rs_source *source, const struct rs_probe *probe, bool when)
{
	AUTO_FREE char *name = xasprintf("%s-%s", when ? "when" : "probe", probe->name);
	json_t *properties = json_object(), *map = params_map(defs, source->params, properties);

	for (const struct schema_key *key = judging_schema; key->name; key++) {
		if (when && strcmp(key->name, "where"))
			continue;
		if (!strcmp(key->name, "allow_partial") && !(source->flags & RS_PARTIAL))
			continue;
		json_object_set_new(properties, key->name, json_doc(judging_key(defs, probe, key), key->doc));
	}
	if (!when)
		json_object_set_new(map, "anyOf", expects_something());
	json_object_set_new(defs->defs, name, map);
	return json_doc(json_ref(name), probe->summary);
}
