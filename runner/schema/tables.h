/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: checking a plugin's tables. Each returns NULL, or what is wrong as the end of a sentence ("has no doc"), an own
 * text. */
#pragma once

#include "schema/internal.h"

/** tables_word - a name of lower-case letters, digits and _ */
bool tables_word(const char *text, size_t length);
char *tables_line(const char *text, const char *what);
char *tables_type(struct value_type type);
char *tables_params(const struct rs_source *source);

/** tables_param - the parameter of that key, or NULL */
const struct rs_param *tables_param(const struct rs_param *params, const char *key);

/** tables_within - "fact 'x' has no doc" of @why, which it takes over; NULL stays NULL */
char *tables_within(char *why, const char *what, const char *name);
