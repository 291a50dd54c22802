/* SPDX-License-Identifier: BSD-2-Clause */
/* The envelope's maps against their tables. Nothing is allocated where nothing is wrong. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/quantity.h"
#include "schema/internal.h"

struct check {
	const struct text *text;
	struct diags *diags;
	bool bad;
};

static void check_map(struct check *check, const struct schema_key *keys, const struct node *map, bool probes);

#define COMPLAIN(check, node, ...)                                                                                     \
	do {                                                                                                           \
		(check)->bad = true;                                                                                   \
		diags_error((check)->diags, node_place((check)->text, node), __VA_ARGS__);                             \
	} while (0)

static bool is_scalar(struct check *check, const struct schema_key *key, const struct node *value)
{
	if (value->kind != NODE_SCALAR) {
		COMPLAIN(check, value, "'%s' takes one value, not %s", key->name, kind_name(value));
		return false;
	}
	if (no_value(value)) {
		COMPLAIN(check, value, "'%s' has no value", key->name);
		return false;
	}
	return !(value->flags & NODE_LATER);
}

static void complain_limits(struct check *check, const struct schema_key *key, const struct node *value,
			    const char *low, const char *high)
{
	AUTO_FREE char *words = outside(low, high, BRIEF(value));

	COMPLAIN(check, value, "'%s' %s", key->name, words);
}

static void check_text(struct check *check, const struct schema_key *key, const struct node *value)
{
	if (!is_scalar(check, key, value) || (!key->min && !key->max))
		return;
	if (!value->length && key->min)
		COMPLAIN(check, value, "'%s' is empty", key->name);
	else if (value->length < (uint64_t)key->min)
		COMPLAIN(check, value, "'%s' must have at least %lld bytes", key->name, (long long)key->min);
	else if (value->length > (uint64_t)key->max)
		COMPLAIN(check, value, "'%s' must have at most %lld bytes; it has %u", key->name, (long long)key->max,
			 value->length);
}

static bool is_name(const struct node *value)
{
	for (const char *s = value->text; *s; s++)
		if (!((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || (*s >= '0' && *s <= '9') ||
		      strchr("_-.", *s)))
			return false;
	return value->length > 0;
}

static void check_name(struct check *check, const struct schema_key *key, const struct node *value)
{
	if (is_scalar(check, key, value) && !is_name(value))
		COMPLAIN(check, value, "'%s' takes a name of letters, digits, '_', '-' and '.', not '%s'", key->name,
			 BRIEF(value));
}

/* A value by the rules of the parameters, so that an integer or a boolean is the same thing everywhere. */
static bool parse_scalar(struct check *check, const struct schema_key *key, enum rs_type type, const struct node *value,
			 struct value *out)
{
	AUTO_ARENA struct arena arena = {0};
	AUTO_FREE char *why = NULL;

	if (!is_scalar(check, key, value))
		return false;
	if (!value_parse((struct value_type){.type = type}, value->text, value->length, &arena, out, &why))
		return true;
	COMPLAIN(check, value, "%s: %s", key->name, why);
	return false;
}

static void check_integer(struct check *check, const struct schema_key *key, const struct node *value)
{
	char low[24], high[24];
	struct value parsed;

	if (!parse_scalar(check, key, RS_INTEGER, value, &parsed) || (!key->min && !key->max))
		return;
	if (parsed.integer >= key->min && parsed.integer <= key->max)
		return;
	snprintf(low, sizeof(low), "%lld", (long long)key->min);
	snprintf(high, sizeof(high), "%lld", (long long)key->max);
	complain_limits(check, key, value, key->min == INT64_MIN ? NULL : low, key->max == INT64_MAX ? NULL : high);
}

static void check_duration(struct check *check, const struct schema_key *key, const struct node *value)
{
	AUTO_BUF struct buf low = {0}, high = {0};
	const char *why;
	double seconds;

	if (!is_scalar(check, key, value))
		return;
	if (quantity_parse(value->text, DIMENSION_TIME, &seconds, &why)) {
		units_of(DIMENSION_TIME, &low);
		COMPLAIN(check, value, "%s: '%s': %s (one of %s)", key->name, BRIEF(value), why, low.data);
		return;
	}
	if ((!key->min && !key->max) || (seconds * 1000 >= (double)key->min && seconds * 1000 <= (double)key->max))
		return;
	decimal_write(&low, (double)key->min / 1000, unit_find("s", 1));
	decimal_write(&high, (double)key->max / 1000, unit_find("s", 1));
	complain_limits(check, key, value, low.data, key->max == INT64_MAX ? NULL : high.data);
}

