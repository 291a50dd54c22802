/* SPDX-License-Identifier: BSD-2-Clause */
/* The reference as Markdown: a page a plugin, and one of the scenario itself. */
#include <string.h>

#include "scenario/scenario.h"
#include "schema/words_of.h"

/* A cell of a table: what Markdown or HTML would take for its own is escaped. */
static void cell(struct buf *out, const char *text)
{
	for (; *text; text++) {
		if (strchr("|\\*_`[]<>", *text))
			buf_putc(out, '\\');
		buf_putc(out, *text);
	}
}

static void code(struct buf *out, const char *text)
{
	buf_putc(out, '`');
	for (; *text; text++)
		buf_printf(out, *text == '|' ? "\\%c" : "%c", *text);
	buf_putc(out, '`');
}

static void param_rows(struct buf *out, const struct rs_param *params, const char *prefix)
{
	for (const struct rs_param *param = params; param && param->key; param++) {
		AUTO_FREE char *name = xasprintf("%s%s", prefix, param->key);
		AUTO_BUF struct buf type = {0};

		buf_puts(out, "| ");
		code(out, name);
		buf_puts(out, " | ");
		words_of_param(&type, param);
		cell(out, type.data);
		buf_puts(out, " | ");
		if (param->flags & RS_REQUIRED)
			buf_puts(out, "required");
		else if (param->value)
			code(out, param->value);
		buf_puts(out, " | ");
		cell(out, param->doc);
		buf_puts(out, " |\n");
		if (param->type == RS_STRUCT) {
			AUTO_FREE char *inner = xasprintf("%s.", name);

			param_rows(out, param->fields, inner);
		}
	}
}

static void fact_rows(struct buf *out, const struct rs_fact *facts)
{
	for (const struct rs_fact *fact = facts; fact->name; fact++) {
		AUTO_BUF struct buf type = {0};

		buf_puts(out, "| ");
		code(out, fact->name);
		buf_puts(out, " | ");
		words_of_fact(&type, fact);
		cell(out, type.data);
		buf_puts(out, " | ");
		cell(out, fact->doc);
		if (fact->observed_by) {
			buf_puts(out, ". Not always observed: ");
			cell(out, fact->observed_by);
		}
		if (fact->unless) {
			buf_puts(out, ". Not observed with ");
			code(out, fact->unless);
		}
		buf_puts(out, " |\n");
	}
}

static void probe_section(struct buf *out, const struct rs_source *source, const struct rs_probe *probe)
{
	buf_printf(out, "\n## %s\n\n", probe->name);
	cell(out, probe->summary);
	buf_puts(out, ".\n");
	words_of_source(out, source);
	buf_puts(out, "\n\n");
	if (source->params && source->params->key) {
		buf_puts(out, "| parameter | takes | default | meaning |\n| --- | --- | --- | --- |\n");
		param_rows(out, source->params, "");
		buf_putc(out, '\n');
	} else {
		buf_puts(out, "It has no parameters.\n\n");
	}
	buf_puts(out, "| fact | type | meaning |\n| --- | --- | --- |\n");
	fact_rows(out, probe->facts);
	buf_puts(out, "\n```yaml\nsteps:\n");
	example_step(out, source, probe, 2);
	buf_puts(out, "```\n");
}

void schema_reference(FILE *out, const struct rs_plugin *plugin)
{
	AUTO_BUF struct buf page = {0};

	buf_printf(&page, "# Plugin %s\n\n", plugin->name);
	cell(&page, plugin->summary);
	buf_puts(&page, ".\n");
	for (size_t i = 0; i < plugin->nsources; i++)
		for (size_t j = 0; j < plugin->sources[i].nprobes; j++)
			probe_section(&page, &plugin->sources[i], &plugin->sources[i].probes[j]);
	fwrite(page.data, 1, page.length, out);
}

static void key_rows(struct buf *out, const struct schema_key *keys, const char *prefix)
{
	for (const struct schema_key *key = keys; key->name; key++) {
		AUTO_FREE char *name = xasprintf("%s%s", prefix, key->name);
		AUTO_BUF struct buf type = {0};

		if (key->later)
			continue;
		buf_puts(out, "| ");
		code(out, name);
		buf_puts(out, " | ");
		words_of_key(&type, key);
		cell(out, type.data ? type.data : "");
		buf_puts(out, " | ");
		if (key->required)
			buf_puts(out, "required");
		else if (key->value)
			code(out, key->value);
		if (key->form)
			buf_printf(out, key->required || key->value ? " (way %u)" : "(way %u)", key->form);
		buf_puts(out, " | ");
		cell(out, key->doc ? key->doc : "");
		buf_puts(out, " |\n");
		if (key->keys) {
			AUTO_FREE char *inner = xasprintf(key->kind == SCHEMA_LIST ? "%s[]." : "%s.", name);

			key_rows(out, key->keys, inner);
		}
	}
}

void schema_reference_scenario(FILE *out)
{
	static const char head[] = "| key | takes | default | meaning |\n| --- | --- | --- | --- |\n";
	AUTO_BUF struct buf page = {0};

	buf_printf(&page, "# Scenario\n\n## Keys of the file\n\n%s", head);
	key_rows(&page, scenario_schema, "");
	buf_printf(&page,
		   "\nA step has exactly one `plugin.probe` key besides: a map of the probe's parameters and of the "
		   "judging "
		   "keys.\n\n## Judging keys\n\n%s",
		   head);
	key_rows(&page, judging_schema, "");
	buf_puts(&page, "\n## Matchers\n\n| written | holds when |\n| --- | --- |\n");
	for (const struct matcher_form *form = matcher_forms; form->written; form++) {
		buf_puts(&page, "| ");
		code(&page, form->written);
		buf_puts(&page, " | ");
		cell(&page, form->doc);
		buf_puts(&page, " |\n");
	}
	fwrite(page.data, 1, page.length, out);
}
