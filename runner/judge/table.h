/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: tables of facts, and the observation that holds them */
#pragma once

#include <rdmaspec/plugin.h>

#include "base/memory.h"
#include "base/value.h"

/**
 * struct table - rows of values, one column a fact of the probe
 * @cells: rows * columns, row by row
 */
struct table {
	const struct rs_probe *probe;
	unsigned columns;
	size_t rows;
	size_t capacity; /* in rows */
	struct value *cells;
	struct arena arena; /* what the cells point to */
};

struct table *table_new(const struct rs_probe *probe);
struct value *table_add_row(struct table *table); /* all cells not observed; valid until the next call */
void table_free(struct table *table);

static inline const struct value *table_row(const struct table *table, size_t row)
{
	return table->cells + row * table->columns;
}

/** probe_fact - the column of a fact by name, or -1 */
int probe_fact(const struct rs_probe *probe, const char *name);
unsigned probe_columns(const struct rs_probe *probe);

/**
 * table_row_name - what a row is called in a sentence: the probe's row template, else its key facts, else its number
 * "{description|guid}" in a template is the first of the facts that is observed and not empty; "?" stands for a fact
 * that is neither. Appends raw bytes.
 */
void table_row_name(struct buf *out, const struct table *table, size_t row);

struct evidence {
	char *name;
	struct buf head, tail; /* tail only where the middle was left out: until then, the head is all of it */
	size_t total;	       /* bytes that there were */
};
#define EVIDENCE_KEPT (256 * 1024) /* of head, and of tail */

/**
 * struct observation - what one source said on one host
 * @error: why there is nothing, one sentence; NULL: it was observed. @reason: enum rs_reason, 0 where the worker itself
 *         failed (killed, crashed, garbage)
 * @tables: by the probe's number in the source; NULL where it was not asked for
 * @log: last lines of the worker's stderr; may be NULL
 */
struct observation {
	unsigned references;
	const struct rs_source *source;
	char *host;
	char *server; /* of a pair: its server, as @host is its client; NULL: on one host */
	char *params; /* canonical JSON */
	char *error;
	int reason;
	char *incomplete; /* what is missing; NULL: complete */
	char *log;
	struct table *tables[32];
	struct strings notes;
	struct evidence *evidence;
	size_t nevidence;
	double started; /* seconds since 1970 */
	double seconds;
};

struct observation *observation_new(const struct rs_source *source, const char *host, const char *params);
struct observation *observation_ref(struct observation *observation);
void observation_unref(struct observation *observation); /* NULL is fine */

/** observation_append - the notes, evidence and last lines of the other end of a pair, each under @prefix */
void observation_append(struct observation *observation, const struct observation *other, const char *prefix);

/** observation_table - the table of @probe, or NULL where it was not asked for */
struct table *observation_table(const struct observation *observation, const struct rs_probe *probe);

/** observation_add_evidence - append to the evidence of that name; keeps head and tail */
void observation_add_evidence(struct observation *observation, const char *name, const void *data, size_t length);
