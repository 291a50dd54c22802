/* SPDX-License-Identifier: BSD-2-Clause */
#include <ctype.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>

#include "base/quantity.h"
#include "schema/json.h"

#define VARIABLE "[$][($]"
#define BLANKS "[ \t]*"
#define DECIMAL "[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?"

json_t *json_ref(const char *name)
{
	return json_pack("{s:o}", "$ref", json_sprintf("#/$defs/%s", name));
}

json_t *json_any(json_t *first, ...)
{
	json_t *list = json_array();
	va_list args;

	va_start(args, first);
	for (json_t *schema = first; schema; schema = va_arg(args, json_t *))
		json_array_append_new(list, schema);
	va_end(args);
	return json_pack("{s:o}", "anyOf", list);
}

json_t *json_list(json_t *items)
{
	return json_pack("{s:s, s:o}", "type", "array", "items", items);
}

json_t *json_map(json_t *properties)
{
	return json_pack("{s:s, s:o, s:b}", "type", "object", "properties", properties, "additionalProperties", 0);
}

json_t *json_doc(json_t *schema, const char *doc)
{
	if (doc)
		json_object_set_new(schema, "description", json_string(doc));
	return schema;
}

json_t *json_pattern(const char *expression)
{
	return json_pack("{s:s, s:o}", "type", "string", "pattern", json_sprintf("^(%s)$|" VARIABLE, expression));
}

static json_t *of_type(const char *type)
{
	return json_pack("{s:s}", "type", type);
}

/* A word in any case, as an expression: [Aa][Cc]... */
static void fold_word(struct buf *out, const char *word)
{
	for (; *word; word++) {
		unsigned char c = (unsigned char)*word;

		if (isalpha(c) && c < 0x80)
			buf_printf(out, "[%c%c]", toupper(c), tolower(c));
		else if (c < 0x80 && !isalnum(c) && !strchr("-_ /%<>=!:;,~@#'\"&`", c))
			buf_printf(out, "\\%c", c);
		else
			buf_putc(out, (char)c);
	}
}

static bool is_number(const char *word)
{
	double number;

	return decimal_parse(word, NULL, &number);
}

/* What a resolver of YAML 1.1 or 1.2 makes a boolean of. */
static bool is_boolean(const char *word)
{
	static const char *const words[] = {"true", "false", "yes", "no", "on", "off", "y", "n"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcasecmp(word, words[i]))
			return true;
	return false;
}

json_t *json_choice(const char *const *choices, bool fold)
{
	json_t *words = json_array(), *list;
	AUTO_BUF struct buf expression = {0};
	bool number = false, boolean = false;

	for (size_t i = 0; choices[i]; i++) {
		json_array_append_new(words, json_string(choices[i]));
		number |= is_number(choices[i]);
		boolean |= is_boolean(choices[i]);
		if (!fold)
			continue;
		buf_puts(&expression, i ? "|" : "");
		fold_word(&expression, choices[i]);
	}
	/* "enum" is what editors complete from, the expression takes the other ways to write it. */
	list = json_pack("[{s:o}]", "enum", words);
	json_array_append_new(list, fold ? json_pattern(expression.data)
					 : json_pack("{s:s, s:s}", "type", "string", "pattern", VARIABLE));
	if (number) {
		json_t *numbers = json_array();

		for (size_t i = 0; choices[i]; i++)
			if (is_number(choices[i]))
				json_array_append_new(numbers, json_loads(choices[i], JSON_DECODE_ANY, NULL));
		json_array_append_new(list, json_pack("{s:o}", "enum", numbers));
	}
	if (boolean)
		json_array_append_new(list, of_type("boolean"));
	return json_pack("{s:o}", "anyOf", list);
}

static json_t *any_text(void)
{
	return json_any(of_type("string"), of_type("number"), of_type("boolean"), NULL);
}

/* "180 Gb/s", "180Gb/s"; only zero goes without a unit */
static json_t *quantity(enum dimension dimension)
{
	AUTO_BUF struct buf expression = {0};
	const struct unit *unit;
	bool any = false;

	buf_puts(&expression, BLANKS DECIMAL BLANKS "(");
	for (size_t i = 0; (unit = unit_at(i)); i++) {
		if (unit->dimension != dimension)
			continue;
		buf_printf(&expression, "%s%s", any ? "|" : "", unit->name);
		any = true;
	}
	buf_puts(&expression, ")" BLANKS "|[-+]?0+");
	return json_any(json_pattern(expression.data), json_pack("{s:[i]}", "enum", 0), NULL);
}