static void check_choice(struct check *check, const struct schema_key *key, const struct node *value)
{
	AUTO_BUF struct buf list = {0};
	const char *like;
	size_t count = 0;

	if (!is_scalar(check, key, value))
		return;
	for (; key->choices[count]; count++)
		if (node_is(value, key->choices[count]))
			return;
	list_choices(&list, key->choices);
	like = suggest(value->text, key->choices, count);
	if (like)
		buf_printf(&list, "; did you mean '%s'?", like);
	COMPLAIN(check, value, "%s: '%s' is not one of %s", key->name, BRIEF(value), list.data);
}

/* The proleptic Gregorian calendar, as ISO 8601 has it. */
static bool is_date(const char *text)
{
	static const int days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	int year, month, day;

	for (int i = 0; i < 10; i++)
		if (i == 4 || i == 7 ? text[i] != '-' : text[i] < '0' || text[i] > '9')
			return false;
	if (text[10])
		return false;
	year = atoi(text);
	month = atoi(text + 5);
	day = atoi(text + 8);
	if (month < 1 || month > 12 || day < 1 || day > days[month - 1])
		return false;
	return month != 2 || day < 29 || (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0));
}

static void check_date(struct check *check, const struct schema_key *key, const struct node *value)
{
	if (is_scalar(check, key, value) && !is_date(value->text))
		COMPLAIN(check, value, "'%s' takes a day as YYYY-MM-DD, not '%s'", key->name, BRIEF(value));
}

static void check_names(struct check *check, const struct schema_key *key, const struct node *value)
{
	if (value->kind != NODE_LIST) {
		check_name(check, key, value);
		return;
	}
	NODE_EACH (item, value)
		check_name(check, key, item);
}

static void check_texts(struct check *check, const struct schema_key *key, const struct node *value)
{
	if (value->kind != NODE_LIST) {
		COMPLAIN(check, value, "'%s' takes a list, not %s", key->name, kind_name(value));
		return;
	}
	if (!value->length && key->required)
		COMPLAIN(check, value, "'%s' is an empty list", key->name);
	NODE_EACH (item, value)
		check_text(check, key, item);
}

static void check_list(struct check *check, const struct schema_key *key, const struct node *value)
{
	if (value->kind != NODE_LIST) {
		COMPLAIN(check, value, "'%s' takes a list of maps, not %s", key->name, kind_name(value));
		return;
	}
	NODE_EACH (item, value) {
		if (item->kind == NODE_MAP)
			check_map(check, key->keys, item, key->probes);
		else
			COMPLAIN(check, item, "'%s' takes a list of maps; this is %s", key->name, kind_name(item));
	}
}

static void check_free(struct check *check, const struct schema_key *key, const struct node *value)
{
	if (value->kind != NODE_MAP) {
		COMPLAIN(check, value, "'%s' takes a map of names and values, not %s", key->name, kind_name(value));
		return;
	}
	NODE_PAIRS (name, item, value) {
		if (!is_name(name))
			COMPLAIN(check, name, "'%s' is no name: it takes letters, digits, '_', '-' and '.'",
				 BRIEF(name));
		if (item->kind == NODE_MAP || no_value(item))
			COMPLAIN(check, item, "'%s' %s", name->text,
				 item->kind == NODE_MAP ? "takes a value or a list, not a map" : "has no value");
		for (const struct node *one = item->kind == NODE_LIST ? item->first : NULL; one; one = one->next)
			if (one->kind != NODE_SCALAR || no_value(one))
				COMPLAIN(check, one, "'%s' takes a list of values; this is %s", name->text,
					 kind_name(one));
	}
}

