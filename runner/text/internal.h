/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: what the files of this room share */
#pragma once

#include <yaml.h>

#include "text/text.h"

#define DEPTH_MAX 64
#define FILE_MAX_BYTES ((size_t)16 * 1024 * 1024)
#define FILES_MAX 65535 /* struct node has 16 bits for them */

/** struct source - one file (or text) while it is parsed */
struct source {
	const char *data;
	size_t length;
	uint16_t file; /* index into text->files */
	const char *path;
};

/** text_add_file - a new entry of text->files; @path is copied */
uint16_t text_add_file(struct text *text, const char *path);

/** source_place - the place of a byte, counted in characters as libyaml does */
struct place source_place(const struct source *source, size_t offset);

/** source_offset - the byte at a line and column that count from 0 (the end of the line where it is shorter) */
size_t source_offset(const struct source *source, size_t line, size_t column);

/**
 * read_bounded - all bytes of @path, or of standard input where it is NULL
 * Returns 0, or a negative errno with *why an own text ("it is a directory").
 */
int read_bounded(const char *path, struct buf *out, char **why);

/** scan_bytes - UTF-8 and the characters that YAML does not take; the first offence is an error. -EINVAL or 0. */
int scan_bytes(struct source *source, struct diags *diags);

/**
 * parse_source - the tree of one document that scan_bytes() passed
 * @root: NULL where there is none or where it is cut off by a syntax error
 * Returns 0, or -EINVAL with errors in @diags; *root may be there all the same.
 */
int parse_source(struct text *text, const struct source *source, const struct node **root, struct diags *diags);

/** struct cut - the next place where a plain value would end at " #word" */
struct cut {
	const struct source *source;
	uint32_t line, column; /* just behind the value, from 0; line UINT32_MAX: there are no more */
	size_t at;	       /* bytes looked at so far */
	size_t line_start;     /* of the line that @at is in */
	uint32_t at_line, at_column;
};
void cut_begin(struct cut *cut, const struct source *source);
/** cut_matches - whether a plain scalar that ends at @end is cut there; @end may not go back */
bool cut_matches(struct cut *cut, yaml_mark_t end);

/**
 * explain - why libyaml stopped, in words for who wrote the file
 * @cut: the last plain value that was cut at " #" (line 0 where there is none)
 * Returns true where that cut was the cause.
 */
bool explain(const struct source *source, const yaml_parser_t *parser, struct place cut, struct diags *diags);

/** check_keys - keys of a map that are there twice; -EINVAL or 0 */
int check_keys(const struct text *text, const struct node *map, struct diags *diags);

/** text_settings - the "name=value" texts of the command line, into text->settings */
int text_settings(struct text *text, const struct strings *set, struct diags *diags);

/** text_vars - the "vars" maps, the weaker first, into text->vars */
int text_vars(struct text *text, const struct node *const *maps, size_t count, struct diags *diags);

/** text_unused_settings - warn of --set names that nothing declares or uses; @others: nodes outside of the documents */
void text_unused_settings(struct text *text, const struct node *const *others, size_t count, struct diags *diags);

/** text_may_grow - count what variables have made; false, with an error the first time, where that is too much */
bool text_may_grow(struct text *text, struct diags *diags, struct place place, size_t length);

/** variable_name - whether it is one: a letter or "_", then letters, digits, "_", "-", "." */
bool variable_name(const char *name, size_t length);

/**
 * enum found - what a name stands for
 * @FOUND_PATTERN: a text with further variables in it; @FOUND_LATER: nothing yet; @FOUND_WRONG: nothing, which was said
 */
enum found { FOUND_VALUE, FOUND_PATTERN, FOUND_LATER, FOUND_WRONG };

/** struct expander - how $(name) is replaced in one scalar */
struct expander {
	struct text *text;
	struct diags *diags;
	struct place place; /* of the scalar */
	enum found (*find)(struct expander *expander, const char *name, const char **value);
	void *user;
	unsigned depth; /* patterns within patterns */
	size_t names;	/* met so far; bounded */
};

/**
 * expand - append @source with its variables replaced
 * Returns FOUND_VALUE; FOUND_LATER where some have no value yet: @out then is a pattern, with those left in it;
 * FOUND_WRONG after an error.
 */
enum found expand(struct expander *expander, const char *source, struct buf *out);

/** expand_unknown - the error for a name that nothing knows; @scope, @more: where it could have been meant */
void expand_unknown(struct expander *expander, const char *name, const struct scope *scope, const struct variable *more,
		    size_t count);

/** scope_find - the innermost variable of that name, or NULL */
const struct variable *scope_find(const struct text *text, const struct scope *scope, const char *name);
