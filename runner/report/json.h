/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: JSON written member by member, so that no report stands in memory as a whole. Private to the room. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "report/view.h"

/** struct json_stream - a document that is being written */
struct json_stream {
	FILE *out;
	unsigned depth;
	bool empty; /* nothing in the innermost bracket yet */
	struct buf scratch;
};

/** json_open, json_close - an object ('{') or array ('['); @key: NULL within an array and at the top */
void json_open(struct json_stream *stream, const char *key, char bracket);
void json_close(struct json_stream *stream, char bracket);

/** json_member - one member or element on a line of its own; takes the reference; NULL is null */
void json_member(struct json_stream *stream, const char *key, json_t *value);

/** json_dump_safe - @value on one line, with everything escaped that an HTML page or a terminal would not take as text
 */
void json_dump_safe(struct json_stream *stream, const json_t *value);

/** json_raw - bytes as a string in the wire's form: what is not UTF-8 as \xNN, a backslash doubled; NULL is null */
json_t *json_raw(const char *text);
json_t *json_raw_length(const char *text, size_t length);
json_t *json_raw_list(const char *const *items, size_t count);

/** json_seconds - a duration, to the microsecond; json_time - a point in time as RFC 3339 writes it; 0 is null */
json_t *json_seconds(double seconds);
json_t *json_time(double seconds);
json_t *json_place(struct place place);

/** json_cell - a cell; null: not observed, or none */
json_t *json_cell(const struct rs_fact *fact, const struct value *value);

/** json_facts - the columns of a probe's table; json_row - one row of it: {"row"?, "facts", "unknown"?,
 * "not_observed"?} */
json_t *json_facts(const struct rs_probe *probe);
json_t *json_row(const struct table *table, size_t row, bool numbered);

/** json_observation - all but the rows; the rest of observations that several steps share is written once */
void json_observation(struct json_stream *stream, const struct observation *observation);

/** json_case - a case with its attempts, the rows that were kept, the findings */
void json_case(struct json_stream *stream, const struct result_step *step, const struct result_case *result,
	       struct pointers *observations);
