/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: a JSON Schema validator for the keywords that our schema uses; any other keyword fails the test */
#pragma once

#include <jansson.h>
#include <regex.h>

#include "sample.h"

static bool validate(json_t *root, json_t *schema, json_t *value);

static inline bool validate_type(const char *type, json_t *value)
{
	if (!strcmp(type, "object"))
		return json_is_object(value);
	if (!strcmp(type, "array"))
		return json_is_array(value);
	if (!strcmp(type, "string"))
		return json_is_string(value);
	if (!strcmp(type, "boolean"))
		return json_is_boolean(value);
	if (!strcmp(type, "number"))
		return json_is_number(value);
	if (!strcmp(type, "integer"))
		return json_is_integer(value);
	fail_msg("unknown type %s", type);
	return false;
}

/* Our expressions are such that ECMAScript's and POSIX's extended ones mean the same. */
static inline bool validate_pattern(const char *pattern, json_t *value)
{
	regex_t regex;
	int result;

	if (!json_is_string(value))
		return true;
	if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB))
		fail_msg("no regular expression: %s", pattern);
	result = regexec(&regex, json_string_value(value), 0, NULL, 0);
	regfree(&regex);
	return !result;
}

static inline size_t validate_count(json_t *root, json_t *schemas, json_t *value)
{
	size_t index, count = 0;
	json_t *schema;

	json_array_foreach(schemas, index, schema) count += validate(root, schema, value);
	return count;
}

static inline bool validate_properties(json_t *root, json_t *schema, json_t *value)
{
	json_t *properties = json_object_get(schema, "properties"),
	       *more = json_object_get(schema, "additionalProperties");
	const char *key;
	json_t *member;

	json_object_foreach(value, key, member)
	{
		json_t *own = json_object_get(properties, key);

		if (!validate(root, own ? own : more, member))
			return false;
	}
	return true;
}

static inline bool validate_required(json_t *names, json_t *value)
{
	size_t index;
	json_t *name;

	json_array_foreach(names, index, name) if (json_is_object(value) &&
						   !json_object_get(value, json_string_value(name))) return false;
	return true;
}

static inline bool validate_keyword(json_t *root, json_t *schema, const char *keyword, json_t *of, json_t *value)
{
	const char *key;
	json_t *member;
	size_t index;

	if (!strcmp(keyword, "$ref")) {
		json_t *defs = json_object_get(root, "$defs");

		assert_int_equal(strncmp(json_string_value(of), "#/$defs/", 8), 0);
		of = json_object_get(defs, json_string_value(of) + 8);
		assert_non_null(of);
		return validate(root, of, value);
	}
	if (!strcmp(keyword, "type"))
		return validate_type(json_string_value(of), value);
	if (!strcmp(keyword, "pattern"))
		return validate_pattern(json_string_value(of), value);
	if (!strcmp(keyword, "enum")) {
		json_array_foreach(of, index, member) if (json_equal(member, value)) return true;
		return false;
	}
	if (!strcmp(keyword, "anyOf"))
		return validate_count(root, of, value) > 0;
	if (!strcmp(keyword, "oneOf"))
		return validate_count(root, of, value) == 1;
	if (!strcmp(keyword, "properties") || !strcmp(keyword, "additionalProperties"))
		return validate_properties(root, schema, value);
	if (!strcmp(keyword, "required"))
		return validate_required(of, value);
	if (!strcmp(keyword, "minimum"))
		return !json_is_number(value) || json_number_value(value) >= json_number_value(of);
	if (!strcmp(keyword, "maximum"))
		return !json_is_number(value) || json_number_value(value) <= json_number_value(of);
	if (!strcmp(keyword, "minItems"))
		return !json_is_array(value) || json_array_size(value) >= (size_t)json_integer_value(of);
	if (!strcmp(keyword, "minProperties"))
		return !json_is_object(value) || json_object_size(value) >= (size_t)json_integer_value(of);
	if (!strcmp(keyword, "maxProperties"))
		return !json_is_object(value) || json_object_size(value) <= (size_t)json_integer_value(of);
	if (!strcmp(keyword, "items")) {
		json_array_foreach(value, index, member) if (!validate(root, of, member)) return false;
		return true;
	}
	if (!strcmp(keyword, "propertyNames")) {
		json_object_foreach(value, key, member)
		{
			json_t *name = json_string(key);
			bool good = validate(root, of, name);

			json_decref(name);
			if (!good)
				return false;
		}
		return true;
	}
	if (!strcmp(keyword, "dependentRequired")) {
		json_object_foreach(of, key, member) if (json_object_get(value, key) &&
							 !validate_required(member, value)) return false;
		return true;
	}
	if (strcmp(keyword, "$schema") && strcmp(keyword, "$id") && strcmp(keyword, "$defs") &&
	    strcmp(keyword, "title") && strcmp(keyword, "description") && strcmp(keyword, "default"))
		fail_msg("unknown keyword %s", keyword);
	return true;
}

static bool validate(json_t *root, json_t *schema, json_t *value)
{
	const char *keyword;
	json_t *of;

	if (!schema || json_is_boolean(schema))
		return !schema || json_is_true(schema);
	json_object_foreach(schema, keyword, of) if (!validate_keyword(root, schema, keyword, of, value)) return false;
	return true;
}
