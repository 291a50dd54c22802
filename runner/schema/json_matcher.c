/* SPDX-License-Identifier: BSD-2-Clause */
/* Matchers: each type of fact has its own, as they hold matchers of the same type again. */
#include <stdlib.h>
#include <string.h>

#include "base/quantity.h"
#include "schema/json.h"

struct json_enum {
	const char *const *choices;
	bool list, ordered;
	char *name;
};

/* struct form - one kind of matcher that is to be made */
struct form {
	struct value_type type;
	bool list;  /* of a fact that is a list */
	bool count; /* for a number of rows: it is always observed, and never none */
	bool ordered;
	const char *name;    /* of it in "$defs" */
	const char *element; /* of that for an element, where it is a list */
};

static const char *doc_of(const char *key)
{
	for (const struct matcher_form *form = matcher_forms; form->written; form++)
		if (form->key && !strcmp(form->key, key))
			return form->doc;
	return NULL;
}

static void add(json_t *properties, const char *key, json_t *schema)
{
	json_object_set_new(properties, key, json_doc(schema, doc_of(key)));
}

static json_t *boolean(struct json_defs *defs)
{
	return json_scalar(defs, (struct value_type){.type = RS_BOOLEAN});
}

/* A share, or a distance in the fact's own unit. */
static json_t *distance(struct json_defs *defs, struct value_type type)
{
	json_t *share = json_scalar(defs, (struct value_type){.type = RS_QUANTITY, .unit = "%"});

	switch (type.type) {
	case RS_TIME:
		json_decref(share);
		return json_scalar(defs, (struct value_type){.type = RS_QUANTITY, .unit = "s"});
	case RS_QUANTITY:
		return json_any(share, json_scalar(defs, type), NULL);
	default:
		return json_any(share, json_scalar(defs, (struct value_type){.type = RS_NUMBER}), NULL);
	}
}

static void add_within(struct json_defs *defs, json_t *properties, const struct form *form)
{
	static const char *const missing[] = {"error", "pass", NULL};
	json_t *of = json_scalar(defs, form->type);

	if (!form->count && !form->list)
		of = json_any(json_pack("{s:[s,s]}", "enum", "median", "baseline"), of, NULL);
	add(properties, "within", distance(defs, form->type));
	add(properties, "of", of);
	add(properties, "missing", json_choice(missing, false));
}

static json_t *matcher_map(struct json_defs *defs, const struct form *form)
{
	json_t *properties = json_object(), *map;
	bool within = form->ordered && form->type.type != RS_ENUM;

	add(properties, "is", json_scalar(defs, form->type));
	if (form->ordered) {
		add(properties, "min", json_scalar(defs, form->type));
		add(properties, "max", json_scalar(defs, form->type));
	}
	add(properties, "not", json_ref(form->name));
	if (form->type.type == RS_TEXT)
		add(properties, "matches", json_scalar(defs, form->type));
	if (within)
		add_within(defs, properties, form);
	if (!form->count)
		add(properties, "exists", boolean(defs));
	if (form->list)
		add(properties, "all", json_ref(form->element));
	map = json_map(properties);
	json_object_set_new(map, "minProperties", json_integer(1));
	if (within)
		json_object_set_new(
			map, "dependentRequired",
			json_pack("{s:[s], s:[s], s:[s]}", "within", "of", "of", "within", "missing", "within"));
	return map;
}

static void make(struct json_defs *defs, const struct form *form)
{
	json_t *several, *plain;

	if (json_object_get(defs->defs, form->name))
		return;
	json_object_set_new(defs->defs, form->name, json_object()); /* keeps the place while what it holds is made */
	several = json_list(json_ref(form->name));
	json_object_set_new(several, "minItems", json_integer(1));
	plain = json_scalar(defs, form->type);
	if (!form->count && form->type.type != RS_TEXT)
		plain = json_any(plain, json_pack("{s:[s]}", "enum", "none"), NULL);
	json_object_set_new(defs->defs, form->name, json_any(plain, several, matcher_map(defs, form), NULL));
}

/* Enums with the same choices share their matcher, named after the first fact that has it. */
static const char *enum_name(struct json_defs *defs, const struct rs_probe *probe, const struct rs_fact *fact,
			     bool list)
{
	struct json_enum *known;
	bool ordered = fact->flags & RS_F_ORDERED;

	for (size_t i = 0; i < defs->nenums; i++) {
		known = &defs->enums[i];
		if (known->choices == fact->choices && known->list == list && known->ordered == ordered)
			return known->name;
	}
	GROW(defs->enums, defs->nenums, defs->capacity);
	known = &defs->enums[defs->nenums++];
	*known = (struct json_enum){.choices = fact->choices, .list = list, .ordered = ordered};
	known->name = xasprintf("matcher-%s.%s%s", probe->name, fact->name, list ? "-list" : "");
	return known->name;
}

/* matcher-text, matcher-rate, ...: after the form of their scalars */
static char *type_name(struct json_defs *defs, struct value_type type, bool list)
{
	json_t *reference = json_scalar(defs, type);
	const char *name = strrchr(json_string_value(json_object_get(reference, "$ref")), '/') + 1;
	char *own = xasprintf("matcher-%s%s", name, list ? "-list" : "");

	json_decref(reference);
	return own;
}

json_t *json_matcher(struct json_defs *defs, const struct rs_probe *probe, const struct rs_fact *fact)
{
	bool list = fact->flags & RS_F_LIST;
	struct value_type type = value_type_of_fact(fact);
	AUTO_FREE char *element = NULL, *name = NULL;
	struct form form;

	type.flags &= ~(unsigned)RS_F_LIST;
	if (type.type == RS_ENUM) {
		element = xstrdup(enum_name(defs, probe, fact, false));
		name = xstrdup(enum_name(defs, probe, fact, list));
	} else {
		element = type_name(defs, type, false);
		name = type_name(defs, type, list);
	}
	form = (struct form){.type = type, .ordered = value_ordered(type), .name = element};
	make(defs, &form);
	if (list) {
		form.list = true;
		form.name = name;
		form.element = element;
		make(defs, &form);
	}
	return json_doc(json_ref(name), fact->doc);
}

json_t *json_count(struct json_defs *defs)
{
	const struct form form = {
		.type = {.type = RS_UNSIGNED}, .count = true, .ordered = true, .name = "matcher-count"};

	make(defs, &form);
	return json_ref(form.name);
}

void json_matchers_free(struct json_defs *defs)
{
	for (size_t i = 0; i < defs->nenums; i++)
		free(defs->enums[i].name);
	free(defs->enums);
}
