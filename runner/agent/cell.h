/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: one cell of a table in the wire format
 *
 *   not observed       null, or {"why": TEXT}
 *   none               []
 *   a code of no name  {"unknown": TEXT}
 *   a value            text, enum, guid, gid, ip, unsigned, number, quantity: a string; integer, time: an integer;
 * boolean a list             an array of values and codes of no name
 */
#pragma once

#include "agent/scan.h"
#include "base/value.h"

/**
 * cell_read - read a cell, check it against its fact, take it over
 * @above: the cell of the row above, or NULL; what is equal is shared with it
 * @arena: where its value is to live, as @above's does
 * Returns 0, or -EPROTO with *why an own text that follows the fact's name ("is 'fastt', which is none of ..."), or
 * NULL where it is no JSON at all.
 */
int cell_read(const struct rs_fact *fact, struct scan *scan, const struct value *above, struct arena *arena,
	      struct value *value, char **why);

/** cell_write - append what cell_read() reads */
void cell_write(struct buf *out, const struct rs_fact *fact, const struct value *value);

/** decimal_valid - what a number and a quantity may be: digits as base/quantity.h reads them; @text ends in a NUL */
bool decimal_valid(const char *text, size_t length);
