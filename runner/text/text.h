/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: from files to a tree with positions
 *
 * libyaml's events become nodes that keep file, line and column. What a scenario may not hold (tags, anchors, aliases,
 * merge keys, keys that are no scalars or are there twice, NUL, a second document, deep nesting, large files, anything
 * but UTF-8) is refused here, all problems at once as far as libyaml can go on. Scalars stay text: their type is the
 * schema's matter.
 */
#pragma once

#include "base/diag.h"
#include "base/memory.h"

enum node_kind { NODE_SCALAR, NODE_LIST, NODE_MAP };

enum node_flag {
	NODE_QUOTED = 1 << 0,	/* a quoted or block scalar */
	NODE_VARIABLE = 1 << 1, /* a "$(" or "$$" is in this scalar, or somewhere below */
	NODE_LATER = 1 << 2,	/* a variable in it (or below) has its value only per host or per "each" value */
	NODE_WRONG = 1 << 3,	/* of a scalar: what is wrong was said; NODE_LATER is set too, so that no check looks */
};

/**
 * struct node - one node of the tree. A map's children alternate: key, value, key, value.
 * @next: the next child of the same parent
 * @first: first child of a list or map
 * @text: of a scalar: NUL-ended UTF-8 without NUL inside
 * @length: of a scalar in bytes; of a list or map: number of children (a map's keys and values both counted)
 */
struct node {
	uint8_t kind;
	uint8_t flags;
	uint16_t file; /* index into text->files */
	uint32_t line;
	uint32_t column;
	uint32_t length;
	const struct node *next;
	union {
		const struct node *first;
		const char *text;
	};
};

struct text_file {
	const char *path; /* as the user wrote it, or the include relative to the including file's folder */
	char sha256[65];  /* of its bytes, in hex */
	size_t size;
};

/**
 * struct variable - a name and what it stands for
 * @value: NULL: known, but it has its value only later
 * @pattern: where @value is NULL, its text with variables that only a host has: "$(host).example"; else NULL
 */
struct variable {
	const char *name;
	const char *value;
	const char *pattern;
};

/** struct scope - what $(name) means; looked up from the inner to the outer */
struct scope {
	const struct variable *items;
	size_t count;
	const struct scope *outer;
};

/**
 * struct text - one scenario: its file and all that it includes
 * @files: all that were named, the first one at index 0; also those that could not be read (no sha256 then)
 * @documents: root nodes (maps) in order: an include's before the one that includes it; a file included twice counts
 *             once. One that could not be read as a whole is not among them.
 * @settings: scope of --set; @vars: scope of the vars of all documents, resolved, sorted by name (outer to none)
 * @incomplete: a file could not be read as a whole: variables that are not known are no error then
 * @substituted: bytes that text_resolve() has made in @arena; bounded
 */
struct text {
	struct arena arena;
	struct text_file *files;
	size_t nfiles;
	const struct node **documents;
	size_t ndocuments;
	struct scope settings;
	struct scope vars;
	size_t files_capacity;
	size_t documents_capacity;
	size_t substituted;
	bool incomplete;
};

/**
 * text_load - read @path and its includes; check and remove the keys "include" and "vars" ("rdmaspec" stays)
 * @set: "name=value" texts of the command line
 * Path "-" reads standard input. Returns 0, or -EINVAL with what is wrong in @diags (whatever could be read is kept).
 * Diagnostics borrow the names of the files: they are printed before text_free().
 */
int text_load(struct text *text, const char *path, const struct strings *set, struct diags *diags);

/**
 * text_parse - one document from memory (no include, no vars); @name appears in messages
 * The root may be of any kind. NULL where the text has errors. @data is not kept.
 */
const struct node *text_parse(struct text *text, const char *name, const char *data, size_t length,
			      struct diags *diags);

void text_free(struct text *text);

struct place node_place(const struct text *text, const struct node *node);

/** node_get - the value of @key in a map, or NULL (also where @map is no map) */
const struct node *node_get(const struct node *map, const char *key);

/** node_key - the key itself, for its place, or NULL */
const struct node *node_key(const struct node *map, const char *key);

/** NODE_EACH - over the children of a list; NODE_PAIRS - over key and value of a map */
#define NODE_EACH(child, parent) for (const struct node *child = (parent)->first; child; child = child->next)
#define NODE_PAIRS(key, value, map)                                                                                    \
	for (const struct node *key = (map)->first, *value = key ? key->next : NULL; key;                              \
	     key = value->next, value = key ? key->next : NULL)

/**
 * text_resolve - replace $(name) in every scalar of the tree @node
 * Returns @node itself where nothing is to be replaced, else a copy (in text's arena, or @arena where not NULL) that
 * shares what did not change. Variables that have no value yet stay, and their nodes carry NODE_LATER; such a text can
 * be resolved again. Unknown names are errors with "did you mean", and their nodes carry NODE_WRONG. $(env:NAME) is
 * read here. A key that becomes equal to another one is an error too.
 */
const struct node *text_resolve(struct text *text, struct arena *arena, const struct node *node,
				const struct scope *scope, struct diags *diags);
