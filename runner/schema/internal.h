/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: what the files of this room share */
#pragma once

#include "base/cleanup.h"
#include "schema/schema.h"

/** KEYS_MAX - keys of one map of the envelope, and parameters of one source: a bit each tells which were seen */
#define KEYS_MAX 64

/* ---- words.c: wording that the checks have in common ---- */

/** no_value - an unquoted empty scalar: a key with nothing behind it */
static inline bool no_value(const struct node *node)
{
	return node->kind == NODE_SCALAR && !node->length && !(node->flags & NODE_QUOTED);
}

/** node_is - whether a scalar is exactly @name */
bool node_is(const struct node *node, const char *name);

/** BRIEF - a scalar's text for a message: cut where it is long */
#define BRIEF_LENGTH 80
struct brief {
	char text[BRIEF_LENGTH + 4];
};
struct brief brief(const char *text, size_t length);
#define BRIEF(node) brief((node)->text, (node)->length).text

/** kind_name - "one value", "a list", "a map" */
const char *kind_name(const struct node *node);

/** unknown_key - "unknown key 'x'", with the known one that is like it, else with those that there are */
void unknown_key(const struct text *text, const struct node *key, const struct strings *known, struct diags *diags);

/** outside - "must be between 1 and 255, not 300"; @low, @high: NULL where there is no such limit */
char *outside(const char *low, const char *high, const char *written);

/** list_choices - "a, b, c" */
void list_choices(struct buf *out, const char *const *choices);

/* ---- param.c: one scalar of a parameter ---- */

/** param_by_pointer - whether it is bound through a pointer that is NULL where it was not given */
bool param_by_pointer(const struct rs_param *param);

/** param_size - of what is bound at its offset (for a list: of one element) */
size_t param_size(const struct rs_param *param);

/** param_limited - whether @min and @max mean something */
static inline bool param_limited(const struct rs_param *param)
{
	return param->min || param->max;
}

/** param_scalar - parse one scalar and hold it against its limits; -EINVAL with *why an own text. Not for RS_FILE. */
int param_scalar(const struct rs_param *param, const char *text, size_t length, struct arena *arena, struct value *out,
		 char **why);

/** param_limits - "at least 1", "1 to 255", "up to 63 bytes"; nothing where it has none */
void param_limits(struct buf *out, const struct rs_param *param);

/** param_write - the canonical form of a value of @param; for text and files the text itself */
void param_write(struct buf *out, const struct rs_param *param, const struct value *value);

/**
 * param_node - what @map gives for @param, else the default as a node; NULL where there is neither
 * @scratch: takes the default's nodes; @fill: room for a node that the result may point to
 */
const struct node *param_node(struct text *scratch, const struct node *map, const struct rs_param *param,
			      struct node *fill);

/* ---- canonical.c ---- */

/** quoted - a text of UTF-8 as a string that JSON and YAML read alike, on one line */
void quoted(struct buf *out, const char *text, size_t length);

/* ---- file.c ---- */

#define FILE_MAX (16 * 1024 * 1024)

/** param_file - the file that @node names, relative to the file that @node is in; *why an own text on failure */
int param_file(const struct text *text, const struct rs_param *param, const struct node *node, struct buf *out,
	       char **why);

/* ---- params.c ---- */

/** check_params - as schema_check_params(); @wire: from another host, files by their contents */
int check_params(const struct text *text, const struct rs_source *source, const struct node *map,
		 const char *const *also, bool wire, struct diags *diags);
