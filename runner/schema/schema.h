/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: descriptors put to work
 *
 * From the tables of a plugin (rs_param, rs_fact) and the envelope's own (struct schema_key) come the check with exact
 * positions, the defaults, the binding into C structs, the JSON Schema and the reference. Only this room knows
 * libcyaml.
 */
#pragma once

#include <jansson.h>
#include <rdmaspec/plugin.h>

#include "base/diag.h"
#include "base/value.h"
#include "text/text.h"

/** enum schema_kind - what an envelope's key takes */
enum schema_kind {
	SCHEMA_TEXT,
	SCHEMA_NAME, /* an id, a tag, a variable's name: letters, digits, _ - . */
	SCHEMA_INTEGER,
	SCHEMA_BOOLEAN,
	SCHEMA_CHOICE,
	SCHEMA_DURATION,
	SCHEMA_DATE, /* YYYY-MM-DD */
	SCHEMA_NODESET,
	SCHEMA_NAMES, /* a list of names, or one */
	SCHEMA_TEXTS, /* a list of texts */
	SCHEMA_MAP,   /* of @keys */
	SCHEMA_LIST,  /* of maps of @keys */
	SCHEMA_FREE,  /* a map of any name to a scalar (vars), or to a nodeset or list (each) */
	SCHEMA_OTHER, /* checked by who reads it (connect, when); @choices, @keys and @probes shape its JSON Schema */
};

/**
 * struct schema_key - one key of a map of the envelope; tables end with a NULL name
 * @probes: its map (or each map of its list) also takes "plugin.probe" keys: the check passes them over, the JSON
 * Schema wants exactly one. A SCHEMA_OTHER with it is a map of one probe to parameters and "where" (when). A
 * SCHEMA_OTHER with @choices, @keys or @probes takes any of these forms; with none of them, anything.
 * @form: a map may be written in several ways, each with keys of its own: this key belongs to way 1, 2, ... and
 * @required means in that way; 0: to all of them
 */
struct schema_key {
	const char *name;
	enum schema_kind kind;
	bool required;
	const char *value;	    /* default, as written; NULL: none */
	int64_t min, max;	    /* both 0: no limits; durations in ms */
	const char *const *choices; /* SCHEMA_CHOICE */
	const struct schema_key *keys;
	const char *later; /* not NULL: refused, with these words ("connect: ssh is not supported by this version") */
	const char *doc;   /* one line */
	bool probes;
	uint8_t form;
};

/** judging_schema - what every probe's map takes beside its parameters: where, expect, count, ... */
extern const struct schema_key judging_schema[];

/**
 * struct matcher_form - one way to write a matcher
 * @key: the key in a matcher's map; NULL: not a map
 * @written: how it looks ("{min: 180 Gb/s}"); @doc: when it holds
 */
struct matcher_form {
	const char *key;
	const char *written;
	const char *doc;
};

/** matcher_forms - all of them, ended by a NULL written */
extern const struct matcher_form matcher_forms[];

/**
 * schema_check_map - a map of the envelope against its table: unknown keys (with "did you mean"), duplicates are
 * text's, missing ones, scalars of the wrong form; goes on below MAP and LIST (with their own @probes). @probes: keys
 * with a dot in @map itself are probes and passed over. Scalars marked NODE_LATER are passed over. Returns 0, or
 * -EINVAL where it added an error.
 */
int schema_check_map(const struct text *text, const struct schema_key *keys, const struct node *map, bool probes,
		     struct diags *diags);

/** Reading what schema_check_map() accepted; @fallback where the key is not there. */
const char *schema_text(const struct node *map, const char *key, const char *fallback);
int64_t schema_integer(const struct node *map, const char *key, int64_t fallback);
bool schema_boolean(const struct node *map, const char *key, bool fallback);
int64_t schema_milliseconds(const struct node *map, const char *key, int64_t fallback);

/**
 * schema_check_params - the parameters in a probe's map
 * @also: keys that are not parameters (judging keys), NULL-ended
 * Scalars marked NODE_LATER are passed over. Returns 0, or -EINVAL where it added an error.
 */
int schema_check_params(const struct text *text, const struct rs_source *source, const struct node *map,
			const char *const *also, struct diags *diags);

/** schema_gives - whether a probe's map gives parameter @key, and not as a plain false */
bool schema_gives(const struct node *map, const char *key);

/**
 * schema_canonical - parameters that were checked as one line of JSON, in the order of the descriptors, defaults filled
 * in, every scalar a string in its canonical form, files by their contents: the identity of an observation, and what
 * travels to the agent. The caller frees it. NULL with errors in @diags where a file cannot be read.
 */
char *schema_canonical(const struct text *text, const struct rs_source *source, const struct node *map,
		       struct diags *diags);

/** schema_extra_ms - the time that canonical parameters make an observation take by intention */
int64_t schema_extra_ms(const struct rs_source *source, const char *canonical);

/** struct schema_bound - a plugin's parameter struct, filled */
struct schema_bound {
	void *params;
	void *cyaml; /* what it takes to free it */
};

/** schema_bind - canonical JSON (checked again: it may come from another host) into the source's struct */
int schema_bind(const struct rs_source *source, const char *canonical, struct schema_bound *bound, struct diag *diag);
void schema_unbind(struct schema_bound *bound);

/**
 * schema_check_plugin - a plugin's tables, which all else here trusts; called when it is loaded
 * @name: what its file is called. Returns 0, or -EINVAL with *why an own text ("source 'x.y' has no observe()").
 */
int schema_check_plugin(const struct rs_plugin *plugin, const char *name, char **why);

/** schema_json - JSON Schema (2020-12) of a scenario, over the plugins that are loaded; a new reference */
struct registry;
json_t *schema_json(const struct registry *registry);

/**
 * schema_describe - one probe for a person: parameters, facts, judging keys, an example
 * schema_reference - a plugin's page as Markdown; schema_reference_scenario - that of the scenario's own keys
 */
void schema_describe(FILE *out, const struct rs_source *source, const struct rs_probe *probe);
void schema_reference(FILE *out, const struct rs_plugin *plugin);
void schema_reference_scenario(FILE *out);
