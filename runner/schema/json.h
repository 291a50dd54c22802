/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: the JSON Schema of a scenario
 *
 * Scalars are typed by our tables, not by YAML's resolver: 010, no and 0x1f may arrive as text, number or boolean, so
 * each form takes every kind of scalar that one of its spellings may be resolved to. A text with a variable is always
 * taken. Types are never in unions (ajv's strict mode), but in "anyOf".
 */
#pragma once

#include "schema/internal.h"

/** struct json_defs - the "$defs" that are being made, each once */
struct json_defs {
	json_t *defs;
	struct json_enum *enums; /* matchers of enums by their choices */
	size_t nenums, capacity;
};

/** json_ref - {"$ref": "#/$defs/NAME"} */
json_t *json_ref(const char *name);

/** json_any - {"anyOf": [...]} of new references, up to a NULL */
json_t *json_any(json_t *first, ...) __attribute__((sentinel));

/** json_list - {"type": "array", "items": @items} */
json_t *json_list(json_t *items);

/** json_map - {"type": "object", "properties": @properties, "additionalProperties": false} */
json_t *json_map(json_t *properties);

/** json_doc - add a description; returns @schema */
json_t *json_doc(json_t *schema, const char *doc);

/** json_pattern - a text of that extended regular expression (from end to end), or one with a variable */
json_t *json_pattern(const char *expression);

/** json_scalar - one scalar of @type */
json_t *json_scalar(struct json_defs *defs, struct value_type type);

/** json_limited - an integer, unsigned or number from @min to @max; INT64_MIN, INT64_MAX: no such limit */
json_t *json_limited(enum rs_type type, int64_t min, int64_t max);

/** json_choice - one of a list of words, in any case where @fold */
json_t *json_choice(const char *const *choices, bool fold);

/** json_default - @text as JSON, as whoever writes YAML would see it */
json_t *json_default(struct value_type type, const char *text);

/** json_param - a parameter with its limits */
json_t *json_param(struct json_defs *defs, const struct rs_param *param);

/** json_matcher - what a fact takes in where and expect; json_count - a number of rows */
json_t *json_matcher(struct json_defs *defs, const struct rs_probe *probe, const struct rs_fact *fact);
json_t *json_count(struct json_defs *defs);
void json_matchers_free(struct json_defs *defs);

/** json_probe - a probe's map in a step, or (@when) in "when" */
json_t *json_probe(struct json_defs *defs, const struct rs_source *source, const struct rs_probe *probe, bool when);