static const char *const integers[] = {
	[RS_INTEGER] = "-?([0-9]+|0[xX][0-9a-fA-F]+)",
	[RS_UNSIGNED] = "[0-9]+|0[xX][0-9a-fA-F]+",
	[RS_NUMBER] = DECIMAL,
};

json_t *json_limited(enum rs_type type, int64_t min, int64_t max)
{
	json_t *number = of_type(type == RS_NUMBER ? "number" : "integer");

	if (min != INT64_MIN)
		json_object_set_new(number, "minimum", json_integer(min));
	if (max != INT64_MAX)
		json_object_set_new(number, "maximum", json_integer(max));
	return json_any(number, json_pattern(integers[type]), NULL);
}

static json_t *make_scalar(enum rs_type type)
{
	switch (type) {
	case RS_INTEGER:
	case RS_NUMBER:
		return json_limited(type, INT64_MIN, INT64_MAX);
	case RS_UNSIGNED:
		return json_limited(type, 0, INT64_MAX);
	case RS_BOOLEAN:
		return json_any(
			of_type("boolean"),
			json_pattern(
				"[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[Yy][Ee][Ss]|[Nn][Oo]|[Oo][Nn]|[Oo][Ff][Ff]"),
			NULL);
	case RS_GUID: /* unquoted, it is a number to YAML as often as not */
		return json_any(json_pattern("(0[xX])?[0-9a-fA-F]{1,16}|[0-9a-fA-F]{1,4}(:[0-9a-fA-F]{1,4}){3}|"
					     "[0-9a-fA-F]{1,2}(:[0-9a-fA-F]{1,2}){7}"),
				json_pack("{s:s, s:i}", "type", "number", "minimum", 0), NULL);
	case RS_GID:
		return json_pattern("[0-9a-fA-F]*:[0-9a-fA-F:]*(:[0-9]+([.][0-9]+){3})?");
	case RS_IP:
		return json_pattern("[0-9a-fA-F]*:[0-9a-fA-F:]*(:[0-9]+([.][0-9]+){3})?|[0-9]+([.][0-9]+){3}");
	case RS_TIME:
		return json_pattern("[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([T ][0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}Z?)?");
	default:
		return any_text();
	}
}

static const char *dimension_name(enum dimension dimension)
{
	static const char *const names[] = {
		[DIMENSION_RATE] = "rate",   [DIMENSION_TIME] = "duration",	    [DIMENSION_SIZE] = "size",
		[DIMENSION_RATIO] = "ratio", [DIMENSION_MESSAGES] = "message-rate", [DIMENSION_FREQUENCY] = "frequency",
	};

	return names[dimension];
}

json_t *json_scalar(struct json_defs *defs, struct value_type type)
{
	static const char *const names[] = {
		[RS_TEXT] = "text", [RS_FILE] = "text",	      [RS_INTEGER] = "integer", [RS_UNSIGNED] = "unsigned",
		[RS_GUID] = "guid", [RS_GID] = "gid",	      [RS_IP] = "ip",		[RS_NUMBER] = "number",
		[RS_TIME] = "time", [RS_BOOLEAN] = "boolean",
	};
	const struct unit *unit = NULL;
	const char *name;

	if (type.type == RS_ENUM)
		return json_choice(type.choices, true);
	if (type.type == RS_QUANTITY)
		unit = unit_find(type.unit, strlen(type.unit));
	name = unit ? dimension_name(unit->dimension) : names[type.type];
	if (!json_object_get(defs->defs, name))
		json_object_set_new(defs->defs, name, unit ? quantity(unit->dimension) : make_scalar(type.type));
	return json_ref(name);
}

json_t *json_default(struct value_type type, const char *text)
{
	json_t *value = NULL;

	if (type.type == RS_BOOLEAN || type.type == RS_INTEGER || type.type == RS_UNSIGNED || type.type == RS_NUMBER ||
	    text[0] == '[')
		value = json_loads(text, JSON_DECODE_ANY, NULL);
	return value ? value : json_string(text);
}