static void check_value(struct check *check, const struct schema_key *key, const struct node *value)
{
	struct value ignored;

	switch (key->kind) {
	case SCHEMA_TEXT:
	case SCHEMA_NODESET: /* its syntax shows when it is expanded */
		check_text(check, key, value);
		break;
	case SCHEMA_NAME:
		check_name(check, key, value);
		break;
	case SCHEMA_INTEGER:
		check_integer(check, key, value);
		break;
	case SCHEMA_BOOLEAN:
		parse_scalar(check, key, RS_BOOLEAN, value, &ignored);
		break;
	case SCHEMA_CHOICE:
		check_choice(check, key, value);
		break;
	case SCHEMA_DURATION:
		check_duration(check, key, value);
		break;
	case SCHEMA_DATE:
		check_date(check, key, value);
		break;
	case SCHEMA_NAMES:
		check_names(check, key, value);
		break;
	case SCHEMA_TEXTS:
		check_texts(check, key, value);
		break;
	case SCHEMA_MAP:
		if (value->kind == NODE_MAP)
			check_map(check, key->keys, value, key->probes);
		else
			COMPLAIN(check, value, "'%s' takes a map, not %s", key->name, kind_name(value));
		break;
	case SCHEMA_LIST:
		check_list(check, key, value);
		break;
	case SCHEMA_FREE:
		check_free(check, key, value);
		break;
	case SCHEMA_OTHER:
		break;
	}
}

static void check_unknown(struct check *check, const struct schema_key *keys, const struct node *key)
{
	AUTO_STRINGS struct strings known = {0};

	for (; keys->name; keys++)
		if (!keys->later)
			strings_add(&known, keys->name);
	check->bad = true;
	unknown_key(check->text, key, &known, check->diags);
}

/* "'client' and 'server'": the keys that way @form of writing the map needs */
static void write_form(struct buf *out, const struct schema_key *keys, unsigned form)
{
	bool any = false;

	for (; keys->name; keys++) {
		if (keys->form != form || !keys->required)
			continue;
		buf_printf(out, "%s'%s'", any ? " and " : "", keys->name);
		any = true;
	}
}

/* A map that is written in none of the ways there are. */
static void complain_forms(struct check *check, const struct schema_key *keys, const struct node *map)
{
	AUTO_BUF struct buf forms = {0};
	unsigned last = 0;

	for (const struct schema_key *key = keys; key->name; key++) {
		if (key->form <= last)
			continue;
		buf_puts(&forms, last ? ", or " : "");
		last = key->form;
		write_form(&forms, keys, last);
	}
	if (last)
		COMPLAIN(check, map, "missing keys: %s", forms.data);
}

static void check_map(struct check *check, const struct schema_key *keys, const struct node *map, bool probes)
{
	const struct schema_key *formed = NULL; /* the first key that belongs to one way of writing the map */
	uint64_t seen = 0;

	NODE_PAIRS (key, value, map) {
		const struct schema_key *known = keys;

		while (known->name && !node_is(key, known->name))
			known++;
		if (known->name) {
			seen |= UINT64_C(1) << (known - keys);
			if (known->later)
				COMPLAIN(check, key, "%s", known->later);
			else
				check_value(check, known, value);
			if (known->form && !formed)
				formed = known;
			else if (known->form && known->form != formed->form)
				COMPLAIN(check, key, "'%s' has no place beside '%s'", known->name, formed->name);
		} else if (!probes || !memchr(key->text, '.', key->length)) {
			check_unknown(check, keys, key);
		}
	}
	if (!formed)
		complain_forms(check, keys, map);
	for (const struct schema_key *key = keys; key->name; key++)
		if (key->required && (!key->form || (formed && key->form == formed->form)) &&
		    !(seen >> (key - keys) & 1))
			COMPLAIN(check, map, "missing key '%s'", key->name);
}

int schema_check_map(const struct text *text, const struct schema_key *keys, const struct node *map, bool probes,
		     struct diags *diags)
{
	struct check check = {.text = text, .diags = diags};

	if (map->kind == NODE_MAP)
		check_map(&check, keys, map, probes);
	else
		COMPLAIN(&check, map, "a map is needed here, not %s", kind_name(map));
	return check.bad ? -EINVAL : 0;
}
