/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: one cell of a table in the wire format
 *
 *   not observed       null, or {"why": TEXT}
 *   none               []
 *   a code of no name  {"unknown": TEXT}
 *   a value            text, enum, guid, gid, ip, unsigned, number, quantity: a string; integer, time: an integer;
 * boolean a list             an array of values
 */
#pragma once

#include <jansson.h>

#include "base/value.h"

/**
 * cell_read - check a cell against its fact and take it over
 * @scratch: reused from call to call
 * Returns 0, or -EPROTO with *why an own text that follows "FACT is" or "FACT has" ("is 'fastt', which is no ...").
 */
int cell_read(const struct rs_fact *fact, const json_t *json, struct arena *arena, struct buf *scratch,
	      struct value *value, char **why);

/** decimal_valid - what a number and a quantity may be: digits as base/quantity.h reads them; @text ends in a NUL */
bool decimal_valid(const char *text, size_t length);
