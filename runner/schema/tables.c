/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A plugin's tables, checked when it is loaded: plugins are written by others, and all that follows (the check of
 * scenarios, the binding, the schema) trusts the tables.
 */
#include <errno.h>
#include <string.h>

#include "base/quantity.h"
#include "base/utf8.h"
#include "schema/internal.h"
#include "schema/tables.h"

#define FACTS_MAX 64
#define PROBES_MAX 32

#define SOURCE_FLAGS                                                                                                   \
	(RS_EXCLUSIVE | RS_CHANGES | RS_COMMANDS | RS_PARTIAL | RS_FABRIC_ACCESS | RS_COUNTERS | RS_PASSING)
#define FACT_FLAGS                                                                                                     \
	(RS_F_LIST | RS_F_ORDERED | RS_F_HIGHER | RS_F_LOWER | RS_F_KEY | RS_F_VOLATILE | RS_F_HEX | RS_F_COUNTER |    \
	 RS_F_PEGGED)

bool tables_word(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!(text[i] >= 'a' && text[i] <= 'z') &&
		    (!i || (text[i] != '_' && !(text[i] >= '0' && text[i] <= '9'))))
			return false;
	return length > 0 && length < 64;
}

char *tables_line(const char *text, const char *what)
{
	if (!text || !*text)
		return xasprintf("has no %s", what);
	if (!utf8_valid(text, strlen(text)))
		return xasprintf("has a %s that is not UTF-8", what);
	if (strpbrk(text, "\n\r"))
		return xasprintf("has a %s of more than one line", what);
	return NULL;
}

char *tables_type(struct value_type type)
{
	const char *unit = type.unit;

	if (type.type == RS_QUANTITY && (!unit || !unit_find(unit, strlen(unit))))
		return unit ? xasprintf("has the unit '%s', which is unknown", unit)
			    : xstrdup("is a quantity without a unit");
	if (type.type != RS_QUANTITY && unit)
		return xasprintf("has the unit '%s', but is no quantity", unit);
	if (type.type != RS_ENUM)
		return type.choices ? xstrdup("has choices, but is no enum") : NULL;
	if (!type.choices || !type.choices[0])
		return xstrdup("is an enum without choices");
	for (size_t i = 0; type.choices[i]; i++) {
		if (!*type.choices[i] || !utf8_valid(type.choices[i], strlen(type.choices[i])))
			return xstrdup("has a choice that is empty or not UTF-8");
		for (size_t j = 0; j < i; j++)
			if (!strcmp(type.choices[i], type.choices[j]))
				return xasprintf("has the choice '%s' twice", type.choices[i]);
	}
	return NULL;
}

static char *check_fact(const struct rs_fact *fact, const struct rs_fact *first)
{
	char *why = tables_line(fact->doc, "doc");

	if (why)
		return why;
	if (!tables_word(fact->name, strlen(fact->name)))
		return xstrdup("has a name that is not of lower-case letters, digits and _");
	for (const struct rs_fact *other = first; other < fact; other++)
		if (!strcmp(other->name, fact->name))
			return xstrdup("is there twice");
	if ((unsigned)fact->type > RS_TIME)
		return xasprintf("has the type %u, which no fact can have", (unsigned)fact->type);
	if (fact->flags & ~(unsigned)FACT_FLAGS)
		return xasprintf("has the flags 0x%x, which this rdmaspec does not know",
				 fact->flags & ~(unsigned)FACT_FLAGS);
	if ((fact->flags & RS_F_HIGHER) && (fact->flags & RS_F_LOWER))
		return xstrdup("is better both higher and lower");
	if (fact->flags & RS_F_COUNTER && (fact->type != RS_UNSIGNED || fact->flags & RS_F_LIST))
		return xstrdup("is a counter, but no unsigned number");
	if (fact->flags & RS_F_PEGGED && (fact->type != RS_TEXT || !(fact->flags & RS_F_LIST)))
		return xstrdup("names counters, but is no list of texts");
	return tables_type(value_type_of_fact(fact));
}

static bool has_fact(const struct rs_probe *probe, const char *name, size_t length)
{
	for (const struct rs_fact *fact = probe->facts; fact->name; fact++)
		if (!strncmp(fact->name, name, length) && !fact->name[length])
			return true;
	return false;
}

/* "{device} port {port}", "{description|guid}" */
static char *check_row(const struct rs_probe *probe)
{
	const char *at = probe->row;

	while (at && (at = strchr(at, '{'))) {
		do {
			size_t length = strcspn(++at, "|}");

			if (!at[length] || !has_fact(probe, at, length))
				return xasprintf("has a row name '%s' with a fact that it does not have", probe->row);
			at += length;
		} while (*at == '|');
	}
	return NULL;
}

/* "ib.ports" of plugin "ib" */
static bool is_member(const char *plugin, const char *name)
{
	size_t length = strlen(plugin);

	return name && !strncmp(name, plugin, length) && name[length] == '.' &&
	       tables_word(name + length + 1, strlen(name + length + 1));
}

