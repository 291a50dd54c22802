/* SPDX-License-Identifier: BSD-2-Clause */
/* The envelope of a scenario as JSON Schema, over the probes of the plugins that are loaded. */
#include <stdlib.h>

#include "plugin/registry.h"
#include "scenario/scenario.h"
#include "schema/json.h"

#define NAME "[A-Za-z0-9_.-]+"

struct envelope {
	const struct registry *registry;
	struct json_defs defs;
};

static json_t *map_of(struct envelope *envelope, const struct schema_key *keys, bool probes);

static json_t *scalar_of(struct envelope *envelope, enum rs_type type, const char *unit)
{
	return json_scalar(&envelope->defs, (struct value_type){.type = type, .unit = unit});
}

static json_t *text_of(struct envelope *envelope)
{
	return scalar_of(envelope, RS_TEXT, NULL);
}

/* "id: 12" and "id: no" are names too. */
static json_t *name_of(struct envelope *envelope)
{
	if (!json_object_get(envelope->defs.defs, "name"))
		json_object_set_new(envelope->defs.defs, "name",
				    json_any(json_pattern(NAME), json_pack("{s:s}", "type", "number"),
					     json_pack("{s:s}", "type", "boolean"), NULL));
	return json_ref("name");
}

/* Names to a value or a list of values. */
static json_t *free_of(struct envelope *envelope)
{
	json_t *value = json_any(text_of(envelope), json_list(text_of(envelope)), NULL);

	return json_pack("{s:s, s:{s:s, s:s}, s:o}", "type", "object", "propertyNames", "type", "string", "pattern",
			 "^" NAME "$", "additionalProperties", value);
}

typedef void probe_visitor(struct envelope *envelope, const struct rs_source *source, const struct rs_probe *probe,
			   json_t *into);

static void each_probe(struct envelope *envelope, probe_visitor *visit, json_t *into)
{
	const struct rs_plugin *const *plugins;
	size_t count;

	plugins = registry_plugins(envelope->registry, &count);
	for (size_t i = 0; i < count; i++)
		for (size_t s = 0; s < plugins[i]->nsources; s++)
			for (size_t p = 0; p < plugins[i]->sources[s].nprobes; p++)
				visit(envelope, &plugins[i]->sources[s], &plugins[i]->sources[s].probes[p], into);
}

static void add_probe(struct envelope *envelope, const struct rs_source *source, const struct rs_probe *probe,
		      json_t *properties)
{
	json_object_set_new(properties, probe->name, json_probe(&envelope->defs, source, probe, false));
}

static void add_when(struct envelope *envelope, const struct rs_source *source, const struct rs_probe *probe,
		     json_t *properties)
{
	json_object_set_new(properties, probe->name, json_probe(&envelope->defs, source, probe, true));
}

static void add_choice(struct envelope *envelope, const struct rs_source *source, const struct rs_probe *probe,
		       json_t *list)
{
	json_array_append_new(list, json_pack("{s:s, s:{s:b}, s:[s]}", "type", "object", "properties", probe->name, 1,
					      "required", probe->name));
}

static json_t *when_of(struct envelope *envelope)
{
	json_t *properties = json_object(), *map = json_map(properties);

	each_probe(envelope, add_when, properties);
	json_object_set_new(map, "minProperties", json_integer(1));
	json_object_set_new(map, "maxProperties", json_integer(1));
	return map;
}

static json_t *other_of(struct envelope *envelope, const struct schema_key *key)
{
	json_t *forms = json_array();

	if (key->choices)
		json_array_append_new(forms, json_choice(key->choices, false));
	if (key->keys)
		json_array_append_new(forms, map_of(envelope, key->keys, false));
	if (key->probes)
		json_array_append_new(forms, when_of(envelope));
	if (json_array_size(forms))
		return json_pack("{s:o}", "anyOf", forms);
	json_decref(forms);
	return json_object();
}

