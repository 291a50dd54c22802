/* SPDX-License-Identifier: BSD-2-Clause */
/* An example step, made from the tables, so that it cannot go out of date. */
#include <inttypes.h>
#include <string.h>

#include "schema/words_of.h"

/* A word that needs no quotes anywhere in YAML. */
static bool is_word(const char *text)
{
	return *text && strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(text);
}

static void add_text(struct buf *out, const char *text)
{
	if (is_word(text))
		buf_puts(out, text);
	else
		quoted(out, text, strlen(text));
}

static const char *sample_of_type(struct value_type type)
{
	switch (type.type) {
	case RS_BOOLEAN:
		return "true";
	case RS_GUID:
		return "0x0002c9030045f121";
	case RS_GID:
		return "fe80::2:c903:45:f121";
	case RS_IP:
		return "192.0.2.1"; /* RFC 5737 */
	case RS_TIME:
		return "2026-05-31T12:00:00Z";
	case RS_FILE:
		return "file.txt";
	case RS_NUMBER:
	case RS_INTEGER:
	case RS_UNSIGNED:
		return "1";
	case RS_TEXT:
		return "name";
	default:
		return "";
	}
}

static void add_number(struct buf *out, int64_t number, const char *unit)
{
	buf_printf(out, "%" PRId64 "%s%s", number, unit ? " " : "", unit ? unit : "");
}

static void sample_param(struct buf *out, const struct rs_param *param)
{
	bool numeric = param->type == RS_INTEGER || param->type == RS_UNSIGNED || param->type == RS_NUMBER ||
		       param->type == RS_QUANTITY;

	if (param->value)
		add_text(out, param->value);
	else if (param->type == RS_ENUM)
		add_text(out, param->choices[0]);
	else if (numeric && param_limited(param))
		add_number(out, param->min <= 1 && param->max >= 1 ? 1 : param->min, param->unit);
	else if (param->type == RS_QUANTITY)
		add_number(out, 1, param->unit);
	else if (param->type == RS_TEXT && !strcmp(param->key, "device"))
		buf_puts(out, "$(device)");
	else if (param->type == RS_TEXT && param_limited(param) && param->min > 4)
		buf_printf(out, "%.*s", (int)param->min, "a-name-that-is-long-enough-for-what-this-probe-wants-of-it");
	else
		add_text(out, sample_of_type(value_type_of_param(param)));
}

static void sample_struct(struct buf *out, const struct rs_param *param)
{
	bool any = false;

	buf_putc(out, '{');
	for (const struct rs_param *field = param->fields; field->key; field++) {
		if (!(field->flags & RS_REQUIRED))
			continue;
		buf_printf(out, "%s%s: ", any ? ", " : "", field->key);
		sample_param(out, field);
		any = true;
	}
	buf_putc(out, '}');
}

static void sample_fact(struct buf *out, const struct rs_fact *fact)
{
	bool better = fact->flags & (RS_F_HIGHER | RS_F_LOWER);
	bool rises =
		(fact->flags & RS_F_ORDERED) || !strcmp(fact->name, "state"); /* the last one is what people want */
	size_t last = 0;

	if (better)
		buf_printf(out, "{%s: ", fact->flags & RS_F_HIGHER ? "min" : "max");
	if (fact->type == RS_ENUM) {
		while (rises && fact->choices[last + 1])
			last++;
		add_text(out, fact->choices[last]);
	} else if (fact->type == RS_QUANTITY) {
		add_number(out, 1, fact->unit);
	} else {
		add_text(out, sample_of_type(value_type_of_fact(fact)));
	}
	if (better)
		buf_putc(out, '}');
}

/* The fact that an example would expect something of. */
static const struct rs_fact *telling_fact(const struct rs_probe *probe)
{
	for (const struct rs_fact *fact = probe->facts; fact->name; fact++)
		if (!(fact->flags & (RS_F_KEY | RS_F_VOLATILE)) && (fact->type == RS_ENUM || fact->flags))
			return fact;
	for (const struct rs_fact *fact = probe->facts; fact->name; fact++)
		if (!(fact->flags & RS_F_KEY))
			return fact;
	return probe->facts;
}

void example_step(struct buf *out, const struct rs_source *source, const struct rs_probe *probe, int indent)
{
	const struct rs_fact *fact = telling_fact(probe);

	buf_printf(out, "%*s- name: ", indent, "");
	quoted(out, probe->summary, strlen(probe->summary));
	if (source->scope == RS_PAIR)
		buf_printf(out, "\n%*sbetween: {client: node-01, server: node-02}", indent + 2, "");
	buf_printf(out, "\n%*s%s:\n", indent + 2, "", probe->name);
	for (const struct rs_param *param = source->params; param && param->key; param++) {
		if (!(param->flags & RS_REQUIRED))
			continue;
		buf_printf(out, "%*s%s: ", indent + 4, "", param->key);
		if (param->type == RS_STRUCT)
			sample_struct(out, param);
		else
			sample_param(out, param);
		buf_putc(out, '\n');
	}
	buf_printf(out, "%*sexpect: {%s: ", indent + 4, "", fact->name);
	sample_fact(out, fact);
	buf_puts(out, "}\n");
}
