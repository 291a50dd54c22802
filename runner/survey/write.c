/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From tables to steps. Of a probe that several hosts have alike, what is the same on all of them is said once for all;
 * what is each host's own (GUIDs, LIDs) is said for that host. What changes by itself is left out.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/nodeset.h"
#include "judge/compare.h"
#include "survey/internal.h"

#define NAMED_MAX 20000 /* rows of a table: a scenario is read up to 16 MiB */

/** struct alike - hosts whose tables have rows of the same keys; @shared: by row of the first, facts equal on all */
struct alike {
	const struct surveyed *surveyed;
	size_t *members;
	size_t count;
	uint64_t *shared;
};

static bool is_keyed(const struct rs_probe *probe)
{
	for (const struct rs_fact *fact = probe->facts; fact->name; fact++)
		if (fact->flags & RS_F_KEY)
			return true;
	return false;
}

static bool same_keys(const struct row_index *index, const struct table *base, const struct table *other)
{
	if (base->rows != other->rows)
		return false;
	if (!is_keyed(base->probe))
		return true;
	for (size_t row = 0; row < other->rows; row++)
		if (row_index_find(index, other, row) == ROW_NONE)
			return false;
	return true;
}

/* Which facts of a row are asked for at all: what identifies no row, and does not change by itself. */
static uint64_t stable(const struct surveyed *surveyed)
{
	uint64_t moving = compare_moving(surveyed->source, surveyed->probe), facts = 0;

	for (unsigned i = 0; surveyed->probe->facts[i].name; i++)
		if (!(surveyed->probe->facts[i].flags & RS_F_KEY))
			facts |= UINT64_C(1) << i;
	return facts & ~moving;
}

static uint64_t sayable(const struct table *table, size_t row, uint64_t facts)
{
	for (unsigned i = 0; i < table->columns; i++)
		if (facts >> i & 1 && !value_can(&table->probe->facts[i], &table_row(table, row)[i]))
			facts &= ~(UINT64_C(1) << i);
	return facts;
}

static void share(struct alike *alike, const struct row_index *index, const struct table *base,
		  const struct table *other)
{
	for (size_t row = 0; row < other->rows; row++) {
		size_t own = is_keyed(base->probe) ? row_index_find(index, other, row) : row;

		for (unsigned i = 0; i < base->columns; i++) {
			struct column column = column_of(&base->probe->facts[i]);

			if (!cell_same(&column, &table_row(base, own)[i], &table_row(other, row)[i]))
				alike->shared[own] &= ~(UINT64_C(1) << i);
		}
	}
}

/* Facts of which all rows have the same value. */
static uint64_t common(const struct table *table, const uint64_t *shared, uint64_t facts)
{
	for (size_t row = 0; row < table->rows; row++)
		facts &= sayable(table, row, facts & shared[row]);
	for (unsigned i = 0; i < table->columns; i++) {
		struct column column = column_of(&table->probe->facts[i]);

		for (size_t row = 1; facts >> i & 1 && row < table->rows; row++)
			if (!cell_same(&column, &table_row(table, 0)[i], &table_row(table, row)[i]))
				facts &= ~(UINT64_C(1) << i);
	}
	return table->rows ? facts : 0;
}

static char *fold(const struct writer *writer, const struct alike *alike)
{
	AUTO_FREE const char **names = NULL;
	struct buf out = {0};

	if (alike->surveyed->fabric || !writer->all_hosts || alike->count == writer->all_hosts)
		return NULL;
	names = xcalloc(alike->count, sizeof(*names));
	for (size_t i = 0; i < alike->count; i++)
		names[i] = alike->surveyed->hosts[alike->members[i]];
	nodeset_fold(&out, names, alike->count);
	return buf_take(&out);
}

static uint64_t keys_of(const struct table *table)
{
	uint64_t keys = 0;

	for (unsigned i = 0; i < table->columns; i++)
		if (table->probe->facts[i].flags & RS_F_KEY)
			keys |= UINT64_C(1) << i;
	return keys;
}

/* How many rows there are, and what they all have in common: the first step of a probe. */
static void emit_all(struct writer *writer, const struct alike *alike, const struct table *table, uint64_t facts,
		     const char *hosts)
{
	AUTO_FREE char *name = xasprintf("%s: %zu row%s", table->probe->name, table->rows, plural(table->rows));
	AUTO_FREE char *doc = xasprintf("surveyed on %s%s", writer->when,
					table->rows > NAMED_MAX ? "; these are too many rows to be named one by one: "
								  "'rdmaspec diff' of two surveys compares them all"
								: "");

	step_begin(writer, name, hosts, doc);
	step_count(writer, table->rows);
	if (table->rows == 1)
		facts |= sayable(table, 0, keys_of(table));
	step_expect(writer, table, 0, facts);
	step_end(writer);
}