static json_t *value_of(struct envelope *envelope, const struct schema_key *key)
{
	switch (key->kind) {
	case SCHEMA_NAME:
		return name_of(envelope);
	case SCHEMA_INTEGER:
		return key->min || key->max ? json_limited(RS_INTEGER, key->min, key->max)
					    : scalar_of(envelope, RS_INTEGER, NULL);
	case SCHEMA_BOOLEAN:
		return scalar_of(envelope, RS_BOOLEAN, NULL);
	case SCHEMA_CHOICE:
		return json_choice(key->choices, false);
	case SCHEMA_DURATION:
		return scalar_of(envelope, RS_QUANTITY, "s");
	case SCHEMA_DATE:
		return json_pattern("[0-9]{4}-[0-9]{2}-[0-9]{2}");
	case SCHEMA_NAMES:
		return json_any(name_of(envelope), json_list(name_of(envelope)), NULL);
	case SCHEMA_TEXTS:
		return json_list(text_of(envelope));
	case SCHEMA_MAP:
		return map_of(envelope, key->keys, key->probes);
	case SCHEMA_LIST:
		return json_list(map_of(envelope, key->keys, key->probes));
	case SCHEMA_FREE:
		return free_of(envelope);
	case SCHEMA_OTHER:
		return other_of(envelope, key);
	case SCHEMA_TEXT:
	case SCHEMA_NODESET:
		break;
	}
	return text_of(envelope);
}

static enum rs_type default_type(enum schema_kind kind)
{
	return kind == SCHEMA_INTEGER ? RS_INTEGER : kind == SCHEMA_BOOLEAN ? RS_BOOLEAN : RS_TEXT;
}

/* A map that can be written in several ways: in each it has the required keys of that way, and none of another. */
static void add_forms(json_t *list, const struct schema_key *keys)
{
	unsigned last = 0;

	for (const struct schema_key *first = keys; first->name; first++) {
		json_t *required = json_array(), *others = json_object();

		for (const struct schema_key *key = keys; key->name; key++) {
			if (key->form == first->form && key->required)
				json_array_append_new(required, json_string(key->name));
			else if (key->form && key->form != first->form)
				json_object_set_new(others, key->name, json_false());
		}
		if (first->form > last)
			json_array_append_new(list,
					      json_pack("{s:O, s:O}", "required", required, "properties", others));
		if (first->form > last)
			last = first->form;
		json_decref(required);
		json_decref(others);
	}
}

static json_t *map_of(struct envelope *envelope, const struct schema_key *keys, bool probes)
{
	json_t *properties = json_object(), *map = json_map(properties), *required = json_array(), *one = json_array();

	for (const struct schema_key *key = keys; key->name; key++) {
		json_t *value;

		if (key->later) /* refused: as unknown as any other */
			continue;
		value = json_doc(value_of(envelope, key), key->doc);
		if (key->value)
			json_object_set_new(
				value, "default",
				json_default((struct value_type){.type = default_type(key->kind)}, key->value));
		json_object_set_new(properties, key->name, value);
		if (key->required && !key->form)
			json_array_append_new(required, json_string(key->name));
	}
	add_forms(one, keys);
	if (probes) {
		each_probe(envelope, add_probe, properties);
		each_probe(envelope, add_choice, one);
	}
	if (json_array_size(required))
		json_object_set(map, "required", required);
	if (json_array_size(one))
		json_object_set(map, "oneOf", one);
	json_decref(required);
	json_decref(one);
	return map;
}

json_t *schema_json(const struct registry *registry)
{
	struct envelope envelope = {.registry = registry, .defs = {.defs = json_object()}};
	json_t *root = json_pack("{s:s, s:s, s:s}", "$schema", "https://json-schema.org/draft/2020-12/schema", "$id",
				 "urn:rdmaspec:scenario:1", "title", "rdmaspec scenario");
	json_t *map = map_of(&envelope, scenario_schema, false);

	json_object_update(root, map);
	json_decref(map);
	json_object_set_new(root, "$defs", envelope.defs.defs);
	json_matchers_free(&envelope.defs);
	return root;
}
