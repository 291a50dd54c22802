/* SPDX-License-Identifier: BSD-2-Clause */
/* One probe for a person at a terminal. */
#include <string.h>

#include "base/utf8.h"
#include "schema/words_of.h"

static void entry(FILE *out, const char *name, const char *type, const char *doc)
{
	fprintf(out, "  %s: %s\n", name, type);
	fprintf(out, "      %s\n", doc);
}

static void describe_param(FILE *out, const struct rs_param *param, const char *prefix)
{
	AUTO_FREE char *name = xasprintf("%s%s", prefix, param->key);
	AUTO_BUF struct buf type = {0};

	words_of_param(&type, param);
	if (param->flags & RS_REQUIRED)
		buf_puts(&type, "; required");
	else if (param->value)
		buf_printf(&type, "; default: %s", param->value);
	entry(out, name, type.data, param->doc);
	if (param->type != RS_STRUCT)
		return;
	free(name);
	name = xasprintf("%s%s.", prefix, param->key);
	for (const struct rs_param *field = param->fields; field->key; field++)
		describe_param(out, field, name);
}

static void describe_fact(FILE *out, const struct rs_fact *fact)
{
	AUTO_BUF struct buf type = {0};

	words_of_fact(&type, fact);
	entry(out, fact->name, type.data, fact->doc);
	if (fact->observed_by)
		fprintf(out, "      Not always observed: %s.\n", fact->observed_by);
	if (fact->unless)
		fprintf(out, "      Not observed with %s.\n", fact->unless);
}

static void describe_judging(FILE *out, const struct rs_source *source)
{
	fputs("\nJudging\n", out);
	for (const struct schema_key *key = judging_schema; key->name; key++)
		if (strcmp(key->name, "allow_partial") || (source->flags & RS_PARTIAL))
			fprintf(out, "  %s: %s\n", key->name, key->doc);
	fputs("\nMatchers\n", out);
	for (const struct matcher_form *form = matcher_forms; form->written; form++)
		fprintf(out, "  %s: %s\n", form->written, form->doc);
}

void schema_describe(FILE *out, const struct rs_source *source, const struct rs_probe *probe)
{
	AUTO_BUF struct buf words = {0}, example = {0};

	words_of_source(&words, source);
	fprintf(out, "%s: %s\n%s\n", probe->name, probe->summary, words.data);
	fputs("\nParameters\n", out);
	if (!source->params || !source->params->key)
		fputs("  none\n", out);
	for (const struct rs_param *param = source->params; param && param->key; param++)
		describe_param(out, param, "");
	fputs("\nFacts\n", out);
	for (const struct rs_fact *fact = probe->facts; fact->name; fact++)
		describe_fact(out, fact);
	describe_judging(out, source);
	example_step(&example, source, probe, 2);
	fprintf(out, "\nExample\n%s", example.data);
}
