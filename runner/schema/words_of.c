/* SPDX-License-Identifier: BSD-2-Clause */
#include "schema/words_of.h"

#include <inttypes.h>
#include <string.h>

#include "base/quantity.h"

static void words_of_type(struct buf *out, struct value_type type)
{
	if (type.type == RS_ENUM) {
		buf_puts(out, "one of ");
		list_choices(out, type.choices);
	} else if (type.type == RS_QUANTITY) {
		buf_printf(out, "quantity in %s", type.unit);
	} else {
		buf_puts(out, value_type_name(type.type));
	}
}

void words_of_param(struct buf *out, const struct rs_param *param)
{
	if (param->type == RS_STRUCT) {
		buf_puts(out, "list of maps");
		return;
	}
	words_of_type(out, value_type_of_param(param));
	if (param_limited(param)) {
		buf_puts(out, ", ");
		param_limits(out, param);
	}
	if (param->flags & RS_LIST)
		buf_puts(out, " (one or a list)");
	if (param->unless)
		buf_printf(out, "; not beside %s", param->unless);
}

void words_of_fact(struct buf *out, const struct rs_fact *fact)
{
	static const struct {
		enum rs_fact_flag flag;
		const char *words;
	} flags[] = {
		{RS_F_LIST, "a list"},
		{RS_F_ORDERED, "ordered"},
		{RS_F_HEX, "hexadecimal"},
		{RS_F_HIGHER, "higher is better"},
		{RS_F_LOWER, "lower is better"},
		{RS_F_KEY, "identifies the row"},
		{RS_F_VOLATILE, "changes by itself"},
		{RS_F_COUNTER, "a counter"},
	};
	bool any = false;

	words_of_type(out, value_type_of_fact(fact));
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (!(fact->flags & (unsigned)flags[i].flag))
			continue;
		buf_printf(out, "%s%s", any ? ", " : " (", flags[i].words);
		any = true;
	}
	if (any)
		buf_putc(out, ')');
}

static void words_of_limits(struct buf *out, const struct schema_key *key)
{
	const struct unit *unit = key->kind == SCHEMA_DURATION ? unit_find("s", 1) : NULL;
	double scale = unit ? 1000 : 1; /* durations are limited in milliseconds */

	if (!key->min && !key->max)
		return;
	buf_puts(out, ", ");
	decimal_write(out, (double)key->min / scale, unit);
	buf_puts(out, " to ");
	decimal_write(out, (double)key->max / scale, unit);
	if (key->kind == SCHEMA_TEXT)
		buf_puts(out, " bytes");
}

void words_of_key(struct buf *out, const struct schema_key *key)
{
	static const char *const names[] = {
		[SCHEMA_TEXT] = "text",		  [SCHEMA_NAME] = "name",
		[SCHEMA_INTEGER] = "integer",	  [SCHEMA_BOOLEAN] = "boolean",
		[SCHEMA_DURATION] = "time",	  [SCHEMA_DATE] = "date",
		[SCHEMA_NODESET] = "nodeset",	  [SCHEMA_NAMES] = "name, or a list of names",
		[SCHEMA_TEXTS] = "list of texts", [SCHEMA_MAP] = "map",
		[SCHEMA_LIST] = "list of maps",	  [SCHEMA_FREE] = "map of names to values",
	};

	if (key->choices) {
		buf_puts(out, "one of ");
		list_choices(out, key->choices);
		buf_puts(out, key->keys ? ", or a map" : "");
	} else if (key->kind == SCHEMA_OTHER) {
		buf_puts(out, key->keys || key->probes ? "map" : "");
	} else {
		buf_puts(out, names[key->kind]);
		words_of_limits(out, key);
	}
}

void words_of_source(struct buf *out, const struct rs_source *source)
{
	static const char *const scopes[] = {
		[RS_HOST] = "Observed on each host.",
		[RS_PAIR] = "Observed between two hosts.",
		[RS_FABRIC] = "Observed once for the whole fabric, by default on the first host.",
	};

	buf_puts(out, scopes[source->scope]);
	if (source->flags & RS_EXCLUSIVE)
		buf_puts(out, " Does not overlap with another exclusive probe on its host.");
	if (source->flags & RS_CHANGES)
		buf_printf(out, " Changes its host: run needs --allow %s.", source->name);
	if (source->flags & RS_COMMANDS)
		buf_printf(out, " Runs what the scenario says: run needs --allow %s.", source->name);
	if (source->flags & RS_COUNTERS)
		buf_puts(out, " 'around' gives the difference over other steps.");
	if (source->nprobes > 1) {
		buf_puts(out, " Done in one go with");
		for (size_t i = 0; i < source->nprobes; i++)
			buf_printf(out, "%s %s", i ? "," : "", source->probes[i].name);
		buf_putc(out, '.');
	}
}
