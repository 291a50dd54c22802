/* SPDX-License-Identifier: BSD-2-Clause */
/** DOC: what the files of this room share */
#pragma once

#include "judge/cells.h"
#include "judge/row_index.h"
#include "survey/survey.h"
#include "text/emit.h"

/**
 * struct surveyed - one probe as all hosts had it
 * @tables, @hosts: @count of both; hosts where it could not be observed are not among them
 * @fabric: it is the same from every host
 */
struct surveyed {
	const struct rs_source *source;
	const struct rs_probe *probe;
	const struct table **tables;
	const char **hosts;
	size_t count;
	bool fabric;
};

/** struct writer - @all_hosts: how many there are; 0: none has a name; @when: the day */
struct writer {
	struct emitter *yaml;
	const struct rs_probe *probe;
	unsigned steps; /* of that probe */
	size_t all_hosts;
	char when[32];
};

/* value.c */

/** value_can - whether a scenario can say that a cell is this */
bool value_can(const struct rs_fact *fact, const struct value *value);
void value_emit(struct emitter *yaml, const struct rs_fact *fact, const struct value *value);

/* step.c */

/**
 * step_begin - a step up to its judging keys; step_end - its end
 * @hosts: a nodeset; NULL: every host. @doc: NULL: none
 */
void step_begin(struct writer *writer, const char *name, const char *hosts, const char *doc);
void step_end(struct writer *writer);
void step_expect(struct writer *writer, const struct table *table, size_t row, uint64_t facts);
void step_count(struct writer *writer, size_t count);

/** rows_emit - steps for the rows of @table: those that are expected to be alike in one, as far as their keys allow
 * @facts: of each row, what is to be expected of it; @all: also of rows of which nothing is but that they are there */
void rows_emit(struct writer *writer, const struct table *table, const uint64_t *facts, bool all, const char *hosts);

/* hosts.c */
void hosts_emit(struct emitter *yaml, const struct plan *plan);