static char *check_probe(const struct rs_plugin *plugin, const struct rs_probe *probe)
{
	const struct rs_fact *fact = probe->facts;
	char *why;

	if (!is_member(plugin->name, probe->name))
		return xasprintf("has a name that is not '%s.WORD'", plugin->name);
	why = tables_line(probe->summary, "summary");
	if (why)
		return why;
	if (!fact || !fact->name)
		return xstrdup("has no facts");
	for (; fact->name; fact++) {
		if (fact - probe->facts == FACTS_MAX)
			return xasprintf("has more than %d facts", FACTS_MAX);
		why = check_fact(fact, probe->facts);
		if (why)
			return tables_within(why, "fact", fact->name);
	}
	return check_row(probe);
}

char *tables_within(char *why, const char *what, const char *name)
{
	AUTO_FREE char *inner = why;

	return inner ? xasprintf("%s '%s' %s", what, name, inner) : NULL;
}

static char *check_unless(const struct rs_source *source, const struct rs_probe *probe)
{
	for (const struct rs_fact *fact = probe->facts; fact->name; fact++)
		if (fact->unless && !tables_param(source->params, fact->unless))
			return xasprintf("has the fact '%s' of %s, which is not observed with '%s', but there is no "
					 "such parameter",
					 fact->name, probe->name, fact->unless);
	return NULL;
}

/* Rows of two tables are found by their keys, and have something to subtract. */
static char *check_counters(const struct rs_probe *probe)
{
	bool key = false, counter = false;

	for (const struct rs_fact *fact = probe->facts; fact->name; fact++) {
		key |= fact->flags & RS_F_KEY;
		counter |= fact->flags & RS_F_COUNTER;
	}
	return key && counter
		       ? NULL
		       : xasprintf("has counters, but %s has no %s", probe->name, key ? "such fact" : "key facts");
}

static char *check_source(const struct rs_plugin *plugin, const struct rs_source *source)
{
	char *why;

	if (!is_member(plugin->name, source->name))
		return xasprintf("has a name that is not '%s.WORD'", plugin->name);
	why = tables_line(source->summary, "summary");
	if (why)
		return why;
	if ((unsigned)source->scope > RS_FABRIC)
		return xasprintf("has the scope %u, which this rdmaspec does not know", (unsigned)source->scope);
	if (source->flags & ~(unsigned)SOURCE_FLAGS)
		return xasprintf("has the flags 0x%x, which this rdmaspec does not know",
				 source->flags & ~(unsigned)SOURCE_FLAGS);
	if (!source->observe)
		return xstrdup("has no observe()");
	if (source->scope == RS_PAIR && !source->serve)
		return xstrdup("is observed between two hosts, but has no serve()");
	if (source->undo && (!(source->flags & RS_CHANGES) || source->scope == RS_PAIR))
		return xstrdup("has an undo(), but does not change one host");
	if (source->scope != RS_PAIR && source->serve)
		return xstrdup("has a serve(), but is not observed between two hosts");
	if (source->scope == RS_PAIR && source->flags & RS_FABRIC_ACCESS)
		return xstrdup("is observed between two hosts, which a simulated fabric does not connect");
	if (!source->probes || !source->nprobes || source->nprobes > PROBES_MAX)
		return xasprintf("has %zu probes; 1 to %d are possible", source->probes ? source->nprobes : 0,
				 PROBES_MAX);
	for (size_t i = 0; i < source->nprobes; i++) {
		why = check_probe(plugin, &source->probes[i]);
		if (why)
			return tables_within(why, "probe", source->probes[i].name ? source->probes[i].name : "?");
	}
	if (source->nprobes == 1 && strcmp(source->name, source->probes[0].name))
		return xasprintf("has the one probe '%s', which must be of the same name", source->probes[0].name);
	why = tables_params(source);
	for (size_t i = 0; !why && i < source->nprobes; i++)
		why = check_unless(source, &source->probes[i]);
	for (size_t i = 0; !why && source->flags & RS_COUNTERS && i < source->nprobes; i++)
		why = check_counters(&source->probes[i]);
	return why;
}

/* Sources and probes go by name: each name must mean one. */
static char *check_names(const struct rs_plugin *plugin)
{
	AUTO_STRINGS struct strings probes = {0}, sources = {0};

	for (const struct rs_source *source = plugin->sources; source < plugin->sources + plugin->nsources; source++) {
		if (strings_have(&sources, source->name))
			return xasprintf("source '%s' is there twice", source->name);
		strings_add(&sources, source->name);
		for (size_t i = 0; i < source->nprobes; i++) {
			if (strings_have(&probes, source->probes[i].name))
				return xasprintf("probe '%s' is there twice", source->probes[i].name);
			strings_add(&probes, source->probes[i].name);
		}
	}
	return NULL;
}

int schema_check_plugin(const struct rs_plugin *plugin, const char *name, char **why)
{
	*why = NULL;
	if (!plugin->name || strcmp(plugin->name, name))
		*why = xasprintf("it calls itself '%s', but its file is '%s'", plugin->name ? plugin->name : "", name);
	if (!*why)
		*why = tables_within(tables_line(plugin->version, "version"), "plugin", name);
	if (!*why)
		*why = tables_within(tables_line(plugin->summary, "summary"), "plugin", name);
	if (!*why && (!plugin->sources || !plugin->nsources))
		*why = xasprintf("plugin '%s' has no sources", name);
	for (size_t i = 0; !*why && i < plugin->nsources; i++) {
		const struct rs_source *source = &plugin->sources[i];

		*why = tables_within(check_source(plugin, source), "source", source->name ? source->name : "?");
	}
	if (!*why)
		*why = check_names(plugin);
	return *why ? -EINVAL : 0;
}