/* What is a host's own. */
static void emit_own(struct writer *writer, const struct alike *alike, const struct table *base,
		     const struct row_index *index)
{
	for (size_t i = 0; alike->count > 1 && base->rows <= NAMED_MAX && i < alike->count; i++) {
		const struct table *table = alike->surveyed->tables[alike->members[i]];
		AUTO_FREE uint64_t *facts = xcalloc(table->rows + 1, sizeof(*facts));

		for (size_t row = 0; row < table->rows; row++) {
			size_t own = is_keyed(base->probe) ? row_index_find(index, table, row) : row;

			facts[row] = sayable(table, row, stable(alike->surveyed) & ~alike->shared[own]);
		}
		rows_emit(writer, table, facts, false, alike->surveyed->hosts[alike->members[i]]);
	}
}

static void emit_alike(struct writer *writer, struct alike *alike)
{
	const struct table *base = alike->surveyed->tables[alike->members[0]];
	AUTO_FREE char *hosts = fold(writer, alike);
	AUTO_FREE uint64_t *facts = xcalloc(base->rows + 1, sizeof(*facts));
	struct row_index index;
	uint64_t wanted = stable(alike->surveyed), all;

	row_index_open(&index, base);
	for (size_t row = 0; row < base->rows; row++)
		alike->shared[row] = wanted;
	for (size_t i = 1; i < alike->count; i++)
		share(alike, &index, base, alike->surveyed->tables[alike->members[i]]);
	all = common(base, alike->shared, wanted);
	emit_all(writer, alike, base, all, hosts);
	for (size_t row = 0; row < base->rows; row++)
		facts[row] = sayable(base, row, alike->shared[row] & ~all);
	if (base->rows > 1 && base->rows <= NAMED_MAX)
		rows_emit(writer, base, facts, true, hosts);
	emit_own(writer, alike, base, &index);
	row_index_close(&index);
}

static void emit_probe(struct writer *writer, const struct surveyed *surveyed)
{
	AUTO_FREE bool *done = xcalloc(surveyed->count + 1, sizeof(*done));

	writer->probe = surveyed->probe;
	writer->steps = 0;
	for (size_t i = 0; i < surveyed->count; i++) {
		const struct table *base = surveyed->tables[i];
		AUTO_FREE size_t *members = xcalloc(surveyed->count, sizeof(*members));
		AUTO_FREE uint64_t *shared = xcalloc(base->rows + 1, sizeof(*shared));
		struct alike alike = {.surveyed = surveyed, .members = members, .shared = shared};
		struct row_index index;

		if (done[i])
			continue;
		row_index_open(&index, base);
		for (size_t j = i; j < surveyed->count; j++) {
			if (done[j] || !same_keys(&index, base, surveyed->tables[j]))
				continue;
			done[j] = true;
			members[alike.count++] = j;
		}
		row_index_close(&index);
		emit_alike(writer, &alike);
	}
}

/* The tables of a step that were observed whole, by host. */
static void collect(const struct result *result, const struct result_step *step, struct surveyed *surveyed)
{
	const struct scenario_probe *probe = &step->plan->step->probe;

	surveyed->source = probe->source;
	surveyed->probe = probe->probe;
	surveyed->fabric = probe->source->scope == RS_FABRIC;
	surveyed->tables = xcalloc(step->ncases + 1, sizeof(*surveyed->tables));
	surveyed->hosts = xcalloc(step->ncases + 1, sizeof(*surveyed->hosts));
	for (size_t i = 0; i < step->ncases; i++) {
		const struct result_case *item = &step->cases[i];
		const struct observation *observation =
			item->nattempts ? item->attempts[item->nattempts - 1].observation : NULL;
		const struct table *table =
			observation && !observation->error ? observation_table(observation, probe->probe) : NULL;

		if (!table || observation->incomplete)
			continue;
		surveyed->hosts[surveyed->count] = observation->host;
		surveyed->tables[surveyed->count++] = table;
	}
}

static void emit_steps(struct writer *writer, const struct result *result)
{
	emit_text(writer->yaml, "steps");
	emit_list(writer->yaml, false);
	for (size_t i = 0; i < result->nsteps; i++) {
		struct surveyed surveyed = {0};

		if (result->steps[i].plan->step->probe.source->flags & (RS_COUNTERS | RS_PASSING))
			continue;
		collect(result, &result->steps[i], &surveyed);
		emit_probe(writer, &surveyed);
		free(surveyed.tables);
		free(surveyed.hosts);
	}
	emit_end(writer->yaml);
}

static bool has_named_hosts(const struct result *result)
{
	return result->nsteps && !result->steps[0].plan->scenario->hosts_implied;
}

int survey_write(FILE *out, const struct result *result)
{
	struct writer writer = {.yaml = emit_open(out)};
	time_t started = (time_t)result->started;
	AUTO_FREE char *name = NULL;
	struct tm tm;

	if (gmtime_r(&started, &tm))
		strftime(writer.when, sizeof(writer.when), "%Y-%m-%d", &tm);
	name = xasprintf("as surveyed on %s", writer.when);
	emit_map(writer.yaml, false);
	emit_text(writer.yaml, "rdmaspec");
	emit_text(writer.yaml, "1");
	emit_text(writer.yaml, "name");
	emit_text(writer.yaml, name);
	if (has_named_hosts(result)) {
		writer.all_hosts = result->plan->nhosts;
		hosts_emit(writer.yaml, result->plan);
	}
	emit_steps(&writer, result);
	emit_end(writer.yaml);
	return emit_close(writer.yaml);
}
